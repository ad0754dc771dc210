// The facts of a request before any check, including the path for the router. Created for every request, so rarely
// needed facts are computed on demand.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Principal } from '../auth/principal';
import type { Client } from '../event-loop/client';
import type { ApiVersion } from '../microversion/api-version';
import type { AuditedWrite } from './audited-write';
import { JSON_TYPE } from './json-body';
import type { MountedApi, MountedVersion } from './mounted-api';
import { isAtOrBelow, mountOf } from './mounted-api';
import type { SeenByClient } from './proxy-headers';
import { seenByClient } from './proxy-headers';
import { withLonePercentsEncoded } from './query-params';
import type { RequestContext } from './request-context';
import type { RouteCounters } from './request-counters';
import type { Surface } from './surface';
import { surfaceOf } from './surface';

export interface AddressSettings {
  /** Path prefix of the placement API, without a trailing slash; empty for none. */
  readonly urlPrefix: string;
  readonly isBehindProxy: boolean;
  /** The mounted APIs, with protocols of other services. */
  readonly mounts: readonly MountedApi[];
}

const GLOBAL_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Target for paths outside the prefix; the router answers 404. */
const NOWHERE = '/-/outside-the-prefix';

/** Scheme and host in front of the path, which clients can send. `*` refers to the server and is not a path. */
const ABSOLUTE = /^https?:\/\/[^/?]*/i;

/** Path and query of the request target. */
function pathOf(sent: string): string {
  if (sent.startsWith('/')) return sent;
  const url = sent.replace(ABSOLUTE, '');
  return url.startsWith('?') || url === '' ? `/${url}` : url;
}

/** Clients' discovery code appends a slash or not. */
const withoutLastSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/**
 * A fragment is invalid in a request; the router would cut it off and serve another path than the one that was checked.
 */
const withoutFragment = (path: string): string => (path.includes('#') ? path.replaceAll('#', '%23') : path);

/**
 * The path for the router: without the prefix, and with the alternative spellings of the root and of paths of the
 * practice cloud normalised.
 */
export function routedUrl(sent: string, { urlPrefix, mounts }: Omit<AddressSettings, 'isBehindProxy'>): string {
  const url = pathOf(sent);
  if (!url.startsWith('/')) return NOWHERE;
  const at = url.indexOf('?');
  const path = withLonePercentsEncoded(withoutFragment(at < 0 ? url : url.slice(0, at)));
  const query = at < 0 ? '' : url.slice(at);
  const surface = surfaceOf(path, mounts);
  if (surface === 'practice_cloud') return `${withoutLastSlash(path)}${query}`;
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
  if (surface === 'practice_cloud') return withoutLastSlash(fullPath);
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
  route: RouteCounters | undefined = undefined;
  sentBytes: number | null = null;
  headSentAt: number | undefined = undefined;
  auditContext: AuditedWrite | undefined = undefined;
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
    // Read now, because the header is later replaced to select the body parser.
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
