// Query strings of the facade: integers, booleans, pages. Unknown parameters are ignored, as in the OpenStack APIs.
import type { PageQuery } from '../compute/registry-page';
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import type { QueryParams } from '../platform/http/query-params';
import { queryFault, shown } from '../platform/values/field-fault';

/** Undefined if the parameter is absent. */
export function queriedInteger(query: QueryParams, name: string, digits = 9): number | undefined {
  const text = query.last(name);
  if (text === undefined) return undefined;
  if (text.length <= digits && /^\d+$/.test(text)) return Number(text);
  throw queryFault(name, `must be an integer, not '${shown(text)}'`);
}

/** A limit above the maximum is reduced to the maximum. */
export const pageQueryOf = (query: QueryParams, most: number = SCHEDULER_LIMITS.listDefault): PageQuery => ({
  limit: Math.min(queriedInteger(query, 'limit') ?? SCHEDULER_LIMITS.listDefault, most),
  marker: query.last('marker'),
});

/** Undefined if the parameter is absent. */
export function queriedBoolean(query: QueryParams, name: string): boolean | undefined {
  const text = query.last(name);
  if (text === undefined) return undefined;
  if (/^(true|1|t|yes|y|on|)$/i.test(text)) return true;
  if (/^(false|0|f|no|n|off)$/i.test(text)) return false;
  throw queryFault(name, `must be true or false, not '${shown(text)}'`);
}
