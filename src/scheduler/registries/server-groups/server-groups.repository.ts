// Server groups in the database. A claim for a group takes its row first and raises `version`, so that placements of
// one group come one after another.
import { DATABASE_LIMITS } from '../../../config/limits';
import { chunks, marks, rowMarks } from '../../../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import type { GroupPolicyName } from '../../request/request-spec';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';

export interface GroupMember {
  readonly uuid: Uuid;
  /** The service host that runs it; null while it is placed nowhere. */
  readonly host: string | null;
}

export interface ServerGroup {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
  readonly projectId: string | null;
  readonly userId: string | null;
  readonly policy: GroupPolicyName;
  /** Anti-affinity only; null means 1. */
  readonly maxServerPerHost: number | null;
  readonly generation: number;
  readonly version: number;
  /** In the order in which they came. */
  readonly members: readonly GroupMember[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
}

/** What a client says of a group, members aside. */
export type GroupDefinition = Pick<
  ServerGroup,
  'uuid' | 'name' | 'projectId' | 'userId' | 'policy' | 'maxServerPerHost'
>;

interface Row {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
  readonly project_id: string | null;
  readonly user_id: string | null;
  readonly policy: GroupPolicyName;
  readonly max_server_per_host: number | null;
  readonly generation: number;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number | null;
}

const SELECT =
  'SELECT g.id, g.uuid, g.name, g.project_id, g.user_id, g.policy, g.max_server_per_host, g.generation, g.version, ' +
  'g.created_at, g.updated_at FROM server_groups g';
const SOURCE: PageSource = { select: SELECT, id: 'g.id', table: 'server_groups', key: 'uuid' };

const toGroup = (row: Row, members: ReadonlyMap<number, readonly GroupMember[]>): ServerGroup => ({
  id: row.id,
  uuid: row.uuid,
  name: row.name,
  projectId: row.project_id,
  userId: row.user_id,
  policy: row.policy,
  maxServerPerHost: row.max_server_per_host,
  generation: row.generation,
  version: row.version,
  members: members.get(row.id) ?? [],
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
});

export async function findGroup(sql: SqlReader, uuid: Uuid): Promise<ServerGroup | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} WHERE g.uuid = ?`, [uuid]);
  return row === undefined ? undefined : toGroup(row, await membersOf(sql, [row.id]));
}

/** Groups with this uuid or name, at most two: more than one means that a name says too little. */
export async function findGroupsCalled(
  sql: SqlReader,
  uuid: Uuid | null,
  name: string,
): Promise<readonly ServerGroup[]> {
  const rows = await sql.query<Row>(
    `${SELECT} WHERE g.uuid = ? OR g.name = ? ORDER BY CASE WHEN g.uuid = ? THEN 0 ELSE 1 END, g.id LIMIT 2`,
    [uuid, name, uuid],
  );
  const members = await membersOf(
    sql,
    rows.map((row) => row.id),
  );
  return rows.map((row) => toGroup(row, members));
}

/** Whether a group of another uuid has this name. */
export async function isNameShared(
  sql: SqlReader,
  { uuid, name }: Pick<ServerGroup, 'uuid' | 'name'>,
): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM server_groups WHERE name = ? AND uuid <> ? LIMIT 1', [name, uuid])).length > 0;
}

export interface GroupFilter {
  readonly name?: string | undefined;
  readonly projectId?: string | undefined;
  readonly policy?: string | undefined;
  readonly member?: Uuid | undefined;
}

export async function listGroups(sql: SqlReader, filter: GroupFilter, page: PageQuery): Promise<Page<ServerGroup>> {
  const conditions: Condition[] = [];
  if (filter.name !== undefined) conditions.push(['g.name = ?', [filter.name]]);
  if (filter.projectId !== undefined) conditions.push(['g.project_id = ?', [filter.projectId]]);
  if (filter.policy !== undefined) conditions.push(['g.policy = ?', [filter.policy]]);
  if (filter.member !== undefined) {
    conditions.push([
      'EXISTS (SELECT 1 FROM server_group_members m WHERE m.group_id = g.id AND m.instance_uuid = ?)',
      [filter.member],
    ]);
  }
  const rows = await selectPage<Row>(sql, SOURCE, conditions, page);
  const members = await membersOf(
    sql,
    rows.map((row) => row.id),
  );
  return pageOf(
    rows,
    page.limit,
    (row) => toGroup(row, members),
    (row) => row.uuid,
  );
}

async function membersOf(
  sql: SqlReader,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, readonly GroupMember[]>> {
  const members = new Map<number, GroupMember[]>();
  for (const part of chunks(groupIds, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<{ group_id: number; instance_uuid: Uuid; host: string | null }>(
      'SELECT group_id, instance_uuid, host FROM server_group_members ' +
        `WHERE group_id IN (${marks(part.length)}) ORDER BY group_id, created_at, instance_uuid`,
      part,
    );
    for (const { group_id: id, instance_uuid: uuid, host } of rows) {
      const known = members.get(id);
      if (known === undefined) members.set(id, [{ uuid, host }]);
      else known.push({ uuid, host });
    }
  }
  return members;
}

/** Holds the group until commit and raises its version; answers it with its members, undefined when it is gone. */
export async function lockGroup(tx: WriteTx, uuid: Uuid): Promise<ServerGroup | undefined> {
  const matched = await tx.run('UPDATE server_groups SET version = version + 1 WHERE uuid = ?', [uuid]);
  return matched === 0 ? undefined : findGroup(tx, uuid);
}

const DEFINED = ['name', 'project_id', 'user_id', 'policy', 'max_server_per_host'] as const;

const definedOf = (group: GroupDefinition): readonly SqlValue[] => [
  group.name,
  group.projectId,
  group.userId,
  group.policy,
  group.maxServerPerHost,
];

/** Throws the driver's duplicate error when the uuid is taken. */
export function insertGroup(tx: WriteTx, group: GroupDefinition, nowMs: number): Promise<number> {
  return tx.insert(
    `INSERT INTO server_groups (uuid, ${DEFINED.join(', ')}, created_at) VALUES (${marks(DEFINED.length + 2)})`,
    [group.uuid, ...definedOf(group), nowMs],
  );
}

/** Changes a group that still has this generation; answers whether it had. */
export async function updateGroup(
  tx: WriteTx,
  group: GroupDefinition,
  generation: number,
  nowMs: number,
): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE server_groups SET ${DEFINED.map((column) => `${column} = ?`).join(', ')}, ` +
      'generation = generation + 1, updated_at = ? WHERE uuid = ? AND generation = ?',
    [...definedOf(group), nowMs, group.uuid, generation],
  );
  return matched === 1;
}

