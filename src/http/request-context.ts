// What the edge found out about one request, kept on the request for everything behind it.
import type { FastifyRequest } from 'fastify';
import type { LogContext } from '../logging/log-context';
import type { Principal } from '../auth/principal';
import type { ApiVersion } from '../microversion/api-version';
import type { Client } from '../shares/client';
import type { Caller } from '../shares/caller';
import type { MountedApi, MountedVersion } from './mounted-api';
import type { RouteTally } from './request-tally';
import type { Surface } from './surface';
import type { WriteTrail } from './write-trail';

export type { Surface } from './surface';

export interface RequestContext extends LogContext, Caller {
  readonly requestId: string;
  readonly globalRequestId: string | null;
  readonly startedAt: number;
  readonly surface: Surface;
  /** Of the surface `facade`: which of its APIs. */
  readonly mount: MountedApi | undefined;
  /** Path after the mount prefix was taken off, without the query. */
  readonly path: string;
  /** Text behind `?`, still encoded. */
  readonly queryText: string;
  /** Prefix of links: mount prefix as the client sees it. */
  readonly mountPrefix: string;
  /** Scheme and host as the client sees them, for `Location`. */
  readonly origin: string;
  readonly remoteAddress: string;
  /** Media type of the body, lower case, without parameters. */
  readonly mediaType: string | undefined;
  /** The client hung up: long work for it is put down. */
  readonly isGone: boolean;
  traceId: string | undefined;
  principal: Principal | undefined;
  /** Of the surface `facade`: policy lets the caller see and change what belongs to others. */
  isForOthers: boolean;
  /** Who has the share that the work is charged to; undefined where requests are not weighed. */
  client: Client | undefined;
  /** Ends when its answer is there. */
  visit: { end(): void } | undefined;
  /** Undefined until negotiated, and for surfaces without versions. */
  api: ApiVersion | undefined;
  /** Likewise of an API of the facade. */
  mountedVersion: MountedVersion | undefined;
  /** Where the request is counted; undefined: it never came to a route. */
  route: RouteTally | undefined;
  /** Bytes of an answer that is sent in blocks; null where its length is in the head. */
  sentBytes: number | null;
  /** When the answer began that goes on for as long as its client listens: the request was served by then. */
  headSentAt: number | undefined;
  /** Of a request that may change something, where writes are audited. */
  trail: WriteTrail | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    berth: RequestContext;
  }
}

/** The negotiated version. Only routes behind the negotiation may ask. */
export function apiOf(request: FastifyRequest): ApiVersion {
  const { api } = request.berth;
  if (api === undefined) throw new Error(`no version was negotiated for ${request.berth.path}`);
  return api;
}
