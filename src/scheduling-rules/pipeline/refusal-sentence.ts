// The sentence of a refusal for operators. It opens with the cause, if one condition or a few together are the cause, then
// counts the hosts under every condition that they fail. Without such a cause it says how many hosts have room, the
// missing property of each and its origin, then the other hosts. Numbers are exact; reasons beyond the first few are
// counted. A host that the request names is described by itself; of a batch, what the earlier instances took.

import type { ConditionSummary } from './condition-counts';
import { openingOf } from './condition-words';
import type { PassRecord, PlacementRecord } from './decision';
import { REASON_HOSTS_NAMED, REASONS_IN_SENTENCE } from './limits';
import type { MissesFound, NearestMiss } from './nearest-misses';
import type { RejectionReason } from './rejection-reasons';
import { countByCode } from './run-filters';
import type { Wording } from './wording';

interface RefusalFacts {
  /** Null if Placement was not queried because the request listed the hosts. */
  readonly placement: PlacementRecord | null;
  /** Hosts that Placement returned or the request listed. */
  readonly hosts: number;
  /** Instances of the batch that found a host before `last`. */
  readonly placed: number;
  /** The pass that found no host. */
  readonly last: PassRecord | null;
  readonly ofPlacement: readonly RejectionReason[];
  readonly ofFilters: readonly RejectionReason[];
  readonly nearestMisses: readonly NearestMiss[];
  /** Hosts that Placement rejected although they have room, by the failed condition. */
  readonly withRoom: MissesFound['withRoom'];
  readonly instances: number;
  readonly minCount: number;
  /** The host that the request names; null: any host. */
  readonly target: string | null;
  /** A claim was sent and refused, so other requests can have taken the room. */
  readonly isClaimLost: boolean;
  /** Of the hosts that Placement rejected, or else of those that the filters rejected; null: not counted. */
  readonly conditions: ConditionSummary | null;
  readonly wording: Wording;
}

/** Without a full stop, because more text can follow. */
export function refusalSentence(facts: RefusalFacts): string {
  const { placement, placed } = facts;
  if (placement?.hosts === 0) return emptySentence(placement, facts);
  const parts = [
    ...(placed > 0 ? laterParts(facts) : (causeParts(facts) ?? filteredParts(facts))),
    ...othersOf(facts),
    ...(placement === null ? [] : beyondOf(placement)),
  ];
  return parts.join('; ');
}

/** The filters that no host passes, or that no host passes together; null: they are not the cause. */
function causeParts(facts: RefusalFacts): readonly string[] | null {
  const { conditions, hosts, last, wording } = facts;
  const { cause = null, counts = [] } = conditions ?? {};
  if (conditions === null || cause === null || (last !== null && claimParts(last).length > 0)) return null;
  const ofTarget = targetParts(facts);
  if (ofTarget !== null) return ofTarget;
  const [unmet] = cause.kind === 'unmet' ? cause.conditions : [];
  const [only, ...others] = unmet?.reasons ?? [];
  if (only !== undefined && others.length === 0 && only.hosts === hosts) {
    return [allOf(only), ...reasonTexts(counts.flatMap((count) => (count === unmet ? [] : count.reasons)))];
  }
  const opening = openingOf(conditions, wording);
  return opening && [withHave(hosts, 'room'), opening.text, ...reasonTexts(counts.flatMap(({ reasons }) => reasons))];
}

/** The fate of the hosts that Placement returned. */
function filteredParts({ hosts, ofFilters: reasons, last }: RefusalFacts): readonly string[] {
  const claims = last === null ? [] : claimParts(last);
  const [only, ...others] = reasons;
  if (only !== undefined && others.length === 0 && only.hosts === hosts && claims.length === 0) return [allOf(only)];
  return [withHave(hosts, 'room'), ...claims, ...reasonTexts(reasons)];
}

/** The earlier instances of the batch changed the hosts, so no condition of the request is the cause. */
function laterParts({
  placed,
  instances,
  minCount,
  target,
  last,
  ofFilters,
  isClaimLost,
}: RefusalFacts): readonly string[] {
  const where = target === null ? '' : ` on host ${target}, which the request names`;
  const least = minCount < instances ? ` (min_count ${minCount})` : '';
  const next = `instance ${placed + 1}`;
  const left = target === null ? `no host is left for ${next}` : `${next} does not`;
  const [first = '', ...others] = [
    ...(last === null ? [] : isClaimLost ? claimParts(last) : takenParts(last, placed)),
    ...reasonTexts(ofFilters),
  ];
  const fit = `${placed} of ${howMany(instances, 'instance')}${least} ${placed === 1 ? 'fits' : 'fit'}${where}`;
  return [fit, `${left}${first === '' ? '' : `: ${first}`}`, ...others];
}

