// The client's view of the service (scheme, host, prefix): from the connection, or from proxy headers if enabled.
import type { IncomingHttpHeaders } from 'node:http';

export interface SeenByClient {
  readonly origin: string;
  readonly prefix: string;
  readonly remoteAddress: string;
}

interface Connection {
  readonly isSecure: boolean;
  readonly host: string;
  readonly remoteAddress: string;
}

const HOST = /^[A-Za-z0-9._~%!$&'()*+,;=:[\]-]{1,255}$/;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;

function first(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  const value = text?.split(',')[0]?.trim();
  return value === '' ? undefined : value;
}

function forwardedPairs(header: string): ReadonlyMap<string, string> {
  const pairs = header
    .split(',')[0]
    ?.split(';')
    .map((pair): [string, string] => {
      const [key = '', ...rest] = pair.split('=');
      return [
        key.trim().toLowerCase(),
        rest
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ];
    });
  return new Map(pairs);
}

/**
 * `Forwarded` takes precedence over the `X-Forwarded-*` headers; both are ignored unless `isEnabled`. Invalid values
 * are ignored.
 */
export function seenByClient(headers: IncomingHttpHeaders, connection: Connection, isEnabled: boolean): SeenByClient {
  const direct = HOST.test(headers.host ?? '') ? (headers.host ?? connection.host) : connection.host;
  const scheme = connection.isSecure ? 'https' : 'http';
  if (!isEnabled) return { origin: `${scheme}://${direct}`, prefix: '', remoteAddress: connection.remoteAddress };
  const forwarded = first(headers['forwarded']);
  const pairs = forwarded === undefined ? undefined : forwardedPairs(forwarded);
  const proto = pairs ? pairs.get('proto') : first(headers['x-forwarded-proto']);
  const host = pairs ? pairs.get('host') : first(headers['x-forwarded-host']);
  const client = pairs ? pairs.get('for') : first(headers['x-forwarded-for']);
  const prefix = first(headers['x-forwarded-prefix'])?.replace(/\/+$/, '');
  return {
    origin: `${proto === 'https' || proto === 'http' ? proto : scheme}://${host !== undefined && HOST.test(host) ? host : direct}`,
    prefix: prefix !== undefined && PREFIX.test(prefix) ? prefix : '',
    remoteAddress: client ?? connection.remoteAddress,
  };
}

/**
 * The client address that the nearest proxy reports: the last entry. Earlier entries come from the client or from
 * unknown proxies.
 */
export function reportedAddress(headers: IncomingHttpHeaders, remoteAddress: string, isEnabled: boolean): string {
  if (!isEnabled) return remoteAddress;
  const forwarded = last(headers['forwarded']);
  const reported = forwarded === undefined ? last(headers['x-forwarded-for']) : forwardedPairs(forwarded).get('for');
  return reported ?? remoteAddress;
}

function last(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header;
  const value = text?.split(',').at(-1)?.trim();
  return value === '' ? undefined : value;
}
