// Server groups whose members violate their policy, because they moved or joined the group after they were placed. A
// soft policy is a preference and cannot be violated.
import type { ServerGroup } from '../../compute/server-groups/server-group.entity';
import { addTo } from '../../platform/values/lists-by-key';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';

/** `hostOf`: the host of an instance now. A group has the hosts that its members had when they joined. */
export function brokenGroups(
  groups: Iterable<ServerGroup>,
  hostOf: (instanceUuid: string) => string | undefined,
): readonly Advice[] {
  return [...groups].flatMap((group) => adviceOn(group, hostOf));
}

function adviceOn(group: ServerGroup, hostOf: (uuid: string) => string | undefined): readonly Advice[] {
  const onHosts = new Map<string, string[]>();
  for (const { uuid, host } of group.members) {
    const place = hostOf(uuid) ?? host;
    if (place === null) continue;
    addTo(onHosts, place, uuid);
  }
  const broken =
    group.policy === 'affinity' ? apart(onHosts) : group.policy === 'anti-affinity' ? crowded(group, onHosts) : null;
  if (broken === null) return [];
  const subjects = [{ kind: 'server_group', id: group.uuid, name: group.name } as const];
  return [adviceOf({ kind: 'broken_group_policy', severity: 'error', count: 1, subjects, ...broken })];
}

type Broken = Pick<Advice, 'sentence' | 'commands'>;

function apart(onHosts: ReadonlyMap<string, readonly string[]>): Broken | null {
  if (onHosts.size <= 1) return null;
  const [[home] = [''], ...elsewhere] = [...onHosts].sort(([, one], [, other]) => other.length - one.length);
  return {
    sentence: `The members of a group with the policy affinity run on ${onHosts.size} hosts; most are on ${home}.`,
    commands: elsewhere.flatMap(([, members]) =>
      members.map((uuid) => command('openstack', 'server', 'migrate', '--live-migration', '--host', home, uuid)),
    ),
  };
}

function crowded({ maxServerPerHost }: ServerGroup, onHosts: ReadonlyMap<string, readonly string[]>): Broken | null {
  const most = maxServerPerHost ?? 1;
  const tooMany = [...onHosts].filter(([, members]) => members.length > most);
  if (tooMany.length === 0) return null;
  const names = tooMany.map(([host, members]) => `${members.length} on ${host}`).slice(0, 5);
  const rest = tooMany.length > names.length ? ` and on ${tooMany.length - names.length} more` : '';
  return {
    sentence:
      `A group with the policy anti-affinity has more than ${counted(most, 'member')} a host: ` +
      `${names.join(', ')}${rest}.`,
    commands: tooMany.flatMap(([, members]) =>
      members.slice(most).map((uuid) => command('openstack', 'server', 'migrate', '--live-migration', uuid)),
    ),
  };
}
