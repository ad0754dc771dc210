// Groups of hosts with what they have, as operators read it, and what of it no flavor can use where that is known.
import { presentTime } from '../../compute/registry-page';
import type { LongBody } from '../../http/body-bytes';
import { ageSeconds } from '../age';
import type { CapacityGroup } from './capacity-groups';
import type { CapacityPage } from './capacity-report.service';
import type { GroupAmounts } from './group-sums';
import type { StrandedAmount } from './stranded-capacity';

/** Written as text, and the text of a group is kept for as long as the group is what it says. */
export class CapacityReportBody implements LongBody {
  readonly isAscii = false;

  constructor(private readonly page: CapacityPage) {}

  size(): number {
    const { groups } = this.page;
    const [first] = groups;
    return first === undefined ? 0 : groups.length * textOf(first.group).length;
  }

  *pieces(): Iterable<string> {
    const { atMs, grouping, groups, stranded, next } = this.page;
    yield `{"at":${JSON.stringify(presentTime(atMs))},"group_by":"${grouping}","groups":[`;
    for (const [at, { name, group }] of groups.entries()) {
      yield `${at === 0 ? '' : ','}{"key":${JSON.stringify(group.key)},"name":${JSON.stringify(name)},`;
      yield textOf(group);
    }
    const finding = {
      state: stranded.state,
      at: presentTime(stranded.atMs),
      age_s: ageSeconds(stranded.atMs, atMs),
      flavors: stranded.flavors,
    };
    yield `],"stranded":${JSON.stringify(finding)},"next_marker":${JSON.stringify(next)}}`;
  }
}

const written = new WeakMap<CapacityGroup, string>();

/** What follows key and name. */
function textOf(group: CapacityGroup): string {
  let text = written.get(group);
  if (text === undefined) written.set(group, (text = JSON.stringify(presentGroup(group)).slice(1)));
  return text;
}

function presentGroup({ hosts, hostsUsable, statuses, instances, classes, stranded }: CapacityGroup): object {
  const amounts = [...classes].map(([each, sums]) => [each, presentAmounts(sums, stranded.get(each))]);
  return {
    hosts,
    hosts_usable: hostsUsable,
    statuses: Object.fromEntries(statuses) as object,
    instances,
    resource_classes: Object.fromEntries(amounts) as object,
  };
}

const presentAmounts = (
  { largestFree, largestFreeHost, ...sums }: GroupAmounts,
  stranded: StrandedAmount | undefined,
): object => ({
  ...sums,
  largest_free: largestFree,
  largest_free_host: largestFreeHost && {
    uuid: largestFreeHost.tree.root.uuid,
    name: largestFreeHost.tree.root.name,
  },
  stranded: stranded === undefined ? null : presentStranded(stranded),
});

const presentStranded = ({ amount, isExact, hosts, because }: StrandedAmount): object => ({
  amount,
  exact: isExact,
  hosts,
  because,
});
