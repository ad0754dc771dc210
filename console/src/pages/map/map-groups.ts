// The hosts of the map in their groups, and both in an order that does not change from one answer to the next.
import type { MapReport } from '../../service/reports';
import { byName } from '../../shown/by-name';
import type { GroupKind } from './map-subject';

export type MapHost = MapReport['hosts'][number];

export interface HostGroup {
  /** The zone's name or the aggregate's uuid; null: the hosts that are in none. */
  readonly key: string | null;
  readonly name: string;
  /** Places in the report's list of hosts. A host is in every aggregate that it is a member of. */
  readonly members: readonly number[];
}

/** The places of names in their order, `cn2` before `cn10`. */
export function orderOf(names: readonly string[]): readonly number[] {
  return names.map((_, place) => place).sort((a, b) => byName(names[a] ?? '', names[b] ?? ''));
}

/** Groups by name, those without one last. Groups without hosts are left out. */
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
