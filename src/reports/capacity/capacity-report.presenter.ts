// Groups of hosts with what they have, as operators read it, and what of it no flavor can use where that is known.
import { presentTime } from '../../compute/registry-page';
import type { Walk } from '../../domain/walk';
import type { CapacityGroup, GroupAmounts, Grouping } from './capacity-groups';
import type { StrandedAmount, StrandedFinding } from './stranded-capacity';

interface CapacityPage {
  readonly atMs: number;
  readonly grouping: Grouping;
  readonly groups: readonly CapacityGroup[];
  readonly stranded: StrandedFinding | null;
  readonly next: string | null;
}

export function* presentCapacityReport({ atMs, grouping, groups, stranded, next }: CapacityPage): Walk<object> {
  const shown: object[] = [];
  for (const { key, name, rootIds, hosts, hostsUsable, statuses, instances, classes } of groups) {
    yield;
    const finding = stranded?.of(rootIds());
    const amounts = [...classes].map(([each, sums]) => [each, presentAmounts(sums, finding?.get(each))]);
    shown.push({
      key,
      name,
      hosts,
      hosts_usable: hostsUsable,
      statuses: Object.fromEntries(statuses) as object,
      instances,
      resource_classes: Object.fromEntries(amounts) as object,
    });
  }
  return {
    at: presentTime(atMs),
    group_by: grouping,
    groups: shown,
    stranded: stranded && {
      state: stranded.state,
      at: presentTime(stranded.atMs),
      age_s: stranded.atMs === null ? null : Math.max(0, Math.round((atMs - stranded.atMs) / 1000)),
      flavors: stranded.flavors,
    },
    next_marker: next,
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
