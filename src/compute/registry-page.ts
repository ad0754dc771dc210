// Lists of the registries: parses `limit`, `marker` and filters from the query string, and presents the page.
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import { QueryParams } from '../platform/http/query-params';
import { queryFault } from '../platform/values/field-fault';

/** The page that the client requests. */
export interface PageQuery {
  readonly limit: number;
  /** The key of the last document of the previous page; undefined for the first page. */
  readonly marker: string | undefined;
}

export interface ListQuery extends PageQuery {
  /** The last value of each given filter. Every document of the page matches all of them. */
  readonly filters: QueryParams;
}

/** Values that the columns of a document must have. */
export type TextFilter<Name extends string> = { readonly [N in Name]?: string | undefined };

/** One page; `next` is the marker of the next page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Reads pages until it has found more than `enough` items. `from` is the marker of the first page. */
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

/** Reads all documents of a registry, page by page. */
export const allOf = <T>(list: (page: PageQuery) => Promise<Page<T>>): Promise<readonly T[]> =>
  readOn(Infinity, undefined, (marker?: string) => list({ limit: SCHEDULER_LIMITS.listMax, marker }));

/** Parses the query string. Refuses an unknown parameter, which would otherwise be ignored silently. */
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

/** Error for a marker that matches no document. */
export const unknownMarker = (marker: string): Error => queryFault('marker', `names nothing here: '${marker}'`);

/** Refuses all query parameters, for routes without any. */
export function refuseQuery(queryText: string): void {
  knownQuery(queryText, []);
}

export const presentPage = <T>(plural: string, page: Page<T>, present: (item: T) => object): object => ({
  [plural]: page.items.map(present),
  next_marker: page.next,
});

export const presentTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
