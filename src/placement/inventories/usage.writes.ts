// Changes of `used` in inventory records: conditional updates of a column, never a write of a value that was read. A
// move that adds never exceeds the capacity, under any interleaving of transactions.
import type { StatementResult } from '../../platform/database/sql';
import type { SqlReader, SqlValue, Statement, WriteTx } from '../../platform/database/sql';
import { anyOf, chunks, marks } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { fitsUnits, hasRoom, ROOM_SQL, STEP_SQL, UNITS_SQL } from '../domain/inventory';
import { StoredInventory } from './inventory.entity';

/** The change that one request makes to one record. */
export interface UsageMove {
  readonly providerId: number;
  readonly classId: number;
  /** Sum of new amounts minus old amounts over all consumers of the request. */
  readonly delta: number;
  /** Free capacity that the move needs: `delta` if it adds. In a group, the sum of what its requests add. */
  readonly room: number;
  /** All amounts requested from this record; each must respect the units. Empty for a pure release. */
  readonly amounts: readonly number[];
}

/** Records per UPDATE, far below the limit of bound parameters. */
export const RECORDS_PER_STATEMENT = 400;

/**
 * Statements that apply moves, and their entries in the change log. They match one record for each move if every record
 * exists, accepts the units and has room; otherwise the caller must roll back. A move that adds nothing needs no room,
 * so usage above the capacity can always decrease.
 *
 * Equal moves share a condition, so a statement grows with the number of distinct moves.
 */
export function movingUsage({ dialect, changes }: WriteTx, moves: readonly UsageMove[]): readonly Statement[] {
  // Logged even if the amount stays equal, because another consumer can hold it now.
  for (const { providerId, classId } of moves) changes.usage(providerId, classId);
  // Records are locked in index order.
  const sorted = [...moves].sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);
  return chunks(sorted, RECORDS_PER_STATEMENT).map((part) => {
    const kinds = kindsOf(part);
    const added = caseOf(kinds.map((kind) => [...recordsOf(kind), kind.delta]));
    const params = [...added.params];
    const conditions = kinds.map((kind) => conditionOf(kind, params));
    const sql =
      `UPDATE inventories${dialect.forceIndex('uq_inventories_provider_class')} ` +
      `SET used = used + ${added.sql}, version = version + 1 WHERE ${anyOf(conditions)}`;
    return { sql, params };
  });
}

/** Applies moves. Returns false if one of them is impossible; the caller must then roll back. */
export async function moveUsage(tx: WriteTx, moves: readonly UsageMove[]): Promise<boolean> {
  const results = await tx.batch(movingUsage(tx, moves));
  return matchedBy(results) === moves.length;
}

/** The number of rows that the statements of a batch matched. */
export const matchedBy = (results: readonly StatementResult[]): number =>
  results.reduce((sum, { affected }) => sum + affected, 0);

/** Moves that differ only in the provider. */
interface MoveKind extends Omit<UsageMove, 'providerId'> {
  readonly providerIds: number[];
}

