// URLs of resources in documents of the Compute API.
import type { Page } from '../../compute/registry-page';
import type { RequestContext } from '../../platform/http/request-context';
import { publicUrl } from '../practice-cloud.decorators';

/** Creates the links of a resource. */
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

/** One page of the requested list, with a link to the next page. The last page has no link. */
export function linkedPage(
  context: RequestContext,
  name: string,
  { items, next, limit }: Page<object> & { readonly limit: number },
  links = `${name}_links`,
): object {
  if (next === null) return { [name]: items };
  const query = new URLSearchParams(context.queryText);
  query.set('limit', String(limit));
  query.set('marker', next);
  const href = publicUrl(context, `${context.path}?${query.toString()}`);
  return { [name]: items, [links]: [{ rel: 'next', href }] };
}
