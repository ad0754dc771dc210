// Lock rows for changes that no single row of a registry can serialise. A transaction locks them after server groups
// and services, and before consumers and providers.
import type { WriteTx } from '../platform/database/sql';
import type { Uuid } from '../platform/values/uuid';

/**
 * Holds the lock on host aggregate and zone membership until commit. A holder reads all committed memberships, and no
 * other transaction can change them.
 */
export async function lockHostAggregates(tx: WriteTx): Promise<void> {
  await tx.run("UPDATE registry_locks SET version = version + 1 WHERE name = 'host_aggregates'");
}

/**
 * Holds the lock on a server group that another service registers until commit. Its row is created by the first claim
 * for the group.
 */
export async function lockServerGroup(tx: WriteTx, uuid: Uuid): Promise<void> {
  const name = `group/${uuid}`;
  if ((await tx.run('UPDATE registry_locks SET version = version + 1 WHERE name = ?', [name])) === 1) return;
  const insert = 'INSERT INTO registry_locks (name, version) VALUES (?, 0)';
  await tx.run(insert + tx.dialect.onDuplicate('name', [], ['version = registry_locks.version + 1']), [name]);
}
