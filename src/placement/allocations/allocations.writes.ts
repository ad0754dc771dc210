// Statements that insert and delete allocation rows; rows are never updated. Statements are generated lazily.
import type { SqlReader, SqlValue, Statement } from '../../platform/database/sql';
import { marks } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { StoredAllocation } from '../consumers/allocation.entity';
import type { HeldAllocation } from '../consumers/consumers.writes';

const ALLOCATIONS = new Table(StoredAllocation);

const ROWS_PER_STATEMENT = 500;
/** Limits the rows that one DELETE removes. A single consumer can have more. */
const ROWS_GONE_PER_STATEMENT = 1_000;

export function* deleteAllocations(
  holders: Iterable<{ readonly consumerId: number; readonly rows: number }>,
): Iterable<Statement> {
  let [ids, left]: [number[], number] = [[], ROWS_GONE_PER_STATEMENT];
  for (const { consumerId, rows } of holders) {
    ids.push(consumerId);
    left -= rows;
    if (left > 0) continue;
    yield deletion(ids);
    [ids, left] = [[], ROWS_GONE_PER_STATEMENT];
  }
  if (ids.length > 0) yield deletion(ids);
}

const deletion = (consumerIds: readonly number[]): Statement => ({
  sql: `DELETE FROM allocations WHERE consumer_id IN (${marks(consumerIds.length)})`,
  params: consumerIds,
});

export function* insertAllocations(rows: Iterable<StoredAllocation>): Iterable<Statement> {
  let part: StoredAllocation[] = [];
  for (const row of rows) {
    if (part.push(row) < ROWS_PER_STATEMENT) continue;
    yield ALLOCATIONS.all.insert(part);
    part = [];
  }
  if (part.length > 0) yield ALLOCATIONS.all.insert(part);
}

/**
 * Inserts the rows of the consumer that the preceding INSERT created, after the UPDATE that moved its usage. Unless
 * that UPDATE matched one record per row, the amounts are NULL, which the column refuses.
 */
export function insertAllocationsOfNew(tx: SqlReader, rows: readonly HeldAllocation[], nowMs: number): Statement {
  const { lastInsertId, matchedRows } = tx.dialect;
  // In the order of the entity's columns.
  const row = `(${lastInsertId}, ?, ?, CASE ${matchedRows} WHEN ? THEN ? END, ?)`;
  const params: SqlValue[] = [];
  for (const { providerId, classId, used } of rows) params.push(providerId, classId, rows.length, used, nowMs);
  return {
    sql: `INSERT INTO allocations (${ALLOCATIONS.all.names.join(', ')}) VALUES ${Array.from(rows, () => row).join(', ')}`,
    params,
  };
}
