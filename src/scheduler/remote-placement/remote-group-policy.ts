// The policy of a server group after a claim in a Placement service that runs elsewhere. The lock of the group's row in
// Berth's database orders the claims: the first one to take it is recorded, and the next one is checked against it.

import { Inject, Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { lockServerGroup } from '../../compute/registry-locks.writes';
import type { GroupMember } from '../../compute/server-groups/server-group.entity';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { addTo } from '../../platform/values/lists-by-key';
import { byText } from '../../platform/values/text-order';
import { enforce } from '../claim/group-policy';
import type { ClaimRequest, ForeignGroup, ReportedHosts } from '../ports';
import { REPORTED_HOSTS } from '../ports';
import { RemoteConsumers } from './remote-consumers';

type Placements = Awaited<ReturnType<InstancesService['recentOfGroup']>>;

/** The members of one group, as of a time before the lock. */
interface LocatedGroup {
  readonly uuid: string;
  readonly group: ForeignGroup;
  readonly joining: readonly ClaimRequest[];
  readonly members: readonly GroupMember[];
  readonly placed: Placements;
}

/** nova names an instance as a member of its group before it asks for a host; this covers its longest call. */
const RECENT_MS = 3_600_000;

@Injectable()
export class RemoteGroupPolicy {
  constructor(
    private readonly db: Database,
    private readonly instances: InstancesService,
    private readonly consumers: RemoteConsumers,
    @Inject(REPORTED_HOSTS) private readonly hosts: Pick<ReportedHosts, 'known'>,
  ) {}

  /** The hosts of all members with a hard policy, outside of any transaction. */
  async locate(requests: readonly ClaimRequest[]): Promise<readonly LocatedGroup[]> {
    const byGroup = new Map<string, ClaimRequest[]>();
    for (const request of requests) if (isHard(request)) addTo(byGroup, request.group?.uuid ?? '', request);
    const located: LocatedGroup[] = [];
    for (const [uuid, joining] of [...byGroup].sort(byText(([name]) => name))) {
      const group = joining[0]?.group?.foreign;
      if (group !== undefined) located.push(await this.locateGroup(uuid, group, joining));
    }
    return located;
  }

  /** In the transaction that records the claims, before any other lock but the batch's. Throws PolicyViolated. */
  async checkIn(tx: WriteTx, groups: readonly LocatedGroup[], nowMs: number): Promise<void> {
    for (const { uuid, group, joining, members, placed } of groups) {
      await lockServerGroup(tx, uuid, nowMs);
      const known = new Set(placed.map(keyOf));
      const since = (await this.recentOf(tx, uuid)).filter((placement) => !known.has(keyOf(placement)));
      const moved = new Set(since.map(({ uuid: member }) => member));
      enforce(group, [...members.filter((member) => !moved.has(member.uuid)), ...since], joining);
    }
  }

  private async locateGroup(
    uuid: string,
    group: ForeignGroup,
    joining: readonly ClaimRequest[],
  ): Promise<LocatedGroup> {
    const placed = await this.db.read((sql) => this.recentOf(sql, uuid));
    const own = new Set(joining.map(({ consumerUuid }) => consumerUuid));
    const uuids = [...new Set([...group.members, ...placed.map(({ uuid: member }) => member)])];
    const roots = await this.consumers.rootsOf(uuids.filter((member) => !own.has(member)).sort());
    const members = [...roots].flatMap(([member, rootsOfMember]) => {
      const hosts = rootsOfMember.flatMap((root) => this.hosts.known(root).reported?.service.host ?? []);
      return [...new Set(hosts)].map((host): GroupMember => ({ uuid: member, host }));
    });
    return { uuid, group, joining, members, placed };
  }

  private recentOf(sql: Parameters<InstancesService['recentOfGroup']>[0], uuid: string): Promise<Placements> {
    return this.instances.recentOfGroup(sql, uuid, Date.now() - RECENT_MS);
  }
}

const isHard = ({ group }: ClaimRequest): boolean =>
  group?.isEnforced === true && ['affinity', 'anti-affinity'].includes(group.foreign?.policy ?? '');

const keyOf = ({ uuid, host, placedAtMs }: Placements[number]): string => `${uuid} ${placedAtMs} ${host}`;
