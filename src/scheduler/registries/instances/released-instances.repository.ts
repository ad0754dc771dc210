// Records of instances whose allocations are gone: how they are found, and what becomes of them.
import { DATABASE_LIMITS } from '../../../config/limits';
import { chunks, marks } from '../../../database/sql';
import type { SqlReader, WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';

/** A record whose allocations are gone, and when that was noticed. */
export interface ReleasedInstance {
  readonly id: number;
  readonly uuid: Uuid;
  readonly noticedAtMs: number | null;
}

/** Of so many records behind the given id: those whose allocations are gone, and the last id that was looked at. */
export async function findReleased(
  sql: SqlReader,
  afterId: number,
  limit: number,
): Promise<{ readonly found: readonly ReleasedInstance[]; readonly lastId: number | null }> {
  const rows = await sql.query<{ id: number; uuid: Uuid; state: string; updated_at: number; consumer: number | null }>(
    'SELECT i.id, i.uuid, i.state, i.updated_at, c.id AS consumer FROM scheduler_instances i ' +
      `LEFT JOIN consumers c ON c.uuid = i.uuid WHERE i.id > ? ORDER BY i.id LIMIT ${limit}`,
    [afterId],
  );
  const found = rows
    .filter(({ state, consumer }) => consumer === null && state !== 'moving')
    .map(({ id, uuid, state, updated_at }) => ({ id, uuid, noticedAtMs: state === 'released' ? updated_at : null }));
  return { found, lastId: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

const STILL_RELEASED =
  "state <> 'moving' AND NOT EXISTS (SELECT 1 FROM consumers c WHERE c.uuid = scheduler_instances.uuid)";

/** Those of these records whose allocations are still gone. */
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

/** They keep nothing else from going: flavor and image are in the record. */
export async function noticeReleased(tx: WriteTx, ids: readonly number[], nowMs: number): Promise<void> {
  for (const part of chunks(ids, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(
      "UPDATE scheduler_instances SET state = 'released', flavor_id = NULL, image_uuid = NULL, updated_at = ? " +
        `WHERE id IN (${marks(part.length)}) AND ${STILL_RELEASED}`,
      [nowMs, ...part],
    );
  }
}

export async function removeReleased(tx: WriteTx, ids: readonly number[]): Promise<void> {
  for (const part of chunks(ids, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(`DELETE FROM scheduler_instances WHERE id IN (${marks(part.length)}) AND ${STILL_RELEASED}`, part);
  }
}
