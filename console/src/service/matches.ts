// Hosts and instances whose names contain a text, for search fields.
import { useAnswer } from './questions';

const HOSTS_OFFERED = 8;
const INSTANCES_OFFERED = 6;

export function useMatches(name: string, isNeeded: boolean) {
  const hosts = useAnswer(
    'hosts',
    ['matches', name],
    ({ reports }, signal) => reports.hosts.list({ name, limit: HOSTS_OFFERED }, { signal }),
    { enabled: isNeeded, rule: 'berth:reports:hosts' },
  );
  const instances = useAnswer(
    'decisions',
    ['matches', name],
    ({ reports }, signal) => reports.instances.list({ search: name, limit: INSTANCES_OFFERED }, { signal }),
    { enabled: isNeeded, rule: 'berth:reports:instances' },
  );
  return { hosts: hosts.data?.hosts ?? [], instances: instances.data?.instances ?? [] };
}
