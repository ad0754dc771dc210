// Reporting hosts without an availability zone, in a cloud with zones: only requests without a zone, or with the
// default zone, reach them.
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';
import type { HostsByAggregates } from './advised-hosts';
import { hostSubject } from './advised-hosts';

const hasZone = ({ metadata }: HostAggregate): boolean => (metadata[ZONE_KEY] ?? '') !== '';

export function hostsWithoutZone(hosts: HostsByAggregates, aggregates: readonly HostAggregate[]): readonly Advice[] {
  const zones = aggregates.filter(hasZone);
  const fullest = fullestOf(zones, hosts);
  if (fullest === undefined) return [];
  const outside = [...hosts]
    .filter(([own]) => !own.some(hasZone))
    .flatMap(([, them]) => them.filter(({ isReported }) => isReported));
  if (outside.length === 0) return [];
  const others = new Set(zones.map(({ metadata }) => metadata[ZONE_KEY])).size;
  return [
    adviceOf({
      kind: 'host_without_zone',
      severity: 'warning',
      sentence:
        `${counted(outside.length, 'host')} ${outside.length === 1 ? 'is' : 'are'} in no availability zone, although ` +
        `there ${others === 1 ? 'is one' : `are ${others}`}: requests for a zone do not use them. The commands are for ` +
        `${fullest.metadata[ZONE_KEY] ?? ''}, the zone with most hosts.`,
      subjects: outside.map(hostSubject),
      commands: outside.map(({ name }) => command('openstack', 'aggregate', 'add', 'host', fullest.name, name)),
    }),
  ];
}

function fullestOf(zones: readonly HostAggregate[], hosts: HostsByAggregates): HostAggregate | undefined {
  const counts = new Map(zones.map(({ uuid }) => [uuid, 0]));
  for (const [own, them] of hosts) {
    for (const { uuid } of own) {
      const count = counts.get(uuid);
      if (count !== undefined) counts.set(uuid, count + them.length);
    }
  }
  return [...zones].sort((one, other) => (counts.get(other.uuid) ?? 0) - (counts.get(one.uuid) ?? 0))[0];
}
