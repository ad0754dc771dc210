// Claims in a Placement service that runs elsewhere, recorded before they are sent and until their batch is finished.
// Ages are those of the database's clock.
import type { Candidate } from '../../placement/candidate-search';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { marks } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/** What a claim writes, and what it replaces. */
export interface ClaimIntent {
  readonly consumerUuid: Uuid;
  readonly allocations: Candidate['allocations'];
  readonly projectId: string;
  readonly userId: string;
  /** Null: the consumer is new. */
  readonly before: { readonly generation: number; readonly allocations: Candidate['allocations'] } | null;
}

export interface RecordedIntent extends ClaimIntent {
  readonly id: number;
  /** Placement confirmed the claim. */
  readonly isConfirmed: boolean;
  readonly ageSeconds: number;
}

interface Row {
  readonly id: number;
  readonly document: string;
  readonly is_confirmed: number;
  readonly age: number | string;
}

export async function insertIntents(
  tx: WriteTx,
  batchUuid: Uuid,
  intents: readonly ClaimIntent[],
  { areConfirmed = false }: { readonly areConfirmed?: boolean } = {},
): Promise<void> {
  const rows = intents.map(() => `(?, ?, ${areConfirmed ? 1 : 0}, ${tx.dialect.nowSeconds}, ?)`).join(', ');
  await tx.run(
    `INSERT INTO scheduler_remote_claims (batch_uuid, consumer_uuid, is_confirmed, created_at, document) VALUES ${rows}`,
    intents.flatMap((intent) => [batchUuid, intent.consumerUuid, JSON.stringify(intent)]),
  );
}

export async function confirmIntents(tx: WriteTx, batchUuid: Uuid, consumers: readonly Uuid[]): Promise<void> {
  await tx.run(
    `UPDATE scheduler_remote_claims SET is_confirmed = 1 WHERE batch_uuid = ? AND consumer_uuid IN (${marks(consumers.length)})`,
    [batchUuid, ...consumers],
  );
}

/** With `consumers`: only theirs. */
export async function removeIntents(tx: WriteTx, batchUuid: Uuid, consumers?: readonly Uuid[]): Promise<void> {
  const among = consumers === undefined ? '' : ` AND consumer_uuid IN (${marks(consumers.length)})`;
  await tx.run(`DELETE FROM scheduler_remote_claims WHERE batch_uuid = ?${among}`, [batchUuid, ...(consumers ?? [])]);
}

export async function findIntents(sql: SqlReader, batchUuid: Uuid): Promise<readonly RecordedIntent[]> {
  const rows = await sql.query<Row>(
    `SELECT id, document, is_confirmed, ${sql.dialect.nowSeconds} - created_at AS age FROM scheduler_remote_claims ` +
      'WHERE batch_uuid = ? ORDER BY id',
    [batchUuid],
  );
  return rows.map(({ id, document, is_confirmed: confirmed, age }) => ({
    ...(JSON.parse(document) as ClaimIntent),
    id,
    isConfirmed: Number(confirmed) === 1,
    ageSeconds: Number(age),
  }));
}

/** Whether an unfinished claim of the consumer exists. */
export async function hasIntent(sql: SqlReader, consumerUuid: Uuid): Promise<boolean> {
  const found = await sql.query('SELECT id FROM scheduler_remote_claims WHERE consumer_uuid = ? LIMIT 1', [
    consumerUuid,
  ]);
  return found.length > 0;
}
