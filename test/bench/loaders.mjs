// Puts a world straight into a database: Berth's schema (SQLite, MySQL), or the schema of the reference, which
// measures at another endpoint need. Fast, and equal on both sides.
import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { BENCH_TRAITS } from './worlds.mjs';

const NOW = 1_700_000_000_000;
const CREATED_AT = '2026-01-01 00:00:00';

/** Into an empty, migrated database of Berth. */
export async function loadIntoBerth(url, made) {
  await withDatabase(url, async (insert, query) => {
    await insert(
      'traits',
      ['name', 'created_at'],
      BENCH_TRAITS.map((name) => [name, NOW]),
    );
    const traitIds = new Map((await query('SELECT id, name FROM traits')).map((row) => [row.name, row.id]));
    const uuids = [...new Set(made.aggregates.map(([, uuid]) => uuid))];
    await insert(
      'placement_aggregates',
      ['id', 'uuid', 'created_at'],
      uuids.map((uuid, at) => [at + 1, uuid, NOW]),
    );
    await insert(
      'resource_providers',
      ['id', 'uuid', 'name', 'generation', 'root_provider_id', 'parent_provider_id', 'created_at'],
      made.providers.map((each) => [each.id, each.uuid, each.name, 0, each.root, each.parent, NOW]),
    );
    await insert(
      'inventories',
      'resource_provider_id resource_class_id total reserved min_unit max_unit step_size allocation_ratio capacity used version created_at'.split(
        ' ',
      ),
      made.inventories.map((each) => [
        each.provider,
        each.classId,
        each.total,
        each.reserved,
        1,
        each.total,
        1,
        each.ratio,
        each.capacity,
        each.used,
        0,
        NOW,
      ]),
    );
    await insert(
      'resource_provider_traits',
      ['resource_provider_id', 'trait_id'],
      made.traits.map(([id, name]) => [id, traitIds.get(name)]),
    );
    await insert(
      'resource_provider_aggregates',
      ['resource_provider_id', 'aggregate_id'],
      made.aggregates.map(([id, uuid]) => [id, uuids.indexOf(uuid) + 1]),
    );
    await insert('projects', ['id', 'external_id', 'created_at'], [[1, 'bench', NOW]]);
    await insert('users', ['id', 'external_id', 'created_at'], [[1, 'bench', NOW]]);
    await insert(
      'consumers',
      ['id', 'uuid', 'generation', 'project_id', 'user_id', 'created_at'],
      made.consumers.map((each, at) => [at + 1, each.uuid, 1, 1, 1, NOW]),
    );
    await insert(
      'allocations',
      ['consumer_id', 'resource_provider_id', 'resource_class_id', 'used', 'created_at'],
      made.consumers.flatMap((each, at) =>
        each.allocations.map((one) => [at + 1, one.provider, one.classId, one.amount, NOW]),
      ),
    );
  });
}

/** Into an empty, migrated database of the reference. */
export async function loadIntoReference(url, made) {
  await withDatabase(url, async (insertRows, query) => {
    // It cannot answer for rows without a time of creation.
    const insert = (table, columns, rows) =>
      insertRows(
        table,
        [...columns, 'created_at'],
        rows.map((row) => [...row, CREATED_AT]),
      );
    await insert(
      'traits',
      ['name'],
      BENCH_TRAITS.map((name) => [name]),
    );
    const traitIds = new Map((await query('SELECT id, name FROM traits')).map((row) => [row.name, row.id]));
    const uuids = [...new Set(made.aggregates.map(([, uuid]) => uuid))];
    await insert(
      'placement_aggregates',
      ['id', 'uuid'],
      uuids.map((uuid, at) => [at + 1, uuid]),
    );
    await insert(
      'resource_providers',
      ['id', 'uuid', 'name', 'generation', 'root_provider_id', 'parent_provider_id'],
      made.providers.map((each) => [each.id, each.uuid, each.name, 0, each.root, each.parent]),
    );
    await insert(
      'inventories',
      'resource_provider_id resource_class_id total reserved min_unit max_unit step_size allocation_ratio'.split(' '),
      made.inventories.map((each) => [
        each.provider,
        each.classId,
        each.total,
        each.reserved,
        1,
        each.total,
        1,
        each.ratio,
      ]),
    );
    await insert(
      'resource_provider_traits',
      ['resource_provider_id', 'trait_id'],
      made.traits.map(([id, name]) => [id, traitIds.get(name)]),
    );
    await insert(
      'resource_provider_aggregates',
      ['resource_provider_id', 'aggregate_id'],
      made.aggregates.map(([id, uuid]) => [id, uuids.indexOf(uuid) + 1]),
    );
    await insert('projects', ['id', 'external_id'], [[1, 'bench']]);
    await insert('users', ['id', 'external_id'], [[1, 'bench']]);
    await insert(
      'consumers',
      ['id', 'uuid', 'generation', 'project_id', 'user_id'],
      made.consumers.map((each, at) => [at + 1, each.uuid, 1, 1, 1]),
    );
    await insert(
      'allocations',
      ['consumer_id', 'resource_provider_id', 'resource_class_id', 'used'],
      made.consumers.flatMap((each) =>
        each.allocations.map((one) => [each.uuid, one.provider, one.classId, one.amount]),
      ),
    );
  });
}

const CHANGE_KINDS = { tree: 1, usage: 2 };

/** So many entries of the change log in a lane of their own, as another process would leave them; nothing else changes. */
export async function addChanges(url, made, count, kind) {
  await withDatabase(url, async (insert, query) => {
    const [{ lane }] = await query('SELECT MAX(id) + 1 AS lane FROM writer_lanes');
    const inventories = await query('SELECT id, resource_provider_id, used, version FROM inventories');
    const now = Date.now();
    await insert('writer_lanes', ['id', 'process', 'created_at', 'renewed_at'], [[lane, 'bench', now, now]]);
    await insert(
      'change_log',
      ['lane', 'seq', 'kind', 'ref_id', 'resource_provider_id', 'used', 'version', 'created_at'],
      Array.from({ length: count }, (_, at) => {
        const record = inventories[at % inventories.length];
        const provider = made.providers[at % made.providers.length];
        return kind === 'tree'
          ? [lane, at + 1, CHANGE_KINDS.tree, provider.id, provider.id, null, null, now]
          : [
              lane,
              at + 1,
              CHANGE_KINDS.usage,
              record.id,
              record.resource_provider_id,
              record.used,
              record.version,
              now,
            ];
      }),
    );
  });
}

/** So many traits and so many resource classes of the cloud's own. */
export async function addNames(url, count) {
  const rows = Array.from({ length: count }, (_, at) => [`CUSTOM_OWN_${at}`, NOW]);
  await withDatabase(url, async (insert) => {
    for (const table of ['traits', 'resource_classes']) await insert(table, ['name', 'created_at'], rows);
  });
}

const ROWS_PER_STATEMENT = 2_000;

async function withDatabase(url, work) {
  if (url.startsWith('sqlite')) {
    const db = new Sqlite(url.replace(/^sqlite:\/\/\//, ''));
    const insert = (table, columns, rows) => {
      const statement = db.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      db.transaction(() => rows.forEach((row) => statement.run(...row)))();
    };
    await work(insert, (sql) => db.prepare(sql).all());
    db.close();
    return;
  }
  const connection = await mysql.createConnection({ uri: url });
  const insert = async (table, columns, rows) => {
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await connection.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [
        rows.slice(at, at + ROWS_PER_STATEMENT),
      ]);
    }
  };
  await work(insert, async (sql) => (await connection.query(sql))[0]);
  await connection.end();
}
