// Allocation rows: only ever inserted and deleted. Reads answer a whole document from one statement.
import { chunks, marks, rowMarks } from '../database/sql';
import type { SqlReader, SqlValue, Statement } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import type { HeldAllocation } from '../consumers/consumers.repository';
import type { ConsumerAllocations, ConsumerShare, ProviderAllocations, ProviderShare } from './allocations.commands';

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

export function insertAllocations(rows: readonly NewAllocation[], nowMs: number): readonly Statement[] {
  return chunks(rows, ROWS_PER_STATEMENT).map((part) => ({
    sql:
      'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) ' +
      `VALUES ${rowMarks(part.length, 5)}`,
    params: part.flatMap((row): SqlValue[] => [row.consumerId, row.providerId, row.classId, row.used, nowMs]),
  }));
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

interface ProviderRow {
  readonly generation: number;
  readonly uuid: string | null;
  readonly consumer_generation: number;
  readonly name: string;
  readonly used: number;
  readonly created_at: number;
}

/** Undefined when there is no such provider. */
export async function findByProvider(sql: SqlReader, uuid: Uuid): Promise<ProviderAllocations | undefined> {
  const rows = await sql.query<ProviderRow>(
    'SELECT p.generation, c.uuid, c.generation AS consumer_generation, r.name, a.used, a.created_at ' +
      'FROM resource_providers p LEFT JOIN allocations a ON a.resource_provider_id = p.id ' +
      'LEFT JOIN consumers c ON c.id = a.consumer_id LEFT JOIN resource_classes r ON r.id = a.resource_class_id ' +
      'WHERE p.uuid = ? ORDER BY a.consumer_id, a.resource_class_id',
    [uuid],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const shares = new Map<Uuid, ConsumerShare & { resources: Map<string, number> }>();
  let changedAt: number | undefined;
  for (const row of rows) {
    if (row.uuid === null) continue;
    const share = shares.get(row.uuid) ?? {
      consumerUuid: row.uuid,
      consumerGeneration: row.consumer_generation,
      resources: new Map<string, number>(),
    };
    shares.set(row.uuid, share);
    share.resources.set(row.name, row.used);
    changedAt = Math.max(changedAt ?? 0, row.created_at);
  }
  return { generation: first.generation, shares: [...shares.values()], changedAt };
}
