// Nearest misses of a request that found no candidate: hosts to which one single thing is missing. The trace says what a
// root lacks first; whether it lacks nothing else is asked of placement, with that one condition left out.

import type { Rejection, RequestGroup, ResourceRequest } from '../../candidate-search';
import { compareText } from '../../domain/text-order';
import { NEAREST_MISSES_SHOWN, RELAXED_SEARCHES } from './limits';
import { FORBIDDEN_AGGREGATES_LACK, placesOfAggregates } from './obstacles';
import { PLAIN_WORDING } from './wording';
import type { Wording } from './wording';

/** So many hosts would be candidates if they had `lack` as well. */
export interface NearestMiss {
  readonly hosts: number;
  readonly lack: string;
}

/** One condition of the request that a root failed. */
interface Failure {
  /** Names the condition. */
  readonly key: string;
  /** What the root would need, for people. */
  readonly lack: string;
  /** The request without the condition; null when nothing would be left of it. */
  readonly relax: (request: ResourceRequest) => ResourceRequest | null;
}

/** Most hosts first. `rootsOf` answers which roots have a candidate for a request. */
export async function findNearestMisses(
  request: ResourceRequest,
  rejections: readonly Rejection[],
  rootsOf: (relaxed: ResourceRequest) => Promise<ReadonlySet<string>>,
  wording: Wording = PLAIN_WORDING,
): Promise<readonly NearestMiss[]> {
  const failures = new Map<string, { readonly failure: Failure; readonly lacks: Map<string, string> }>();
  for (const rejection of rejections) {
    const failure = failureOf(rejection, wording);
    if (failure === null) continue;
    const known = failures.get(failure.key) ?? { failure, lacks: new Map<string, string>() };
    failures.set(failure.key, known);
    known.lacks.set(rejection.root.uuid, failure.lack);
  }
  const mostFrequent = [...failures.values()].sort((one, other) => other.lacks.size - one.lacks.size);
  const counts = new Map<string, number>();
  for (const { failure, lacks } of mostFrequent.slice(0, RELAXED_SEARCHES)) {
    const relaxed = failure.relax(request);
    const roots = relaxed === null ? new Set<string>() : await rootsOf(relaxed);
    for (const [uuid, lack] of lacks) if (roots.has(uuid)) counts.set(lack, (counts.get(lack) ?? 0) + 1);
  }
  return [...counts]
    .map(([lack, hosts]) => ({ hosts, lack }))
    .sort((one, other) => other.hosts - one.hosts || compareText(one.lack, other.lack))
    .slice(0, NEAREST_MISSES_SHOWN);
}

/** The one condition behind a rejection; null where it is not one, or no simple one. */
function failureOf({ stage, code, group, params }: Rejection, wording: Wording): Failure | null {
  const trait = params['trait'];
  if (stage === 'root' && typeof trait === 'string') {
    const isMissing = code === 'missing_trait';
    const without = (names: readonly string[]): readonly string[] => names.filter((name) => name !== trait);
    return {
      key: `${code} ${trait}`,
      lack: isMissing ? `trait ${trait}` : `freedom from trait ${trait}`,
      relax: (request) =>
        isMissing
          ? { ...request, rootRequired: without(request.rootRequired) }
          : { ...request, rootForbidden: without(request.rootForbidden) },
    };
  }
  if (group === null) return null;
  if (stage === 'traits') {
    return code === 'forbidden_trait'
      ? forbiddenFailure(group, params['present'])
      : traitFailure(group, params['missing']);
  }
  if (stage === 'aggregates') return aggregateFailure(group, code, params, wording);
  if (stage === 'room' && code === 'not_enough_left') {
    const { resource_class: resourceClass, used, asked, capacity } = params;
    const shortBy = Number(used) + Number(asked) - Number(capacity);
    return classFailure(group, String(resourceClass), `${shortBy} ${String(resourceClass)}`);
  }
  if (stage === 'room' && UNIT_CODES.has(code)) {
    const { resource_class: resourceClass, asked } = params;
    return classFailure(group, String(resourceClass), `${String(resourceClass)} in units of ${String(asked)}`);
  }
  const classes = params['resource_classes'];
  const [only, ...others] = Array.isArray(classes) ? (classes as readonly string[]) : [];
  const isAbsent = code === 'no_inventory' || code === 'not_connected';
  return isAbsent && only !== undefined && others.length === 0 ? classFailure(group, only, `any ${only}`) : null;
}

function traitFailure(suffix: string, missing: unknown): Failure | null {
  const [only, ...others] = Array.isArray(missing) ? (missing as readonly string[]) : [];
  if (only === undefined || others.length > 0 || only.startsWith('in:')) return null;
  return {
    key: `group ${suffix} trait ${only}`,
    lack: `trait ${only}`,
    relax: (request) =>
      withGroup(request, suffix, (group) => ({
        ...group,
        requiredTraits: group.requiredTraits.filter((anyOf) => anyOf.length > 1 || anyOf[0] !== only),
      })),
  };
}

/** Amounts that no inventory takes at once, whatever is left. */
const UNIT_CODES: ReadonlySet<string> = new Set(['below_min_unit', 'above_max_unit', 'no_multiple_of_step_size']);

function forbiddenFailure(suffix: string, present: unknown): Failure | null {
  const [only, ...others] = Array.isArray(present) ? (present as readonly string[]) : [];
  if (only === undefined || others.length > 0) return null;
  return {
    key: `group ${suffix} forbidden ${only}`,
    lack: `freedom from trait ${only}`,
    relax: (request) =>
      withGroup(request, suffix, (group) => ({
        ...group,
        forbiddenTraits: group.forbiddenTraits.filter((trait) => trait !== only),
      })),
  };
}

/** A place in all sets of aggregates, or outside of the forbidden ones; of several sets nobody knows which one failed. */
function aggregateFailure(suffix: string, code: string, params: Rejection['params'], wording: Wording): Failure | null {
  if (code !== 'not_a_member') {
    return {
      key: `group ${suffix} forbidden aggregates`,
      lack: FORBIDDEN_AGGREGATES_LACK,
      relax: (request) => withGroup(request, suffix, (group) => ({ ...group, forbiddenAggregates: [] })),
    };
  }
  const sets = Array.isArray(params['member_of']) ? (params['member_of'] as readonly string[]) : [];
  if (sets.length === 0) return null;
  return {
    key: `group ${suffix} aggregates`,
    lack: `a place in ${placesOfAggregates(sets, wording)}`,
    relax: (request) => withGroup(request, suffix, (group) => ({ ...group, memberOf: [] })),
  };
}

function classFailure(suffix: string, resourceClass: string, lack: string): Failure {
  return {
    key: `group ${suffix} class ${resourceClass}`,
    lack,
    relax: (request) =>
      withGroup(request, suffix, (group) => {
        const resources = new Map([...group.resources].filter(([name]) => name !== resourceClass));
        return resources.size === 0 ? null : { ...group, resources };
      }),
  };
}

/** The request with a group changed or, for null, without it; a request of no groups asks for nothing. */
function withGroup(
  request: ResourceRequest,
  suffix: string,
  change: (group: RequestGroup) => RequestGroup | null,
): ResourceRequest | null {
  const groups = request.groups.flatMap((group) => (group.suffix === suffix ? (change(group) ?? []) : [group]));
  if (groups.length === 0) return null;
  const left = new Set(groups.map((group) => group.suffix));
  const sameSubtree = request.sameSubtree.map((suffixes) => suffixes.filter((name) => left.has(name)));
  return { ...request, groups, sameSubtree: sameSubtree.filter((suffixes) => suffixes.length > 0) };
}
