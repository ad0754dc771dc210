// Where the console and the service are, as the browser sees them. A proxy may have put a path in front of both.

const told = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? undefined;

/** Path of the console without a trailing slash, as `/console`. */
export const CONSOLE_PATH = told('berth-base') ?? '/console';

/** Origin and path in front of the service's surfaces, without a trailing slash. */
export const SERVICE_URL = `${location.origin}${CONSOLE_PATH.replace(/\/console$/, '')}`;

/** What style tags of this page must carry; else the browser ignores them. */
export const STYLE_NONCE = told('csp-nonce') ?? '';

// Where the libraries that make style tags by themselves look for it.
Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });
