// The edge's facts about one request, stored on the request for all later stages.
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal';
import type { Caller } from '../event-loop/caller';
import type { Client } from '../event-loop/client';
import type { LogContext } from '../logging/log-context';
import type { ApiVersion } from '../microversion/api-version';
import type { AuditedWrite } from './audited-write';
import type { MountedApi, MountedVersion } from './mounted-api';
import type { RouteCounters } from './request-counters';
import type { Surface } from './surface';

export type { Surface } from './surface';

export interface RequestContext extends LogContext, Caller {
  readonly requestId: string;
  readonly globalRequestId: string | null;
  readonly startedAt: number;
  readonly surface: Surface;
  /** The API of the practice cloud, on its surface. */
  readonly mount: MountedApi | undefined;
  /** Path without the mount prefix and without the query. */
  readonly path: string;
  /** The part after `?`, still encoded. */
  readonly queryText: string;
  /** Prefix of links: mount prefix as the client sees it. */
  readonly mountPrefix: string;
  /** Scheme and host as the client sees them, for `Location`. */
  readonly origin: string;
  readonly remoteAddress: string;
  /** Media type of the body, lower case, without parameters. */
  readonly mediaType: string | undefined;
  /** The client has disconnected: long work for it is cancelled. */
  readonly isGone: boolean;
  traceId: string | undefined;
  principal: Principal | undefined;
  /** In the practice cloud: the policy allows access to objects of other projects. */
  isForOthers: boolean;
  /** The client whose share is charged; undefined for requests without admission. */
  client: Client | undefined;
  /** Ends with the answer. */
  visit: { end(): void } | undefined;
  /** Undefined before the negotiation, and for surfaces without versions. */
  api: ApiVersion | undefined;
  /** The same for an API of the practice cloud. */
  mountedVersion: MountedVersion | undefined;
  /** The request counter of the route; undefined without a route. */
  route: RouteCounters | undefined;
  /** Bytes of an answer that is sent in blocks; null if the head has the length. */
  sentBytes: number | null;
  /** Start of a streaming answer: the service time ends here. */
  headSentAt: number | undefined;
  /** Audit context of a request that can change data; undefined if writes are not audited. */
  auditContext: AuditedWrite | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    berth: RequestContext;
  }
}

/** The negotiated version. Only for routes after the negotiation. */
export function apiOf(request: FastifyRequest): ApiVersion {
  const { api } = request.berth;
  if (api === undefined) throw new Error(`no version was negotiated for ${request.berth.path}`);
  return api;
}