/** Hosts that the earlier instances filled. */
function takenParts(last: PassRecord, placed: number): readonly string[] {
  const { ranking, ranked: passed = ranking.length, claims, claimCounts } = last;
  const isTaken = Object.keys(claimCounts ?? countByCode(claims.map(({ outcome }) => ({ code: outcome })))).every(
    (outcome) => outcome === 'no_capacity',
  );
  if (passed === 0 || !isTaken) return claimParts(last);
  const names = passed > REASON_HOSTS_NAMED ? [] : ranking.map(({ state }) => state.host);
  return [
    `the earlier instance${placed === 1 ? '' : 's'} took the room of ${howMany(passed, 'host')}${namesOf(names)}`,
  ];
}

/** For example `40 hosts have room; all 40 lack …`. */
function allOf(only: RejectionReason): string {
  const { hosts, names, phrase } = only;
  if (hosts === 1) return `${withHave(1, 'room', names)}; it ${phrase}`;
  return `${withHave(hosts, 'room', names)}; ${hosts === 2 ? 'both' : `all ${hosts}`} ${phrase}`;
}

/** Hosts that passed all stages, and the results of the claims. */
function claimParts({ claims, claimCounts, ranking, ranked, selected }: PassRecord): readonly string[] {
  const passed = ranked ?? ranking.length;
  if (passed === 0 || selected !== null) return [];
  const outcomes = Object.entries(claimCounts ?? countByCode(claims.map(({ outcome }) => ({ code: outcome }))));
  const tries = outcomes.map(([outcome, number]) => `${CLAIM_WORDS[outcome] ?? outcome} ${number}`).join(', ');
  return [`${howMany(passed, 'host')} passed and none could be claimed (${tries === '' ? 'no candidates' : tries})`];
}

const CLAIM_WORDS: Readonly<Record<string, string>> = {
  no_capacity: 'no capacity left',
  conflict: 'taken by another request',
  policy: 'against the server group’s policy',
  consumer_exists: 'allocations exist already',
  host_unavailable: 'compute service disabled or down meanwhile',
};

function emptySentence({ rejections, isUnexplained }: PlacementRecord, facts: RefusalFacts): string {
  const ofTarget = targetParts(facts);
  if (ofTarget !== null) return ofTarget.join('; ');
  const { ofPlacement, nearestMisses, withRoom } = facts;
  if (isUnexplained === true) return 'Placement did not offer any host, and gives no reasons over HTTP';
  if (rejections === null) return 'placement returned no host, and the search for the reasons reached its work limit';
  if (rejections.length === 0) return 'there are no resource providers';
  const wanted = ofPlacement.filter(({ isElsewhere }) => !isElsewhere);
  if (wanted.length === 0) return 'the host that the request names is no root provider any more';
  const isOfAll = wanted.length === facts.ofPlacement.length;
  const opened = isOfAll ? openedParts(facts) : null;
  if (opened !== null) return opened.join('; ');
  const roomyOf = ({ condition }: RejectionReason): number => withRoom.get(condition) ?? 0;
  const near = wanted.filter((reason) => roomyOf(reason) > 0);
  const roomy = near.reduce((sum, reason) => sum + roomyOf(reason), 0);
  const rest = wanted.filter((reason) => roomyOf(reason) < reason.hosts);
  const [only, ...others] = near;
  if (only !== undefined && others.length === 0 && roomy === only.hosts) {
    return [allOf(only), ...reasonTexts(rest)].join('; ');
  }
  if (only !== undefined) {
    const rests = rest.filter((reason) => !near.includes(reason));
    return [withHave(roomy, 'room'), ...reasonTexts([...near, ...rests])].join('; ');
  }
  return `${noneOf(wanted)}${[...reasonTexts(rest), ...nearestOf(nearestMisses)].join('; ')}`;
}

/** Every condition that the named host fails; null: the request names no host, or one with several nodes. */
function targetParts({
  target,
  placement,
  conditions,
  withRoom,
  nearestMisses,
}: RefusalFacts): readonly string[] | null {
  if (target === null || conditions?.hosts !== 1) return null;
  const [first, ...others] = conditions.counts.flatMap(({ reasons }) => reasons.map(({ phrase }) => phrase));
  if (first === undefined) return null;
  const [miss] = nearestMisses;
  const hasRoom = placement?.hosts !== 0;
  const fits = withRoom.size > 0 ? [`it fits apart from ${others.length === 0 ? 'that' : 'these'}`] : [];
  const lacks = fits.length > 0 || hasRoom || miss === undefined ? [] : [`it lacks only ${miss.lack}`];
  const begin = `host ${target}, which the request names, ${hasRoom ? 'has room; it ' : ''}${first}`;
  return [begin, ...others.map((phrase) => `it ${phrase}`), ...fits, ...lacks];
}

