// Queries for the records of instances whose allocations no longer exist.
import { hasAllocations } from '../../placement/consumers/consumers.sql';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { marks, runAmong } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/**
 * Reads at most `limit` records after the given id. Returns those without allocations, with the time at which that was
 * detected, and the last id that was read.
 */
export async function findReleased(sql: SqlReader, afterId: number, limit: number) {
  const rows = await sql.query<{ id: number; uuid: Uuid; state: string; updated_at: number; has_allocations: number }>(
    `SELECT i.id, i.uuid, i.state, i.updated_at, ${hasAllocations('i.uuid')} AS has_allocations ` +
      `FROM scheduler_instances i WHERE i.id > ? ORDER BY i.id LIMIT ${limit}`,
    [afterId],
  );
  const found = rows
    .filter(({ state, has_allocations }) => Number(has_allocations) === 0 && state !== 'moving')
    .map(({ id, uuid, state, updated_at }) => ({ id, uuid, noticedAtMs: state === 'released' ? updated_at : null }));
  return { found, lastId: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

const STILL_RELEASED = `state <> 'moving' AND NOT ${hasAllocations('scheduler_instances.uuid')}`;

/** Filters the records that still have no allocations. */
export async function stillReleased(
  tx: WriteTx,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly uuid: Uuid }[]> {
  if (ids.length === 0) return [];
  return tx.query(
    `SELECT id, uuid FROM scheduler_instances WHERE id IN (${marks(ids.length)}) AND ${STILL_RELEASED}`,
    ids,
  );
}

/**
 * Marks records as released and drops their references, so flavor and image, of which they have copies, can be deleted.
 */
export async function noticeReleased(tx: WriteTx, ids: readonly number[], nowMs: number): Promise<void> {
  const text = (among: string): string =>
    "UPDATE scheduler_instances SET state = 'released', flavor_id = NULL, image_uuid = NULL, updated_at = ? " +
    `WHERE id IN (${among}) AND ${STILL_RELEASED}`;
  await runAmong(tx, ids, text, { before: [nowMs] });
}

export async function removeReleased(tx: WriteTx, ids: readonly number[]): Promise<void> {
  await runAmong(tx, ids, (among) => `DELETE FROM scheduler_instances WHERE id IN (${among}) AND ${STILL_RELEASED}`);
}
