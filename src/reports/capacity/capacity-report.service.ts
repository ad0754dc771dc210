// Capacity by groups of hosts, summed on request.
import { Injectable } from '@nestjs/common';
import { pageIn } from '../../compute/registry-page.sql';
import type { Caller } from '../../platform/event-loop/caller';
import { naturalKey } from '../../platform/values/natural-order';
import { compareText } from '../../platform/values/text-order';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import type { GroupedSums, Grouping, GroupSums } from '../../scheduler/cloud/group-sums';
import { sumsByGroup } from '../../scheduler/cloud/group-sums';
import { InstanceCounts } from '../cloud/instance-counts';
import { KnownNames } from '../cloud/known-names';
import type { NewestFinding } from '../stranded/findings-cache';
import { FindingsCache } from '../stranded/findings-cache';
import { StrandedSums } from '../stranded/stranded-sums';

interface CapacityQuery {
  readonly grouping: Grouping;
  /** None: all. */
  readonly classes: readonly string[];
  /** Stranded amounts are those that these flavors cannot use; empty: all registered flavors. */
  readonly flavors: readonly string[];
  readonly limit: number;
  /** Key of the last group of the page before. */
  readonly marker: string | undefined;
}

export interface NamedGroup {
  /** Null: all hosts, or those that belong to no group of this kind. */
  readonly key: string | null;
  readonly name: string | null;
  readonly sums: GroupSums;
}

export interface CapacityPage extends Pick<CapacityQuery, 'grouping' | 'classes'> {
  readonly atMs: number;
  readonly groups: readonly NamedGroup[];
  readonly newest: NewestFinding;
  readonly stranded: StrandedSums;
  readonly next: string | null;
}

@Injectable()
export class CapacityReportService {
  constructor(
    private readonly cloud: CloudReader,
    private readonly counts: InstanceCounts,
    private readonly names: KnownNames,
    private readonly findings: FindingsCache,
  ) {}

  /** Throws InvalidInput for unknown names, and CallerGone. */
  async page(query: CapacityQuery, caller: Caller): Promise<CapacityPage> {
    const newest = await this.findings.newest(query.flavors);
    const cloud = await this.cloud.current(caller);
    await this.names.checkClasses(cloud.graph, 'resource_class', query.classes);
    await this.counts.read(cloud.hosts, { atMs: cloud.atMs, roots: cloud.graph.rootIds.length });
    const stranded = new StrandedSums();
    const add = (host: CloudHost, sums: GroupSums): void => {
      // A consumer of a sharing provider is an instance of its own host already.
      if (host.status !== 'sharing') sums.add('instances', this.counts.of(host));
      stranded.add(newest.finding?.cloud.hosts.get(host.tree.root.id) ?? [], sums);
    };
    const sums = await sumsByGroup(cloud.hosts, query.grouping, add, caller);
    const { items, next } = pageIn(namedGroups(sums, query.grouping, cloud), ({ key }) => key ?? '', query);
    return { ...query, atMs: cloud.atMs, groups: items, newest, stranded, next };
  }
}

/** By name; the group without a key is the last one. */
function namedGroups(sums: GroupedSums, grouping: Grouping, { hostAggregates }: Cloud): readonly NamedGroup[] {
  const isOfAggregates = grouping === 'host_aggregate' || grouping === 'placement_aggregate';
  const names = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
  const groups = Array.from(sums, ([key, of]): NamedGroup => {
    const name = key !== null && isOfAggregates ? (names.get(key) ?? null) : key;
    return { key, name, sums: of };
  });
  const textOf = ({ key, name }: NamedGroup): string => `${naturalKey(name ?? '')} ${key ?? ''}`;
  return groups.sort(
    (one, other) => Number(one.key === null) - Number(other.key === null) || compareText(textOf(one), textOf(other)),
  );
}
