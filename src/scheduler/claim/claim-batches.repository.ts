// Open batches in the database. Only the owner of a batch can claim for it; any process can take over a batch with an
// expired lease.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/** The lease of a batch of several transactions. After it expires, the first process that finds the batch undoes it. */
const BATCH_LEASE_SECONDS = 30;

/** A batch and its owner. */
export interface OwnedBatch {
  readonly uuid: Uuid;
  readonly owner: Uuid;
}

const leased = (tx: SqlReader): string => `${tx.dialect.nowSeconds} + ${BATCH_LEASE_SECONDS}`;

export async function insertBatch(
  tx: WriteTx,
  { uuid, owner, requestId }: OwnedBatch & { readonly requestId: string },
  nowMs: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO scheduler_batches (uuid, owner, request_id, lease_until, created_at) VALUES (?, ?, ?, ${leased(tx)}, ?)`,
    [uuid, owner, requestId, nowMs],
  );
}

/** Locks the batch until the commit and renews its lease; returns whether this process still owns it. */
export async function holdBatch(tx: WriteTx, { uuid, owner }: OwnedBatch): Promise<boolean> {
  const sql = `UPDATE scheduler_batches SET lease_until = ${leased(tx)} WHERE uuid = ? AND owner = ?`;
  return (await tx.run(sql, [uuid, owner])) === 1;
}

/** Takes over another owner's batch unless its lease was renewed in the meantime; returns whether it did. */
export async function takeOverBatch(tx: WriteTx, { uuid, owner }: OwnedBatch, newOwner: Uuid): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE scheduler_batches SET owner = ?, lease_until = ${leased(tx)} ` +
      `WHERE uuid = ? AND owner = ? AND lease_until < ${tx.dialect.nowSeconds}`,
    [newOwner, uuid, owner],
  );
  return matched === 1;
}

/** Returns whether this process still owned the batch. */
export async function removeBatch(tx: WriteTx, { uuid, owner }: OwnedBatch): Promise<boolean> {
  return (await tx.run('DELETE FROM scheduler_batches WHERE uuid = ? AND owner = ?', [uuid, owner])) === 1;
}

/** Batches with an expired lease, the oldest first. */
export function findAbandoned(sql: SqlReader, limit: number): Promise<readonly OwnedBatch[]> {
  return sql.query<OwnedBatch>(
    `SELECT uuid, owner FROM scheduler_batches WHERE lease_until < ${sql.dialect.nowSeconds} ORDER BY id LIMIT ${limit}`,
  );
}
