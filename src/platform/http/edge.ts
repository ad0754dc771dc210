// The first stages of every request, in the contract's order, before routing:
//   request id → CORS → authentication → version → content length → (route)
// and the last ones: common headers and the access log line.
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { discardIdentityHeaders } from '../auth/identity-headers';
import type { OriginGuardSettings } from '../auth/origin-guard';
import { refusedByOriginGuard } from '../auth/origin-guard';
import type { Authentication, AuthenticationRequest, Unauthenticated, Undecided } from '../auth/principal';
import { HTTP_LIMITS } from '../config/limits/http';
import type { MicroversionTable } from '../microversion/microversion-table';
import { tracing } from '../tracing/tracing';
import type { WriteAudit } from './audited-write';
import { auditedWriteOf } from './audited-write';
import type { Cors } from './cors';
import type { Refusal } from './error-document';
import { sendRefusal, titleOf } from './error-document';
import type { MountedApi } from './mounted-api';
import { isVersionRefusal } from './mounted-api';
import type { AddressSettings } from './received-request';
import { ReceivedRequest } from './received-request';
import type { RequestContext } from './request-context';
import type { RequestCounters, RouteCounters } from './request-counters';
import { chooseParser } from './streamed-bodies';
import { FREE_OPERATIONS, isFreeOfConsole, surfaceOf } from './surface';

export interface EdgeSettings extends AddressSettings {
  /** The prefix of the API alone, without a slash, needs no token, as in Placement's token middleware. */
  readonly isEmptyPathFree: boolean;
  readonly authenticate: (request: AuthenticationRequest) => Authentication | Promise<Authentication>;
  /**
   * Checks of the Host and Origin headers for strategies without proof of identity; undefined if callers prove theirs.
   */
  readonly originGuard: OriginGuardSettings | undefined;
  readonly cors: Cors | undefined;
  readonly isDraining: () => boolean;
  readonly microversions: MicroversionTable;
  readonly log: EdgeLog;
  /** Undefined if writes are not audited. */
  readonly audit?: WriteAudit | undefined;
  readonly requests: RequestCounters;
  /** The service listens on loopback only. */
  readonly isLoopback: boolean;
}

/** The part of a request that the access log needs; it also exists for requests without a route. */
export type LoggedRequest = Pick<FastifyRequest, 'berth' | 'method' | 'originalUrl'>;

export interface EdgeLog {
  started(request: LoggedRequest): void;
  /** `bytes`: null if the length of the answer's body is unknown. */
  ended(request: LoggedRequest, answer: { readonly status: number; readonly bytes: number | null }): void;
}

/** The message of OpenStack Placement. */
export const MALFORMED_LENGTH = 'the content-length header must be an integer';

/** Headers of every answer, including refusals of the router. */
export function commonHeaders(context: RequestContext): Readonly<Record<string, string>> {
  const { requestId, api, mount, mountedVersion } = context;
  if (mount !== undefined) return { 'x-openstack-request-id': requestId, ...mount.headersOf(mountedVersion) };
  if (api === undefined) return { 'x-openstack-request-id': requestId };
  return {
    'x-openstack-request-id': requestId,
    'openstack-api-version': `placement ${api.text}`,
    vary: 'openstack-api-version',
  };
}

/** Fastify's route configuration for request counters. */
interface CountedRoute {
  readonly counters?: RouteCounters;
}

