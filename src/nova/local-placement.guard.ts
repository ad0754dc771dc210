// With a Placement service elsewhere, this service has no provider graph. Routes that read or write it are refused, instead
// of answering from an empty one.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../platform/values/errors';

/** First parts of the paths, after the prefix of the service. */
const OF_THE_GRAPH = [
  'allocation_candidates',
  'allocations',
  'reports',
  'reshaper',
  'resource_classes',
  'resource_providers',
  'scheduler/capacity',
  'scheduler/instances',
  'traits',
  'usages',
].map((path) => `/${path}`);
/** Reports that read decisions only. */
const OF_DECISIONS = ['/reports/refusals'];

export class LocalPlacementGuard implements CanActivate {
  constructor(private readonly urlPrefix: string) {}

  canActivate(context: ExecutionContext): true {
    const { url = '' } = context.switchToHttp().getRequest<FastifyRequest>().routeOptions;
    const path = url.startsWith(this.urlPrefix) ? url.slice(this.urlPrefix.length) : url;
    const isOf = (start: string): boolean => path === start || path.startsWith(`${start}/`);
    if (OF_THE_GRAPH.some(isOf) && !OF_DECISIONS.some(isOf)) {
      throw new DomainError(
        'scheduler.unsupported',
        'This service searches and claims in the Placement service of [placement] in nova.conf ([nova] placement = remote), ' +
          'so this route is not available.',
      );
    }
    return true;
  }
}
