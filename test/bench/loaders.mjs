import mysql from 'mysql2/promise';
// Loads a world directly into a database: Berth's schema (SQLite, MySQL), or the schema of the reference, for
// measurements of another endpoint. Fast, and the same on both sides.
import { Sqlite } from '../support/sqlite-driver.mjs';
import { BENCH_TRAITS } from './worlds.mjs';

const NOW = 1_700_000_000_000;
const CREATED_AT = '2026-01-01 00:00:00';

/** Loads into an empty, migrated database of Berth, which stores the sums of usage in the inventories. */
export const loadIntoBerth = (url, made) =>
  load(url, made, {
    createdAt: NOW,
    undated: ['resource_provider_traits', 'resource_provider_aggregates'],
    sums: ({ capacity, used }) => ({ capacity, used, version: 0 }),
    consumerOf: (_consumer, id) => id,
  });

/** Loads into an empty, migrated database of the reference, which fails on rows without a creation time. */
export const loadIntoReference = (url, made) =>
  load(url, made, {
    createdAt: CREATED_AT,
    undated: [],
    sums: () => ({}),
    consumerOf: ({ uuid }) => uuid,
  });

async function load(url, made, { createdAt, undated, sums, consumerOf }) {
  await withDatabase(url, async (insertRows, query) => {
    const insert = async (table, rows) => {
      const dated = undated.includes(table) ? rows : rows.map((row) => ({ ...row, created_at: createdAt }));
      if (dated.length > 0) await insertRows(table, Object.keys(dated[0]), dated.map(Object.values));
    };
    await insert(
      'traits',
      BENCH_TRAITS.map((name) => ({ name })),
    );
    const traitIds = new Map((await query('SELECT id, name FROM traits')).map((row) => [row.name, row.id]));
    const uuids = [...new Set(made.aggregates.map(([, uuid]) => uuid))];
    await insert(
      'placement_aggregates',
      uuids.map((uuid, at) => ({ id: at + 1, uuid })),
    );
    await insert(
      'resource_providers',
      made.providers.map(({ id, uuid, name, root, parent }) => ({
        id,
        uuid,
        name,
        generation: 0,
        root_provider_id: root,
        parent_provider_id: parent,
      })),
    );
    await insert(
      'inventories',
      made.inventories.map((each) => ({
        resource_provider_id: each.provider,
        resource_class_id: each.classId,
        total: each.total,
        reserved: each.reserved,
        allocation_ratio: each.ratio,
        min_unit: 1,
        max_unit: each.total,
        step_size: 1,
        ...sums(each),
      })),
    );
    await insert(
      'resource_provider_traits',
      made.traits.map(([id, name]) => ({ resource_provider_id: id, trait_id: traitIds.get(name) })),
    );
    await insert(
      'resource_provider_aggregates',
      made.aggregates.map(([id, uuid]) => ({ resource_provider_id: id, aggregate_id: uuids.indexOf(uuid) + 1 })),
    );
    for (const table of ['projects', 'users']) await insert(table, [{ id: 1, external_id: 'bench' }]);
    await insert(
      'consumers',
      made.consumers.map(({ uuid }, at) => ({ id: at + 1, uuid, generation: 1, project_id: 1, user_id: 1 })),
    );
    await insert(
      'allocations',
      made.consumers.flatMap((each, at) =>
        each.allocations.map(({ provider, classId, amount }) => ({
          consumer_id: consumerOf(each, at + 1),
          resource_provider_id: provider,
          resource_class_id: classId,
          used: amount,
        })),
      ),
    );
  });
}

const CHANGE_KINDS = { tree: 1, usage: 2 };

/** Adds `count` entries to the change log in a separate lane, as another process would. Nothing else changes. */
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

/** Adds `count` custom traits and `count` custom resource classes. */
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
