// Moves under way in the database: one row per instance that was claimed elsewhere and may still come back.
import { DATABASE_LIMITS } from '../../../config/limits';
import { chunks, marks } from '../../../database/sql';
import type { SqlReader, WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import type { InstanceRecord } from './instances.repository';

export interface Move {
  readonly instanceUuid: Uuid;
  /** The consumer that holds what the instance had where it was. */
  readonly migrationUuid: Uuid;
  readonly type: string;
  /** The record of the instance as it was. */
  readonly source: InstanceRecord;
}

interface Row {
  readonly instance_uuid: Uuid;
  readonly migration_uuid: Uuid;
  readonly type: string;
  readonly source: string;
}

/** Fails on a duplicate when the instance is being moved already. */
export async function insertMove(tx: WriteTx, move: Move, nowMs: number): Promise<void> {
  await tx.run(
    'INSERT INTO scheduler_moves (instance_uuid, migration_uuid, type, source, created_at) VALUES (?, ?, ?, ?, ?)',
    [move.instanceUuid, move.migrationUuid, move.type, JSON.stringify(move.source), nowMs],
  );
}

/** By the uuid of the instance. */
export async function findMoves(sql: SqlReader, instances: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Move>> {
  const found = new Map<Uuid, Move>();
  for (const part of chunks(instances, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<Row>(
      `SELECT instance_uuid, migration_uuid, type, source FROM scheduler_moves WHERE instance_uuid IN (${marks(part.length)})`,
      part,
    );
    for (const row of rows) {
      found.set(row.instance_uuid, {
        instanceUuid: row.instance_uuid,
        migrationUuid: row.migration_uuid,
        type: row.type,
        source: JSON.parse(row.source) as InstanceRecord,
      });
    }
  }
  return found;
}

/** Answers whether it was this move that was under way. */
export async function removeMove(tx: WriteTx, { instanceUuid, migrationUuid }: Move): Promise<boolean> {
  const matched = await tx.run('DELETE FROM scheduler_moves WHERE instance_uuid = ? AND migration_uuid = ?', [
    instanceUuid,
    migrationUuid,
  ]);
  return matched === 1;
}

/**
 * The instance left where it was: as long as a report of that host lists it, it counts as released. A report may have
 * listed it there only after the move began, so every host that reports is told.
 */
export async function rememberSourceRelease(tx: WriteTx, { source }: Move, nowMs: number): Promise<void> {
  const text = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  await tx.run(
    'INSERT INTO scheduler_releases (uuid, host, node, flavor, is_bfv, numa_topology, pci_requests, released_at) ' +
      `SELECT ${marks(8)} FROM scheduler_services WHERE host = ?` +
      tx.dialect.onDuplicate('uuid, host, node', ['released_at']),
    [
      ...[source.uuid, source.host, source.node, JSON.stringify(source.flavor), source.isBfv ? 1 : 0],
      ...[text(source.numaTopology), text(source.pciRequests), nowMs, source.host],
    ],
  );
}

/** The instance is back where it was, listed by a report or still pending. */
export async function restoreListed(tx: WriteTx, { instanceUuid, source }: Move): Promise<void> {
  await tx.run('UPDATE scheduler_instances SET listed_at = ? WHERE uuid = ?', [source.listedAtMs, instanceUuid]);
}

export async function setState(tx: WriteTx, uuid: Uuid, state: string): Promise<void> {
  await tx.run('UPDATE scheduler_instances SET state = ? WHERE uuid = ?', [state, uuid]);
}

/** The registered flavor and image of a record, as far as they are still there. */
export async function withExistingReferences(sql: SqlReader, record: InstanceRecord): Promise<InstanceRecord> {
  const { flavorId, imageUuid } = record;
  const exists = async (table: string, column: string, value: string | null): Promise<boolean> =>
    value !== null && (await sql.query(`SELECT 1 FROM ${table} WHERE ${column} = ?`, [value])).length > 0;
  return {
    ...record,
    flavorId: (await exists('flavors', 'flavor_id', flavorId)) ? flavorId : null,
    imageUuid: (await exists('images', 'uuid', imageUuid)) ? imageUuid : null,
  };
}
