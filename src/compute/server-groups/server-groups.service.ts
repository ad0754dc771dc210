// Operations on server groups. A writer must lock the group before it changes members; claims use `lockGroupIn`.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';
import type { Warning } from '../definition-rules';
import { hostsOf } from '../instances/instances.writes';
import type { Registered } from '../registered.entity';
import type { Change, Written } from '../registry';
import { given, Registry } from '../registry';
import type { Named } from '../registry-names';
import { sharedName } from '../registry-names';
import type { TextFilter } from '../registry-page';
import type { Condition } from '../registry-page.sql';
import { equal } from '../registry-page.sql';
import { inUse, invalidField } from '../registry-refusals';
import type { GroupMember } from './server-group.entity';
import { ServerGroup } from './server-group.entity';
import * as repository from './server-groups.repository';

/** A group as a client writes it. If `members` is absent, the members do not change. */
export interface GroupDefinition extends Omit<ServerGroup, keyof Registered | 'uuid' | 'version' | 'members'> {
  readonly members?: readonly Uuid[] | undefined;
}

type GroupChange = Change<Pick<GroupDefinition, 'name' | 'projectId' | 'userId'>>;

export type GroupFilter = TextFilter<'name' | 'projectId' | 'policy' | 'member'>;

@Injectable()
export class ServerGroupsService extends Registry<ServerGroup, GroupDefinition, GroupFilter> {
  constructor(db: Database, @InjectRepository(ServerGroup) rows: Repository<ServerGroup>) {
    super(db, rows, { entity: ServerGroup, key: 'uuid', what: 'a server group', documentKind: 'server group' });
  }

  /** The group with this uuid or name. */
  named(sql: SqlReader, text: string): Promise<Named<ServerGroup>> {
    return this.namedByUuid(sql, text);
  }

  /** Throws not_found, generation_conflict. */
  change(uuid: Uuid, generation: number | undefined, change: GroupChange): Promise<Written<ServerGroup>> {
    return this.rewrite(uuid, generation, (before) => ({ ...given(before, change), members: undefined }));
  }

  /**
   * Locks the group and increments its version, which serialises the placements of a group. Must be the first lock of a
   * transaction. Returns the group with its current members, or undefined if it does not exist.
   */
  async lockGroupIn(tx: WriteTx, uuid: Uuid): Promise<ServerGroup | undefined> {
    return (await repository.lockGroup(tx, uuid)) ? (await this.select(tx, 'uuid = ?', [uuid]))[0] : undefined;
  }

  /** The caller holds the group. Changes the host of members that are already in the group. */
  addMembersIn(
    tx: WriteTx,
    group: Pick<ServerGroup, 'rowId'>,
    members: readonly GroupMember[],
    nowMs: number,
  ): Promise<void> {
    return repository.putMembers(tx, group.rowId, members, nowMs);
  }

  protected conditionsOf({ name, projectId, policy, member }: GroupFilter): readonly Condition[] {
    const isMember =
      'EXISTS (SELECT 1 FROM server_group_members m WHERE m.group_id = server_groups.id AND m.instance_uuid = ?)';
    const columns = equal({ name, project_id: projectId, policy });
    return member === undefined ? columns : [...columns, [isMember, [member]]];
  }

  protected override async holdIn(tx: WriteTx, uuid: Uuid): Promise<void> {
    await repository.lockGroup(tx, uuid);
  }

  /** Throws invalid_request; in_use if the policy or its rule would change while the group has members. */
  protected async checkIn(
    tx: WriteTx,
    uuid: Uuid,
    { name, policy, maxServerPerHost }: GroupDefinition,
    before: ServerGroup | undefined,
  ): Promise<readonly Warning[]> {
    if (maxServerPerHost !== null && policy !== 'anti-affinity') {
      throw invalidField('rules.max_server_per_host', `is a rule of anti-affinity, not of ${policy}`);
    }
    const isOther = before?.policy !== policy || before.maxServerPerHost !== maxServerPerHost;
    if (before !== undefined && isOther && before.members.length > 0) {
      throw inUse(`The ${this.called(uuid)} has members, which were placed by its policy; it cannot change.`);
    }
    return (await this.isNameShared(tx, uuid, name)) ? [sharedName('server group')] : [];
  }

  protected override whenUsed(called: string): string {
    return `The ${called} has members.`;
  }

  protected override async whole(sql: SqlReader, groups: readonly ServerGroup[]): Promise<readonly ServerGroup[]> {
    const ids = groups.map(({ rowId }) => rowId);
    const members = await repository.membersOf(sql, ids);
    return groups.map((group) => ({ ...group, members: members.get(group.rowId) ?? [] }));
  }

  protected override async fillIn(
    tx: WriteTx,
    { rowId }: ServerGroup,
    { members }: GroupDefinition,
    before: ServerGroup | undefined,
  ): Promise<void> {
    if (members === undefined) return;
    const given = new Set(members);
    const known = new Set(before?.members.map(({ uuid }) => uuid));
    const removed = [...known].filter((uuid) => !given.has(uuid));
    await repository.removeMembers(tx, rowId, removed);
    const added = [...given].filter((uuid) => !known.has(uuid));
    await repository.putMembers(tx, rowId, await placedMembers(tx, added), Date.now());
  }
}

/** The members with the hosts on which Berth placed them. */
async function placedMembers(sql: SqlReader, uuids: readonly Uuid[]): Promise<readonly GroupMember[]> {
  const hosts = await hostsOf(sql, uuids);
  return uuids.map((uuid) => ({ uuid, host: hosts.get(uuid) ?? null }));
}
