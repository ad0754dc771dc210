// Routes whose bodies are smaller than any may be, wherever they come from.
import type { FastifyInstance } from 'fastify';
import { AddRouteConfig } from './route-config';

interface BoundedRoute {
  readonly bodyBytes?: number;
}

/** No more of the body is read (413). */
export const BodyLimit = (bytes: number): MethodDecorator =>
  AddRouteConfig({ bodyBytes: bytes } satisfies BoundedRoute);

/** Call before the controllers register. */
export function boundBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { bodyBytes } = (route.config ?? {}) as BoundedRoute;
    if (bodyBytes !== undefined) route.bodyLimit = bodyBytes;
  });
}
