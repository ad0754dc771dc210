// Whether a login comes from the console itself, as far as a browser says. Pure.
import type { IncomingHttpHeaders } from 'node:http';

/** What a browser says where the address was typed, or the page is the service's own. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Why the login is refused; undefined: it is not. `own` is the origin at which the client sees the service. */
export function refusedOrigin(headers: IncomingHttpHeaders, own: string): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !isSameOrigin(origin, own)) {
    return (
      `Pages of '${origin.slice(0, SHOWN_CHARACTERS)}' may not log in at '${own}'. Where a proxy stands in front, ` +
      '[oslo_middleware] enable_proxy_headers_parsing lets the service know its public address.'
    );
  }
  if (typeof site === 'string' && !OWN_SITES.has(site)) return 'Pages of other sites may not log in here.';
  return undefined;
}

const SHOWN_CHARACTERS = 200;

/** In any spelling. What is no address, as `null`, is nobody's. */
const isSameOrigin = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
