// Counts claims since the start: granted, refused by reason, and how they were written. A claim is the new set of
// allocations of one consumer. An empty set is a release and not counted. metrics/ exports the counters.
import {
  AllocationRefused,
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  InvalidInput,
  Unavailable,
  UnknownReference,
} from '../../platform/values/errors';
import type { ConsumerWrite } from './allocations.commands';

export const CLAIMANTS = ['placement', 'scheduler'] as const;
/** The API of the claim. */
type Claimant = (typeof CLAIMANTS)[number];

export const CLAIM_REFUSALS = [
  'no_capacity',
  'consumer_generation',
  'concurrent_update',
  'unknown_reference',
  'invalid',
  'group_policy',
  'unavailable',
  'failed',
] as const;
type ClaimRefusalReason = (typeof CLAIM_REFUSALS)[number];

export class ClaimCounters {
  readonly granted: Record<Claimant, number> = { placement: 0, scheduler: 0 };
  readonly refused: Record<Claimant, Record<ClaimRefusalReason, number>> = { placement: noneOf(), scheduler: noneOf() };
  /** Requests that were written in a group, alone, and again after a failed group. */
  together = 0;
  alone = 0;
  triedAgain = 0;

  refuse(by: Claimant, reason: ClaimRefusalReason, claims: number): void {
    this.refused[by][reason] += claims;
  }
}

export function claimsAmong(writes: readonly ConsumerWrite[]): number {
  let count = 0;
  for (const { allocations } of writes) if (allocations.size > 0) count += 1;
  return count;
}

export function reasonOf(error: unknown): ClaimRefusalReason {
  if (error instanceof AllocationRefused) return 'no_capacity';
  if (error instanceof ConsumerGenerationConflict) return 'consumer_generation';
  if (error instanceof ConcurrentUpdate) return 'concurrent_update';
  if (error instanceof UnknownReference) return 'unknown_reference';
  if (error instanceof InvalidInput) return 'invalid';
  return error instanceof Unavailable ? 'unavailable' : 'failed';
}

const noneOf = (): Record<ClaimRefusalReason, number> =>
  Object.fromEntries(CLAIM_REFUSALS.map((reason) => [reason, 0])) as Record<ClaimRefusalReason, number>;
