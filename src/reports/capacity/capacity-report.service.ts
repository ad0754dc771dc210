// Capacity by groups of hosts. The groups of each kind are kept for whoever asks again, for the registered flavors; for
// flavors that somebody names they are summed anew.
import { Injectable } from '@nestjs/common';
import { REPORT_LIMITS } from '../../config/limits';
import { firstBehind } from '../../domain/first-behind';
import type { Order } from '../../domain/first-behind';
import { unknownMarker } from '../../compute/registry-page';
import { compareText } from '../../domain/text-order';
import type { Walk } from '../../domain/walk';
import { turns } from '../../turns/turns';
import type { Caller } from '../../shares/caller';
import { InstanceCounts } from '../cloud/instance-counts';
import { KeptWhileUsed } from '../cloud/kept-while-used';
import { KnownNames } from '../cloud/known-names';
import { ReportedCloud } from '../cloud/reported-cloud';
import type { Cloud } from '../cloud/reported-cloud';
import { CapacityGroups } from './capacity-groups';
import type { CapacityGroup, Grouping } from './capacity-groups';
import { StrandedCapacity } from './stranded-capacity';
import type { StrandedFinding } from './stranded-capacity';

interface CapacityQuery {
  readonly grouping: Grouping;
  /** None: all. */
  readonly classes: readonly string[];
  /** Stranded is what these cannot use; none: all registered ones. */
  readonly flavors: readonly string[];
  readonly limit: number;
  /** Key of the last group of the page before. */
  readonly marker: string | undefined;
}

interface NamedGroup {
  readonly name: string | null;
  readonly group: CapacityGroup;
}

export interface CapacityPage {
  readonly atMs: number;
  readonly grouping: Grouping;
  readonly groups: readonly NamedGroup[];
  readonly stranded: StrandedFinding;
  readonly next: string | null;
}

/** Groups written down between two chances of others. */
const GROUPS_PER_STEP = 50;

@Injectable()
export class CapacityReportService {
  private readonly kept = new KeptWhileUsed<Map<Grouping, SharedGroups>>(REPORT_LIMITS.readModelIdleMs);

  constructor(
    private readonly cloud: ReportedCloud,
    private readonly counts: InstanceCounts,
    private readonly names: KnownNames,
    private readonly stranded: StrandedCapacity,
  ) {}

  /** Throws InvalidInput for names that nobody knows, and CallerGone. */
  async page(query: CapacityQuery, caller: Caller): Promise<CapacityPage> {
    const stranded = await this.stranded.newest(query.flavors);
    const cloud = await this.cloud.current(caller);
    await this.names.checkClasses(cloud.graph, 'resource_class', query.classes);
    await this.counts.read(cloud.hosts, { atMs: cloud.atMs, roots: cloud.graph.rootIds.length });
    const shared = query.flavors.length === 0 ? this.shared(query.grouping) : this.made(query.grouping);
    const { groups, next } = await shared.use(async (sums) => {
      const figures = {
        instancesOf: (host: Cloud['hosts'][number]) => this.counts.of(host),
        strandedOn: (rootId: number) => stranded.on(rootId),
      };
      // Others go on from these sums, so whoever asked and hung up does not end the walk.
      await turns.run(sums.follow(cloud.hosts, figures));
      return turns.run(pageOf(sums, cloud, query), caller);
    });
    return { atMs: cloud.atMs, grouping: query.grouping, groups, stranded, next };
  }

  private shared(grouping: Grouping): SharedGroups {
    let kept = this.kept.get();
    if (kept === undefined) this.kept.set((kept = new Map<Grouping, SharedGroups>()));
    let shared = kept.get(grouping);
    if (shared === undefined) kept.set(grouping, (shared = this.made(grouping)));
    return shared;
  }

  private made(grouping: Grouping): SharedGroups {
    return new SharedGroups(new CapacityGroups(grouping, () => this.stranded.tally()));
  }
}

/** Groups that one asks at a time: what somebody reads must not move meanwhile. */
class SharedGroups {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly sums: CapacityGroups) {}

  use<T>(work: (sums: CapacityGroups) => Promise<T>): Promise<T> {
    const result = this.last.then(() => work(this.sums));
    // Whoever comes next is not told of it.
    this.last = result.catch(() => undefined);
    return result;
  }
}

interface NamedKey {
  readonly key: string | null;
  readonly name: string | null;
  /** Null stands behind all others. */
  readonly order: string | null;
}

function* pageOf(
  sums: CapacityGroups,
  { hostAggregates }: Cloud,
  { grouping, classes, limit, marker }: CapacityQuery,
): Walk<{ readonly groups: readonly NamedGroup[]; readonly next: string | null }> {
  const names = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
  const isOfAggregates = grouping === 'host_aggregate' || grouping === 'placement_aggregate';
  const keys = sums.keys.map((key): NamedKey => {
    const name = key !== null && isOfAggregates ? (names.get(key) ?? null) : key;
    return { key, name, order: key === null ? null : `${name ?? ''} ${key}` };
  });
  // The group without a key is the last one, so nothing is ever behind it.
  const behind = marker === undefined ? undefined : keys.find(({ key }) => key === marker);
  if (marker !== undefined && behind === undefined) throw unknownMarker(marker);
  const page = firstBehind(keys, { count: limit + 1, behind }, BY_NAME);
  const wanted = new Set(classes);
  const groups: NamedGroup[] = [];
  for (const { key, name } of page.slice(0, limit)) {
    if (groups.length % GROUPS_PER_STEP === GROUPS_PER_STEP - 1) yield;
    groups.push({ name, group: sums.group(key, wanted) });
  }
  return { groups, next: page.length > limit ? (groups.at(-1)?.group.key ?? null) : null };
}

const BY_NAME: Order<NamedKey, string | null> = {
  keyOf: ({ order }) => order,
  compare: (one, other) => {
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return compareText(one, other);
  },
};
