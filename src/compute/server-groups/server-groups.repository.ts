// Members of server groups in the database, and the lock of a group. A claim for a group first locks its row by
// incrementing `version`, which serialises the placements of a group.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { queryAmong, runAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { addTo } from '../../platform/values/lists-by-key';
import type { Uuid } from '../../platform/values/uuid';
import type { GroupMember } from './server-group.entity';
import { ServerGroupMember } from './server-group.entity';

const MEMBERS = new Table(ServerGroupMember);

/** Keyed by the row id of the group. */
export async function membersOf(
  sql: SqlReader,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, readonly GroupMember[]>> {
  const members = new Map<number, GroupMember[]>();
  const text = (among: string): string =>
    `SELECT ${MEMBERS.only('groupId', 'uuid', 'host').as('m')} FROM server_group_members m ` +
    `WHERE m.group_id IN (${among}) ORDER BY m.group_id, m.created_at, m.instance_uuid`;
  const rows = await queryAmong<Omit<ServerGroupMember, 'createdAtMs'>>(sql, groupIds, text);
  for (const { groupId, ...member } of rows) addTo(members, groupId, member);
  return members;
}

/** Locks the group until commit and increments its version. Returns false if the group does not exist. */
export async function lockGroup(tx: WriteTx, uuid: Uuid): Promise<boolean> {
  return (await tx.run('UPDATE server_groups SET version = version + 1 WHERE uuid = ?', [uuid])) === 1;
}

/** Adds members, or changes the host of existing ones. */
export async function putMembers(
  tx: WriteTx,
  groupId: number,
  members: readonly GroupMember[],
  createdAtMs: number,
): Promise<void> {
  const rows = members.map(({ uuid, host }) => ({ groupId, uuid, host, createdAtMs }));
  await MEMBERS.all.insertAll(tx, rows, { suffix: tx.dialect.onDuplicate('group_id, instance_uuid', ['host']) });
}

export async function removeMembers(tx: WriteTx, groupId: number, uuids: readonly Uuid[]): Promise<void> {
  const text = (among: string): string =>
    `DELETE FROM server_group_members WHERE group_id = ? AND instance_uuid IN (${among})`;
  await runAmong(tx, uuids, text, { before: [groupId] });
}