/** Installs the stages as Fastify hooks. */
export function installEdge(server: FastifyInstance, settings: EdgeSettings): void {
  server.decorateRequest('berth');
  server.addHook('onRoute', (route) => {
    const config: CountedRoute = {
      counters: settings.requests.route(route.method, route.url, surfaceOf(route.url, settings.mounts)),
    };
    route.config = { ...route.config, ...config };
  });
  server.addHook('onRequest', (request, reply, done) => {
    request.berth = new ReceivedRequest(request.raw, settings);
    request.berth.auditContext = auditedWriteOf(request, settings.audit);
    request.berth.route = (request.routeOptions.config as CountedRoute).counters;
    chooseParser(request);
    const { requests: watch } = tracing;
    const begin = (): void => {
      settings.log.started(request);
      const outcome = admitted(request, reply, settings);
      if (!(outcome instanceof Promise)) {
        if (outcome) done();
        return;
      }
      outcome.then((isAdmitted) => {
        if (isAdmitted) done();
      }, done);
    };
    if (watch === undefined) begin();
    else
      watch.began(request.berth, { method: request.method, path: request.berth.path, headers: request.headers }, begin);
  });
  // The body was read in the async context of the connection.
  server.addHook('preValidation', (request, _reply, done) => {
    const { requests: watch } = tracing;
    if (watch === undefined) done();
    else watch.resumed(request.berth, done);
  });
  const ended = (request: FastifyRequest, reply: FastifyReply): void => {
    const length = request.berth.sentBytes ?? Number(reply.getHeader('content-length'));
    settings.log.ended(request, { status: reply.statusCode, bytes: Number.isFinite(length) ? length : null });
  };
  server.addHook('onSend', (request, reply, _payload, done) => {
    request.berth.visit?.end();
    reply.headers(commonHeaders(request.berth));
    request.berth.auditContext?.answered(reply.statusCode);
    // Fastify adds a charset; JSON has none.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') {
      reply.header('content-type', 'application/json');
    }
    settings.cors?.decorate(request, reply);
    // A streaming answer usually ends with a disconnect, for which Fastify calls no onResponse hook.
    if (request.berth.headSentAt !== undefined) {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) ended(request, reply);
      });
    }
    // The idle timeout for unread answers begins now; Node resets it when the answer has been sent.
    if (request.raw.socket instanceof Socket) request.raw.socket.setTimeout(HTTP_LIMITS.unreadAnswerMs);
    // A connection that becomes idle after the shutdown began would delay it.
    if (settings.isDraining()) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    ended(request, reply);
    done();
  });
}

const NO_PRINCIPAL = { authenticated: true, principal: undefined } as const;

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** A caller on loopback is on this machine, unless a proxy or a foreign page sent the request. */
const isOfThisMachine = (headers: FastifyRequest['headers']): boolean =>
  FORWARDING_HEADERS.every((name) => headers[name] === undefined) &&
  refusedByOriginGuard(headers, { allowedHosts: [], allowedOrigins: [] }) === undefined;

/** The caller's identity, if the path requires it. */
function authentication(
  { berth: { path, surface, mount }, headers, method }: Pick<FastifyRequest, 'berth' | 'headers' | 'method'>,
  settings: EdgeSettings,
): typeof NO_PRINCIPAL | Authentication | Promise<Authentication> {
  if (
    path === '/' ||
    (path === '' && settings.isEmptyPathFree) ||
    (surface === 'operations' && FREE_OPERATIONS.has(path))
  )
    return NO_PRINCIPAL;
  if (surface === 'console' && isFreeOfConsole(path)) return NO_PRINCIPAL;
  if (mount?.isFree(method, path) === true) return NO_PRINCIPAL;
  if (surface === 'operations' && settings.isLoopback && isOfThisMachine(headers)) return NO_PRINCIPAL;
  return settings.authenticate({ headers, method, path, prefix: surface === 'placement' ? settings.urlPrefix : '' });
}

/** Runs the stages in order; returns false if one of them has refused the request. */
export function admitted(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: EdgeSettings,
): boolean | Promise<boolean> {
  if (request.originalUrl.length > HTTP_LIMITS.urlBytes) {
    const detail = `The address has more than ${HTTP_LIMITS.urlBytes} characters.`;
    sendRefusal(request, reply, { status: 414, detail });
    return false;
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && !/(^|[\s,])chunked\s*$/i.test(coding)) {
    // Node cannot tell where the body ends, and closes the connection.
    reply.header('connection', 'close');
    sendRefusal(request, reply, { status: 400, detail: 'the last transfer-encoding must be chunked' });
    return false;
  }
  if (settings.cors?.answerPreflight(request, reply) === true) return false;
  const refusal = settings.originGuard && refusedByOriginGuard(request.headers, settings.originGuard);
  if (refusal !== undefined) {
    sendRefusal(request, reply, { status: 403, detail: refusal });
    return false;
  }
  const caller = authentication(request, settings);
  if (caller instanceof Promise) return caller.then((known) => admittedAs(request, reply, known, settings));
  return admittedAs(request, reply, caller, settings);
}

