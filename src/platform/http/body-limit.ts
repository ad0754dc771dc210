// Limits the size of a request body, and of all request bodies in flight in the process together.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { sendRefusal } from './error-document';
import { AddRouteConfig } from './route-config';
import { isStreamed } from './streamed-bodies';

interface BoundedRoute {
  readonly bodyBytes?: number;
}

/** The route has its own limit instead of `[berth] max_body_bytes`. A larger body gets 413. */
export const BodyLimit = (bytes: number): MethodDecorator =>
  AddRouteConfig({ bodyBytes: bytes } satisfies BoundedRoute);

const ownLimitOf = ({ config }: { readonly config?: unknown }): number | undefined =>
  (config as BoundedRoute | undefined)?.bodyBytes;

/** The limit of a route, for the message that refuses a larger body. */
export const bodyLimitOf = (route: FastifyRequest['routeOptions']): string =>
  ownLimitOf(route) === undefined
    ? `${route.bodyLimit} bytes, the limit that [berth] max_body_bytes sets`
    : `${ownLimitOf(route)} bytes`;

/** Call before the controllers register. Refuses a body with 503 if there is no room for it next to the others. */
export function boundBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = ownLimitOf(route);
    if (limit !== undefined) route.bodyLimit = limit;
  });
  let inFlight = 0;
  server.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesOf(request);
    if (bytes > 0 && inFlight + bytes > HTTP_LIMITS.bodiesBytes) {
      sendRefusal(request, reply, {
        status: 503,
        detail: `The bodies of all requests under way have more than ${HTTP_LIMITS.bodiesBytes} bytes. Try again later.`,
        // The rest of the body would have to be read before the next request of the connection.
        headers: { 'retry-after': String(HTTP_LIMITS.retryAfterSeconds), connection: 'close' },
      });
      return;
    }
    inFlight += bytes;
    reply.raw.once('close', () => (inFlight -= bytes));
    done();
  });
}

/** The counted bytes: the body's length, or its route's limit if the length is unknown. Small bodies count 0. */
function bytesOf(request: FastifyRequest): number {
  if (isStreamed(request)) return 0;
  const { headers, routeOptions } = request;
  const limit = routeOptions.bodyLimit ?? 0;
  const bytes = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit;
  return bytes > HTTP_LIMITS.smallBodyBytes ? Math.min(bytes, limit) : 0;
}
