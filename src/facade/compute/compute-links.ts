// Addresses of things in the Compute API, as its documents show them.
import type { RequestContext } from '../../http/request-context';
import { publicUrl } from '../facade.decorators';

export interface Link {
  readonly rel: string;
  readonly href: string;
}

/** Makes the links of a thing. */
export type Links = (collection: string, key: string | number) => readonly Link[];

export const COMPUTE_PATH = '/compute/v2.1';

export const linksOf =
  (context: RequestContext): Links =>
  (collection, key) => {
    const path = `${collection}/${encodeURIComponent(String(key))}`;
    return [
      { rel: 'self', href: publicUrl(context, `${COMPUTE_PATH}/${path}`) },
      { rel: 'bookmark', href: publicUrl(context, `/compute/${path}`) },
    ];
  };

/** Where the next page is; nothing behind the last one. */
export function nextLink(
  context: RequestContext,
  path: string,
  { next, limit }: { readonly next: string | number | null; readonly limit: number },
): readonly Link[] | undefined {
  if (next === null || limit === 0) return undefined;
  const query = new URLSearchParams(context.queryText);
  query.set('limit', String(limit));
  query.set('marker', String(next));
  return [{ rel: 'next', href: publicUrl(context, `${COMPUTE_PATH}/${path}?${query.toString()}`) }];
}

/** Times as this API writes them: to the second. */
export const computeTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');

/** The same where it writes them without a zone, to the microsecond. */
export const computeStamp = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString().replace('Z', '000');
