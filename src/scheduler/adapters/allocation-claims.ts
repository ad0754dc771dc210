// Claims and releases through the same service that PUT and DELETE /allocations use.
import { Injectable } from '@nestjs/common';
import { AllocationsService } from '../../allocations/allocations.service';
import {
  AllocationRefused,
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  NotFound,
  UnknownReference,
} from '../../errors/domain-errors';
import type { ClaimRefusal, ClaimRequest, Claims } from '../ports';

@Injectable()
export class AllocationClaims implements Claims {
  constructor(private readonly allocations: AllocationsService) {}

  async claim(request: ClaimRequest): Promise<'claimed' | ClaimRefusal> {
    try {
      await this.allocations.replace([
        {
          consumerUuid: request.consumerUuid,
          allocations: new Map(
            Object.entries(request.allocations).map(([uuid, { resources }]) => [
              uuid,
              new Map(Object.entries(resources)),
            ]),
          ),
          projectId: request.projectId,
          userId: request.userId,
          consumerType: request.consumerType,
          belief: { kind: 'mustBeNew' },
        },
      ]);
      return 'claimed';
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  async release(consumerUuids: readonly string[]): Promise<void> {
    for (const uuid of consumerUuids) {
      try {
        await this.allocations.delete(uuid);
      } catch (error) {
        // Somebody else has released it meanwhile.
        if (!(error instanceof NotFound)) throw error;
      }
    }
  }
}

function refusalOf(error: unknown): ClaimRefusal | undefined {
  if (error instanceof ConsumerGenerationConflict) return { outcome: 'consumer_exists', message: error.message };
  if (error instanceof ConcurrentUpdate) return { outcome: 'conflict', message: error.message };
  // A provider that is gone has no room either.
  if (error instanceof AllocationRefused || error instanceof UnknownReference) {
    return { outcome: 'no_capacity', message: error.message };
  }
  return undefined;
}
