// Scheduler hints, and the server group, which a hint can also name.

import { canonicalUuid } from '../../platform/values/uuid';
import { problemOfQuery } from '../../scheduling-rules/filters/json-query';
import { problemOfCidr } from '../../scheduling-rules/filters/simple-cidr-affinity.filter';
import { invalid, unresolved, unsupported } from '../../scheduling-rules/request-spec/request-refusal';
import type { GroupPolicyName, InstanceGroup, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { InstanceGroupDto, SelectDestinationsDto } from './request.schema';

type Hints = RequestSpec['schedulerHints'];

/** Turns every hint into a list of strings; a null hint counts as absent. */
export function hintsOf(hints: SelectDestinationsDto['scheduler_hints']): Hints {
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(hints ?? {})) {
    if (value === null || value === undefined) continue;
    lists[name] = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((item) => hintText(name, item));
  }
  return lists;
}

function hintText(name: string, item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  throw invalid(`scheduler_hints.${name}`, 'must be a text or a list of texts');
}

/** Refuses malformed hints on which an enabled filter would fail at every host. */
export function refuseMalformedHints(hints: Hints, isRead: (field: string) => boolean): void {
  const [query] = hints['query'] ?? [];
  if (query !== undefined && isRead('scheduler_hints.query')) refuse('query', problemOfQuery(query));
  const [address] = hints['build_near_host_ip'] ?? [];
  const [prefix] = hints['cidr'] ?? [];
  if (address === undefined || !isRead('scheduler_hints.build_near_host_ip')) return;
  refuse('build_near_host_ip', problemOfCidr(address));
  if (prefix !== undefined) refuse('cidr', problemOfCidr(address, prefix));
}

function refuse(hint: string, problem: string | null): void {
  if (problem !== null) throw invalid(`scheduler_hints.${hint}`, problem);
}

/** The kind of check that the request is; `rebuild` is the only one. */
export function checkTypeOf(hints: Hints): RequestSpec['checkType'] {
  const values = hints['_nova_check_type'] ?? [];
  if (values.length === 0) return null;
  if (values.length === 1 && values[0] === 'rebuild') return 'rebuild';
  throw invalid('scheduler_hints._nova_check_type', `must be rebuild, not '${values.join(',')}'`);
}

/** A server group by name, and the field that names it. */
interface GroupReference {
  readonly field: string;
  readonly name: string;
}

/** The server group that the request names; null if it gives one inline, or none. */
export function groupReferenceOf(body: SelectDestinationsDto): GroupReference | null {
  const { instance_group: group } = body;
  if (typeof group === 'string') return { field: 'instance_group', name: group };
  const hint = groupHintOf(hintsOf(body.scheduler_hints));
  return hint === null || (group ?? null) !== null ? null : { field: 'scheduler_hints.group', name: hint };
}

function groupHintOf(hints: Hints): string | null {
  const values = hints['group'] ?? [];
  if (values.length > 1)
    throw invalid('scheduler_hints.group', 'names several server groups; an instance is in one at most');
  return values[0] ?? null;
}

/** The resolved group of a request: the group by its name, or the hosts of the listed members. */
interface FoundGroup {
  readonly group: InstanceGroup | null;
  readonly memberHosts?: ReadonlySet<string>;
  readonly ambiguous?: ReadonlySet<string>;
}

/** The server group that the request names or gives. The field and the hint mean the same, so they must not differ. */
export function instanceGroupOf(
  body: SelectDestinationsDto,
  { group: resolved, ambiguous, memberHosts }: FoundGroup,
): InstanceGroup | null {
  const reference = groupReferenceOf(body);
  const given = typeof body.instance_group === 'string' ? null : (body.instance_group ?? null);
  if (reference !== null && resolved === null) {
    throw unresolved(reference.field, 'server group', reference.name, ambiguous?.has('group') ?? false);
  }
  const group = given === null ? (reference === null ? null : resolved) : groupOf(given, memberHosts);
  const hint = groupHintOf(hintsOf(body.scheduler_hints));
  if (hint === null || group === null || reference?.field === 'scheduler_hints.group') return group;
  const isSame = hint === reference?.name || (group.uuid !== null && canonicalUuid(hint) === group.uuid);
  if (!isSame) throw invalid('scheduler_hints.group', 'names another server group than instance_group');
  return group;
}

/** Members of an affinity group without hosts in the request, except the instance that is placed again. */
export function membersToLocate(
  { instance_group: group }: SelectDestinationsDto,
  placedAnew?: string,
): readonly string[] {
  if (typeof group === 'string' || group?.policy !== 'affinity' || group.hosts !== undefined) return [];
  return uuidsOf(group.members).filter((member) => member !== placedAnew);
}

const uuidsOf = (members: readonly string[] = []): readonly string[] =>
  members.map((member) => canonicalUuid(member) ?? member);

function groupOf(
  { uuid, policy, rules, members, hosts }: InstanceGroupDto,
  memberHosts: ReadonlySet<string> = new Set(),
): InstanceGroup {
  const limit = rules?.max_server_per_host ?? null;
  if (limit !== null && policy !== 'anti-affinity') {
    throw invalid('instance_group.rules.max_server_per_host', `is a rule of anti-affinity, not of ${policy}`);
  }
  return {
    uuid: uuid === undefined || uuid === null ? null : (canonicalUuid(uuid) ?? uuid),
    policy,
    maxServerPerHost: limit,
    members: new Set(uuidsOf(members)),
    hosts: hosts === undefined ? memberHosts : new Set(hosts),
  };
}

const ENFORCED_BY: Readonly<Record<GroupPolicyName, string>> = {
  affinity: 'ServerGroupAffinityFilter',
  'anti-affinity': 'ServerGroupAntiAffinityFilter',
  'soft-affinity': 'ServerGroupSoftAffinityWeigher',
  'soft-anti-affinity': 'ServerGroupSoftAntiAffinityWeigher',
};

/**
 * Refuses a policy that no enabled part enforces; it would be ignored silently. `parts`: names of the enabled filters
 * and weighers.
 */
export function refuseUnenforcedPolicy(group: InstanceGroup | null, parts: ReadonlySet<string>): void {
  if (group === null || parts.has(ENFORCED_BY[group.policy])) return;
  const why = `asks for a policy that no filter enforces. ServerGroup policy is not supported: ${ENFORCED_BY[group.policy]} not configured`;
  throw unsupported('instance_group', why);
}
