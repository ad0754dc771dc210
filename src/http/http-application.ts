// Builds the web application around the modules: Fastify as Nest's platform, our adapter and parsers, the edge, the error
// filter, 405 for the rest. Used by the service and by every test that speaks HTTP.
import { fastify } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import { HTTP_LIMITS } from '../config/limits';
import { AllowedMethods } from './allowed-methods';
import { BerthAdapter } from './berth-adapter';
import { commonHeaders, describeRequest, installEdge, refusedVersion, routedUrl } from './edge';
import type { EdgeSettings } from './edge';
import { errorDocument, sendRefusal, titleOf } from './error-document';
import { ErrorFilter } from './error.filter';
import type { ErrorLog } from './error.filter';
import { ProviderLookup } from './provider-lookup';
import { RouteChecks } from './route-checks';

export interface HttpApplicationParts {
  readonly module: DynamicModule;
  readonly edge: EdgeSettings;
  readonly policies: PolicyEnforcer;
  readonly log: ErrorLog;
  readonly nestLogger: LoggerService;
}

export interface HttpApplication {
  readonly app: NestFastifyApplication;
  /** Routes as the controllers registered them, for the reference and the conformance matrix. */
  readonly routes: ReadonlyMap<string, readonly string[]>;
}

/** The application, initialised and ready to listen or to be injected into. */
export async function createHttpApplication(parts: HttpApplicationParts): Promise<HttpApplication> {
  const server = fastify(serverOptions(parts.edge));
  const adapter = new BerthAdapter(server, parts.log);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const allowed = new AllowedMethods(server);
  installEdge(server, parts.edge);

  const app = await NestFactory.create<NestFastifyApplication>(parts.module, adapter, {
    bodyParser: false,
    logger: parts.nestLogger,
    abortOnError: false,
  });
  const checks = new RouteChecks(parts.policies, app.get(ProviderLookup));
  adapter.useChecks((method) => checks.of(method));
  app.useGlobalFilters(new ErrorFilter(parts.log));
  await app.init();
  const routes = new Map(allowed.routes);
  refuseOpenRoutes(adapter.checkedRoutes, routes);
  allowed.refuseTheRest();
  await server.ready();
  return { app, routes };
}

/** A route that came past the adapter's methods would be served without its checks. */
function refuseOpenRoutes(checked: number, routes: ReadonlyMap<string, readonly string[]>): void {
  const registered = [...routes.values()].flat().length;
  if (checked !== registered) throw new Error(`${registered} routes are registered, but ${checked} have their checks`);
}

function serverOptions(edge: EdgeSettings): FastifyHttpOptions<Server> {
  return {
    bodyLimit: HTTP_LIMITS.bodyBytes,
    exposeHeadRoutes: false,
    keepAliveTimeout: HTTP_LIMITS.keepAliveTimeoutMs,
    requestTimeout: HTTP_LIMITS.requestTimeoutMs,
    http: {
      maxHeaderSize: HTTP_LIMITS.headerBytes,
      headersTimeout: HTTP_LIMITS.headersTimeoutMs,
      connectionsCheckingInterval: HTTP_LIMITS.connectionsCheckingIntervalMs,
    },
    routerOptions: {
      maxParamLength: HTTP_LIMITS.pathParameterCharacters,
      // Query strings are read by the routes, strictly and with their history (query-params.ts).
      querystringParser: () => ({}),
    },
    rewriteUrl: (raw) => routedUrl(raw.url ?? '/', edge.urlPrefix),
    frameworkErrors: (error, request, reply) => refuseUnroutable(error, request, reply, edge),
    clientErrorHandler: refuseUnreadable,
  };
}

/** The router itself refused the path: no hook has run, so the request is described here. */
function refuseUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply, edge: EdgeSettings): void {
  request.berth = describeRequest(request.raw, edge);
  if (refusedVersion(request, reply)) return;
  reply.headers(commonHeaders(request.berth));
  const status = (error as { statusCode?: number }).statusCode === 414 ? 414 : 400;
  sendRefusal(request, reply, { status, detail: 'The address cannot be read: it is too long or wrongly encoded.' });
}

interface ClientError extends Error {
  readonly code?: string;
}

interface Socket {
  readonly writable: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is no HTTP at all never becomes a request: answer on the bare socket and close it. */
function refuseUnreadable(error: ClientError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400;
  const requestId = `req-${crypto.randomUUID()}`;
  const body = JSON.stringify(errorDocument({ status, detail: 'The request cannot be read.' }, requestId, false));
  socket.end(
    `HTTP/1.1 ${status} ${titleOf(status)}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-openstack-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
}
