// What a route of the Compute API knows of a request: who asks, at which version, and where the client sees the service.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '../../domain/errors';
import { bodyFault } from '../../domain/field-fault';
import type { RequestContext } from '../../http/request-context';
import { callerOf } from '../caller';
import type { FacadeCaller } from '../caller';
import { ComputeVersion } from '../compute-version';
import type { ComputeFeature } from '../compute-version';
import { linksOf } from './compute-links';
import type { Links } from './compute-links';

/** Administrators see everybody's things, others those of their project. Whoever has no project owns what has none. */
export type ComputeCaller = FacadeCaller & { readonly projectId: string };

export interface ComputeRequest {
  readonly caller: ComputeCaller;
  /** The microversion that was negotiated. */
  readonly api: ComputeVersion;
  readonly context: RequestContext;
  readonly links: Links;
}

export const ComputeCall = createParamDecorator((_: unknown, execution: ExecutionContext): ComputeRequest => {
  const context = execution.switchToHttp().getRequest<FastifyRequest>().berth;
  const { mountedVersion: api, path } = context;
  if (!(api instanceof ComputeVersion)) throw new Error(`no compute version was negotiated for ${path}`);
  const { projectId, ...caller } = callerOf(context);
  return { caller: { ...caller, projectId: projectId ?? '' }, api, context, links: linksOf(context) };
});

/** Things of nobody in particular are everybody's. */
export const maySee = ({ isAdmin, projectId }: ComputeCaller, owner: string | null): boolean =>
  isAdmin || owner === null || owner === projectId;

/** Of a route that came with the feature. */
export function refuseBefore(feature: ComputeFeature, api: ComputeVersion): void {
  if (!api.has(feature)) throw new NotFound('');
}

/** Of a route that went with the feature. */
export function refuseSince(feature: ComputeFeature, api: ComputeVersion): void {
  if (api.has(feature)) throw new NotFound('');
}

/** Fields of a body, by their paths, that came with the feature. */
export function refuseTooNew(
  feature: ComputeFeature,
  api: ComputeVersion,
  fields: Readonly<Record<string, unknown>>,
): void {
  for (const [path, value] of Object.entries(fields)) {
    if (value !== undefined && !api.has(feature)) throw tooNew(path);
  }
}

/** A field of a body that the version asked for does not have. */
export const tooNew = (path: string): Error => bodyFault(path, 'is no field of the version asked for');
