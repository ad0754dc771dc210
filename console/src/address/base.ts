// The paths of the console and of the service as the browser sees them. A proxy can put a path in front of both.

const metaContent = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? undefined;

/** Path of the console without a trailing slash, for example `/console`. */
export const CONSOLE_PATH = metaContent('berth-base') ?? '/console';

/** Origin and path prefix of the service, without a trailing slash. */
export const SERVICE_URL = `${location.origin}${CONSOLE_PATH.replace(/\/console$/, '')}`;

/** Build of this page; '' if the page was not served by the service. */
export const BUILD = metaContent('berth-build') ?? '';

/** CSP nonce of this page. The browser ignores style tags without it. */
export const STYLE_NONCE = metaContent('csp-nonce') ?? '';

// The libraries that insert style tags read the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });
