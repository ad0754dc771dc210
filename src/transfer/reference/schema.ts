// The schema of OpenStack Placement as Berth writes it: tables, columns, keys and index names. Later migrations of
// OpenStack Placement look for those index names.
import type { ReferenceConnection } from './connection.loader';
import type { Revision } from './revisions';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable?: boolean;
}

interface ReferenceTable {
  readonly name: string;
  /** Without the creation and update times, which every table has. */
  readonly columns: readonly Column[];
  /** Columns of the primary key; a key `id` is generated. */
  readonly key: readonly string[];
  readonly unique?: Readonly<Record<string, string>>;
  readonly indexes?: Readonly<Record<string, string>>;
  /** Indexes that the newer revision removed. */
  readonly formerIndexes?: Readonly<Record<string, string>>;
  readonly foreignKeys?: Readonly<Record<string, string>>;
}

const ID: Column = { name: 'id', type: 'INTEGER' };
const number = (name: string, isNullable = false): Column => ({ name, type: 'INTEGER', isNullable });
const text = (name: string, length: number, isNullable = false): Column => ({
  name,
  type: `VARCHAR(${length})`,
  isNullable,
});

const named = (name: string, column: string): ReferenceTable => ({
  name,
  columns: [ID, text(column, 255)],
  key: ['id'],
  unique: { [`uniq_${name}0${column}`]: column },
});

/** Sorted by dependency: a table follows the tables that it refers to. */
export const REFERENCE_TABLES: readonly ReferenceTable[] = [
  named('resource_classes', 'name'),
  named('traits', 'name'),
  {
    name: 'placement_aggregates',
    columns: [ID, text('uuid', 36, true)],
    key: ['id'],
    unique: { uniq_placement_aggregates0uuid: 'uuid' },
    formerIndexes: { ix_placement_aggregates_uuid: 'uuid' },
  },
  named('projects', 'external_id'),
  named('users', 'external_id'),
  named('consumer_types', 'name'),
  {
    name: 'resource_providers',
    columns: [
      ID,
      text('uuid', 36),
      text('name', 200, true),
      number('generation', true),
      number('root_provider_id', true),
      number('parent_provider_id', true),
    ],
    key: ['id'],
    unique: { uniq_resource_providers0uuid: 'uuid', uniq_resource_providers0name: 'name' },
    indexes: {
      resource_providers_root_provider_id_idx: 'root_provider_id',
      resource_providers_parent_provider_id_idx: 'parent_provider_id',
    },
    formerIndexes: { resource_providers_name_idx: 'name', resource_providers_uuid_idx: 'uuid' },
    foreignKeys: { root_provider_id: 'resource_providers', parent_provider_id: 'resource_providers' },
  },
  {
    name: 'inventories',
    columns: [
      ID,
      number('resource_provider_id'),
      number('resource_class_id'),
      number('total'),
      number('reserved'),
      number('min_unit'),
      number('max_unit'),
      number('step_size'),
      { name: 'allocation_ratio', type: 'FLOAT' },
    ],
    key: ['id'],
    unique: { uniq_inventories0resource_provider_resource_class: 'resource_provider_id, resource_class_id' },
    indexes: { inventories_resource_class_id_idx: 'resource_class_id' },
    formerIndexes: {
      inventories_resource_provider_id_idx: 'resource_provider_id',
      inventories_resource_provider_resource_class_idx: 'resource_provider_id, resource_class_id',
    },
  },
  {
    name: 'resource_provider_traits',
    columns: [number('trait_id'), number('resource_provider_id')],
    key: ['trait_id', 'resource_provider_id'],
    indexes: { resource_provider_traits_resource_provider_trait_idx: 'resource_provider_id, trait_id' },
    foreignKeys: { trait_id: 'traits', resource_provider_id: 'resource_providers' },
  },
  {
    name: 'resource_provider_aggregates',
    columns: [number('resource_provider_id'), number('aggregate_id')],
    key: ['resource_provider_id', 'aggregate_id'],
    indexes: { resource_provider_aggregates_aggregate_id_idx: 'aggregate_id' },
  },
  {
    name: 'consumers',
    columns: [
      ID,
      text('uuid', 36),
      number('project_id'),
      number('user_id'),
      { name: 'generation', type: 'INTEGER DEFAULT 0' },
      number('consumer_type_id', true),
    ],
    key: ['id'],
    unique: { uniq_consumers0uuid: 'uuid' },
    indexes: {
      consumers_project_id_uuid_idx: 'project_id, uuid',
      consumers_project_id_user_id_uuid_idx: 'project_id, user_id, uuid',
      consumers_consumer_type_id_idx: 'consumer_type_id',
    },
    foreignKeys: { consumer_type_id: 'consumer_types' },
  },
  {
    name: 'allocations',
    columns: [ID, number('resource_provider_id'), text('consumer_id', 36), number('resource_class_id'), number('used')],
    key: ['id'],
    indexes: {
      allocations_resource_provider_class_used_idx: 'resource_provider_id, resource_class_id, used',
      allocations_resource_class_id_idx: 'resource_class_id',
      allocations_consumer_id_idx: 'consumer_id',
    },
  },
];

