// Who may try to log in, before the body is looked at: the console's own pages, and clients that are no browsers.
import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/errors';
import { KEPT_NOWHERE } from './console-parts';
import { refusedOrigin } from './login-origin';

@Injectable()
export class LoginDoor implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    // Refusals tell of somebody as well.
    http.getResponse<FastifyReply>().headers(KEPT_NOWHERE);
    const { headers, berth } = http.getRequest<FastifyRequest>();
    const refusal = refusedOrigin(headers, berth.origin);
    if (refusal !== undefined) throw new DomainError('console.foreign_page', refusal);
    return true;
  }
}
