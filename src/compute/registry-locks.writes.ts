// Lock rows for changes that no single row of a registry can serialise. A transaction locks them after server groups
// and services, and before consumers and providers.
import type { WriteTx } from '../platform/database/sql';

/**
 * Holds the lock on host aggregate and zone membership until commit. A holder reads all committed memberships, and no
 * other transaction can change them.
 */
export async function lockHostAggregates(tx: WriteTx): Promise<void> {
  await tx.run("UPDATE registry_locks SET version = version + 1 WHERE name = 'host_aggregates'");
}
