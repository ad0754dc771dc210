// Lock rows for changes that no single row of a registry can serialise. A transaction locks them after server groups
// and services, and before consumers and providers.
import type { SqlReader, WriteTx } from '../platform/database/sql';
import { runAmong } from '../platform/database/sql';
import type { Uuid } from '../platform/values/uuid';

/**
 * Holds the lock on host aggregate and zone membership until commit. A holder reads all committed memberships, and no
 * other transaction can change them.
 */
export async function lockHostAggregates(tx: WriteTx): Promise<void> {
  await tx.run("UPDATE registry_locks SET version = version + 1 WHERE name = 'host_aggregates'");
}

const GROUP = 'group/';

/**
 * Holds the lock on a server group that another service registers until commit. Its row is created by the first claim
 * for the group. The version is the time of the last claim in milliseconds, and rises with each one.
 */
export async function lockServerGroup(tx: WriteTx, uuid: Uuid, nowMs: number): Promise<void> {
  const name = `${GROUP}${uuid}`;
  const update = 'UPDATE registry_locks SET version = CASE WHEN version < ? THEN ? ELSE version + 1 END WHERE name = ?';
  if ((await tx.run(update, [nowMs, nowMs, name])) === 1) return;
  const insert = 'INSERT INTO registry_locks (name, version) VALUES (?, ?)';
  await tx.run(insert + tx.dialect.onDuplicate('name', [], ['version = registry_locks.version + 1']), [name, nowMs]);
}

/** At most `limit` names of group locks that no claim has taken since. */
export async function findUnusedGroupLocks(sql: SqlReader, sinceMs: number, limit: number): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly name: string }>(
    `SELECT name FROM registry_locks WHERE name LIKE '${GROUP}%' AND version < ? ORDER BY name LIMIT ${limit}`,
    [sinceMs],
  );
  return rows.map(({ name }) => name);
}

/**
 * Removes those that are still unused. A claim that waits for a removed row finds none after the commit and inserts it,
 * so claims of a group wait for each other at all times.
 */
export async function removeUnusedGroupLocks(tx: WriteTx, names: readonly string[], sinceMs: number): Promise<void> {
  const text = (among: string): string => `DELETE FROM registry_locks WHERE version < ? AND name IN (${among})`;
  await runAmong(tx, names, text, { before: [sinceMs] });
}
