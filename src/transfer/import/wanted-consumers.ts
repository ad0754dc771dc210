// Computes the consumers that Berth must have according to the reference's rows, with Berth's ids. Rows that cannot be
// imported are reported as findings.
import type { StoredAllocation } from '../../placement/consumers/allocation.entity';
import type { StoredConsumer } from '../../placement/consumers/consumer.entity';
import { recordKey } from '../../placement/inventories/usage.writes';
import type { Dated } from '../../platform/database/dated.entity';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { Findings } from '../findings';
import type { AllocationRow } from '../reference/reader';
import { momentOf } from '../reference/times';
import type { NameIds, NewIds } from './import-context';

interface WantedAllocation extends Pick<StoredAllocation, 'providerId' | 'classId'> {
  used: number;
  readonly createdAtMs: number | undefined;
}

export interface WantedConsumer extends Omit<StoredConsumer, 'id' | keyof Dated> {
  readonly createdAtMs: number | undefined;
  readonly updatedAtMs: number | undefined;
  /** Keyed by `recordKey`. */
  readonly allocations: Map<string, WantedAllocation>;
}

/** Omits consumers of which no allocation can be imported: a consumer must have allocations. */
export function wantedConsumers(
  rows: readonly AllocationRow[],
  maps: { readonly providers: NewIds; readonly names: NameIds },
  findings: Findings,
): ReadonlyMap<Uuid, WantedConsumer> {
  const consumersByUuid = new Map<Uuid, WantedConsumer>();
  for (const row of rows) {
    const uuid = canonicalUuid(row.consumer_uuid);
    if (uuid === undefined) {
      findings.add('bad-uuid', `consumer ${row.consumer_uuid}`);
      continue;
    }
    if (uuid !== row.consumer_uuid) findings.add('odd-uuid', `consumer ${row.consumer_uuid}`);
    const allocation = allocationOf(row, maps, findings);
    if (allocation === undefined) continue;
    const consumer = consumersByUuid.get(uuid) ?? consumerOf(uuid, row, maps.names, findings);
    consumersByUuid.set(uuid, consumer);
    const key = recordKey(allocation.providerId, allocation.classId);
    const same = consumer.allocations.get(key);
    // Duplicates in the reference, which has no unique key, or two spellings of one uuid: the amounts are added.
    if (same === undefined) consumer.allocations.set(key, allocation);
    else same.used += allocation.used;
  }
  return consumersByUuid;
}

function allocationOf(
  row: AllocationRow,
  { providers, names }: { readonly providers: NewIds; readonly names: NameIds },
  findings: Findings,
): WantedAllocation | undefined {
  const subject = `consumer ${row.consumer_uuid}, ${row.used} of class id ${row.resource_class_id} on provider id ${row.resource_provider_id}`;
  const [providerId, classId] = [
    providers.get(row.resource_provider_id),
    names.resource_classes.get(row.resource_class_id),
  ];
  if (providerId === undefined) findings.add('allocation-without-provider', subject);
  else if (row.inventory_id === null || classId === undefined) findings.add('allocation-without-inventory', subject);
  else if (row.used < 1) findings.add('bad-amount', subject);
  else return { providerId, classId, used: row.used, createdAtMs: momentOf(row.created_at) };
  return undefined;
}

function consumerOf(uuid: Uuid, row: AllocationRow, names: NameIds, findings: Findings): WantedConsumer {
  const { placeholder } = names;
  if (row.consumer_id === null) findings.add('incomplete-consumer', uuid);
  const projectId = row.project_id === null ? undefined : names.projects.get(row.project_id);
  const userId = row.user_id === null ? undefined : names.users.get(row.user_id);
  if (row.consumer_id !== null && (projectId === undefined || userId === undefined)) {
    findings.add('incomplete-owner', uuid);
  }
  return {
    uuid,
    generation: row.generation ?? 0,
    projectId: projectId ?? placeholder.projectId,
    userId: userId ?? placeholder.userId,
    typeId: (row.consumer_type_id === null ? undefined : names.consumer_types.get(row.consumer_type_id)) ?? null,
    createdAtMs: momentOf(row.consumer_created_at),
    updatedAtMs: momentOf(row.consumer_updated_at),
    allocations: new Map(),
  };
}
