// Lists of the registries: `limit`, `marker` and filters from the query string, and the page that goes out.
import { SCHEDULER_LIMITS } from '../config/limits';
import { canonicalUuid } from '../domain/uuid';
import { FIELD_RULES, queryFault } from '../domain/field-fault';
import { QueryParams } from '../http/query-params';

/** Which page is asked for. */
export interface PageQuery {
  readonly limit: number;
  /** The key of the last document of the page before; undefined: the first page. */
  readonly marker: string | undefined;
}

export interface ListQuery extends PageQuery {
  /** Filters that were given, by name; each holds for every document of the answer. */
  readonly filters: ReadonlyMap<string, string>;
}

/** One page; `next` is the marker of the one behind it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Reads part after part until more than `enough` is found. `from` is the marker of the first part. */
export async function readOn<T, M>(
  enough: number,
  from: M | undefined,
  read: (marker: M | undefined) => Promise<{ readonly items: readonly T[]; readonly next: M | null }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let marker = from;
  do {
    const { items, next } = await read(marker);
    found.push(...items);
    marker = next ?? undefined;
  } while (marker !== undefined && found.length <= enough);
  return found;
}

/** All of a registry, page by page. */
export const allOf = <T>(list: (page: PageQuery) => Promise<Page<T>>): Promise<readonly T[]> =>
  readOn(Infinity, undefined, (marker?: string) => list({ limit: SCHEDULER_LIMITS.listMax, marker }));

/** What the query string says. A parameter that is not known would be ignored in silence, so it is refused. */
export function knownQuery(queryText: string, known: readonly string[]): QueryParams {
  const query = QueryParams.parse(queryText);
  const unknown = query.names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw queryFault(unknown, 'is no query parameter here');
  return query;
}

export function listQueryOf(queryText: string, filterNames: readonly string[]): ListQuery {
  const query = knownQuery(queryText, ['limit', 'marker', ...filterNames]);
  const filters = filterNames.flatMap((name): [string, string][] => {
    const value = query.last(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { limit: limitOf(query.last('limit')), marker: query.last('marker'), filters: new Map(filters) };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return SCHEDULER_LIMITS.listDefault;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= SCHEDULER_LIMITS.listMax) return limit;
  throw queryFault('limit', `must be an integer from 1 to ${SCHEDULER_LIMITS.listMax}, not '${text}'`);
}

/** The document that the page before ended with is not there. */
export const unknownMarker = (marker: string): Error => queryFault('marker', `names nothing here: '${marker}'`);

/** Refuses any query parameter, on routes that take none. */
export function refuseQuery(queryText: string): void {
  knownQuery(queryText, []);
}

export function booleanFilter(query: ListQuery, name: string): boolean | undefined {
  const text = query.filters.get(name);
  if (text === undefined) return undefined;
  if (/^(true|1|yes)$/i.test(text)) return true;
  if (/^(false|0|no)$/i.test(text)) return false;
  throw queryFault(name, `must be true or false, not '${text}'`);
}

export function choiceFilter<const C extends string>(
  query: ListQuery,
  name: string,
  choices: readonly C[],
): C | undefined {
  const text = query.filters.get(name);
  if (text === undefined) return undefined;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw queryFault(name, `${FIELD_RULES.oneOf(choices)}, not '${text}'`);
  return choice;
}

export function uuidFilter(query: ListQuery, name: string): string | undefined {
  const text = query.filters.get(name);
  if (text === undefined) return undefined;
  const uuid = canonicalUuid(text);
  if (uuid === undefined) throw queryFault(name, FIELD_RULES.uuid);
  return uuid;
}

/** The document of a page. */
export const presentPage = <T>(plural: string, page: Page<T>, present: (item: T) => object): object => ({
  [plural]: page.items.map(present),
  next_marker: page.next,
});

/** How times are shown. */
export const presentTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
