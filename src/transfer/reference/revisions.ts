// The revisions of OpenStack Placement's schema that Berth reads and writes. They differ only in indexes.
import type { ReferenceConnection } from './connection.loader';

export const REVISIONS = ['422ece571366', 'a082b8bb98d0'] as const;
export type Revision = (typeof REVISIONS)[number];

export const isRevision = (text: string | undefined): text is Revision =>
  (REVISIONS as readonly (string | undefined)[]).includes(text);

export async function hasTable(reference: ReferenceConnection, name: string): Promise<boolean> {
  const sql =
    reference.kind === 'mysql'
      ? 'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?'
      : "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return (await reference.query(sql, [name])).length > 0;
}

/** Undefined if the schema has no revision. */
export async function revisionOf(reference: ReferenceConnection): Promise<string | undefined> {
  if (!(await hasTable(reference, 'alembic_version'))) return undefined;
  const [row] = await reference.query<{ version_num: string }>('SELECT version_num FROM alembic_version');
  return row?.version_num;
}

/** Throws unless Berth can read the schema; the message says what to do. */
export async function judgeRevision(reference: ReferenceConnection, shown: string): Promise<Revision> {
  const revision = await revisionOf(reference);
  if (isRevision(revision)) return revision;
  if (await hasTable(reference, 'berth_migrations')) {
    throw new Error(`${shown} is a database of Berth: export it to a file, and import that`);
  }
  if ((await hasTable(reference, 'cell_mappings')) || (await hasTable(reference, 'compute_nodes'))) {
    throw new Error(
      `${shown} is a database of nova: give that of Placement, [placement_database] connection of placement.conf`,
    );
  }
  const known = REVISIONS.join(' or ');
  throw new Error(
    revision === undefined
      ? `${shown} does not hold the schema of OpenStack Placement: its table alembic_version has no revision`
      : `${shown} has revision ${revision}, not ${known}: run "placement-manage db sync" of a current release first`,
  );
}
