// Whose things a caller of the Compute API sees: administrators see everybody's, others those of their project.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../http/request-context';

export interface ComputeCaller {
  readonly userId: string;
  readonly projectId: string;
  readonly isAdmin: boolean;
}

export function computeCallerOf({ principal, path }: Pick<RequestContext, 'principal' | 'path'>): ComputeCaller {
  if (principal === undefined) throw new Error(`${path} is served to nobody in particular`);
  const { userId, projectId, roles } = principal;
  return { userId, projectId: projectId ?? '', isAdmin: roles.includes('admin') };
}

export const AsCaller = createParamDecorator((_: unknown, context: ExecutionContext): ComputeCaller =>
  computeCallerOf(context.switchToHttp().getRequest<FastifyRequest>().berth),
);

/** Things of nobody in particular are everybody's. */
export const maySee = ({ isAdmin, projectId }: ComputeCaller, owner: string | null): boolean =>
  isAdmin || owner === null || owner === projectId;
