// 405 with `Allow` for every known path and unknown method. The list has the registered methods in their order.
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './error-document';

/** Methods that a client can send. CONNECT never reaches a router. */
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

  /**
   * Call after the controllers registered and before the server listens. Each path gets a route for the methods that other
   * paths have. The rare ones share a route, because thousands of routes would take a quarter of the start.
   */
  refuseOtherMethods(): void {
    // Descending: a name comes before `:variable`, and that before `*`.
    const routes = [...this.byUrl].sort(([one], [other]) => (one < other ? 1 : -1));
    const usual = new Set(routes.flatMap(([, allowed]) => allowed));
    for (const [url, allowed] of routes) {
      const method = [...usual].filter((each) => !allowed.includes(each));
      if (method.length === 0) continue;
      this.server.route({
        method,
        url,
        handler: (request, reply) => {
          if (hasEmptyVariable(request)) return reply.callNotFound();
          return refuse(request, reply, allowed);
        },
      });
      this.byUrl.set(url, allowed);
    }
    const rare = TRIED_METHODS.filter((method) => !usual.has(method));
    for (const method of rare) {
      if (!this.server.supportedMethods.includes(method)) this.server.addHttpMethod(method, { hasBody: true });
    }
    // Fastify refuses a QUERY without a content type before routing, unless the method has no body.
    this.server.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
    this.server.route({
      method: rare,
      url: '/*',
      handler: (request, reply) => {
        // Counted as a request without a route.
        request.berth.route = undefined;
        const path = `/${(request.params as { readonly '*': string })['*']}`;
        const found = routes.find(([url]) => patternOf(url).test(path));
        return found === undefined ? reply.callNotFound() : refuse(request, reply, found[1]);
      },
    });
    this.byUrl.delete('/*');
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );

function refuse(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  sendRefusal(request, reply, {
    status: 405,
    detail: `The method ${request.method} is not allowed for this resource. Allowed: ${allowed.join(', ')}.`,
    headers: { allow: allowed.join(', ') },
  });
  return reply;
}
