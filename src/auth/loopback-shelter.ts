// A service that believes its callers listens on this machine only, which keeps nobody out who can make a browser on it
// ask: a page may have its own name resolve to 127.0.0.1, or send requests from elsewhere. So the name that was asked
// for must be one of this machine, and a page that asks must have come from there or be allowed by CORS. Pure.
import type { RequestHeaders } from './noauth2';

export interface ShelterSettings {
  /** Names by which clients reach the service, beside those of loopback. `*`: any. */
  readonly allowedHosts: readonly string[];
  /** Origins that CORS allows. */
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why the request is refused; undefined: it is not. */
export function refusedByShelter(headers: RequestHeaders, settings: ShelterSettings): string | undefined {
  const { host, origin } = headers;
  if (typeof host === 'string' && !isOurs(host, settings)) {
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

function isOurs(host: string, { allowedHosts }: ShelterSettings): boolean {
  const name = nameOf(host);
  return LOOPBACK.test(name) || allowedHosts.some((each) => each === '*' || each.toLowerCase() === name);
}
