// What happens to the instances of some hosts if these hosts go: the instances grouped by equal requests, and each group's
// request without the hosts.
import type { RequestBody } from '../decision/request-again';

export interface RecordedInstance {
  readonly uuid: string;
  readonly name: string | null;
  readonly host: string;
  /** The request as it was recorded when the instance was placed. */
  readonly request: Readonly<Record<string, unknown>>;
}

export interface RequestGroup {
  readonly key: string;
  readonly instances: readonly RecordedInstance[];
  /** For all of the group, on any host but those that go. */
  readonly body: RequestBody;
}

/** A move drops the original target, as the scheduler does for a migration. */
const DROPPED = new Set([
  'force_hosts',
  'force_nodes',
  'ignore_hosts',
  'requested_destination',
  'retry',
  'seed',
  'dry_run',
]);

export function groupsOf(instances: readonly RecordedInstance[], hosts: readonly string[]): readonly RequestGroup[] {
  const groups = new Map<string, RecordedInstance[]>();
  for (const instance of instances) {
    const key = JSON.stringify(keptOf(instance.request));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [instance]);
    else known.push(instance);
  }
  return Array.from(groups, ([key, members]) => ({
    key,
    instances: members,
    body: bodyOf(members[0]?.request ?? {}, members.length, hosts),
  })).sort((a, b) => b.instances.length - a.instances.length);
}

const keptOf = (request: RecordedInstance['request']): object =>
  Object.fromEntries(
    Object.entries(request)
      .filter(([name, value]) => !DROPPED.has(name) && value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function bodyOf(request: RecordedInstance['request'], count: number, hosts: readonly string[]): RequestBody {
  // The service accepts its own document back; the type of the answer is looser than that of the request.
  return { ...keptOf(request), num_instances: count, ignore_hosts: hosts } as unknown as RequestBody;
}

/** The name of the flavor in a recorded request. */
export function flavorIn({ flavor }: RecordedInstance['request']): string {
  const name: unknown = typeof flavor === 'object' && flavor !== null ? (flavor as { name?: unknown }).name : flavor;
  return typeof name === 'string' ? name : 'a flavor given inline';
}
