// What the console is made of beside its controllers, and how these begin.
import { Controller, UseGuards, applyDecorators } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import { NotFound } from '../domain/errors';
import { Received } from '../http/route.decorators';
import type { BuiltConsole } from './built-console';

export abstract class ConsoleParts {
  /** Undefined: it was not built. */
  abstract readonly built: BuiltConsole | undefined;
  abstract readonly policies: PolicyEnforcer;
}

/** An address written oddly comes to the router without having been the console's at the edge. */
class PlainAddress implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<FastifyRequest>().berth.surface !== 'console') throw new NotFound('');
    return true;
  }
}

export const ConsoleController = (): ClassDecorator =>
  applyDecorators(Controller('console'), UseGuards(new PlainAddress()));

/** The whole request: what a browser keeps and takes, and from where it asks. */
export const Asked = (): ParameterDecorator => Received({ transform: (request: FastifyRequest) => request });

/** What is told of somebody is for nobody else, and for no time but now. */
export const KEPT_NOWHERE = { 'cache-control': 'no-store' } as const;
