// Reads of allocations, each with one statement.
import type { SqlReader } from '../../platform/database/sql';
import type { JoinedRow, RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { StoredAllocation } from '../consumers/allocation.entity';
import type { ConsumerAllocations, ProviderShare } from './allocations.commands';

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

const SHARED = ALLOCATIONS.only('consumerId', 'classId', 'used', 'createdAtMs');

/** One amount that a consumer holds of a provider. */
export interface ProviderShareRow extends RowOf<typeof SHARED> {
  readonly consumerUuid: Uuid;
  readonly consumerGeneration: number;
  readonly resourceClass: string;
  /** The position of the row within its class in the index. */
  readonly place: number;
}

type ProviderRow = { readonly generation: number } & JoinedRow<ProviderShareRow>;

/** A provider's generation and allocations, read in one statement. */
export interface ProviderRows {
  readonly generation: number;
  readonly rows: readonly ProviderShareRow[];
}

/** At most `limit` rows of one provider. Undefined if there is no such provider. */
export async function findByProvider(sql: SqlReader, uuid: Uuid, limit: number): Promise<ProviderRows | undefined> {
  const rows = await sql.query<ProviderRow>(
    `SELECT p.generation, ${shareColumns(sql)} FROM resource_providers p ` +
      'LEFT JOIN allocations a ON a.resource_provider_id = p.id LEFT JOIN consumers c ON c.id = a.consumer_id ' +
      'LEFT JOIN resource_classes r ON r.id = a.resource_class_id ' +
      `WHERE p.uuid = ? ORDER BY a.resource_class_id, place LIMIT ${limit}`,
    [uuid],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return { generation: first.generation, rows: rows.filter((row) => row.consumerId !== null) };
}

/**
 * The rows after the given one, in the order of `findByProvider`: of its class or, if there are none, of later ones.
 */
export async function findMoreByProvider(
  sql: SqlReader,
  uuid: Uuid,
  { classId, place }: ProviderShareRow,
  limit: number,
): Promise<readonly ProviderShareRow[]> {
  const sharesAfter = (condition: string, params: readonly number[]): Promise<readonly ProviderShareRow[]> =>
    sql.query<ProviderShareRow>(
      `SELECT ${shareColumns(sql)} FROM allocations a JOIN consumers c ON c.id = a.consumer_id ` +
        'JOIN resource_classes r ON r.id = a.resource_class_id ' +
        'WHERE a.resource_provider_id = (SELECT id FROM resource_providers WHERE uuid = ?) ' +
        `AND ${condition} ORDER BY a.resource_class_id, place LIMIT ${limit}`,
      [uuid, ...params],
    );
  const ofClass = await sharesAfter(`a.resource_class_id = ? AND ${placeOf(sql)} > ?`, [classId, place]);
  return ofClass.length > 0 ? ofClass : sharesAfter('a.resource_class_id > ?', [classId]);
}

const placeOf = ({ dialect }: SqlReader): string => `a.${dialect.indexTail('consumer_id')}`;

const shareColumns = (sql: SqlReader): string =>
  `${SHARED.as('a')}, c.uuid AS consumerUuid, c.generation AS consumerGeneration, r.name AS resourceClass, ` +
  `${placeOf(sql)} AS place`;
