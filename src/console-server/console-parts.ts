// Dependencies and decorators that the controllers of the console share.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PolicyEnforcer } from '../platform/auth/policy-enforcer';
import { Received } from '../platform/http/route.decorators';
import { NotFound } from '../platform/values/errors';
import type { BuiltConsole } from './built-console';

export abstract class ConsoleParts {
  /** Undefined if the console was not built. */
  abstract readonly built: BuiltConsole | undefined;
  abstract readonly policies: PolicyEnforcer;
}

/** Refuses a spelling of a path that the router accepts but the HTTP edge did not recognise as a console path. */
class PlainAddress implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<FastifyRequest>().berth.surface !== 'console') throw new NotFound('');
    return true;
  }
}

export const ConsoleController = (): ClassDecorator =>
  applyDecorators(Controller('console'), UseGuards(new PlainAddress()));

/** The whole request, for its headers and its socket. */
export const Asked = (): ParameterDecorator => Received({ transform: (request: FastifyRequest) => request });

/** Responses about the caller must not be cached. */
export const KEPT_NOWHERE = { 'cache-control': 'no-store' } as const;
