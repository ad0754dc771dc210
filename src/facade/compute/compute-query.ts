// Query strings of the Compute API: pages by `limit` and `marker`, and texts that mean yes or no. Parameters that nobody
// reads are passed over, as that API does.
import { SCHEDULER_LIMITS } from '../../config/limits';
import { queryFault, shown } from '../../domain/field-fault';
import type { QueryParams } from '../../http/query-params';

interface ComputePage {
  /** The most that is answered at once where less was not asked for. */
  readonly limit: number;
  readonly marker: string | undefined;
}

export function pageQueryOf(query: QueryParams): ComputePage {
  const text = query.last('limit');
  const max = SCHEDULER_LIMITS.listDefault;
  if (text !== undefined && !/^\d{1,9}$/.test(text))
    throw queryFault('limit', `must be an integer, not '${shown(text)}'`);
  return { limit: Math.min(text === undefined ? max : Number(text), max), marker: query.last('marker') };
}

/** Undefined: not said. */
export function queriedBoolean(query: QueryParams, name: string): boolean | undefined {
  const text = query.last(name);
  if (text === undefined) return undefined;
  if (/^(true|1|t|yes|y|on|)$/i.test(text)) return true;
  if (/^(false|0|f|no|n|off)$/i.test(text)) return false;
  throw queryFault(name, `must be true or false, not '${shown(text)}'`);
}
