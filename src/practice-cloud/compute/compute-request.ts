// The request context of a Compute API route: the caller, the version and the URL of the service as the client sees it.
import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../platform/http/request-context';
import { DomainError, NotFound } from '../../platform/values/errors';
import { bodyFault } from '../../platform/values/field-fault';
import type { PracticeCaller } from '../caller';
import { callerOf } from '../caller';
import type { ComputeFeature } from '../compute-version';
import { ComputeVersion } from '../compute-version';
import type { Links } from './compute-links';
import { linksOf } from './compute-links';

/**
 * Administrators see the resources of all projects, others those of their own. Without a project, `projectId` is ''.
 */
export type ComputeCaller = PracticeCaller & { readonly projectId: string };

export interface ComputeRequest {
  readonly caller: ComputeCaller;
  /** The negotiated microversion. */
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

/** A resource without an owner is visible to all callers. */
export const maySee = ({ isAdmin, projectId }: ComputeCaller, owner: string | null): boolean =>
  isAdmin || owner === null || owner === projectId;

/** Error for a request that the policies of the Compute API reserve for administrators. */
export const forAdministrators = (what: string): DomainError =>
  new DomainError('forbidden', `${what} is for administrators.`);

/** Responds 404 on a route that the feature introduced, at versions before it. */
export function refuseBefore(feature: ComputeFeature, api: ComputeVersion): void {
  if (!api.has(feature)) throw new NotFound('');
}

/** Responds 404 on a route that the feature removed, at versions from it on. */
export function refuseSince(feature: ComputeFeature, api: ComputeVersion): void {
  if (api.has(feature)) throw new NotFound('');
}

/** Refuses body fields, given by path, that the feature introduced, at versions before it. */
export function refuseTooNew(
  feature: ComputeFeature,
  api: ComputeVersion,
  fields: Readonly<Record<string, unknown>>,
): void {
  for (const [path, value] of Object.entries(fields)) {
    if (value !== undefined && !api.has(feature)) throw tooNew(path);
  }
}

/** Error for a body field that the requested version does not have. */
export const tooNew = (path: string): Error => bodyFault(path, 'is no field of the version asked for');
