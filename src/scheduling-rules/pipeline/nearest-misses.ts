// Analyses Placement's rejections of a request without candidates: finds hosts with enough room, and hosts that fail
// one condition only. The trace has the first failed condition of a host. A second search, with the host changed to
// meet that condition, shows whether the host fails others too.

import type { Rejection, RequestGroup, ResourceRequest, TreeChange } from '../../placement/candidate-search';
import { compareText } from '../../platform/values/text-order';
import { NEAREST_MISSES_SHOWN } from './limits';
import {
  conditionOf,
  FORBIDDEN_AGGREGATES_LACK,
  isRoomStage,
  namesIn,
  neverHolds,
  placesOfAggregates,
} from './rejection-reasons';
import type { Wording } from './wording';
import { PLAIN_WORDING } from './wording';

/** This many hosts would be candidates if they also had `lack`. */
export interface NearestMiss {
  readonly hosts: number;
  readonly lack: string;
}

export interface MissesFound {
  /** Sorted by the number of hosts, largest first. */
  readonly misses: readonly NearestMiss[];
  /** Hosts that would be candidates without the condition they failed, by that condition, unless it concerns room. */
  readonly withRoom: ReadonlyMap<string, number>;
}

/** The change that would make a rejected host a candidate. */
interface Cure {
  readonly treeChange: TreeChange;
  /** The rule of the whole request that the second search leaves out. */
  readonly without: 'nothing' | 'group_policy' | 'same_subtree';
  /** The missing property, for messages; null if it is not a single one. */
  readonly lack: string | null;
}

/** `fitsWithChanges` returns the roots (by id) that would have a candidate, each after its own change. */
export async function findNearestMisses(
  request: ResourceRequest,
  rejections: readonly Rejection[],
  fitsWithChanges: (
    request: ResourceRequest,
    treeChanges: ReadonlyMap<number, TreeChange>,
  ) => Promise<ReadonlySet<number>>,
  wording: Wording = PLAIN_WORDING,
): Promise<MissesFound> {
  const rejected = rejections.flatMap((rejection) => {
    const cure = cureOf(request, rejection, wording);
    return cure === null ? [] : [{ rejection, cure }];
  });
  const lacks = new Map<string, number>();
  const withRoom = new Map<string, number>();
  for (const without of ['nothing', 'group_policy', 'same_subtree'] as const) {
    const some = rejected.filter(({ cure }) => cure.without === without);
    if (some.length === 0) continue;
    const treeChanges = new Map(some.map(({ rejection, cure }) => [rejection.root.id, cure.treeChange]));
    const fitting = await fitsWithChanges(requestWithout(request, without), treeChanges);
    for (const { rejection, cure } of some) {
      if (!fitting.has(rejection.root.id)) continue;
      if (cure.lack !== null) count(lacks, cure.lack);
      if (!isRoomStage(rejection.stage)) count(withRoom, conditionOf(rejection));
    }
  }
  const misses = [...lacks]
    .map(([lack, hosts]) => ({ hosts, lack }))
    .sort((one, other) => other.hosts - one.hosts || compareText(one.lack, other.lack))
    .slice(0, NEAREST_MISSES_SHOWN);
  return { misses, withRoom };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function requestWithout(request: ResourceRequest, without: Cure['without']): ResourceRequest {
  if (without === 'group_policy') return { ...request, groupPolicy: 'none' };
  return without === 'same_subtree' ? { ...request, sameSubtree: [] } : request;
}

const cureBy = (lack: string | null, treeChange: TreeChange): Cure => ({ lack, treeChange, without: 'nothing' });

/** Null if no single change helps, or none is known. */
function cureOf(request: ResourceRequest, rejection: Rejection, wording: Wording): Cure | null {
  const { stage, code, params } = rejection;
  switch (stage) {
    case 'root':
      return traitCure(code === 'missing_trait', namesIn(params['trait']));
    case 'traits': {
      const isIncomplete = code !== 'forbidden_trait';
      return traitCure(isIncomplete, namesIn(params[isIncomplete ? 'missing' : 'present']));
    }
    case 'aggregates': {
      const group = request.groups.find(({ suffix }) => suffix === rejection.group);
      return group === undefined ? null : aggregateCure(group, code, wording);
    }
    case 'room':
      return code === 'not_enough_left' && !neverHolds(rejection) ? roomCure(params) : null;
    case 'class':
    case 'sharing': {
      const [only, ...others] = namesIn(params['resource_classes']);
      const isAbsent = code === 'no_inventory' || code === 'not_connected';
      if (!isAbsent || only === undefined || others.length > 0) return null;
      return cureBy(only, { kind: 'add_class', resourceClass: only });
    }
    case 'group_policy':
    case 'same_subtree':
      return { lack: null, treeChange: { kind: 'unchanged' }, without: stage };
    default:
      return null;
  }
}

/**
 * Of alternatives, the first one. Several sets are not a single miss, but the search without them shows who has room.
 */
function traitCure(isIncomplete: boolean, sets: readonly string[]): Cure | null {
  const traits = sets.flatMap((set) => set.replace(/^in:/, '').split(',').slice(0, 1));
  const [only, ...others] = traits;
  if (only === undefined) return null;
  const isSingle = others.length === 0 && sets[0] === only;
  const lack = isIncomplete ? `trait ${only}` : `freedom from trait ${only}`;
  return cureBy(isSingle ? lack : null, { kind: isIncomplete ? 'add_traits' : 'remove_traits', traits });
}

/** Membership in all aggregate sets, or outside of the forbidden ones. */
function aggregateCure(group: RequestGroup, code: string, wording: Wording): Cure {
  const { memberOf, forbiddenAggregates } = group;
  if (code !== 'not_a_member') {
    return cureBy(FORBIDDEN_AGGREGATES_LACK, { kind: 'leave_aggregates', aggregates: forbiddenAggregates });
  }
  const sets = memberOf.map((anyOf) => `${anyOf.length === 1 ? '' : 'in:'}${anyOf.join()}`);
  const aggregates = memberOf.flatMap((anyOf) => anyOf.slice(0, 1));
  return cureBy(`a place in ${placesOfAggregates(sets, wording)}`, { kind: 'join_aggregates', aggregates });
}

function roomCure(params: Rejection['params']): Cure {
  const [resourceClass, provider] = [String(params['resource_class']), String(params['provider'])];
  const amount = Number(params['used']) + Number(params['asked']) - Number(params['capacity']);
  return cureBy(`${amount} ${resourceClass}`, { kind: 'free', provider, resourceClass, amount });
}
