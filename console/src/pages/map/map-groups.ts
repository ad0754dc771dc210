// Groups the hosts of the map. The order of groups and hosts is stable between answers.
import type { MapReport } from '../../service/reports';
import { byName } from '../../shown/by-name';
import type { GroupKind } from './map-subject';

export type MapHost = MapReport['hosts'][number];

export interface HostGroup {
  /** The zone's name or the aggregate's uuid; null for hosts without one. */
  readonly key: string | null;
  readonly name: string;
  /** Indexes into the report's list of hosts. A host is in the group of each of its aggregates. */
  readonly members: readonly number[];
}

/** Indexes of the names in natural order, `cn2` before `cn10`. */
export function orderOf(names: readonly string[]): readonly number[] {
  return names.map((_, place) => place).sort((a, b) => byName(names[a] ?? '', names[b] ?? ''));
}

const NONE: Readonly<Record<GroupKind, string>> = { availability_zone: 'No zone', host_aggregate: 'No host aggregate' };

/** Groups by name, hosts without one last. Empty groups are left out. */
export function groupsOf(report: MapReport, by: GroupKind, order: readonly number[]): readonly HostGroup[] {
  const { hosts, host_aggregates: aggregates } = report;
  const names = new Map(aggregates.map(({ uuid, name }) => [uuid, name]));
  const keysOf = ({ zone, host_aggregates: places }: MapHost): readonly (string | null)[] =>
    by === 'availability_zone' ? [zone] : places.flatMap((place) => aggregates[place]?.uuid ?? []);
  const members = new Map<string | null, number[]>();
  for (const place of order) {
    const host = hosts[place];
    if (host === undefined) continue;
    const keys = keysOf(host);
    for (const key of keys.length === 0 ? [null] : keys) {
      const known = members.get(key);
      if (known === undefined) members.set(key, [place]);
      else known.push(place);
    }
  }
  return [...members]
    .map(([key, list]) => ({ key, name: key === null ? NONE[by] : (names.get(key) ?? key), members: list }))
    .sort((a, b) => Number(a.key === null) - Number(b.key === null) || byName(a.name, b.name));
}
