// How much of each inventory record is used: a column, moved by conditional updates, never written from a value that was
// read. Capacity is never exceeded by a move that adds, under any interleaving.
import { chunks } from '../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../database/sql';
import { fitsUnits } from '../domain/inventory';

/** What one request changes about one record. */
export interface UsageMove {
  readonly providerId: number;
  readonly classId: number;
  /** New amounts less old amounts of the consumers named in the request. */
  readonly delta: number;
  /** Every amount asked of this record, each of which must respect its units; empty for a pure release. */
  readonly amounts: readonly number[];
}

/** Rows per UPDATE: the CASE is walked once per row, so the work grows with the square. */
const ROWS_PER_STATEMENT = 100;

/**
 * Applies moves; answers whether every record existed, respected units and had room. A move that does not add needs no
 * room: a record that is over its capacity may always be left in no worse a state. On false, roll back.
 */
export async function moveUsage(tx: WriteTx, moves: readonly UsageMove[]): Promise<boolean> {
  const sorted = [...moves].sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);
  for (const part of chunks(sorted, ROWS_PER_STATEMENT)) {
    const cases = part.map(() => 'WHEN resource_provider_id = ? AND resource_class_id = ? THEN ?').join(' ');
    // A record whose usage stays as it was keeps its version, because no reader is told of it.
    const unmoved = part.filter((move) => move.delta === 0);
    const isUnmoved = unmoved.map(() => '(resource_provider_id = ? AND resource_class_id = ?)').join(' OR ');
    const step = unmoved.length === 0 ? '1' : `CASE WHEN ${isUnmoved} THEN 0 ELSE 1 END`;
    const conditions = part.map(conditionOf);
    const matched = await tx.run(
      `UPDATE inventories${tx.dialect.forceIndex('uq_inventories_provider_class')} ` +
        `SET used = used + CASE ${cases} END, version = version + ${step} ` +
        `WHERE ${conditions.map(([text]) => text).join(' OR ')}`,
      [
        ...part.flatMap((move) => [move.providerId, move.classId, move.delta]),
        ...unmoved.flatMap((move) => [move.providerId, move.classId]),
        ...conditions.flatMap(([, params]) => [...params]),
      ],
    );
    if (matched !== part.length) return false;
  }
  for (const move of moves) if (move.delta !== 0) tx.changes.usage(move.providerId, move.classId);
  return true;
}

function conditionOf(move: UsageMove): readonly [text: string, params: readonly SqlValue[]] {
  const amounts = [...new Set(move.amounts)];
  const parts = ['resource_provider_id = ? AND resource_class_id = ?'];
  const params: SqlValue[] = [move.providerId, move.classId];
  if (move.delta > 0) {
    parts.push('used + ? <= capacity');
    params.push(move.delta);
  }
  if (amounts.length > 0) {
    parts.push('min_unit <= ? AND max_unit >= ?', ...amounts.map(() => '? % step_size = 0'));
    params.push(Math.min(...amounts), Math.max(...amounts), ...amounts);
  }
  return [`(${parts.join(' AND ')})`, params];
}

/** Why a move was not applied, with the numbers it was judged by. */
export interface UsageObstacle {
  readonly providerUuid: string;
  readonly resourceClass: string;
  readonly reason: 'no-inventory' | 'units' | 'capacity';
  readonly move: UsageMove;
  readonly used?: number;
  readonly capacity?: number;
}

interface RecordRow {
  readonly resource_provider_id: number;
  readonly resource_class_id: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly capacity: number;
  readonly used: number;
}

/** The first move that cannot be applied now; undefined when all can, because room appeared meanwhile. */
export async function findObstacle(sql: SqlReader, moves: readonly UsageMove[]): Promise<UsageObstacle | undefined> {
  for (const part of chunks(moves, ROWS_PER_STATEMENT)) {
    const rows = await sql.query<RecordRow>(
      'SELECT resource_provider_id, resource_class_id, min_unit, max_unit, step_size, capacity, used FROM inventories ' +
        `WHERE ${part.map(() => '(resource_provider_id = ? AND resource_class_id = ?)').join(' OR ')}`,
      part.flatMap((move) => [move.providerId, move.classId]),
    );
    const records = new Map(rows.map((row) => [`${row.resource_provider_id}/${row.resource_class_id}`, row]));
    for (const move of part) {
      const row = records.get(`${move.providerId}/${move.classId}`);
      const reason = row === undefined ? 'no-inventory' : obstacleOf(row, move);
      const names = reason === undefined ? undefined : await namesOf(sql, move);
      if (reason === undefined || names === undefined) continue;
      return { ...names, reason, move, ...(row !== undefined && { used: row.used, capacity: row.capacity }) };
    }
  }
  return undefined;
}

function obstacleOf(row: RecordRow, move: UsageMove): UsageObstacle['reason'] | undefined {
  const units = { minUnit: row.min_unit, maxUnit: row.max_unit, stepSize: row.step_size };
  if (!move.amounts.every((amount) => fitsUnits(units, amount))) return 'units';
  if (move.delta > 0 && row.used + move.delta > row.capacity) return 'capacity';
  return undefined;
}

/** Undefined when the provider or the class is gone: then the write has to find out again what its names mean. */
async function namesOf(
  sql: SqlReader,
  move: UsageMove,
): Promise<Pick<UsageObstacle, 'providerUuid' | 'resourceClass'> | undefined> {
  const [row] = await sql.query<{ uuid: string; name: string }>(
    'SELECT p.uuid, c.name FROM resource_providers p JOIN resource_classes c ON c.id = ? WHERE p.id = ?',
    [move.classId, move.providerId],
  );
  return row === undefined ? undefined : { providerUuid: row.uuid, resourceClass: row.name };
}
