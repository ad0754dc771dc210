// What controllers of the facade are made with.
import { Controller, UseGuards, applyDecorators } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '../domain/errors';
import { judgedBody, refuseOtherTypes } from '../http/json-body';
import type { RequestContext } from '../http/request-context';
import { Received } from '../http/route.decorators';

/** An address written oddly comes to the router without having been the facade's at the edge. */
class PlainAddress implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<FastifyRequest>().berth.mount === undefined) throw new NotFound('');
    return true;
  }
}

/** A controller of the facade, with its whole path: `compute/v2.1/flavors`. */
export const FacadeController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), UseGuards(new PlainAddress()));

/** A JSON body as `read` understands it. Nothing of it is told to the audit log. */
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

/** Scheme, host and path of an API of the facade as the client sees them. */
export const publicUrl = ({ origin, mountPrefix }: RequestContext, path: string): string =>
  `${origin}${mountPrefix}${path}`;

export const selfLinks = (context: RequestContext, path: string): readonly object[] => [
  { rel: 'self', href: publicUrl(context, path) },
];
