// Decorators for the controllers of the practice cloud.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { judgedBody, refuseOtherTypes } from '../platform/http/json-body';
import type { RequestContext } from '../platform/http/request-context';
import { Received } from '../platform/http/route.decorators';
import { NotFound } from '../platform/values/errors';

/**
 * Refuses a path that the router accepts but the HTTP edge did not recognise as one of the practice cloud, because of
 * its spelling.
 */
class PlainAddress implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<FastifyRequest>().berth.mount === undefined) throw new NotFound('');
    return true;
  }
}

/** A controller of the practice cloud, with its full path, such as `compute/v2.1/flavors`. */
export const PracticeController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), UseGuards(new PlainAddress()));

/** A JSON body, parsed by `read`. The audit log does not record it. */
export const JsonDocument = (
  read: (document: unknown) => unknown,
  refuseOthers: (request: FastifyRequest) => void = refuseOtherTypes,
): ParameterDecorator =>
  Received({
    transform: (request: FastifyRequest) => {
      refuseOthers(request);
      return judgedBody(request, read);
    },
  });

/** The URL of a path of the practice cloud as the client sees it. */
export const publicUrl = ({ origin, mountPrefix }: RequestContext, path: string): string =>
  `${origin}${mountPrefix}${path}`;

export const selfLinks = (context: RequestContext, path: string): readonly object[] => [
  { rel: 'self', href: publicUrl(context, path) },
];
