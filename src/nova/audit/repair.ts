// Repairs one finding at a time, through the services of the API and in a transaction of its own. Each repair judges
// again with rows read just before it, and leaves alone what changed meanwhile.
import type { AggregatesService } from '../../placement/aggregates/aggregates.service';
import type { AllocationsService } from '../../placement/allocations/allocations.service';
import type { ProviderTraitsService } from '../../placement/provider-traits/provider-traits.service';
import type { ResourceProvidersService } from '../../placement/resource-providers/resource-providers.service';
import { ConcurrentUpdate, DomainError } from '../../platform/values/errors';
import type { NovaRecords } from './database-records';
import type { RepairOutcome } from './findings';
import type { Verdict } from './judge-consumer';

export interface AuditParts {
  readonly records: NovaRecords;
  readonly allocations: Pick<
    AllocationsService,
    'consumersAfter' | 'wholeConsumers' | 'providersOfConsumers' | 'consumersOfTrees' | 'replace'
  >;
  readonly providers: Pick<ResourceProvidersService, 'list' | 'delete'>;
  readonly traits: Pick<ProviderTraitsService, 'get' | 'replace'>;
  readonly aggregates: Pick<AggregatesService, 'get' | 'replace'>;
  /** Otherwise nothing is written. */
  readonly isToFix: boolean;
}

const REPAIRED: RepairOutcome = Object.freeze({ state: 'repaired', reason: null });
export const CHANGED: RepairOutcome = Object.freeze({ state: 'left', reason: 'It changed meanwhile.' });
export const left = (reason: string): RepairOutcome => ({ state: 'left', reason });

/** True if a second judgement found the same, so the first one still holds. */
export const isSameVerdict = (one: Verdict, other: Verdict): boolean => textOf(one) === textOf(other);

const textOf = (verdict: Verdict): string =>
  JSON.stringify(verdict, (_name, value: unknown) => (value instanceof Map ? [...value] : value));

/** Refusals of Placement are an outcome. Failures of the database are thrown. */
export async function outcomeOf(write: () => Promise<unknown>): Promise<RepairOutcome> {
  try {
    await write();
    return REPAIRED;
  } catch (error) {
    if (error instanceof ConcurrentUpdate) return CHANGED;
    if (error instanceof DomainError && error.code !== 'unavailable') return left(error.message);
    throw error;
  }
}
