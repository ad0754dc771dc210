// The page of the console as it is answered: the template with what differs from answer to answer, and the headers that
// tell a browser what the page may do. Pure but for the nonce.
import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../http/html';

const BASE = '__BERTH_BASE__';
const NONCE = '__BERTH_NONCE__';
const NONCE_BYTES = 18;

/** Of everything that the console serves. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Nothing comes from elsewhere, nothing goes elsewhere, and nobody shows the page within another. */
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

/** `base` is where the browser sees the console: `/console`, or that behind the path that a proxy put in front. */
export function filledPage(template: string, base: string): FilledPage {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return {
    text: template.replaceAll(BASE, escapeHtml(base)).replaceAll(NONCE, nonce),
    headers: {
      ...FILE_HEADERS,
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': PERMISSIONS,
      // Without a validator: a kept page would be shown with the nonce of another answer.
      'cache-control': 'no-cache',
    },
  };
}
