// Hosts whose service stopped reporting, or whose reports are refused: nothing new is placed there, and their instances
// are possibly down.
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { isUsable } from '../../scheduler/cloud/host-status';
import type { Advice, AdviceSubject } from './advice';
import { adviceOf, counted } from './advice';

/** `refusals`: the reason by host, of hosts whose last report was refused. */
export function silentHosts(hosts: readonly CloudHost[], refusals: ReadonlyMap<string, string>): readonly Advice[] {
  const silent = hosts.filter(({ status }) => status === 'silent').map(subjectOf);
  const refused = silent.filter(({ name }) => refusals.has(name));
  const quiet = silent.filter(({ name }) => !refusals.has(name));
  const usable = hosts.filter(({ status }) => isUsable(status) && status !== 'sharing').length;
  const others = `${usable === 1 ? '1 host accepts' : `${usable} hosts accept`} them.`;
  const advice = { severity: 'error', link: 'hosts?status=silent' } as const;
  const pieces: Advice[] = [];
  if (refused[0] !== undefined) {
    const reason = refusals.get(refused[0].name) ?? '';
    const sentence = `Reports of ${counted(refused.length, 'host')} are refused. ${refused[0].name}: ${reason}`;
    pieces.push(adviceOf({ ...advice, kind: 'refused_report', sentence, subjects: refused }));
  }
  if (quiet.length > 0) {
    const one = quiet.length === 1;
    const sentence =
      `${counted(quiet.length, 'host')} stopped reporting: ${one ? 'it accepts' : 'they accept'} no new instances. ` +
      `${others} Check the compute services of the silent ${one ? 'host' : 'hosts'} and the network between them and Berth.`;
    pieces.push(adviceOf({ ...advice, kind: 'silent_host', sentence, subjects: quiet }));
  }
  return pieces;
}

const subjectOf = ({ tree, known }: CloudHost): AdviceSubject => ({
  kind: 'host',
  id: tree.root.uuid,
  name: known.reported?.service.host ?? tree.root.name,
});
