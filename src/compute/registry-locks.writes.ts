// Rows that serialise what no row of a registry could. Taken behind server groups and services, before consumers and
// providers.
import type { WriteTx } from '../database/sql';

/**
 * Holds, until commit, the right to change which host is in which host aggregate and zone. Whoever reads the memberships
 * behind it sees all that was committed before, and nobody changes them meanwhile.
 */
export async function lockHostAggregates(tx: WriteTx): Promise<void> {
  await tx.run("UPDATE registry_locks SET version = version + 1 WHERE name = 'host_aggregates'");
}
