// The console page as it is served: the filled template and the security headers. Pure except for the nonce.
import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../platform/http/html';
import type { BuiltConsole } from './built-console';

const BASE = '__BERTH_BASE__';
const BUILD = '__BERTH_BUILD__';
const NONCE = '__BERTH_NONCE__';
const NONCE_BYTES = 18;

/** Headers of all files of the console. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Content-Security-Policy: same origin only, no framing. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

interface FilledPage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * `base` is the path of the console as the browser sees it: `/console`, after the prefix of a proxy if there is one.
 */
export function filledPage({ page, build }: Pick<BuiltConsole, 'page' | 'build'>, base: string): FilledPage {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return {
    text: page.replaceAll(BASE, escapeHtml(base)).replaceAll(BUILD, build).replaceAll(NONCE, nonce),
    headers: {
      ...FILE_HEADERS,
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': PERMISSIONS,
      // Without a validator: a cached page would have the nonce of another response.
      'cache-control': 'no-cache',
    },
  };
}
