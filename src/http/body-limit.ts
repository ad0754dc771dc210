// Routes whose bodies are smaller than any may be, wherever they come from.
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

interface BoundedRoute {
  readonly bodyBytes?: number;
}

/** No more of the body is read (413). */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ bodyBytes: bytes } satisfies BoundedRoute);

/** Call before the controllers register. */
export function boundBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { bodyBytes } = (route.config ?? {}) as BoundedRoute;
    if (bodyBytes !== undefined) route.bodyLimit = bodyBytes;
  });
}
