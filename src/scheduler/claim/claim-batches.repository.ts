// Batches under way in the database. Who owns one may claim for it; a lease that ran out lets anybody take it over.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/** A batch of several transactions whose owner was not heard of for so long is undone by whoever looks first. */
const BATCH_LEASE_SECONDS = 30;

/** A batch as somebody owns it. */
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

/** Holds the batch until commit and renews its lease; answers whether it is this owner's still. */
export async function holdBatch(tx: WriteTx, { uuid, owner }: OwnedBatch): Promise<boolean> {
  const sql = `UPDATE scheduler_batches SET lease_until = ${leased(tx)} WHERE uuid = ? AND owner = ?`;
  return (await tx.run(sql, [uuid, owner])) === 1;
}

/** Takes over a batch that another one owned, unless its lease was renewed meanwhile; answers whether it did. */
export async function takeOverBatch(tx: WriteTx, { uuid, owner }: OwnedBatch, newOwner: Uuid): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE scheduler_batches SET owner = ?, lease_until = ${leased(tx)} ` +
      `WHERE uuid = ? AND owner = ? AND lease_until < ${tx.dialect.nowSeconds}`,
    [newOwner, uuid, owner],
  );
  return matched === 1;
}

/** Answers whether it was this owner's still. */
export async function removeBatch(tx: WriteTx, { uuid, owner }: OwnedBatch): Promise<boolean> {
  return (await tx.run('DELETE FROM scheduler_batches WHERE uuid = ? AND owner = ?', [uuid, owner])) === 1;
}

/** Batches whose owners are gone, the oldest first. */
export function findAbandoned(sql: SqlReader, limit: number): Promise<readonly OwnedBatch[]> {
  return sql.query<OwnedBatch>(
    `SELECT uuid, owner FROM scheduler_batches WHERE lease_until < ${sql.dialect.nowSeconds} ORDER BY id LIMIT ${limit}`,
  );
}