function kindsOf(moves: readonly UsageMove[]): readonly MoveKind[] {
  const kinds = new Map<string, MoveKind>();
  for (const { providerId, classId, delta, room, amounts } of moves) {
    const distinct = amounts.length > 1 ? [...new Set(amounts)].sort((a, b) => a - b) : amounts;
    const key = `${classId} ${delta} ${room} ${distinct.join(' ')}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { classId, delta, room, amounts: distinct, providerIds: [providerId] });
    else known.providerIds.push(providerId);
  }
  return [...kinds.values()];
}

function recordsOf({ classId, providerIds }: MoveKind): [sql: string, params: readonly SqlValue[]] {
  return [
    `resource_class_id = ? AND resource_provider_id ${providerIds.length === 1 ? '= ?' : `IN (${marks(providerIds.length)})`}`,
    [classId, ...providerIds],
  ];
}

/** Without ELSE: a record without a case would become NULL, which the column refuses. */
function caseOf(cases: readonly (readonly [when: string, params: readonly SqlValue[], then: number])[]): Statement {
  const [first] = cases;
  if (cases.every(([, , then]) => then === first?.[2])) return { sql: '?', params: [first?.[2] ?? 0] };
  const params: SqlValue[] = [];
  for (const [, keys, then] of cases) params.push(...keys, then);
  return { sql: `CASE ${cases.map(([when]) => `WHEN ${when} THEN ?`).join(' ')} END`, params };
}

/** Appends its values to `params`. */
function conditionOf(kind: MoveKind, params: SqlValue[]): string {
  const { room, amounts } = kind;
  const [records, keys] = recordsOf(kind);
  const parts = [records];
  for (const key of keys) params.push(key);
  if (room > 0) {
    parts.push(ROOM_SQL);
    params.push(room);
  }
  if (amounts.length > 0) {
    parts.push(UNITS_SQL, ...amounts.map(() => STEP_SQL));
    params.push(Math.min(...amounts), Math.max(...amounts), ...amounts);
  }
  return `(${parts.join(' AND ')})`;
}

/** The reason why a move was not applied, with the relevant numbers. */
export interface UsageConflict {
  readonly providerUuid: string;
  readonly resourceClass: string;
  readonly reason: 'no-inventory' | 'units' | 'capacity';
  readonly move: UsageMove;
  readonly used?: number;
  readonly capacity?: number;
}

const SEEN = new Table(StoredInventory).only(
  ...(['providerId', 'classId', 'minUnit', 'maxUnit', 'stepSize', 'capacity', 'used'] as const),
);

/** The columns of a record that decide whether a move is possible. */
export type SeenRecord = RowOf<typeof SEEN>;

export const recordKey = (providerId: number, classId: number): string => `${providerId}/${classId}`;

/** The current records of the moves, keyed by `recordKey`. */
export async function seeRecords(
  sql: SqlReader,
  moves: readonly Pick<UsageMove, 'providerId' | 'classId'>[],
): Promise<ReadonlyMap<string, SeenRecord>> {
  const records = new Map<string, SeenRecord>();
  for (const part of chunks(moves, RECORDS_PER_QUERY)) {
    const rows = await sql.query<SeenRecord>(
      `SELECT ${SEEN.as('i')} FROM inventories i ` +
        `WHERE ${part.map(() => '(resource_provider_id = ? AND resource_class_id = ?)').join(' OR ')}`,
      part.flatMap((move) => [move.providerId, move.classId]),
    );
    for (const row of rows) records.set(recordKey(row.providerId, row.classId), row);
  }
  return records;
}

/** Below SQLite's limit of nested conditions. */
const RECORDS_PER_QUERY = 100;

/**
 * The first move that is impossible now; undefined if all are possible because capacity was released in the meantime.
 */
export async function findUsageConflict(
  sql: SqlReader,
  moves: readonly UsageMove[],
): Promise<UsageConflict | undefined> {
  const records = await seeRecords(sql, moves);
  for (const move of moves) {
    const row = records.get(recordKey(move.providerId, move.classId));
    const reason = conflictReason(row, move);
    const names = reason === undefined ? undefined : await namesOf(sql, move);
    if (reason === undefined || names === undefined) continue;
    return { ...names, reason, move, ...(row !== undefined && { used: row.used, capacity: row.capacity }) };
  }
  return undefined;
}

/** The reason why a move is impossible for a record. */
export function conflictReason(row: SeenRecord | undefined, move: UsageMove): UsageConflict['reason'] | undefined {
  if (row === undefined) return 'no-inventory';
  if (!move.amounts.every((amount) => fitsUnits(row, amount))) return 'units';
  if (move.room > 0 && !hasRoom(row.capacity, row.used, move.room)) return 'capacity';
  return undefined;
}

/** Undefined if the provider or the class has been deleted: the write must then resolve its names again. */
async function namesOf(
  sql: SqlReader,
  move: UsageMove,
): Promise<Pick<UsageConflict, 'providerUuid' | 'resourceClass'> | undefined> {
  const [row] = await sql.query<Pick<UsageConflict, 'providerUuid' | 'resourceClass'>>(
    'SELECT p.uuid AS providerUuid, c.name AS resourceClass FROM resource_providers p ' +
      'JOIN resource_classes c ON c.id = ? WHERE p.id = ?',
    [move.classId, move.providerId],
  );
  return row;
}
