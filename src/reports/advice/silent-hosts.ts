// Hosts whose service stopped reporting: nothing new is placed there, and their instances are possibly down.
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { isUsable } from '../../scheduler/cloud/host-status';
import type { Advice } from './advice';
import { adviceOf, counted } from './advice';

export function silentHosts(hosts: readonly CloudHost[]): readonly Advice[] {
  const silent = hosts.filter(({ status }) => status === 'silent');
  if (silent.length === 0) return [];
  const usable = hosts.filter(({ status }) => isUsable(status) && status !== 'sharing').length;
  const one = silent.length === 1;
  return [
    adviceOf({
      kind: 'silent_host',
      severity: 'error',
      sentence:
        `${counted(silent.length, 'host')} stopped reporting: ${one ? 'it accepts' : 'they accept'} no new instances. ` +
        `${usable === 1 ? '1 host accepts' : `${usable} hosts accept`} them. Check the compute services of the silent ` +
        `${one ? 'host' : 'hosts'} and the network between them and Berth.`,
      subjects: silent.map(({ tree, known }) => ({
        kind: 'host',
        id: tree.root.uuid,
        name: known.reported?.service.host ?? tree.root.name,
      })),
      commands: [],
      link: 'hosts?status=silent',
    }),
  ];
}