/** Fails on a foreign key while the group has members; answers whether it was there. */
export async function deleteGroup(tx: WriteTx, uuid: Uuid): Promise<boolean> {
  return (await tx.run('DELETE FROM server_groups WHERE uuid = ?', [uuid])) === 1;
}

/** Members come, or change their host. */
export async function putMembers(
  tx: WriteTx,
  groupId: number,
  members: readonly GroupMember[],
  nowMs: number,
): Promise<void> {
  for (const part of chunks(members, DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO server_group_members (group_id, instance_uuid, host, created_at) VALUES ${rowMarks(part.length, 4)}` +
        tx.dialect.onDuplicate('group_id, instance_uuid', ['host']),
      part.flatMap((member): SqlValue[] => [groupId, member.uuid, member.host, nowMs]),
    );
  }
}

/** Instances leave a group. */
export async function removeMembers(tx: WriteTx, groupId: number, uuids: readonly Uuid[]): Promise<void> {
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(`DELETE FROM server_group_members WHERE group_id = ? AND instance_uuid IN (${marks(part.length)})`, [
      groupId,
      ...part,
    ]);
  }
}

/** Takes the groups that these instances are in, in the order of ids, before anything else of a release is taken. */
export async function lockGroupsOf(tx: WriteTx, instances: readonly Uuid[]): Promise<void> {
  const ids = new Set<number>();
  for (const part of chunks(instances, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await tx.query<{ group_id: number }>(
      `SELECT DISTINCT group_id FROM server_group_members WHERE instance_uuid IN (${marks(part.length)})`,
      part,
    );
    for (const { group_id: id } of rows) ids.add(id);
  }
  for (const part of chunks(
    [...ids].sort((a, b) => a - b),
    DATABASE_LIMITS.idsPerStatement,
  )) {
    await tx.run(`UPDATE server_groups SET version = version + 1 WHERE id IN (${marks(part.length)})`, part);
  }
}

/** Instances leave every group they are in. */
export async function leaveAllGroups(tx: WriteTx, instances: readonly Uuid[]): Promise<void> {
  for (const part of chunks(instances, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(`DELETE FROM server_group_members WHERE instance_uuid IN (${marks(part.length)})`, part);
  }
}
