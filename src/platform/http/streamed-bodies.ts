// Streamed bodies: the route reads the body in parts, and it is never in memory as a whole. For other routes the parser
// passes the complete bytes.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AddRouteConfig } from './route-config';

/** Content types that select Fastify's parser. They replace the client's type, which the routes check. */
const WHOLE = 'application/octet-stream';
const STREAMED = 'application/x-streamed';

interface StreamedRoute {
  readonly isStreamed?: true;
}

/** The route reads its body itself; only the route limits its size. */
export const StreamsBody = (): MethodDecorator => AddRouteConfig({ isStreamed: true } satisfies StreamedRoute);

/** A request without a route has no configuration. */
export const isStreamed = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  (routeOptions.config as StreamedRoute | undefined)?.isStreamed === true;

/** Selects the parser. Routes check the media type; the parsers only ever pass bytes. */
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
