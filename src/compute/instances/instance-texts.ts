// Records of placed instances with their documents as the stored texts, for readers of all of them: parsing the
// documents of ten thousands of instances would take seconds, and most requests are equal.
import type { SqlReader } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';
import { INSTANCES } from './instances.repository';

export interface RecordTexts {
  readonly uuid: Uuid;
  readonly name: string | null;
  readonly groupUuid: Uuid | null;
  readonly state: string;
  readonly request: string;
  readonly numaTopology: string | null;
  readonly pciRequests: string | null;
  readonly placedAtMs: number;
}

const COLUMNS = INSTANCES.only('uuid', 'name', 'groupUuid', 'state', 'request', 'numaTopology', 'pciRequests');

/** Of all records, whether or not the instance still has allocations. */
export async function eachRecord(sql: SqlReader, take: (record: RecordTexts) => void): Promise<void> {
  const text = `SELECT ${COLUMNS.as('i')}, COALESCE(i.updated_at, i.created_at) AS placedAtMs FROM scheduler_instances i`;
  await sql.each<RecordTexts>(text, [], (row) => take({ ...row, placedAtMs: Number(row.placedAtMs) }));
}

/** The consumers that hold the old allocations of moved instances, with these instances. */
export async function movedInstances(sql: SqlReader): Promise<ReadonlyMap<Uuid, Uuid>> {
  const rows = await sql.query<{ migration: Uuid; instance: Uuid }>(
    'SELECT migration_uuid AS migration, instance_uuid AS instance FROM scheduler_moves',
  );
  return new Map(rows.map(({ migration, instance }) => [migration, instance]));
}
