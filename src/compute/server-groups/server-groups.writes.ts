// Writes to server groups when instances are released.
import type { WriteTx } from '../../platform/database/sql';
import { queryAmong, runAmong } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/** Locks the groups of these instances in the order of ids. A release must call it before it takes any other lock. */
export async function lockGroupsOf(tx: WriteTx, instances: readonly Uuid[]): Promise<void> {
  const text = (among: string): string =>
    `SELECT DISTINCT group_id AS id FROM server_group_members WHERE instance_uuid IN (${among})`;
  const groups = await queryAmong<{ id: number }>(tx, instances, text);
  const ids = [...new Set(groups.map(({ id }) => id))].sort((a, b) => a - b);
  await runAmong(tx, ids, (among) => `UPDATE server_groups SET version = version + 1 WHERE id IN (${among})`);
}

export async function leaveAllGroups(tx: WriteTx, instances: readonly Uuid[]): Promise<void> {
  await runAmong(tx, instances, (among) => `DELETE FROM server_group_members WHERE instance_uuid IN (${among})`);
}
