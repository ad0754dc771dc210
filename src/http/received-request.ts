// What is known of a request before it is judged: the path that the router sees, and what is kept of it for everything
// behind. Of every request, so what only a few ask for is worked out when they do.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Principal } from '../auth/principal';
import type { ApiVersion } from '../microversion/api-version';
import type { Client } from '../shares/client';
import { JSON_TYPE } from './json-body';
import { isAtOrBelow, mountOf } from './mounted-api';
import type { MountedApi, MountedVersion } from './mounted-api';
import { seenByClient } from './proxy-headers';
import type { SeenByClient } from './proxy-headers';
import { withLonePercentsEncoded } from './query-params';
import type { RequestContext } from './request-context';
import type { RouteTally } from './request-tally';
import { surfaceOf } from './surface';
import type { Surface } from './surface';
import type { WriteTrail } from './write-trail';

export interface AddressSettings {
  /** Path in front of the placement API, without a trailing slash; empty for none. */
  readonly urlPrefix: string;
  readonly isBehindProxy: boolean;
  /** APIs below paths of their own that speak another service's protocol. */
  readonly mounts: readonly MountedApi[];
}

const GLOBAL_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Where a path that is not ours is sent, so that the router answers 404. */
const NOWHERE = '/-/outside-the-prefix';

/** Scheme and host in front of the path, as a client may send them; `*` asks about the server and is no path. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i;

/** Path and query of the address that was sent. */
function pathOf(sent: string): string {
  if (sent.startsWith('/')) return sent;
  const url = sent.replace(ABSOLUTE, '');
  return url.startsWith('?') || url === '' ? `/${url}` : url;
}

/** Discovery of clients ends addresses with a slash or without one, as it likes. */
const withoutLastSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** A fragment is never sent; the router would cut it off, and serve another path than the one that was judged. */
const withoutFragment = (path: string): string => (path.includes('#') ? path.replaceAll('#', '%23') : path);

/**
 * The path the router sees: without the prefix, and with the two other spellings of the root made equal, as well as
 * those of what the facade serves.
 */
export function routedUrl(sent: string, { urlPrefix, mounts }: Omit<AddressSettings, 'isBehindProxy'>): string {
  const url = pathOf(sent);
  if (!url.startsWith('/')) return NOWHERE;
  const at = url.indexOf('?');
  const path = withLonePercentsEncoded(withoutFragment(at < 0 ? url : url.slice(0, at)));
  const query = at < 0 ? '' : url.slice(at);
  const surface = surfaceOf(path, mounts);
  if (surface === 'facade') return `${withoutLastSlash(path)}${query}`;
  if (surface !== 'placement') return `${path}${query}`;
  const inner = withoutPrefix(path, urlPrefix);
  // Only the placement API is mounted at the prefix.
  if (inner === undefined || (inner !== path && surfaceOf(inner, mounts) !== 'placement')) return NOWHERE;
  return `${inner === '' || inner === '//' ? '/' : inner}${query}`;
}

function withoutPrefix(path: string, urlPrefix: string): string | undefined {
  if (urlPrefix === '') return path;
  return isAtOrBelow(path, urlPrefix) ? path.slice(urlPrefix.length) : undefined;
}

function pathOnSurface(fullPath: string, surface: Surface, urlPrefix: string): string {
  if (surface === 'facade') return withoutLastSlash(fullPath);
  return surface === 'placement' ? (withoutPrefix(fullPath, urlPrefix) ?? fullPath) : fullPath;
}

const mediaTypeOf = (header: string | undefined): string | undefined =>
  header === undefined || header === JSON_TYPE ? header : header.split(';')[0]?.trim().toLowerCase();

type Message = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>;

export class ReceivedRequest implements RequestContext {
  readonly requestId = `req-${randomUUID()}`;
  readonly globalRequestId: string | null;
  readonly startedAt = performance.now();
  readonly surface: Surface;
  readonly mount: MountedApi | undefined;
  readonly path: string;
  readonly queryText: string;
  readonly remoteAddress: string;
  readonly mediaType: string | undefined;
  traceId: string | undefined = undefined;
  principal: Principal | undefined = undefined;
  isForOthers = false;
  client: Client | undefined = undefined;
  visit: { end(): void } | undefined = undefined;
  api: ApiVersion | undefined = undefined;
  mountedVersion: MountedVersion | undefined = undefined;
  route: RouteTally | undefined = undefined;
  sentBytes: number | null = null;
  headSentAt: number | undefined = undefined;
  trail: WriteTrail | undefined = undefined;
  private known: SeenByClient | undefined = undefined;

  constructor(
    private readonly raw: Message,
    private readonly settings: AddressSettings,
  ) {
    const { urlPrefix, mounts, isBehindProxy } = settings;
    const url = pathOf((raw as { originalUrl?: string }).originalUrl ?? raw.url ?? '/');
    const at = url.indexOf('?');
    const fullPath = at < 0 ? url : url.slice(0, at);
    const globalId = raw.headers['x-openstack-request-id'];
    this.globalRequestId = typeof globalId === 'string' && GLOBAL_ID.test(globalId) ? globalId : null;
    this.surface = surfaceOf(fullPath, mounts);
    this.mount = mountOf(fullPath, mounts);
    this.path = pathOnSurface(fullPath, this.surface, urlPrefix);
    this.queryText = at < 0 ? '' : url.slice(at + 1);
    this.remoteAddress = isBehindProxy ? this.seen.remoteAddress : (raw.socket.remoteAddress ?? '-');
    // Now: the header is replaced by one that says which parser reads the body.
    this.mediaType = mediaTypeOf(raw.headers['content-type']);
  }

  get isGone(): boolean {
    return this.raw.socket.destroyed;
  }

  get origin(): string {
    return this.seen.origin;
  }

  get mountPrefix(): string {
    return `${this.seen.prefix}${this.surface === 'placement' ? this.settings.urlPrefix : ''}`;
  }

  private get seen(): SeenByClient {
    if (this.known !== undefined) return this.known;
    const { headers, socket } = this.raw;
    const { localAddress, localPort, remoteAddress } = socket;
    const connection = {
      isSecure: socket instanceof TLSSocket,
      host: `${localAddress ?? 'localhost'}:${localPort ?? 0}`,
      remoteAddress: remoteAddress ?? '-',
    };
    return (this.known = seenByClient(headers, connection, this.settings.isBehindProxy));
  }
}
