// Nest's adapter to Fastify, which writes our Answer. An interceptor would do the same at a higher price, per request.
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
    // Nest waits for what this returns, and catches what it throws; its types know of no answer that takes time.
    return sendAnswer(answer, response as FastifyReply, this.log) as FastifyReply;
  }
}

const isDocument = (body: unknown): body is object => typeof body === 'object' && body !== null;