/** The cause, then how many hosts fail each condition; null: there is no single cause. */
function openedParts({ conditions, wording, withRoom, nearestMisses }: RefusalFacts): readonly string[] | null {
  const opening = conditions && openingOf(conditions, wording);
  if (conditions === null || opening === null) return null;
  const { hosts, counts, cause } = conditions;
  const reasons = counts
    .filter((count) => !opening.complete.has(count))
    .flatMap((count) => (cause?.conditions.includes(count) === true ? count.bareReasons : count.reasons))
    .sort((one, other) => other.hosts - one.hosts);
  const fitting = [...withRoom.values()].reduce((sum, each) => sum + each, 0);
  const apart =
    fitting === 0 ? nearestOf(nearestMisses) : [fitApart(fitting, hosts, cause?.kind === 'unmet' ? 'that' : 'these')];
  return [opening.text, ...apart, ...reasonTexts(reasons)];
}

/** Found by another search, with each host changed to satisfy what it fails. */
function fitApart(fitting: number, hosts: number, what: string): string {
  if (hosts === 1) return `it fits apart from ${what}`;
  return `${howMany(fitting, 'host')} ${fitting === 1 ? 'fits' : 'fit'} apart from ${what}`;
}

/** Start of a list of reasons; a single reason needs none. */
function noneOf(wanted: readonly RejectionReason[]): string {
  if (wanted.length === 1) return '';
  const all = wanted.reduce((sum, { hosts }) => sum + hosts, 0);
  return `none of ${all} hosts ${wanted.every(({ isRoom }) => isRoom) ? 'has room' : 'fits'}: `;
}

/** Hosts that lack only more of one class. */
function nearestOf(misses: readonly NearestMiss[]): readonly string[] {
  const [nearest, next] = misses.map(({ hosts, lack }) => ({
    hosts,
    lacks: `${hosts === 1 ? 'lacks' : 'lack'} only ${lack}`,
  }));
  if (nearest === undefined) return [];
  const first = `the nearest: ${howMany(nearest.hosts, 'host')} ${nearest.lacks}`;
  return next === undefined ? [first] : [first, `${next.hosts} more ${next.lacks}`];
}

/** Hosts that Placement rejected while it returned others. */
function othersOf({ ofPlacement }: RefusalFacts): readonly string[] {
  const others = ofPlacement.filter(({ isElsewhere }) => !isElsewhere);
  if (others.length === 0) return [];
  const all = others.reduce((sum, { hosts }) => sum + hosts, 0);
  return [`placement kept back ${howMany(all, 'host')}: ${reasonTexts(others).join('; ')}`];
}

function beyondOf({ notConsidered, truncated }: PlacementRecord): readonly string[] {
  if (notConsidered === null) return truncated ? ['further hosts beyond max_placement_results were not asked'] : [];
  return notConsidered === 0
    ? []
    : [
        `${howMany(notConsidered, 'host')} beyond max_placement_results ${notConsidered === 1 ? 'was' : 'were'} not asked`,
      ];
}

function reasonTexts(reasons: readonly RejectionReason[]): readonly string[] {
  const first = reasons.slice(0, REASONS_IN_SENTENCE).map(reasonText);
  const more = reasons.slice(REASONS_IN_SENTENCE);
  if (more.length === 0) return first;
  const hosts = more.reduce((sum, each) => sum + each.hosts, 0);
  return [...first, `${howMany(hosts, 'host')} fell out for ${howMany(more.length, 'further reason')}`];
}

/** A number with its noun. */
export const howMany = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** For example `2 hosts (cn1, cn2) have room`. */
const withHave = (hosts: number, what: string, names: readonly string[] = []): string =>
  `${howMany(hosts, 'host')}${namesOf(names)} ${hosts === 1 ? 'has' : 'have'} ${what}`;

/** For example `2 hosts (cn1, cn2) lack trait X`. */
export const reasonText = ({ hosts, names, phrase }: Pick<RejectionReason, 'hosts' | 'names' | 'phrase'>): string =>
  `${howMany(hosts, 'host')}${namesOf(names)} ${phrase}`;

const namesOf = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
