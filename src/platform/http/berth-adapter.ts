// Nest's adapter to Fastify, extended to write our Answer. An interceptor would cost more per request.
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isAnswer, sendAnswer } from './answer';
import type { SendLog } from './send-body';

export class BerthAdapter extends FastifyAdapter {
  constructor(
    server: FastifyInstance,
    private readonly log: SendLog,
  ) {
    super(server);
  }

  override reply(
    response: Parameters<FastifyAdapter['reply']>[0],
    body: unknown,
    status?: number,
  ): ReturnType<FastifyAdapter['reply']> {
    const answer = isAnswer(body) ? body : isDocument(body) ? { status: status ?? 200, body } : undefined;
    if (answer === undefined) return super.reply(response, body, status);
    // Nest awaits this result and catches its errors, but its types do not include a promise.
    return sendAnswer(answer, response as FastifyReply, this.log) as FastifyReply;
  }
}

const isDocument = (body: unknown): body is object => typeof body === 'object' && body !== null;
