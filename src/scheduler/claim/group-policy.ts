// The policy of a server group at the time of a claim. The transaction of the claim locks the group first, so placements
// of one group run one after another and the policy holds at the commit. The members of a registered group are known
// with their hosts. Those of a group that is registered elsewhere are on the hosts of their allocations.
import { Inject, Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { lockServerGroup } from '../../compute/registry-locks.writes';
import type { GroupMember } from '../../compute/server-groups/server-group.entity';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { WriteTx } from '../../platform/database/sql';
import { UnknownReference } from '../../platform/values/errors';
import { addTo } from '../../platform/values/lists-by-key';
import { byText } from '../../platform/values/text-order';
import type { InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import type { ClaimRequest, ForeignGroup, GroupHosts, ReportedHosts } from '../ports';
import { REPORTED_HOSTS } from '../ports';

/** Aborts the transaction of a claim that violates the group's policy. */
export class PolicyViolated extends Error {
  constructor(
    message: string,
    readonly groupHosts: GroupHosts,
  ) {
    super(message);
  }
}

@Injectable()
export class GroupPolicy {
  constructor(
    private readonly groups: ServerGroupsService,
    private readonly instances: InstancesService,
    private readonly allocations: AllocationsService,
    @Inject(REPORTED_HOSTS) private readonly hosts: Pick<ReportedHosts, 'known'>,
  ) {}

  /** Must take the first locks of the transaction. Throws PolicyViolated. */
  async joinIn(tx: WriteTx, requests: readonly ClaimRequest[], nowMs: number): Promise<void> {
    const byGroup = new Map<string, ClaimRequest[]>();
    for (const request of requests) {
      if (request.group === null) continue;
      addTo(byGroup, request.group.uuid, request);
    }
    for (const [uuid, joining] of [...byGroup].sort(byText(([name]) => name))) {
      const foreign = joining[0]?.group?.foreign;
      if (foreign === undefined) await this.joinRegistered(tx, uuid, joining, nowMs);
      else if (joining.some(({ group }) => group?.isEnforced))
        await this.joinForeign(tx, uuid, foreign, joining, nowMs);
    }
  }

  private async joinRegistered(
    tx: WriteTx,
    uuid: string,
    joining: readonly ClaimRequest[],
    nowMs: number,
  ): Promise<void> {
    const group = await this.groups.lockGroupIn(tx, uuid);
    if (group === undefined) throw new UnknownReference(`There is no server group ${uuid} any more.`);
    if (joining.some((request) => request.group?.isEnforced)) enforce(group, group.members, joining);
    const members = joining.map(({ consumerUuid, host }) => ({ uuid: consumerUuid, host: host.host }));
    await this.groups.addMembersIn(tx, group, members, nowMs);
  }

  /**
   * The request was sent before its claim, so its list of members can lack instances that joined meanwhile: the
   * instances that were placed for the group are members too.
   */
  private async joinForeign(
    tx: WriteTx,
    uuid: string,
    group: ForeignGroup,
    joining: readonly ClaimRequest[],
    nowMs: number,
  ): Promise<void> {
    if (group.policy !== 'affinity' && group.policy !== 'anti-affinity') return;
    await lockServerGroup(tx, uuid, nowMs);
    const placed = await this.instances.uuidsOfGroup(tx, uuid);
    const uuids = [...new Set([...group.members, ...placed])].sort();
    const roots = await this.allocations.rootsOfConsumers(tx, uuids);
    const members = [...roots].flatMap(([member, rootsOfMember]) =>
      [...new Set(rootsOfMember.map((root) => this.hosts.known(root).reported?.service.host ?? root.name))].map(
        (host): GroupMember => ({ uuid: member, host }),
      ),
    );
    enforce(group, members, joining);
  }
}

/** Throws PolicyViolated if a hard policy forbids the hosts of these claims, in their order. */
export function enforce(
  { policy, maxServerPerHost }: Pick<InstanceGroup, 'policy' | 'maxServerPerHost'>,
  members: readonly GroupMember[],
  joining: readonly ClaimRequest[],
): void {
  const counts = new Map<string, number>();
  // A member that is placed again does not conflict with itself.
  const placedAnew = new Set(joining.map(({ consumerUuid }) => consumerUuid));
  for (const { uuid, host } of members)
    if (host !== null && !placedAnew.has(uuid)) counts.set(host, (counts.get(host) ?? 0) + 1);
  const limit = maxServerPerHost ?? 1;
  for (const { host } of joining) {
    const count = counts.get(host.host) ?? 0;
    if (policy === 'anti-affinity' && count >= limit) {
      const full = new Set([...counts].filter(([, each]) => each >= limit).map(([name]) => name));
      const message = `${host.host} runs ${count} members of the server group by now; the limit is ${limit}`;
      throw new PolicyViolated(message, { kind: 'except', hosts: full });
    }
    if (policy === 'affinity' && counts.size > 0 && count === 0) {
      const hosts = new Set(counts.keys());
      throw new PolicyViolated(`the server group runs on ${[...hosts].join(', ')} by now`, { kind: 'only', hosts });
    }
    counts.set(host.host, count + 1);
  }
}
