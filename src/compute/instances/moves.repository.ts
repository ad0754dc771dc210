// Moves in progress in the database: one row per instance that is claimed on another host and can still be reverted.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { insertUnlessThere, marks, queryAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import type { Move } from './instance.entity';
import { MoveRecord, Release } from './instance.entity';

const MOVES = new Table(MoveRecord);
const RELEASES = new Table(Release).without('id');

/** Returns false if the instance is already being moved. */
export function insertMove(tx: WriteTx, move: Move, createdAtMs: number): Promise<boolean> {
  return insertUnlessThere(tx, MOVES.without('id').insert([{ ...move, createdAtMs }]));
}

/** Keyed by the uuid of the instance. */
export async function findMoves(sql: SqlReader, instances: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Move>> {
  const text = (among: string): string =>
    `SELECT ${MOVES.all.of('m')} FROM scheduler_moves m WHERE m.instance_uuid IN (${among})`;
  const moves = (await queryAmong<object>(sql, instances, text)).map((row) => MOVES.read(row));
  return new Map(moves.map((move) => [move.instanceUuid, move]));
}

/** Returns false if this move was no longer in progress. */
export async function removeMove(tx: WriteTx, { instanceUuid, migrationUuid }: Move): Promise<boolean> {
  const matched = await tx.run('DELETE FROM scheduler_moves WHERE instance_uuid = ? AND migration_uuid = ?', [
    instanceUuid,
    migrationUuid,
  ]);
  return matched === 1;
}

/**
 * Records that the instance left the source host: it counts as released while reports of that host list it. The first
 * such report can arrive after the move began, so even an instance that was never listed is recorded. An instance that
 * stays on its host is not released there.
 */
export async function rememberSourceRelease(tx: WriteTx, { source, instanceUuid }: Move, nowMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO scheduler_releases (${RELEASES.names.join(', ')}) ` +
      `SELECT ${marks(RELEASES.names.length)} FROM scheduler_services WHERE host = ? AND NOT EXISTS ` +
      '(SELECT 1 FROM scheduler_instances WHERE uuid = ? AND host = ? AND node = ?)' +
      tx.dialect.onDuplicate('uuid, host, node', ['released_at']),
    [...RELEASES.valuesOf({ ...source, releasedAtMs: nowMs }), source.host, instanceUuid, source.host, source.node],
  );
}

/** Restores when the instance was placed on its source host, and whether a report listed it there. */
export async function restoreSource(tx: WriteTx, { instanceUuid, source }: Move): Promise<void> {
  const times = [source.listedAtMs, source.updatedAtMs];
  await tx.run('UPDATE scheduler_instances SET listed_at = ?, updated_at = ? WHERE uuid = ?', [...times, instanceUuid]);
}

export async function setState(tx: WriteTx, uuid: Uuid, state: string): Promise<void> {
  await tx.run('UPDATE scheduler_instances SET state = ? WHERE uuid = ?', [state, uuid]);
}
