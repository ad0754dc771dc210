// The reference's schema, written by hand from its description without constraints, and a small cloud in it. For SQLite
// and MySQL.
import type { ReferenceConnection } from '../../src/transfer/reference/connection.loader';

const times = 'created_at DATETIME NULL, updated_at DATETIME NULL';

/** Creates the schema of one revision. It shares no code with Berth's export. */
export async function makeReference(reference: ReferenceConnection, revision: string): Promise<void> {
  const key = reference.kind === 'mysql' ? 'id INT NOT NULL AUTO_INCREMENT PRIMARY KEY' : 'id INTEGER PRIMARY KEY';
  const tail = reference.kind === 'mysql' ? ' DEFAULT CHARSET utf8mb3' : '';
  const tables = {
    resource_providers: `${key}, uuid VARCHAR(36) NOT NULL UNIQUE, name VARCHAR(200) UNIQUE, generation INT, root_provider_id INT, parent_provider_id INT`,
    inventories: `${key}, resource_provider_id INT NOT NULL, resource_class_id INT NOT NULL, total INT NOT NULL, reserved INT NOT NULL, min_unit INT NOT NULL, max_unit INT NOT NULL, step_size INT NOT NULL, allocation_ratio FLOAT NOT NULL, UNIQUE (resource_provider_id, resource_class_id)`,
    allocations: `${key}, resource_provider_id INT NOT NULL, consumer_id VARCHAR(36) NOT NULL, resource_class_id INT NOT NULL, used INT NOT NULL`,
    consumers: `${key}, uuid VARCHAR(36) NOT NULL UNIQUE, project_id INT NOT NULL, user_id INT NOT NULL, generation INT NOT NULL DEFAULT 0, consumer_type_id INT NULL`,
    consumer_types: `${key}, name VARCHAR(255) NOT NULL UNIQUE`,
    projects: `${key}, external_id VARCHAR(255) NOT NULL UNIQUE`,
    users: `${key}, external_id VARCHAR(255) NOT NULL UNIQUE`,
    resource_classes: 'id INT NOT NULL PRIMARY KEY, name VARCHAR(255) NOT NULL UNIQUE',
    traits: `${key}, name VARCHAR(255) NOT NULL UNIQUE`,
    resource_provider_traits:
      'trait_id INT NOT NULL, resource_provider_id INT NOT NULL, PRIMARY KEY (trait_id, resource_provider_id)',
    placement_aggregates: `${key}, uuid VARCHAR(36) UNIQUE`,
    resource_provider_aggregates:
      'resource_provider_id INT NOT NULL, aggregate_id INT NOT NULL, PRIMARY KEY (resource_provider_id, aggregate_id)',
  };
  for (const [name, columns] of Object.entries(tables)) {
    await reference.run(`CREATE TABLE ${name} (${times}, ${columns})${tail}`);
  }
  await reference.run('CREATE INDEX allocations_consumer_id_idx ON allocations (consumer_id)');
  if (revision === '422ece571366') {
    await reference.run('CREATE INDEX resource_providers_name_idx ON resource_providers (name)');
  }
  await reference.run('CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)');
  await reference.run('INSERT INTO alembic_version VALUES (?)', [revision]);
}

type Value = string | number | null;

export async function put(
  reference: ReferenceConnection,
  table: string,
  ...rows: readonly (readonly Value[])[]
): Promise<void> {
  for (const row of rows) {
    await reference.run(`INSERT INTO ${table} (${COLUMNS[table]}) VALUES (${row.map(() => '?').join(', ')})`, row);
  }
}

const COLUMNS: Readonly<Record<string, string>> = {
  resource_classes: 'id, name, created_at',
  traits: 'id, name',
  projects: 'id, external_id',
  users: 'id, external_id',
  consumer_types: 'id, name',
  placement_aggregates: 'id, uuid',
  resource_providers: 'id, uuid, name, generation, root_provider_id, parent_provider_id, created_at, updated_at',
  inventories:
    'resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio',
  resource_provider_traits: 'resource_provider_id, trait_id',
  resource_provider_aggregates: 'resource_provider_id, aggregate_id',
  consumers: 'id, uuid, project_id, user_id, generation, consumer_type_id, created_at, updated_at',
  allocations: 'resource_provider_id, consumer_id, resource_class_id, used',
};

