// What controllers of the facade are made with.
import { Controller, UseGuards, applyDecorators, createParamDecorator } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '../domain/errors';
import type { RequestContext } from '../http/request-context';
import { ComputeVersion } from './compute-version';

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** An address written oddly comes to the router without having been the facade's at the edge. */
class PlainAddress implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (requestOf(context).berth.mount === undefined) throw new NotFound('');
    return true;
  }
}

/** A controller of the facade, with its whole path: `compute/v2.1/flavors`. */
export const FacadeController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), UseGuards(new PlainAddress()));

/** The microversion of the Compute API that was negotiated. */
export const ComputeApi = createParamDecorator((_: unknown, context: ExecutionContext): ComputeVersion => {
  const { mountedVersion, path } = requestOf(context).berth;
  if (!(mountedVersion instanceof ComputeVersion)) throw new Error(`no compute version was negotiated for ${path}`);
  return mountedVersion;
});

/** Scheme, host and path of an API of the facade as the client sees them. */
export const publicUrl = ({ origin, mountPrefix }: RequestContext, path: string): string =>
  `${origin}${mountPrefix}${path}`;
