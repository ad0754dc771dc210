// Inserts many rows directly into the reference's schema, to measure the rate and the memory of an import.
import { randomUUID } from 'node:crypto';

const moment = '2026-01-02 03:04:05';
const ROWS = 2_000;

async function insert(connection, table, columns, rows) {
  for (let at = 0; at < rows.length; at += ROWS) {
    await connection.query(`INSERT INTO ${table} (created_at, ${columns.join(', ')}) VALUES ?`, [
      rows.slice(at, at + ROWS).map((row) => [moment, ...row]),
    ]);
  }
}

/** Fills an empty, migrated schema. `allocations` must be a multiple of three. */
export async function fillReference(connection, { providers, allocations }) {
  await connection.query("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
  await connection.query('DELETE FROM resource_classes');
  await insert(
    connection,
    'resource_classes',
    ['id', 'name'],
    [
      [0, 'VCPU'],
      [1, 'MEMORY_MB'],
      [2, 'DISK_GB'],
    ],
  );
  await insert(
    connection,
    'projects',
    ['id', 'external_id'],
    numbers(50).map((id) => [id, `project-${id}`]),
  );
  await insert(
    connection,
    'users',
    ['id', 'external_id'],
    numbers(200).map((id) => [id, `user-${id}`]),
  );
  await insert(
    connection,
    'resource_providers',
    ['id', 'uuid', 'name', 'generation', 'root_provider_id'],
    numbers(providers).map((id) => [id, randomUUID(), `host-${id}`, 3, id]),
  );
  await insert(
    connection,
    'inventories',
    [
      'resource_provider_id',
      'resource_class_id',
      'total',
      'reserved',
      'min_unit',
      'max_unit',
      'step_size',
      'allocation_ratio',
    ],
    numbers(providers).flatMap((id) => [0, 1, 2].map((classId) => [id, classId, 10_000_000, 0, 1, 1_000_000, 1, 1.0])),
  );
  const uuids = numbers(allocations / 3).map(() => randomUUID());
  await insert(
    connection,
    'consumers',
    ['uuid', 'project_id', 'user_id', 'generation'],
    uuids.map((uuid, at) => [uuid, 1 + (at % 50), 1 + (at % 200), 1]),
  );
  await insert(
    connection,
    'allocations',
    ['resource_provider_id', 'resource_class_id', 'consumer_id', 'used'],
    uuids.flatMap((uuid, at) => [0, 1, 2].map((classId) => [1 + (at % providers), classId, uuid, 1 + (at % 5)])),
  );
}

const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
