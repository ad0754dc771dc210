// Builds the web application around the modules: Fastify as Nest's platform, our adapter and parsers, the edge, the error
// filter, 405 for the rest. Used by the service and by every test that speaks HTTP.
import { fastify } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import type { FastifyHttpOptions } from 'fastify';
import type { Server } from 'node:http';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import { HTTP_LIMITS } from '../config/limits';
import { AllowedMethods } from './allowed-methods';
import { BerthAdapter } from './berth-adapter';
import { Connections } from './connections';
import { installEdge, routedUrl } from './edge';
import type { EdgeSettings } from './edge';
import { ErrorFilter } from './error.filter';
import type { ErrorLog } from './error.filter';
import { ProviderLookup } from './provider-lookup';
import { RouteChecks } from './route-checks';
import { refuseUnreadable, refuseUnroutable } from './unrouted';

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
  readonly connections: Connections;
}

/** The application, initialised and ready to listen or to be injected into. */
export async function createHttpApplication(parts: HttpApplicationParts): Promise<HttpApplication> {
  const server = fastify(serverOptions(parts.edge));
  const connections = new Connections(server.server);
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
  return { app, routes, connections };
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
      // The edge refuses what lacks it, with a document, in its turn.
      requireHostHeader: false,
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
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, edge),
  };
}
