// Allocation rows: only ever inserted and deleted. Reads answer a whole document from one statement.
import { chunks, marks, rowMarks } from '../database/sql';
import type { SqlReader, SqlValue, Statement } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import type { HeldAllocation } from '../consumers/consumers.repository';
import type { ConsumerAllocations, ProviderShare } from './allocations.commands';

const ROWS_PER_STATEMENT = 500;

export function deleteAllocations(consumerIds: readonly number[]): readonly Statement[] {
  return chunks(consumerIds, ROWS_PER_STATEMENT).map((part) => ({
    sql: `DELETE FROM allocations WHERE consumer_id IN (${marks(part.length)})`,
    params: part,
  }));
}

export interface NewAllocation extends HeldAllocation {
  readonly consumerId: number;
}

/** Each statement is made when it is asked for: all of a large write at once would hold everybody up. */
export function* insertAllocations(rows: readonly NewAllocation[], nowMs: number): Iterable<Statement> {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    yield {
      sql:
        'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) ' +
        `VALUES ${rowMarks(part.length, 5)}`,
      params: part.flatMap((row): SqlValue[] => [row.consumerId, row.providerId, row.classId, row.used, nowMs]),
    };
  }
}

/**
 * The rows of the one consumer that was inserted right before, behind the UPDATE that moved the usage: unless that matched
 * as many records as there are rows, they lack their amounts, which no column takes, and the transaction gets no further.
 */
export function insertAllocationsOfNew(tx: SqlReader, rows: readonly HeldAllocation[], nowMs: number): Statement {
  const { lastInsertId, matchedRows } = tx.dialect;
  const row = `(${lastInsertId}, ?, ?, CASE ${matchedRows} WHEN ? THEN ? END, ?)`;
  return {
    sql:
      'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) ' +
      `VALUES ${Array.from(rows, () => row).join(', ')}`,
    params: rows.flatMap((each): SqlValue[] => [each.providerId, each.classId, rows.length, each.used, nowMs]),
  };
}

interface ConsumerRow {
  readonly generation: number;
  readonly project_id: string;
  readonly user_id: string;
  readonly consumer_type: string | null;
  readonly uuid: string;
  readonly provider_generation: number;
  readonly name: string;
  readonly used: number;
  readonly created_at: number;
}

/** Undefined when the consumer has no allocations. */
export async function findByConsumer(sql: SqlReader, uuid: Uuid): Promise<ConsumerAllocations | undefined> {
  const rows = await sql.query<ConsumerRow>(
    'SELECT c.generation, o.external_id AS project_id, u.external_id AS user_id, t.name AS consumer_type, ' +
      'p.uuid, p.generation AS provider_generation, r.name, a.used, a.created_at FROM consumers c ' +
      'JOIN projects o ON o.id = c.project_id JOIN users u ON u.id = c.user_id ' +
      'LEFT JOIN consumer_types t ON t.id = c.consumer_type_id JOIN allocations a ON a.consumer_id = c.id ' +
      'JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes r ON r.id = a.resource_class_id ' +
      'WHERE c.uuid = ? ORDER BY a.resource_provider_id, a.resource_class_id',
    [uuid],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const shares = new Map<Uuid, ProviderShare & { resources: Map<string, number> }>();
  for (const row of rows) {
    const share = shares.get(row.uuid) ?? {
      providerUuid: row.uuid,
      providerGeneration: row.provider_generation,
      resources: new Map<string, number>(),
    };
    shares.set(row.uuid, share);
    share.resources.set(row.name, row.used);
  }
  return {
    generation: first.generation,
    projectId: first.project_id,
    userId: first.user_id,
    consumerType: first.consumer_type,
    shares: [...shares.values()],
    changedAt: rows.reduce((newest, row) => Math.max(newest, row.created_at), 0),
  };
}

/** One amount that somebody holds of a provider. */
export interface ProviderShareRow {
  readonly consumer_id: number;
  readonly uuid: Uuid;
  readonly consumer_generation: number;
  readonly class_id: number;
  readonly name: string;
  readonly used: number;
  readonly created_at: number;
  /** Where in its class the index has it. */
  readonly place: number;
}

interface ProviderRow extends Omit<ProviderShareRow, 'uuid'> {
  readonly generation: number;
  readonly uuid: Uuid | null;
}

/** A provider's generation and what is held of it, seen at the same moment. */
export interface ProviderRows {
  readonly generation: number;
  readonly rows: readonly ProviderShareRow[];
}

/** Of one provider, as many rows as are asked for at most. Undefined when there is no such provider. */
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
  return { generation: first.generation, rows: first.uuid === null ? [] : (rows as readonly ProviderShareRow[]) };
}

/** The rows behind one of them, in the order of `findByProvider`: of its class, else of the classes behind it. */
export async function findMoreByProvider(
  sql: SqlReader,
  uuid: Uuid,
  { class_id: classId, place }: ProviderShareRow,
  limit: number,
): Promise<readonly ProviderShareRow[]> {
  const behind = (condition: string, params: readonly number[]): Promise<readonly ProviderShareRow[]> =>
    sql.query<ProviderShareRow>(
      `SELECT ${shareColumns(sql)} FROM allocations a JOIN consumers c ON c.id = a.consumer_id ` +
        'JOIN resource_classes r ON r.id = a.resource_class_id ' +
        'WHERE a.resource_provider_id = (SELECT id FROM resource_providers WHERE uuid = ?) ' +
        `AND ${condition} ORDER BY a.resource_class_id, place LIMIT ${limit}`,
      [uuid, ...params],
    );
  const ofClass = await behind(`a.resource_class_id = ? AND ${placeOf(sql)} > ?`, [classId, place]);
  return ofClass.length > 0 ? ofClass : behind('a.resource_class_id > ?', [classId]);
}

const placeOf = ({ dialect }: SqlReader): string => `a.${dialect.indexTail('consumer_id')}`;

const shareColumns = (sql: SqlReader): string =>
  'a.consumer_id, c.uuid, c.generation AS consumer_generation, a.resource_class_id AS class_id, r.name, a.used, ' +
  `a.created_at, ${placeOf(sql)} AS place`;
