// 405 with `Allow` for every known path and unknown method. The list has the registered methods in their order.
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendRefusal } from './error-document';

/** Methods that a client can send to a path without such a route. CONNECT never reaches a router. */
const TRIED_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** The router accepts empty path parameters, but neither Nest nor this API does. Only `*` can be empty. */
const hasEmptyVariable = ({ params }: FastifyRequest): boolean =>
  Object.entries(params as Readonly<Record<string, string>>).some(([name, value]) => value === '' && name !== '*');

export class AllowedMethods {
  private readonly byUrl = new Map<string, string[]>();

  /** Call before the controllers register. */
  constructor(private readonly server: FastifyInstance) {
    server.addHook('onRoute', (route) => {
      const methods = Array.isArray(route.method) ? route.method : [route.method];
      const known = this.byUrl.get(route.url) ?? [];
      this.byUrl.set(route.url, [...known, ...methods]);
    });
  }

  /** Routes registered by controllers: URL pattern and methods. */
  get routes(): ReadonlyMap<string, readonly string[]> {
    return this.byUrl;
  }

  /** Call after the controllers registered and before the server listens. */
  refuseOtherMethods(): void {
    for (const method of TRIED_METHODS) {
      if (!this.server.supportedMethods.includes(method)) this.server.addHttpMethod(method, { hasBody: true });
    }
    // Fastify refuses a QUERY without a content type before routing, unless the method has no body.
    this.server.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
    for (const [url, allowed] of [...this.byUrl]) {
      this.server.route({
        method: TRIED_METHODS.filter((method) => !allowed.includes(method)),
        url,
        handler: (request, reply) => {
          if (hasEmptyVariable(request)) return reply.callNotFound();
          sendRefusal(request, reply, {
            status: 405,
            detail: `The method ${request.method} is not allowed for this resource. Allowed: ${allowed.join(', ')}.`,
            headers: { allow: allowed.join(', ') },
          });
          return reply;
        },
      });
      this.byUrl.set(url, allowed);
    }
  }
}
