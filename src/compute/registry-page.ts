// Lists of the registries: `limit`, `marker` and filters from the query string, and the page that goes out.
import { SCHEDULER_LIMITS } from '../config/limits';
import { queryFault } from '../domain/field-fault';
import { QueryParams } from '../http/query-params';

/** Which page is asked for. */
export interface PageQuery {
  readonly limit: number;
  /** The key of the last document of the page before; undefined: the first page. */
  readonly marker: string | undefined;
}

export interface ListQuery extends PageQuery {
  /** The last value of each filter that was given holds for every document of the answer. */
  readonly filters: QueryParams;
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
  const filters = knownQuery(queryText, ['limit', 'marker', ...filterNames]);
  const limit = filters.amount('limit', SCHEDULER_LIMITS.listMax) ?? SCHEDULER_LIMITS.listDefault;
  return { limit, marker: filters.last('marker'), filters };
}

/** The document that the page before ended with is not there. */
export const unknownMarker = (marker: string): Error => queryFault('marker', `names nothing here: '${marker}'`);

/** Refuses any query parameter, on routes that take none. */
export function refuseQuery(queryText: string): void {
  knownQuery(queryText, []);
}

/** The document of a page. */
export const presentPage = <T>(plural: string, page: Page<T>, present: (item: T) => object): object => ({
  [plural]: page.items.map(present),
  next_marker: page.next,
});

/** How times are shown. */
export const presentTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
