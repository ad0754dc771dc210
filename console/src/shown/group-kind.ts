// The groups of hosts on the overview and the map: availability zones, or host aggregates. The address has the kind.
import type { Address } from '../address/use-address';
import { byName } from './by-name';

export type GroupKind = 'availability_zone' | 'host_aggregate';

export const GROUP_NAMES = {
  availability_zone: { one: 'Zone', many: 'Zones', none: 'No zone' },
  host_aggregate: { one: 'Host aggregate', many: 'Host aggregates', none: 'No host aggregate' },
} as const;

export const GROUP_CHOICES = (['availability_zone', 'host_aggregate'] as const).map((value) => ({
  value,
  label: GROUP_NAMES[value].many,
}));

export const groupKindOf = ({ get }: Pick<Address, 'get'>): GroupKind =>
  get('group') === 'host_aggregate' ? 'host_aggregate' : 'availability_zone';

export interface NamedGroup {
  /** The zone's name or the aggregate's uuid; null for hosts without one. */
  readonly key: string | null;
  readonly name: string | null;
}

/** By name in natural order; the hosts without a group last. */
export const inOrder = <Group extends NamedGroup>(groups: readonly Group[]): readonly Group[] =>
  [...groups].sort(
    (a, b) => Number(a.key === null) - Number(b.key === null) || byName(a.name ?? a.key ?? '', b.name ?? b.key ?? ''),
  );
