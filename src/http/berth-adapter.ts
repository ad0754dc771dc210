// Nest's adapter to Fastify, with what every route of ours has around its method: the checks that it declares before,
// its Answer written after. A global guard and interceptor would do the same at ten times the price, per request.
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAnswer, sendAnswer } from './answer';
import type { RouteCheck } from './route-checks';
import type { SendLog } from './send-body';

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Registration = [...rest: unknown[], handler: Handler];

export class BerthAdapter extends FastifyAdapter {
  private checkOf: ((method: object) => RouteCheck) | undefined;
  private checked = 0;

  constructor(
    server: FastifyInstance,
    private readonly log: SendLog,
  ) {
    super(server);
  }

  /** How many routes have their checks; one that has not would be open to everybody. */
  get checkedRoutes(): number {
    return this.checked;
  }

  /** Call before the controllers register. */
  useChecks(checkOf: (method: object) => RouteCheck): void {
    this.checkOf = checkOf;
  }

  override get(...route: Registration): ReturnType<FastifyAdapter['get']> {
    return super.get(...this.withChecks(route));
  }

  override post(...route: Registration): ReturnType<FastifyAdapter['post']> {
    return super.post(...this.withChecks(route));
  }

  override put(...route: Registration): ReturnType<FastifyAdapter['put']> {
    return super.put(...this.withChecks(route));
  }

  override patch(...route: Registration): ReturnType<FastifyAdapter['patch']> {
    return super.patch(...this.withChecks(route));
  }

  override delete(...route: Registration): ReturnType<FastifyAdapter['delete']> {
    return super.delete(...this.withChecks(route));
  }

  override reply(
    response: Parameters<FastifyAdapter['reply']>[0],
    body: unknown,
    status?: number,
  ): ReturnType<FastifyAdapter['reply']> {
    const answer = isAnswer(body) ? body : isDocument(body) ? { status: status ?? 200, body } : undefined;
    if (answer === undefined) return super.reply(response, body, status);
    // Nest waits for what this returns, and catches what it throws; its types know of no answer that takes time.
    return sendAnswer(answer, response as FastifyReply, this.log) as FastifyReply;
  }

  private withChecks(route: Registration): Registration {
    const handler = route.at(-1) as Handler;
    if (this.checkOf === undefined) throw new Error('a route was registered before the checks were known');
    const check = this.checkOf(handler);
    this.checked += 1;
    const checkedHandler: Handler = (request, reply) => {
      const pending = check(request);
      return pending === undefined ? handler(request, reply) : pending.then(() => handler(request, reply));
    };
    return [...route.slice(0, -1), alike(handler, checkedHandler)];
  }
}

const isDocument = (body: unknown): body is object => typeof body === 'object' && body !== null;

/** The adapter reads options of a route from its handler. */
function alike(original: Handler, copy: Handler): Handler {
  for (const key of Reflect.getMetadataKeys(original) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, original), copy);
  }
  return Object.defineProperty(Object.assign(copy, original), 'name', { configurable: true, value: original.name });
}
