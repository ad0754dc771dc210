// Repairs one finding at a time, through the services of the API and in a transaction of its own. Each repair judges
// again with rows read just before it, and leaves alone what changed meanwhile.
import type { AggregatesService } from '../../placement/aggregates/aggregates.service';
import type { ConsumerWrite } from '../../placement/allocations/allocations.commands';
import type { AllocationsService } from '../../placement/allocations/allocations.service';
import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import type { ProviderTraitsService } from '../../placement/provider-traits/provider-traits.service';
import type { ResourceProvidersService } from '../../placement/resource-providers/resource-providers.service';
import { ConcurrentUpdate, DomainError } from '../../platform/values/errors';
import type { RepairOutcome } from './findings';
import type { PlannedWrite, Verdict } from './judge-consumer';
import type { AuditedInstance } from './nova-records';

/** nova's consumers of a build have this type in Berth. */
const INSTANCE_TYPE = 'INSTANCE';

const REPAIRED: RepairOutcome = Object.freeze({ state: 'repaired', reason: null });
export const CHANGED: RepairOutcome = Object.freeze({ state: 'left', reason: 'It changed meanwhile.' });
export const left = (reason: string): RepairOutcome => ({ state: 'left', reason });

/** True if a second judgement found the same, so the first one still holds. */
export const isSameVerdict = (one: Verdict, other: Verdict): boolean => textOf(one) === textOf(other);

const textOf = (verdict: Verdict): string =>
  JSON.stringify(verdict, (_name, value: unknown) => (value instanceof Map ? [...value] : value));

export const writeOfConsumer = (
  { uuid, generation, projectId, userId, consumerType }: WholeConsumer,
  amounts: ConsumerWrite['allocations'],
): ConsumerWrite => ({
  consumerUuid: uuid,
  allocations: amounts,
  projectId,
  userId,
  consumerType: consumerType ?? undefined,
  expectedGeneration: { kind: 'expect', generation },
});

export const writeOfMissing = (
  { uuid, projectId, userId }: AuditedInstance,
  amounts: ConsumerWrite['allocations'],
): ConsumerWrite => ({
  consumerUuid: uuid,
  allocations: amounts,
  projectId,
  userId,
  consumerType: INSTANCE_TYPE,
  expectedGeneration: { kind: 'mustBeNew' },
});

/** Writes planned amounts. Another writer since the read is a conflict of generations, which changes nothing. */
export function writeAmounts(
  allocations: Pick<AllocationsService, 'replace'>,
  planned: PlannedWrite,
  writeOf: (amounts: ConsumerWrite['allocations']) => ConsumerWrite,
): Promise<RepairOutcome> {
  if ('unrepairable' in planned) return Promise.resolve(left(planned.unrepairable));
  return outcomeOf(() => allocations.replace([writeOf(planned.amounts)]));
}

export function writeAggregates(
  aggregates: Pick<AggregatesService, 'replace'>,
  provider: string,
  { wanted, generation }: { readonly wanted: readonly string[]; readonly generation: number },
): Promise<RepairOutcome> {
  const expected = { kind: 'expected', value: generation } as const;
  return outcomeOf(() => aggregates.replace({ provider, aggregates: wanted, generation: expected }));
}

export function writeTraits(
  traits: Pick<ProviderTraitsService, 'replace'>,
  provider: string,
  { wanted, generation }: { readonly wanted: ReadonlySet<string>; readonly generation: number },
): Promise<RepairOutcome> {
  return outcomeOf(() => traits.replace({ provider, traits: wanted, generation }));
}

/** Children come before their parents. A provider that gets an allocation or a child meanwhile stays. */
export function deleteTree(
  providers: Pick<ResourceProvidersService, 'delete'>,
  uuids: readonly string[],
): Promise<RepairOutcome> {
  return outcomeOf(async () => {
    for (const uuid of uuids) await providers.delete(uuid);
  });
}

/** Refusals of Placement are an outcome. Failures of the database are thrown. */
async function outcomeOf(write: () => Promise<unknown>): Promise<RepairOutcome> {
  try {
    await write();
    return REPAIRED;
  } catch (error) {
    if (error instanceof ConcurrentUpdate) return CHANGED;
    if (error instanceof DomainError && error.code !== 'unavailable') return left(error.message);
    throw error;
  }
}
