// Builds the web application around the modules: Fastify as Nest's platform, adapter, parsers, edge, error filter, and
// 405 for unknown methods. Used by the service and by every test over HTTP.
import { TLSSocket } from 'node:tls';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
import { fastify } from 'fastify';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import { HTTP_LIMITS } from '../config/limits/http';
import type { ServerTls } from '../config/server-tls';
import type { Admission } from './admission';
import { AllowedMethods } from './allowed-methods';
import { BerthAdapter } from './berth-adapter';
import { boundBodies } from './body-limit';
import { Connections } from './connections';
import { declaredRoutes, refuseUndeclared } from './declared-routes';
import type { EdgeSettings } from './edge';
import { installEdge } from './edge';
import type { ErrorLog } from './error.filter';
import { ErrorFilter } from './error.filter';
import { ProviderLookup } from './provider-lookup';
import { routedUrl } from './received-request';
import { RouteGuard } from './route.guard';
import { Servers } from './servers';
import { addParsers } from './streamed-bodies';
import { refuseUnreadable, refuseUnroutable } from './unrouted';

interface HttpApplicationParts {
  readonly module: DynamicModule;
  readonly edge: EdgeSettings;
  readonly policies: PolicyEnforcer;
  readonly log: ErrorLog & Record<'info' | 'warn', (fields: object, message: string) => void>;
  /** Undefined: plain HTTP. */
  readonly tls: ServerTls | undefined;
  readonly admission: Admission;
  /** `[berth] max_body_bytes`. */
  readonly bodyBytes: number;
  readonly nestLogger: LoggerService;
}

interface HttpApplication {
  readonly app: NestFastifyApplication;
  /** The routes that the controllers registered, for the reference and the conformance matrix. */
  readonly routes: ReadonlyMap<string, readonly string[]>;
  readonly connections: Connections;
  readonly servers: Servers;
}

/** The application, initialised and ready to listen or for injected requests. */
export async function createHttpApplication(parts: HttpApplicationParts): Promise<HttpApplication> {
  refuseUndeclared(declaredRoutes(parts.module, parts.edge.mounts));
  const connections = new Connections();
  const servers = new Servers(parts.tls, connections, parts.log);
  const server = fastify(serverOptions(parts, servers, connections));
  server.addHook('onClose', () => servers.closeFurther());
  const adapter = new BerthAdapter(server, parts.log);
  addParsers(server);
  const allowed = new AllowedMethods(server);
  installEdge(server, parts.edge);
  boundBodies(server);

  const app = await NestFactory.create<NestFastifyApplication>(parts.module, adapter, {
    bodyParser: false,
    logger: parts.nestLogger,
    abortOnError: false,
  });
  app.useGlobalGuards(new RouteGuard(parts.policies, app.get(ProviderLookup), parts.admission));
  app.useGlobalFilters(new ErrorFilter(parts.log));
  await app.init();
  const routes = new Map(allowed.routes);
  allowed.refuseOtherMethods();
  await server.ready();
  return { app, routes, connections, servers };
}

function serverOptions(
  { edge, log, bodyBytes }: HttpApplicationParts,
  servers: Servers,
  connections: Connections,
): FastifyServerOptions {
  return {
    bodyLimit: bodyBytes,
    exposeHeadRoutes: false,
    serverFactory: (handler) => servers.main(handler),
    routerOptions: {
      maxParamLength: HTTP_LIMITS.pathParameterCharacters,
      // The routes parse query strings themselves, strictly and by version (query-params.ts).
      querystringParser: () => ({}),
    },
    rewriteUrl: (raw) => routedUrl(raw.url ?? '/', edge),
    frameworkErrors: (error, request, reply) => refuseUnroutable(error, request, reply, edge),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else if (connections.isOpen(socket)) {
        connections.refuse(socket, (request) => refuseUnreadable(error, socket, edge, request));
      } else {
        // The handshake failed, so the client cannot receive an answer.
        if (socket instanceof TLSSocket) log.info({ reason: error.code ?? error.message }, 'a TLS handshake failed');
        socket.destroy();
      }
    },
  };
}
