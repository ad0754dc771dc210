// The server groups of a planned cloud, with the hosts of their members as they are in it.
import { canonicalUuid } from '../../platform/values/uuid';
import type { InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import type { FoundReferences, ReferenceSource } from '../ports';
import type { References } from '../request/normalize-request';
import { NOTHING_RESOLVED, referencesOf } from '../request/normalize-request';
import type { SnapshotGroup } from './cloud-snapshot';
import type { PlanRequest } from './plan-requests';
import { inlineGroupOf } from './plan-requests';

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

  /** The anti-affinity group of a request; null: it has none, or one of another policy. */
  apart(request: PlanRequest): Pick<InstanceGroup, 'members' | 'maxServerPerHost'> | null {
    const inline = inlineGroupOf(request);
    if (inline?.policy === 'anti-affinity') {
      const { members = [], rules } = inline;
      return { members: new Set(members), maxServerPerHost: rules?.max_server_per_host ?? null };
    }
    const found = inline === null ? this.named(referencesOf(request).group) : undefined;
    if (found?.policy !== 'anti-affinity') return null;
    return { members: new Set(found.members.map(({ uuid }) => uuid)), maxServerPerHost: found.maxServerPerHost };
  }

  /** The request with the hosts of the members of its inline group as they are now. */
  located<R extends PlanRequest>(request: R, instance: string): R {
    const inline = inlineGroupOf(request);
    if (inline === null) return request;
    const others = (inline.members ?? []).filter((uuid) => uuid !== instance);
    const hosts = [...new Set(others.flatMap((uuid) => this.locate(uuid) ?? []))];
    return { ...request, instance_group: { ...inline, hosts } };
  }

  /** Requests of instances contain their flavor and image. */
  async resolve({ group: name }: References, excludedInstance?: string): Promise<FoundReferences> {
    if (name === null) return NOTHING;
    const found = this.named(name);
    const isAmbiguous = found === undefined && (this.byName.get(name)?.length ?? 0) > 1;
    if (found === undefined) return { ...NOTHING, ambiguous: new Set(isAmbiguous ? ['group'] : []) };
    return { ...NOTHING, group: this.groupNow(found, excludedInstance) };
  }

  private named(name: string | null): SnapshotGroup | undefined {
    if (name === null) return undefined;
    const named = this.byName.get(name) ?? [];
    return this.byUuid.get(canonicalUuid(name) ?? '') ?? (named.length === 1 ? named[0] : undefined);
  }

  private groupNow(
    { uuid: group, name, policy, maxServerPerHost, members }: SnapshotGroup,
    excluded?: string,
  ): InstanceGroup {
    const hosts = members.flatMap(({ uuid, host }) =>
      uuid === excluded ? [] : (this.locate(uuid) ?? (host === null ? [] : [host])),
    );
    const uuids = members.map(({ uuid }) => uuid);
    return { uuid: group, name, policy, maxServerPerHost, members: new Set(uuids), hosts: new Set(hosts) };
  }
}
