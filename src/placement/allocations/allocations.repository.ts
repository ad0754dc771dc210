// Reads of allocations, each with one statement.
import type { SqlReader } from '../../platform/database/sql';
import type { JoinedRow, RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { StoredAllocation } from '../consumers/allocation.entity';
import type { ConsumerAllocations, ConsumerShare, ProviderAllocations, ProviderShare } from './allocations.commands';

const ALLOCATIONS = new Table(StoredAllocation);
const HELD = ALLOCATIONS.only('used', 'createdAtMs');

interface ConsumerRow extends RowOf<typeof HELD> {
  readonly generation: number;
  readonly projectId: string;
  readonly userId: string;
  readonly consumerType: string | null;
  readonly providerUuid: Uuid;
  readonly providerGeneration: number;
  readonly resourceClass: string;
}

/** Undefined if the consumer has no allocations. */
export async function findByConsumer(sql: SqlReader, uuid: Uuid): Promise<ConsumerAllocations | undefined> {
  const rows = await sql.query<ConsumerRow>(
    'SELECT c.generation, o.external_id AS projectId, u.external_id AS userId, t.name AS consumerType, ' +
      'p.uuid AS providerUuid, p.generation AS providerGeneration, r.name AS resourceClass, ' +
      `${HELD.as('a')} FROM consumers c ` +
      'JOIN projects o ON o.id = c.project_id JOIN users u ON u.id = c.user_id ' +
      'LEFT JOIN consumer_types t ON t.id = c.consumer_type_id JOIN allocations a ON a.consumer_id = c.id ' +
      'JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes r ON r.id = a.resource_class_id ' +
      'WHERE c.uuid = ? ORDER BY a.resource_provider_id, a.resource_class_id',
    [uuid],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const shares = new Map<Uuid, ProviderShare & { resources: Map<string, number> }>();
  for (const { providerUuid, providerGeneration, resourceClass, used } of rows) {
    const share = shares.get(providerUuid) ?? {
      providerUuid,
      providerGeneration,
      resources: new Map<string, number>(),
    };
    shares.set(providerUuid, share);
    share.resources.set(resourceClass, used);
  }
  const { generation, projectId, userId, consumerType } = first;
  const changedAt = rows.reduce((newest, row) => Math.max(newest, row.createdAtMs), 0);
  return { generation, projectId, userId, consumerType, shares: [...shares.values()], changedAt };
}

const SHARED = ALLOCATIONS.only('consumerId', 'used', 'createdAtMs');

interface ShareRow extends RowOf<typeof SHARED> {
  readonly consumerUuid: Uuid;
  readonly consumerGeneration: number;
  readonly resourceClass: string;
}

type ProviderRow = { readonly generation: number } & JoinedRow<ShareRow>;

/** In the order in which the consumers were created. Undefined if there is no such provider. */
export async function findByProvider(sql: SqlReader, uuid: Uuid): Promise<ProviderAllocations | undefined> {
  let generation: number | undefined;
  let changedAt: number | undefined;
  const byConsumer = new Map<number, ConsumerShare & { readonly resources: Map<string, number> }>();
  await sql.each<ProviderRow>(
    `SELECT p.generation, ${SHARED.as('a')}, c.uuid AS consumerUuid, c.generation AS consumerGeneration, ` +
      'r.name AS resourceClass FROM resource_providers p ' +
      'LEFT JOIN allocations a ON a.resource_provider_id = p.id LEFT JOIN consumers c ON c.id = a.consumer_id ' +
      'LEFT JOIN resource_classes r ON r.id = a.resource_class_id WHERE p.uuid = ? ORDER BY a.resource_class_id',
    [uuid],
    (row) => {
      generation = row.generation;
      if (row.consumerId === null) return;
      const { consumerId, consumerUuid, consumerGeneration, resourceClass, used, createdAtMs } = row;
      const share = byConsumer.get(consumerId) ?? { consumerUuid, consumerGeneration, resources: new Map() };
      byConsumer.set(consumerId, share);
      share.resources.set(resourceClass, used);
      changedAt = Math.max(changedAt ?? 0, createdAtMs);
    },
  );
  if (generation === undefined) return undefined;
  // Sorting a typed array is ten times as fast.
  const order = Float64Array.from(byConsumer.keys()).sort();
  return { generation, shares: Array.from(order, (id) => byConsumer.get(id) as ConsumerShare), changedAt };
}
