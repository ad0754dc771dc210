// Whose things a caller of the Compute API sees: administrators see everybody's, others those of their project.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../http/request-context';
import { callerOf } from '../caller';
import type { FacadeCaller } from '../caller';

/** Whoever has no project owns what has none. */
export type ComputeCaller = FacadeCaller & { readonly projectId: string };

export function computeCallerOf(context: Pick<RequestContext, 'principal' | 'path'>): ComputeCaller {
  const { projectId, ...caller } = callerOf(context);
  return { ...caller, projectId: projectId ?? '' };
}

export const AsCaller = createParamDecorator((_: unknown, context: ExecutionContext): ComputeCaller =>
  computeCallerOf(context.switchToHttp().getRequest<FastifyRequest>().berth),
);

/** Things of nobody in particular are everybody's. */
export const maySee = ({ isAdmin, projectId }: ComputeCaller, owner: string | null): boolean =>
  isAdmin || owner === null || owner === projectId;
