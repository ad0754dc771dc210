// Records of calls in the database.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/** An instance of a call, with its allocations before the call. */
export interface CalledInstance {
  readonly uuid: Uuid;
  /** Null: it had none. */
  readonly before: PreviousAllocations | null;
}

interface PreviousAllocations {
  readonly generation: number;
  readonly allocations: Readonly<Record<Uuid, { readonly resources: Readonly<Record<string, number>> }>>;
}

export interface CallRecord {
  readonly uuid: Uuid;
  readonly requestId: string;
  readonly instances: readonly CalledInstance[];
}

export interface DueRecord extends CallRecord {
  readonly ageSeconds: number;
}

interface Row {
  readonly uuid: Uuid;
  readonly request_id: string;
  readonly age: number | string;
  readonly document: string;
}

export async function insertRecord(
  tx: WriteTx,
  { uuid, requestId, instances }: CallRecord,
  judgedInSeconds: number,
): Promise<void> {
  const now = tx.dialect.nowSeconds;
  await tx.run(
    `INSERT INTO nova_calls (uuid, request_id, judge_at, created_at, document) VALUES (?, ?, ${now} + ?, ${now}, ?)`,
    [uuid, requestId, judgedInSeconds, JSON.stringify(instances)],
  );
}

export async function removeRecord(tx: WriteTx, uuid: Uuid): Promise<void> {
  await tx.run('DELETE FROM nova_calls WHERE uuid = ?', [uuid]);
}

export async function postponeRecord(tx: WriteTx, uuid: Uuid, seconds: number): Promise<void> {
  await tx.run(`UPDATE nova_calls SET judge_at = ${tx.dialect.nowSeconds} + ? WHERE uuid = ?`, [seconds, uuid]);
}

/** Records of calls that must have ended, the oldest first. */
export async function findDueRecords(sql: SqlReader, limit: number): Promise<readonly DueRecord[]> {
  const now = sql.dialect.nowSeconds;
  const rows = await sql.query<Row>(
    `SELECT uuid, request_id, ${now} - created_at AS age, document FROM nova_calls ` +
      `WHERE judge_at < ${now} ORDER BY id LIMIT ${limit}`,
  );
  return rows.map(({ uuid, request_id: requestId, age, document }) => ({
    uuid,
    requestId,
    ageSeconds: Number(age),
    instances: JSON.parse(document) as readonly CalledInstance[],
  }));
}
