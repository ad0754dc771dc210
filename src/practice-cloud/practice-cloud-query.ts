// Query strings of the practice cloud: integers, booleans, regular expressions, pages.
import type { PageQuery } from '../compute/registry-page';
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import { QueryParams } from '../platform/http/query-params';
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
  return text === undefined ? undefined : booleanText(name, text);
}

export function booleanText(name: string, text: string): boolean {
  if (/^(true|1|t|yes|y|on|)$/i.test(text)) return true;
  if (/^(false|0|f|no|n|off)$/i.test(text)) return false;
  throw queryFault(name, `must be true or false, not '${shown(text)}'`);
}

const PATTERN_CHARACTERS = 255;

/**
 * Whether a text contains a match of the regular expression. Groups, counts and more than one of `*`, `+` and `?` are
 * refused: with them, the engine can take exponential time. `.*` at an end changes no result.
 */
export function textPattern(name: string, expression: string): (text: string) => boolean {
  const source = expression.replaceAll(/^\^?\.\*|(?<!\\)\.\*\$?$/g, '');
  const withoutSets = source.replaceAll(/\\.|\[[^\]]*\]/gs, '-');
  try {
    if (expression.length <= PATTERN_CHARACTERS && !/[(){}]|[*+?].*[*+?]/s.test(withoutSets)) {
      const pattern = new RegExp(source, 's');
      return (text) => pattern.test(text);
    }
  } catch {
    // The message below covers a syntax error.
  }
  throw queryFault(name, 'must be a regular expression without groups and counts, and with at most one of *, + and ?');
}

/** Parameters that change no entry of a list with few entries. */
const NO_FILTERS: readonly string[] = ['limit', 'marker', 'page_reverse', 'sort', 'sort_key', 'sort_dir', 'fields'];

/** The entries whose members have the values in the query. Refuses a parameter that is no member of an entry. */
export function matching<T extends object>(entries: readonly T[], queryText: string): readonly T[] {
  const query = QueryParams.parse(queryText);
  const names = query.names.filter((name) => !NO_FILTERS.includes(name));
  return entries.filter((entry) => {
    const members = new Map<string, unknown>(Object.entries(entry));
    const unknown = names.find((name) => !members.has(name));
    if (unknown !== undefined) throw queryFault(unknown, 'is no filter of this list');
    return names.every((name) =>
      query.all(name).some((value) => value.toLowerCase() === String(members.get(name)).toLowerCase()),
    );
  });
}

/** The parameters of pages, which are no filters. */
export const PAGE_PARAMETERS: readonly string[] = ['limit', 'marker', 'sort_key', 'sort_dir'];

/** A list of the practice cloud has one order. Refuses a request for another one. */
export function refuseOrder(
  query: QueryParams,
  { key, direction }: { readonly key: string; readonly direction: 'asc' | 'desc' },
): void {
  for (const [name, only] of [
    ['sort_key', key],
    ['sort_dir', direction],
  ] as const) {
    if (query.all(name).some((value) => value.trim() !== only))
      throw queryFault(name, `must be ${only}: this list has one order`);
  }
}