const CREATED = '2024-03-01 10:00:00';
const UPDATED = '2024-03-02 11:30:15';

/** A canonical uuid that ends in the number. */
const uuid = (kind: string, number: number): string =>
  `${kind.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
export const P = (number: number): string => uuid('aaaa', number);
export const C = (number: number): string => uuid('c0ffee', number);
export const AGGREGATE = uuid('bbbb', 1);

/** A tree of two providers (ids 1 and 2), a single provider (3) and two consumers. */
export async function putSmallCloud(reference: ReferenceConnection): Promise<void> {
  await put(
    reference,
    'resource_classes',
    [0, 'VCPU', CREATED],
    [1, 'MEMORY_MB', CREATED],
    [10005, 'CUSTOM_CARD', CREATED],
  );
  await put(reference, 'traits', [7, 'HW_CPU_X86_AVX2'], [8, 'CUSTOM_GOLD']);
  await put(reference, 'projects', [1, 'project-a'], [2, 'project-b']);
  await put(reference, 'users', [1, 'user-a']);
  await put(reference, 'consumer_types', [1, 'INSTANCE']);
  await put(reference, 'placement_aggregates', [4, AGGREGATE]);
  await put(
    reference,
    'resource_providers',
    [1, P(1), 'host-1', 5, 1, null, CREATED, UPDATED],
    [2, P(2), 'card-1', 3, 1, 1, CREATED, null],
    [3, P(3), 'host-2', 2, 3, null, CREATED, null],
  );
  await put(
    reference,
    'inventories',
    [1, 0, 10, 1, 1, 10, 1, 0.7],
    [1, 1, 4096, 0, 1, 4096, 1, 1.5],
    [2, 10005, 4, 0, 1, 4, 1, 1],
    [3, 0, 16, 0, 1, 16, 1, 4],
  );
  await put(reference, 'resource_provider_traits', [1, 7], [3, 8]);
  await put(reference, 'resource_provider_aggregates', [1, 4], [3, 4]);
  await put(reference, 'consumers', [11, C(1), 1, 1, 4, 1, CREATED, UPDATED], [12, C(2), 2, 1, 1, null, CREATED, null]);
  await put(reference, 'allocations', [1, C(1), 0, 2], [1, C(1), 1, 512], [2, C(1), 10005, 1], [3, C(2), 0, 3]);
}

/** One example of each inconsistency that the reference's schema allows. */
export async function putBreakage(reference: ReferenceConnection): Promise<void> {
  await put(
    reference,
    'resource_providers',
    [21, P(0x21), 'rootless', 0, null, null, CREATED, null],
    [22, P(0x22), 'wrong-root', 0, 3, 1, CREATED, null],
    [23, P(0x23), 'orphan', 0, 999, 999, CREATED, null],
    [24, P(0x24), 'loop-a', 0, 24, 25, CREATED, null],
    [25, P(0x25), 'loop-b', 0, 24, 24, CREATED, null],
    [26, P(0x26), null, null, 26, null, CREATED, null],
    [27, P(0x27).toUpperCase(), 'loud', 0, 27, null, CREATED, null],
  );
  await put(reference, 'inventories', [21, 0, 4, 0, 1, 4, 1, 1], [777, 0, 4, 0, 1, 4, 1, 1], [3, 55, 4, 0, 1, 4, 1, 1]);
  await put(reference, 'resource_provider_aggregates', [777, 4]);
  // A consumer on a missing provider, an oversold inventory, a consumer without a record, one whose owner is missing.
  await put(
    reference,
    'consumers',
    [31, C(0x31), 1, 1, 1, null, CREATED, null],
    [32, C(0x32), 99, 99, 1, null, CREATED, null],
  );
  await put(
    reference,
    'allocations',
    [21, C(0x32), 0, 5],
    [3, C(0x33), 0, 1],
    [3, C(0x34).toUpperCase(), 0, 1],
    [777, C(0x35), 0, 1],
    [3, C(0x36), 1, 64],
    [3, C(0x37), 0, 0],
  );
}
