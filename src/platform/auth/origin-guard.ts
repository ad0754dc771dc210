// Loopback protection. A service without real authentication listens on this machine only, but a web page can still
// reach it through a browser on the machine: by a name that resolves to 127.0.0.1, or by cross-origin requests. So the
// Host header must be a name of this machine, and the Origin must be the same host or be allowed by CORS. Pure.
import type { RequestHeaders } from './principal';

export interface OriginGuardSettings {
  /** Host names of the service in addition to loopback names. `*` allows any. */
  readonly allowedHosts: readonly string[];
  /** Origins that CORS allows. */
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The reason for a refusal; undefined if the request is allowed. */
export function refusedByOriginGuard(headers: RequestHeaders, settings: OriginGuardSettings): string | undefined {
  const { host, origin } = headers;
  if (typeof host === 'string' && !isHostOfService(host, settings)) {
    return `The host '${nameOf(host)}' is not one of this service; [berth] allowed_hosts names further ones.`;
  }
  if (typeof origin !== 'string' || settings.allowedOrigins.some((each) => each === '*' || each === origin)) {
    return undefined;
  }
  const from = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  if (from !== undefined && from === host) return undefined;
  return `Pages of '${origin}' may not use this service; [cors] allowed_origin names those that may.`;
}

const nameOf = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

function isHostOfService(host: string, { allowedHosts }: OriginGuardSettings): boolean {
  const name = nameOf(host);
  return LOOPBACK.test(name) || allowedHosts.some((each) => each === '*' || each.toLowerCase() === name);
}
