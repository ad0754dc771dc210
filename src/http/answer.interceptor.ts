// Turns a controller's Answer into a response: status, JSON text, Location, caching headers where the version has them.
import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Answer } from './answer';

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number';
}

@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((value: unknown) => (isAnswer(value) ? write(value, request, reply) : value)));
  }
}

function write(answer: Answer, request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { berth } = request;
  reply.code(answer.status);
  if (answer.location !== undefined) {
    reply.header('location', `${berth.origin}${berth.mountPrefix}${encodeURI(answer.location)}`);
  }
  if (answer.lastModified !== undefined && berth.api?.has('lastModified') === true) {
    reply.header('cache-control', 'no-cache');
    if (answer.lastModified !== 'absent') {
      const time = answer.lastModified === 'now' ? Date.now() : answer.lastModified;
      reply.header('last-modified', new Date(time).toUTCString());
    }
  }
  if (answer.body === undefined) return undefined;
  reply.header('content-type', 'application/json');
  return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
}
