// Flavors in the database. Ids are any text; names are unique as well.
import { marks } from '../../../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../../../database/sql';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';

export interface FlavorDefinition {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb: number;
  readonly ephemeralGb: number;
  readonly swapMb: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
}

export interface RegisteredFlavor extends FlavorDefinition {
  readonly generation: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
}

interface Row {
  readonly flavor_id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly memory_mb: number;
  readonly root_gb: number;
  readonly ephemeral_gb: number;
  readonly swap_mb: number;
  readonly extra_specs: string;
  readonly generation: number;
  readonly created_at: number;
  readonly updated_at: number | null;
}

const SELECT =
  'SELECT f.id, f.flavor_id, f.name, f.vcpus, f.memory_mb, f.root_gb, f.ephemeral_gb, f.swap_mb, f.extra_specs, ' +
  'f.generation, f.created_at, f.updated_at FROM flavors f';
const SOURCE: PageSource = { select: SELECT, id: 'f.id', table: 'flavors', key: 'flavor_id' };

const toFlavor = (row: Row): RegisteredFlavor => ({
  id: row.flavor_id,
  name: row.name,
  vcpus: row.vcpus,
  memoryMb: row.memory_mb,
  rootGb: row.root_gb,
  ephemeralGb: row.ephemeral_gb,
  swapMb: row.swap_mb,
  extraSpecs: JSON.parse(row.extra_specs) as Readonly<Record<string, string>>,
  generation: row.generation,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
});

export async function findFlavor(sql: SqlReader, id: string): Promise<RegisteredFlavor | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} WHERE f.flavor_id = ?`, [id]);
  return row === undefined ? undefined : toFlavor(row);
}

/** The flavor with this id, else the one with this name. */
export async function findFlavorCalled(sql: SqlReader, idOrName: string): Promise<RegisteredFlavor | undefined> {
  const rows = await sql.query<Row>(`${SELECT} WHERE f.flavor_id = ? OR f.name = ?`, [idOrName, idOrName]);
  const row = rows.find(({ flavor_id: id }) => id === idOrName) ?? rows[0];
  return row === undefined ? undefined : toFlavor(row);
}

export interface FlavorFilter {
  readonly name?: string | undefined;
  /** At least so much. */
  readonly minRamMb?: number | undefined;
  readonly minDiskGb?: number | undefined;
}

export async function listFlavors(
  sql: SqlReader,
  filter: FlavorFilter,
  page: PageQuery,
): Promise<Page<RegisteredFlavor>> {
  const conditions: Condition[] = [];
  if (filter.name !== undefined) conditions.push(['f.name = ?', [filter.name]]);
  if (filter.minRamMb !== undefined) conditions.push(['f.memory_mb >= ?', [filter.minRamMb]]);
  if (filter.minDiskGb !== undefined) conditions.push(['f.root_gb >= ?', [filter.minDiskGb]]);
  const rows = await selectPage<Row>(sql, SOURCE, conditions, page);
  return pageOf(rows, page.limit, toFlavor, (row) => row.flavor_id);
}

const DEFINED = ['name', 'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap_mb', 'extra_specs'] as const;

const definedOf = (flavor: FlavorDefinition): readonly SqlValue[] => [
  flavor.name,
  flavor.vcpus,
  flavor.memoryMb,
  flavor.rootGb,
  flavor.ephemeralGb,
  flavor.swapMb,
  JSON.stringify(flavor.extraSpecs),
];

/** Fails on a duplicate id or name. */
export async function insertFlavor(tx: WriteTx, flavor: FlavorDefinition, nowMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO flavors (flavor_id, ${DEFINED.join(', ')}, created_at) VALUES (${marks(DEFINED.length + 2)})`,
    [flavor.id, ...definedOf(flavor), nowMs],
  );
}

/** Changes the flavor that still has this generation; answers whether it had. Fails on a duplicate name. */
export async function updateFlavor(
  tx: WriteTx,
  flavor: FlavorDefinition,
  generation: number,
  nowMs: number,
): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE flavors SET ${DEFINED.map((column) => `${column} = ?`).join(', ')}, generation = generation + 1, ` +
      'updated_at = ? WHERE flavor_id = ? AND generation = ?',
    [...definedOf(flavor), nowMs, flavor.id, generation],
  );
  return matched === 1;
}

/** Fails on a foreign key while instances have it; answers whether it was there. */
export async function deleteFlavor(tx: WriteTx, id: string): Promise<boolean> {
  return (await tx.run('DELETE FROM flavors WHERE flavor_id = ?', [id])) === 1;
}
