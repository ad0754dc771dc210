// The server groups of a planned cloud, with the hosts of their members as they are in it.
import { canonicalUuid } from '../../platform/values/uuid';
import type { InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import type { FoundReferences, ReferenceSource } from '../ports';
import type { References } from '../request/normalize-request';
import { NOTHING_RESOLVED } from '../request/normalize-request';
import type { SnapshotGroup } from './cloud-snapshot';

/** Names of the hosts that an instance runs on, or claims; undefined: the cloud does not have it. */
export type Locate = (instance: string) => readonly string[] | undefined;

const NOTHING: FoundReferences = { ...NOTHING_RESOLVED, flavorId: null, imageUuid: null };

export class WhatIfGroups implements ReferenceSource {
  private readonly byUuid: ReadonlyMap<string, SnapshotGroup>;
  private readonly byName = new Map<string, SnapshotGroup[]>();
  private readonly groupOfMember = new Map<string, string>();

  constructor(
    groups: readonly SnapshotGroup[],
    private readonly locate: Locate,
  ) {
    this.byUuid = new Map(groups.map((group) => [group.uuid, group]));
    for (const group of groups) {
      this.byName.set(group.name, [...(this.byName.get(group.name) ?? []), group]);
      for (const { uuid } of group.members) this.groupOfMember.set(uuid, group.uuid);
    }
  }

  /** Null: in none. */
  groupOf(instance: string): string | null {
    return this.groupOfMember.get(instance) ?? null;
  }

  find(uuid: string): SnapshotGroup | undefined {
    return this.byUuid.get(uuid);
  }

  async namesOf(): Promise<readonly string[]> {
    return [];
  }

  /** Requests of instances contain their flavor and image. */
  async resolve({ group: name }: References, excludedInstance?: string): Promise<FoundReferences> {
    if (name === null) return NOTHING;
    const named = this.byName.get(name) ?? [];
    const found = this.byUuid.get(canonicalUuid(name) ?? '') ?? (named.length === 1 ? named[0] : undefined);
    if (found === undefined) return { ...NOTHING, ambiguous: new Set(named.length > 1 ? ['group'] : []) };
    return { ...NOTHING, group: this.groupNow(found, excludedInstance) };
  }

  private groupNow({ members, ...group }: SnapshotGroup, excluded?: string): InstanceGroup {
    const hosts = members.flatMap(({ uuid, host }) =>
      uuid === excluded ? [] : (this.locate(uuid) ?? (host === null ? [] : [host])),
    );
    return { ...group, members: new Set(members.map(({ uuid }) => uuid)), hosts: new Set(hosts) };
  }
}
