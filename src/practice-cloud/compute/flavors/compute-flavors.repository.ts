// Visibility and access of flavors in the database.
import type { SqlReader, WriteTx } from '../../../platform/database/sql';
import { insertUnlessThere, queryAmong } from '../../../platform/database/sql';
import { Table } from '../../../platform/database/table';
import { ComputeFlavorAccess, ComputeFlavorFacts } from './compute-flavor.entity';

const FACTS = new Table(ComputeFlavorFacts);
const ACCESS = new Table(ComputeFlavorAccess);

export async function factsOf(
  sql: SqlReader,
  flavorIds: readonly string[],
): Promise<ReadonlyMap<string, ComputeFlavorFacts>> {
  const text = (among: string): string =>
    `SELECT ${FACTS.all.of('f')} FROM facade_flavors f WHERE f.flavor_id IN (${among})`;
  const rows = await queryAmong<object>(sql, flavorIds, text);
  return new Map(rows.map((row) => FACTS.read(row)).map((facts) => [facts.flavorId, facts]));
}

/** Fails with a foreign-key error if the flavor does not exist. */
export async function putFacts(tx: WriteTx, facts: ComputeFlavorFacts): Promise<void> {
  const { sql, params } = FACTS.all.insert([facts]);
  await tx.run(sql + tx.dialect.onDuplicate('flavor_id', ['is_public', 'description']), params);
}

/** Filters the flavors that the project has access to. */
export async function flavorsOfProject(
  sql: SqlReader,
  projectId: string,
  flavorIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = (among: string): string =>
    `SELECT flavor_id FROM facade_flavor_access WHERE project_id = ? AND flavor_id IN (${among})`;
  const rows = await queryAmong<{ flavor_id: string }>(sql, flavorIds, text, { before: [projectId] });
  return new Set(rows.map(({ flavor_id: id }) => id));
}

/** Sorted by name. */
export async function projectsOfFlavor(sql: SqlReader, flavorId: string): Promise<readonly string[]> {
  const rows = await sql.query<{ project_id: string }>(
    'SELECT project_id FROM facade_flavor_access WHERE flavor_id = ? ORDER BY project_id',
    [flavorId],
  );
  return rows.map(({ project_id: id }) => id);
}

/** Returns false if the project already has access. Fails with a foreign-key error if the flavor does not exist. */
export function addAccess(tx: WriteTx, access: ComputeFlavorAccess): Promise<boolean> {
  return insertUnlessThere(tx, ACCESS.all.insert([access]));
}

/** Returns false if the project has no access. */
export async function removeAccess(tx: WriteTx, { flavorId, projectId }: ComputeFlavorAccess): Promise<boolean> {
  const text = 'DELETE FROM facade_flavor_access WHERE flavor_id = ? AND project_id = ?';
  return (await tx.run(text, [flavorId, projectId])) === 1;
}
