// Instances whose host is not in the availability zone that they asked for: every move of them fails.
import type { ZonedInstance } from '../../compute/instances/instances.writes';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';

/** The zone of each host by its name; hosts in no zone count in the default one. */
export const zonesOfHosts = (hosts: readonly CloudHost[], defaultZone: string): ReadonlyMap<string, string> =>
  new Map(
    hosts.flatMap(({ known, zone }) => (known.reported ? [[known.reported.service.host, zone ?? defaultZone]] : [])),
  );

export function instancesOutsideZone(outside: readonly ZonedInstance[]): readonly Advice[] {
  const [first] = outside;
  if (first === undefined) return [];
  const rest = outside.length === 1 ? '' : `; ${counted(outside.length - 1, 'more instance')} likewise`;
  return [
    adviceOf({
      kind: 'instance_outside_zone',
      severity: 'warning',
      sentence:
        `Instance ${first.name ?? first.uuid} asked for the zone ${first.zone}, and its host ${first.host} is not in it` +
        `${rest}: it cannot move unless it may leave the zone.`,
      subjects: outside.map(({ uuid, name }) => ({ kind: 'consumer', id: uuid, name: name ?? uuid })),
      commands: outside.map(({ uuid }) => command('berth', 'instances', 'unpin-zone', uuid)),
    }),
  ];
}
