// The requests by which the instances of a snapshot are scheduled again: the recorded one as for a live migration, or
// one that is worked out from the allocations.
import type { Provider } from '../../placement/candidate-search';
import { compareText } from '../../platform/values/text-order';
import { NO_ADDITIONS } from '../../scheduling-rules/pipeline/run-prefilters';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { buildResourceRequest } from '../../scheduling-rules/request/resource-request';
import { withoutTarget } from '../after-decision/request-again';
import type { InstanceGroupDto, RequestedResourcesDto, SelectDestinationsDto } from '../request/request.schema';
import type { SnapshotConsumer } from './cloud-snapshot';

/** Amounts that a flavor states outside of its extra specs. */
const FLAVOR_CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB'] as const;

/** Without the instance and the hosts to ignore. */
export type PlanRequest = Omit<SelectDestinationsDto, 'instances' | 'ignore_hosts'>;

/** Equal for equal requests. */
export function keyOf(request: PlanRequest): string {
  const given = Object.entries(request).filter(([, value]) => value !== null);
  return JSON.stringify(given.sort(([one], [other]) => compareText(one, other)));
}

/** Without the targets of earlier placements, most recorded requests are equal. */
export function distinctRequests(texts: readonly string[]) {
  const known = new Map<string, { readonly key: string; readonly request: PlanRequest }>();
  return texts.map((text) => {
    const request = withoutTarget(JSON.parse(text) as SelectDestinationsDto);
    const key = keyOf(request);
    const first = known.get(key) ?? { key, request };
    known.set(key, first);
    return first;
  });
}

/** The inline server group of a request; null: none, or a registered one by name. */
export const inlineGroupOf = ({ instance_group: group }: PlanRequest): InstanceGroupDto | null =>
  typeof group === 'object' ? group : null;

export function withoutGroup<R extends PlanRequest>({ instance_group: _group, scheduler_hints: hints, ...request }: R) {
  const { group: _hint, ...others } = hints ?? {};
  return { ...request, scheduler_hints: others };
}

/** The same amounts from the root and its sharing providers together, and from each provider below the root. */
export function requestOfAllocations(
  { projectId, userId, shares }: Pick<SnapshotConsumer, 'projectId' | 'userId' | 'shares'>,
  zone: string | null,
  groupUuid: string | null,
  find: (provider: string) => Provider | undefined,
): PlanRequest {
  const own: Record<string, number> = {};
  const below: RequestedResourcesDto[] = [];
  for (const [uuid, { resources }] of Object.entries(shares)) {
    if ((find(uuid)?.parentUuid ?? null) !== null) {
      below.push({ requester_id: `provider${below.length + 1}`, resources });
      continue;
    }
    for (const [name, amount] of Object.entries(resources)) own[name] = (own[name] ?? 0) + amount;
  }
  const given = (name: string): number => own[name] ?? 0;
  // A class in the extra specs replaces the amount of the flavor; 0 requests none.
  const extraSpecs = Object.fromEntries(
    [...new Set([...FLAVOR_CLASSES, ...Object.keys(own)])].map((name) => [`resources:${name}`, String(given(name))]),
  );
  return {
    flavor: {
      vcpus: given('VCPU') + given('PCPU'),
      memory_mb: given('MEMORY_MB'),
      root_gb: given('DISK_GB'),
      extra_specs: extraSpecs,
    },
    project_id: projectId,
    user_id: userId,
    availability_zone: zone,
    ...(groupUuid !== null && { instance_group: groupUuid }),
    ...(below.length > 0 && { requested_resources: below }),
  };
}

/** Of one instance, as Placement is asked. */
export function amountsOfSpec(spec: RequestSpec): Readonly<Record<string, number>> {
  const { request } = buildResourceRequest(spec, NO_ADDITIONS, { maxPlacementResults: null });
  return sumsOf(request.groups.map(({ resources }) => resources));
}

export function sumsOf(parts: readonly Iterable<readonly [name: string, amount: number]>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const amounts of parts) for (const [name, amount] of amounts) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
}
