// Addresses of things in the Compute API, as its documents show them.
import type { Page } from '../../compute/registry-page';
import type { RequestContext } from '../../http/request-context';
import { publicUrl } from '../facade.decorators';

/** Makes the links of a thing. */
export type Links = (collection: string, key: string | number) => readonly object[];

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

/** A page of the list that was asked for, and where the next one is; nothing of that behind the last one. */
export function linkedPage(
  context: RequestContext,
  name: string,
  { items, next, limit }: Page<object> & { readonly limit: number },
): object {
  if (next === null) return { [name]: items };
  const query = new URLSearchParams(context.queryText);
  query.set('limit', String(limit));
  query.set('marker', next);
  const href = publicUrl(context, `${context.path}?${query.toString()}`);
  return { [name]: items, [`${name}_links`]: [{ rel: 'next', href }] };
}
