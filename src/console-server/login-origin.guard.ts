// Checks, before the body is read, who can try to log in: the console's own pages, and clients that are not browsers.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../platform/values/errors';
import { KEPT_NOWHERE } from './console-parts';
import { refusedOrigin } from './login-origin';

@Injectable()
export class LoginOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    // Error responses about a caller must not be cached either.
    http.getResponse<FastifyReply>().headers(KEPT_NOWHERE);
    const { headers, berth } = http.getRequest<FastifyRequest>();
    const refusal = refusedOrigin(headers, berth.origin);
    if (refusal !== undefined) throw new DomainError('console.foreign_page', refusal);
    return true;
  }
}
