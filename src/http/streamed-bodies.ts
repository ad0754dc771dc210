// Bodies that are read by their route, part by part, and are never in memory as a whole. A route says so; for all others
// the parser hands over the bytes.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AddRouteConfig } from './route-config';

/** What Fastify is told of the type of a body, whatever its client says, which is judged by the routes. */
const WHOLE = 'application/octet-stream';
const STREAMED = 'application/x-streamed';

interface StreamedRoute {
  readonly isStreamed?: true;
}

/** The route reads its body itself; the body has no bound but the route's own. */
export const StreamsBody = (): MethodDecorator => AddRouteConfig({ isStreamed: true } satisfies StreamedRoute);

/** What never came to a route has no configuration. */
export const isStreamed = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  (routeOptions.config as StreamedRoute | undefined)?.isStreamed === true;

/** The media type is judged by the routes; the parsers must only ever hand over bytes. */
export function chooseParser(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (isStreamed(request)) headers['content-type'] = STREAMED;
  else if (headers['content-type'] !== undefined) headers['content-type'] = WHOLE;
}

export function addParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addContentTypeParser(STREAMED, (_request: FastifyRequest, payload: IncomingMessage, done) =>
    done(null, payload),
  );
}
