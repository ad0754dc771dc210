// With a Placement service elsewhere, this service has no provider graph. Routes that read or write it are refused, instead
// of answering from an empty one.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isAtOrBelow } from '../platform/http/mounted-api';
import { DomainError } from '../platform/values/errors';

/** Routes of the scheduler that need the graph. */
const OF_SCHEDULER = ['/scheduler/capacity', '/scheduler/instances', '/scheduler/plans'];
/** Reports that read decisions only. */
const OF_DECISIONS = ['/reports/refusals'];

@Injectable()
export class LocalPlacementGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { berth, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const { surface } = berth;
    const { url = '' } = routeOptions;
    const isBelow = (starts: readonly string[]): boolean => starts.some((start) => isAtOrBelow(url, start));
    const isOfGraph = surface === 'placement' ? url !== '/' : surface === 'reports' || isBelow(OF_SCHEDULER);
    if (isOfGraph && !isBelow(OF_DECISIONS)) {
      throw new DomainError(
        'scheduler.unsupported',
        'This service searches and claims in the Placement service of [placement] in nova.conf ([nova] placement = remote), ' +
          'so this route is not available.',
      );
    }
    return true;
  }
}
