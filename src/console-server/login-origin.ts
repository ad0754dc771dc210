// Checks from the browser's headers whether a login comes from the console itself. Pure.
import type { IncomingHttpHeaders } from 'node:http';

/** Values of Sec-Fetch-Site for a page of the same origin, and for a typed address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** The reason for a refusal, or undefined. `own` is the origin of the service as the client sees it. */
export function refusedOrigin(headers: IncomingHttpHeaders, own: string): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !isSameOrigin(origin, own)) {
    return (
      `Pages of '${origin.slice(0, SHOWN_CHARACTERS)}' cannot log in at '${own}'. Behind a proxy, enable ` +
      '[oslo_middleware] enable_proxy_headers_parsing so that the service knows its public address.'
    );
  }
  if (typeof site === 'string' && !OWN_SITES.has(site)) return 'Pages of other sites may not log in here.';
  return undefined;
}

const SHOWN_CHARACTERS = 200;

/** Compares in any spelling. A text that is not a URL, such as `null`, matches no origin. */
const isSameOrigin = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