const REVISION_TABLE = 'alembic_version';
const WITH_FORMER_INDEXES: Revision = '422ece571366';

/**
 * Names compare byte by byte, as in Berth. Trailing blanks count if the server has such a collation (MariaDB, MySQL 8).
 */
async function mysqlTail(reference: ReferenceConnection): Promise<string> {
  const [found] = await reference.query<{ name: string }>(
    'SELECT collation_name AS name FROM information_schema.collations ' +
      "WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')",
  );
  const collation = found?.name ?? 'utf8mb4_bin';
  return ` ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`;
}

/** Creates the tables. `stampRevision` writes the revision after they are filled. */
export async function createReferenceSchema(reference: ReferenceConnection, revision: Revision): Promise<void> {
  const tail = reference.kind === 'mysql' ? await mysqlTail(reference) : '';
  for (const table of REFERENCE_TABLES) {
    await reference.run(createTable(reference.kind, table, tail));
    for (const statement of createIndexes(table, revision)) await reference.run(statement);
  }
  await reference.run(`CREATE TABLE ${REVISION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)${tail}`);
}

export async function stampRevision(reference: ReferenceConnection, revision: Revision): Promise<void> {
  await removeStamp(reference);
  await reference.run(`INSERT INTO ${REVISION_TABLE} (version_num) VALUES (?)`, [revision]);
}

/** Without a revision, no service starts on the half-filled schema. */
export async function removeStamp(reference: ReferenceConnection): Promise<void> {
  await reference.run(`DELETE FROM ${REVISION_TABLE}`);
}

function createTable(
  kind: 'mysql' | 'sqlite',
  { name, columns, key, unique, foreignKeys }: ReferenceTable,
  tail: string,
): string {
  const isGenerated = key.join() === 'id';
  const lines = [
    'created_at DATETIME NULL',
    'updated_at DATETIME NULL',
    ...columns.map((column) => `${column.name} ${column.type}${column.isNullable === true ? ' NULL' : ' NOT NULL'}`),
    `PRIMARY KEY (${key.join(', ')})`,
    ...Object.entries(unique ?? {}).map(([constraint, names]) => `CONSTRAINT ${constraint} UNIQUE (${names})`),
    ...Object.entries(foreignKeys ?? {}).map(([column, table]) => `FOREIGN KEY (${column}) REFERENCES ${table} (id)`),
  ].map((line) =>
    isGenerated && kind === 'mysql' && line.startsWith('id INTEGER') ? 'id INTEGER NOT NULL AUTO_INCREMENT' : line,
  );
  return `CREATE TABLE ${name} (${lines.join(', ')})${tail}`;
}

function createIndexes({ name, indexes, formerIndexes }: ReferenceTable, revision: Revision): readonly string[] {
  const all = { ...indexes, ...(revision === WITH_FORMER_INDEXES ? formerIndexes : {}) };
  return Object.entries(all).map(([index, columns]) => `CREATE INDEX ${index} ON ${name} (${columns})`);
}
