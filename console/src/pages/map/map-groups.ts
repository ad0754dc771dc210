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

/** Groups by name, hosts without one last. Empty groups are left out. */
export function groupsOf(report: MapReport, by: GroupKind, order: readonly number[]): readonly HostGroup[] {
  const kinds = by === 'availability_zone' ? zonesOf(report) : aggregatesOf(report);
  const members: number[][] = kinds.map(() => []);
  const none: number[] = [];
  for (const place of order) {
    const host = report.hosts[place];
    if (host === undefined) continue;
    const places = by === 'availability_zone' ? [host[2]] : host[3];
    let isIn = false;
    for (const each of places) {
      const list = kinds[each]?.key === null ? undefined : members[each];
      list?.push(place);
      isIn ||= list !== undefined;
    }
    if (!isIn) none.push(place);
  }
  const groups = kinds
    .map(({ key, name }, index) => ({ key, name, members: members[index] ?? [] }))
    .filter(({ key, members: { length } }) => key !== null && length > 0)
    .sort((a, b) => byName(a.name, b.name));
  const without = { key: null, name: by === 'availability_zone' ? 'No zone' : 'No host aggregate', members: none };
  return none.length === 0 ? groups : [...groups, without];
}

type Kind = Pick<HostGroup, 'key' | 'name'>;

const zonesOf = ({ zones }: MapReport): Kind[] => zones.map((zone) => ({ key: zone, name: zone ?? '' }));

const aggregatesOf = ({ host_aggregates: aggregates }: MapReport): Kind[] =>
  aggregates.map(({ uuid, name }) => ({ key: uuid, name }));
