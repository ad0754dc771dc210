// What can be done to server groups. Whoever changes members holds the group first; claims do that through lockGroupIn.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { SqlReader, WriteTx } from '../../../database/sql';
import { canonicalUuid } from '../../../domain/uuid';
import type { Uuid } from '../../../domain/uuid';
import { findInstances } from '../instances/instances.repository';
import type { Warning } from '../definition-rules';
import { byUuidOrName, sharedName } from '../registry-names';
import type { Named } from '../registry-names';
import type { Page, PageQuery } from '../registry-page';
import {
  duplicateName,
  inUse,
  invalidField,
  isDuplicate,
  notFound,
  refuseStale,
  removeUnused,
  staleGeneration,
} from '../registry-refusals';
import * as repository from './server-groups.repository';
import type { GroupDefinition, GroupFilter, GroupMember, ServerGroup } from './server-groups.repository';

export interface GroupChange {
  readonly name?: string | undefined;
  /** Null: nobody's. */
  readonly projectId?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly generation?: number | undefined;
}

/** A group as it was left by a write, and what is odd about it. */
export interface StoredGroup {
  readonly group: ServerGroup;
  readonly warnings: readonly Warning[];
}

/** A group as a client writes it; members absent: they stay. */
export type WrittenGroup = Omit<GroupDefinition, 'uuid'> & { readonly members?: readonly Uuid[] | undefined };

const called = (uuid: Uuid): string => `server group ${uuid}`;

@Injectable()
export class ServerGroupsService {
  constructor(private readonly db: Database) {}

  /** Throws not_found. */
  async get(uuid: Uuid): Promise<ServerGroup> {
    const found = await this.db.read((sql) => repository.findGroup(sql, uuid));
    if (found === undefined) throw notFound(called(uuid));
    return found;
  }

  list(filter: GroupFilter, page: PageQuery): Promise<Page<ServerGroup>> {
    return this.db.read((sql) => repository.listGroups(sql, filter, page));
  }

  /** The group that a request names by uuid or name. */
  async named(sql: SqlReader, text: string): Promise<Named<ServerGroup>> {
    const uuid = canonicalUuid(text) ?? null;
    return byUuidOrName(await repository.findGroupsCalled(sql, uuid, text), uuid);
  }

  /** Throws duplicate_name, invalid_request. */
  create(group: WrittenGroup, uuid: Uuid = randomUUID()): Promise<StoredGroup> {
    return this.db.write(async (tx) => {
      await this.createIn(tx, uuid, group, Date.now());
      return stored(tx, uuid);
    });
  }

  async createIn(tx: WriteTx, uuid: Uuid, group: WrittenGroup, nowMs: number): Promise<void> {
    checkRules(group);
    const id = await insertedUnlessTaken(tx, { ...group, uuid }, nowMs);
    await repository.putMembers(tx, id, await placedMembers(tx, group.members ?? []), nowMs);
  }

  /**
   * Creates it, or replaces the one of this generation. Throws generation_conflict, invalid_request; in_use when the
   * policy or its rules would change while there are members.
   */
  put(
    uuid: Uuid,
    group: WrittenGroup,
    generation: number | undefined,
  ): Promise<StoredGroup & { readonly isNew: boolean }> {
    return this.db.write(async (tx) => {
      const before = await repository.lockGroup(tx, uuid);
      if (before?.generation !== generation) throw staleGeneration(called(uuid), generation, before?.generation);
      if (before === undefined) await this.createIn(tx, uuid, group, Date.now());
      else await this.replaceIn(tx, before, group, Date.now());
      return { isNew: before === undefined, ...(await stored(tx, uuid)) };
    });
  }