/**
 * The refusal of a caller without valid credentials. Clients of the Identity service expect its JSON document. Placement's
 * text is its contract, so the hint is a member of its own there.
 */
function unauthenticated(
  { message, hint, challenge }: Unauthenticated,
  { mount, surface }: Pick<RequestContext, 'mount' | 'surface'>,
): Refusal {
  const title = titleOf(401);
  const isContract = surface === 'placement' || mount !== undefined;
  const detail = isContract ? message : `${message.replace(/\.$/, '')}. ${hint}`;
  const document =
    challenge === undefined
      ? { message: detail, code: `401 ${title}`, title, hint }
      : { error: { code: 401, title, message: detail }, hint };
  return {
    status: 401,
    detail,
    ...(mount === undefined && { document }),
    ...(challenge !== undefined && { headers: { 'www-authenticate': challenge }, isAlwaysJson: true }),
  };
}

/** The refusal of a caller whose identity cannot be determined now. */
const undecided = ({ message, retryAfterSeconds }: Undecided): Refusal => ({
  status: 503,
  detail: message,
  headers: { 'retry-after': String(retryAfterSeconds) },
});

function admittedAs(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: typeof NO_PRINCIPAL | Authentication,
  { microversions }: EdgeSettings,
): boolean {
  discardIdentityHeaders(request.headers);
  if (!caller.authenticated) {
    const isUndecided = 'retryAfterSeconds' in caller;
    sendRefusal(request, reply, isUndecided ? undecided(caller) : unauthenticated(caller, request.berth));
    return false;
  }
  request.berth.principal = caller.principal;
  if (refusedVersion(request, reply, microversions)) return false;
  const problem = headProblem(request);
  if (problem === undefined) return true;
  sendRefusal(request, reply, { status: 400, detail: problem });
  return false;
}

/** Negotiates the version; returns true if it has refused the request. */
function refusedVersion(request: FastifyRequest, reply: FastifyReply, microversions: MicroversionTable): boolean {
  const { mount } = request.berth;
  if (mount !== undefined) return refusedMountedVersion(mount, request, reply);
  if (request.berth.surface !== 'placement') return false;
  const header = request.headers['openstack-api-version'];
  const outcome = microversions.negotiate(Array.isArray(header) ? header.join(',') : header);
  switch (outcome.kind) {
    case 'version':
      request.berth.api = outcome.version;
      return false;
    case 'malformed':
      sendRefusal(request, reply, { status: 400, detail: outcome.message });
      return true;
    case 'unacceptable':
      sendRefusal(request, reply, { status: 406, detail: outcome.message, extra: microversions.range });
      return true;
  }
}

function refusedMountedVersion(mount: MountedApi, request: FastifyRequest, reply: FastifyReply): boolean {
  const outcome = mount.negotiate(request.headers);
  if (outcome === undefined) return false;
  if (!isVersionRefusal(outcome)) {
    request.berth.mountedVersion = outcome;
    return false;
  }
  sendRefusal(request, reply, { status: outcome.kind === 'malformed' ? 400 : 406, detail: outcome.message });
  return true;
}

function headProblem(request: FastifyRequest): string | undefined {
  if (request.headers.host === undefined && request.raw.httpVersionMinor === 1) return 'host header required';
  const length = request.headers['content-length'];
  if (length === undefined) return undefined;
  if (!/^\d+$/.test(length)) return MALFORMED_LENGTH;
  const hasNoType = Number(length) > 0 && (request.berth.mediaType ?? '') === '';
  return hasNoType ? 'content-type header required when content-length > 0' : undefined;
}
