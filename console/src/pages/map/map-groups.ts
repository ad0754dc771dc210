// Groups the hosts of the map. The order of groups and hosts is stable between answers.
import type { MapReport } from '../../service/reports';
import { byName } from '../../shown/by-name';
import { groupBy } from '../../shown/count-by';
import type { GroupKind, NamedGroup } from '../../shown/group-kind';
import { GROUP_NAMES, inOrder } from '../../shown/group-kind';

export type MapHost = MapReport['hosts'][number];

export interface HostGroup extends NamedGroup {
  readonly name: string;
  /** Indexes into the report's list of hosts. A host is in the group of each of its aggregates. */
  readonly members: readonly number[];
}

/** Indexes of the names in natural order, `cn2` before `cn10`. */
export function orderOf(names: readonly string[]): readonly number[] {
  return names.map((_, place) => place).sort((a, b) => byName(names[a] ?? '', names[b] ?? ''));
}

/** Groups by name, hosts without one last. Empty groups are left out. */
export function groupsOf(report: MapReport, by: GroupKind, order: readonly number[]): readonly HostGroup[] {
  const { hosts, host_aggregates: aggregates } = report;
  const names = new Map(aggregates.map(({ uuid, name }) => [uuid, name]));
  const keysOf = ({ zone, host_aggregates: places }: MapHost): readonly (string | null)[] =>
    by === 'availability_zone' ? [zone] : places.flatMap((place) => aggregates[place]?.uuid ?? []);
  const placed = order.flatMap((place) => {
    const host = hosts[place];
    if (host === undefined) return [];
    const keys = keysOf(host);
    return (keys.length === 0 ? [null] : keys).map((key) => ({ key, place }));
  });
  const named = (key: string | null): string => (key === null ? GROUP_NAMES[by].none : (names.get(key) ?? key));
  const groups = [...groupBy(placed, ({ key }) => key)];
  return inOrder(groups.map(([key, list]) => ({ key, name: named(key), members: list.map(({ place }) => place) })));
}