  /** Throws not_found, generation_conflict. */
  change(uuid: Uuid, change: GroupChange): Promise<StoredGroup> {
    return this.db.write(async (tx) => {
      const before = await repository.lockGroup(tx, uuid);
      if (before === undefined) throw notFound(called(uuid));
      refuseStale(called(uuid), change.generation, before.generation);
      const { name = before.name, projectId = before.projectId, userId = before.userId } = change;
      await repository.updateGroup(tx, { ...before, name, projectId, userId }, before.generation, Date.now());
      return stored(tx, uuid);
    });
  }

  /** Throws not_found; in_use while it has members. */
  remove(uuid: Uuid): Promise<void> {
    return this.db.write((tx) =>
      removeUnused(tx, { what: called(uuid), whenUsed: `The ${called(uuid)} has members.` }, () =>
        repository.deleteGroup(tx, uuid),
      ),
    );
  }

  /**
   * Takes the group first of all and raises its version, so that placements of one group come one after another; answers
   * it with its members as they are now, undefined when it is gone.
   */
  lockGroupIn(tx: WriteTx, uuid: Uuid): Promise<ServerGroup | undefined> {
    return repository.lockGroup(tx, uuid);
  }

  /** The group is held. Members that are in already change their host. */
  addMembersIn(
    tx: WriteTx,
    group: Pick<ServerGroup, 'id'>,
    members: readonly GroupMember[],
    nowMs: number,
  ): Promise<void> {
    return repository.putMembers(tx, group.id, members, nowMs);
  }

  /** The group is held. */
  removeMembersIn(tx: WriteTx, group: Pick<ServerGroup, 'id'>, instances: readonly Uuid[]): Promise<void> {
    return repository.removeMembers(tx, group.id, instances);
  }

  private async replaceIn(tx: WriteTx, before: ServerGroup, group: WrittenGroup, nowMs: number): Promise<void> {
    checkRules(group);
    const isOther = before.policy !== group.policy || before.maxServerPerHost !== group.maxServerPerHost;
    if (isOther && before.members.length > 0) {
      throw inUse(`The ${called(before.uuid)} has members, which were placed by its policy; it cannot change.`);
    }
    await repository.updateGroup(tx, { ...group, uuid: before.uuid }, before.generation, nowMs);
    if (group.members === undefined) return;
    const wanted = new Set(group.members);
    const known = new Set(before.members.map(({ uuid }) => uuid));
    await repository.removeMembers(
      tx,
      before.id,
      [...known].filter((uuid) => !wanted.has(uuid)),
    );
    const added = [...wanted].filter((uuid) => !known.has(uuid));
    await repository.putMembers(tx, before.id, await placedMembers(tx, added), nowMs);
  }
}

/** Read where it was written: behind the commit somebody else may have removed it. */
async function stored(tx: WriteTx, uuid: Uuid): Promise<StoredGroup> {
  const group = await repository.findGroup(tx, uuid);
  if (group === undefined) throw new Error('a server group vanished inside the transaction that wrote it');
  return { group, warnings: (await repository.isNameShared(tx, group)) ? [sharedName('server group')] : [] };
}

/** Members with the hosts that Berth placed them on. */
async function placedMembers(sql: SqlReader, uuids: readonly Uuid[]): Promise<readonly GroupMember[]> {
  const placed = await findInstances(sql, [...new Set(uuids)]);
  return [...new Set(uuids)].map((uuid) => {
    const found = placed.get(uuid);
    return { uuid, host: found === undefined || found.state === 'released' ? null : found.host };
  });
}

function checkRules({ policy, maxServerPerHost }: WrittenGroup): void {
  if (maxServerPerHost === null || policy === 'anti-affinity') return;
  throw invalidField('rules.max_server_per_host', `only the policy anti-affinity has this rule, not ${policy}`);
}

async function insertedUnlessTaken(tx: WriteTx, group: GroupDefinition, nowMs: number): Promise<number> {
  try {
    return await repository.insertGroup(tx, group, nowMs);
  } catch (error) {
    if (!isDuplicate(tx, error)) throw error;
    throw duplicateName(`uuid: there is a ${called(group.uuid)} already.`);
  }
}
