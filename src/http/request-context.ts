// What the edge found out about one request, kept on the request for everything behind it.
import type { FastifyRequest } from 'fastify';
import type { LogContext } from '../logging/log-context';
import type { Principal } from '../auth/principal';
import type { ApiVersion } from '../microversion/api-version';
import type { Caller } from '../turns/turns';

/** Which family of routes a path belongs to; they differ in authentication, versions and prefix. */
export type Surface = 'placement' | 'scheduler' | 'operations';

export interface RequestContext extends LogContext, Caller {
  readonly requestId: string;
  readonly globalRequestId: string | null;
  readonly startedAt: number;
  readonly surface: Surface;
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
  principal: Principal | undefined;
  /** Undefined until negotiated, and for surfaces without versions. */
  api: ApiVersion | undefined;
  /** Bytes of an answer that is sent in blocks; null where its length is in the head. */
  sentBytes: number | null;
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
