// Commands and results of the allocations slice, independent of API versions.
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { InvalidInput } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { ExpectedGeneration } from '../consumers/consumers.writes';

/** Amounts by provider and resource class. */
export type AllocationSet = ReadonlyMap<Uuid, ReadonlyMap<string, number>>;

/** The complete new allocations of one consumer; an empty set releases all. */
export interface ConsumerWrite {
  readonly consumerUuid: Uuid;
  readonly allocations: AllocationSet;
  readonly projectId: string;
  readonly userId: string;
  /** Undefined: an existing consumer keeps its type, a new one gets none. */
  readonly consumerType: string | undefined;
  readonly expectedGeneration: ExpectedGeneration;
}

export interface ProviderShare {
  readonly providerUuid: Uuid;
  readonly providerGeneration: number;
  readonly resources: ReadonlyMap<string, number>;
}

export interface ConsumerAllocations {
  readonly generation: number;
  readonly projectId: string;
  readonly userId: string;
  readonly consumerType: string | null;
  readonly shares: readonly ProviderShare[];
  readonly changedAt: number;
}

export interface ConsumerShare {
  readonly consumerUuid: Uuid;
  readonly consumerGeneration: number;
  readonly resources: ReadonlyMap<string, number>;
}

export interface ProviderAllocations {
  readonly generation: number;
  readonly shares: readonly ConsumerShare[];
  /** Undefined if there are no allocations. */
  readonly changedAt: number | undefined;
}

export const tooManyAmounts = (consumerUuid: Uuid): InvalidInput =>
  new InvalidInput(
    `'allocations' of consumer ${consumerUuid} may have at most ${WRITE_LIMITS.allocationsPerConsumer} amounts.`,
  );
