// Presents the capacity of groups of hosts, with the stranded amounts if they are known.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../platform/http/body-bytes';
import type { ClassAmounts } from '../../scheduler/cloud/group-sums';
import { ageSeconds } from '../age';
import type { StrandedAmount } from '../stranded/stranded-sums';
import type { CapacityPage, NamedGroup } from './capacity-report.service';

/** Written as text, group by group. */
export class CapacityReportBody implements LongBody {
  constructor(private readonly page: CapacityPage) {}

  *pieces(): Iterable<string> {
    const { atMs, grouping, groups, newest, next } = this.page;
    yield `{"at":${JSON.stringify(presentTime(atMs))},"group_by":"${grouping}","groups":[`;
    for (const [at, group] of groups.entries()) {
      yield `${at === 0 ? '' : ','}${JSON.stringify(presentGroup(group, this.page))}`;
    }
    const foundAtMs = newest.finding?.atMs ?? null;
    const finding = {
      state: newest.state,
      at: presentTime(foundAtMs),
      age_s: ageSeconds(foundAtMs, atMs),
      flavors: newest.finding?.flavors.length ?? 0,
    };
    yield `],"stranded":${JSON.stringify(finding)},"next_marker":${JSON.stringify(next)}}`;
  }
}

function presentGroup({ key, name, sums }: NamedGroup, { classes, stranded }: CapacityPage): object {
  const shown = [...sums.classes].filter(([each]) => classes.length === 0 || classes.includes(each));
  const amounts = shown.map(([each, of]) => [each, presentAmounts(of, stranded.of(each, sums))]);
  return {
    key,
    name,
    hosts: sums.hosts,
    hosts_usable: sums.hostsUsable,
    statuses: Object.fromEntries(sums.statuses) as object,
    instances: sums.amount('instances'),
    resource_classes: Object.fromEntries(amounts) as object,
  };
}

const presentAmounts = (
  { inventories: _, largestFree, largestFreeHost, ...sums }: ClassAmounts,
  stranded: StrandedAmount | null,
): object => ({
  ...sums,
  largest_free: largestFree,
  largest_free_host: largestFreeHost && {
    uuid: largestFreeHost.tree.root.uuid,
    name: largestFreeHost.tree.root.name,
  },
  stranded: stranded && presentStranded(stranded),
});

const presentStranded = ({ amount, isExact, hosts, because }: StrandedAmount): object => ({
  amount,
  at_most: !isExact,
  hosts,
  because,
});
