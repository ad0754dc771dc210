// Groups rejected hosts by reason: the number of hosts, and the phrase that follows it. Placement's reasons are
// described by the failed condition and its origin; those of filters by the filter's own template.

import type { Rejection, RejectionParams } from '../../placement/candidate-search';
import { capacityOrigin, renderRejection } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { REASON_HOSTS_NAMED } from './limits';
import { MergedParams } from './merge-params';
import type { HostRejection, StageRecord } from './run-filters';
import { renderFilterRejection } from './verdict';
import type { Wording } from './wording';
import { withNames } from './wording';

export interface RejectionReason {
  /** Identifies the failed condition. */
  readonly condition: string;
  /** `placement`, `preselection`, or the filter. */
  readonly by: string;
  readonly code: string;
  readonly hosts: number;
  /** The first hosts by name. */
  readonly names: readonly string[];
  /** The text after the number of hosts, e.g. `lack trait CUSTOM_X, required by the flavor`. */
  readonly phrase: string;
  /** The missing property is room or an inventory. */
  readonly isRoom: boolean;
  /** The request targets another host. */
  readonly isElsewhere: boolean;
}

/** A reason for which a filter rejected hosts. */
interface FilterReason extends RejectionReason {
  /** Its name in a nearest miss. */
  readonly lack: string;
}

/** Placement's reasons, sorted by the number of hosts. */
export function placementReasons(rejections: readonly Rejection[], wording: Wording): readonly RejectionReason[] {
  const gathered = new PlacementReasons();
  for (const rejection of rejections) gathered.add(rejection);
  return gathered.reasons(wording);
}

/** Groups Placement's rejections one by one. */
export class PlacementReasons {
  private readonly kinds = new Map<string, Gathered<Rejection>>();

  add(rejection: Rejection): void {
    const key = conditionOf(rejection);
    let known = this.kinds.get(key);
    if (known === undefined) this.kinds.set(key, (known = gathered(rejection)));
    add(known, rejection, rejection.root.name);
  }

  /** Sorted by the number of hosts. */
  reasons(wording: Wording): readonly RejectionReason[] {
    return [...this.kinds.values()].map((kind) => placementReason(kind, wording)).sort(byHosts);
  }
}

/**
 * Reasons from several passes, the last stage first, because its hosts passed the most stages. `counts` has the hosts
 * by `filter.code` if not all passes were kept.
 */
export function filterReasons(
  passes: readonly ReportedPass[],
  wording: Wording,
  counts?: Readonly<Record<string, number>>,
): readonly FilterReason[] {
  const gathered = new FilterReasons();
  for (const { stages } of passes) {
    for (const [at, { name, rejected }] of stages.entries()) {
      for (const rejection of rejected) gathered.add(name, rejection, at);
    }
  }
  return gathered.reasons(wording, counts);
}

/** Groups the rejections of filters one by one. */
export class FilterReasons {
  private readonly kinds = new Map<string, Gathered<HostRejection> & { readonly by: string; readonly at: number }>();

  /** `at`: the position of the stage. */
  add(by: string, rejection: HostRejection, at = 0): void {
    const key = `${by} ${rejection.code}`;
    let known = this.kinds.get(key);
    if (known === undefined) this.kinds.set(key, (known = { ...gathered(rejection), by, at }));
    add(known, rejection, rejection.host);
  }

  /** The last stage first; `counts` as in `filterReasons`. */
  reasons(wording: Wording, counts?: Readonly<Record<string, number>>): readonly FilterReason[] {
    for (const kind of this.kinds.values()) kind.hosts = counts?.[`${kind.by}.${kind.first.code}`] ?? kind.hosts;
    return [...this.kinds.values()]
      .sort((one, other) => other.at - one.at || other.hosts - one.hosts)
      .map((kind) => filterReason(kind, wording));
  }
}

/** The rejected hosts of each stage of a pass. */
export interface ReportedPass {
  readonly stages: readonly Pick<StageRecord, 'name' | 'rejected'>[];
}

interface Gathered<Rejected> {
  readonly first: Rejected;
  readonly params: MergedParams;
  readonly names: string[];
  hosts: number;
  isOfOneText: boolean;
}

const gathered = <Rejected>(first: Rejected): Gathered<Rejected> => ({
  first,
  params: new MergedParams(),
  names: [],
  hosts: 0,
  isOfOneText: true,
});

function add<Rejected extends { readonly params: RejectionParams; readonly message?: string }>(
  to: Gathered<Rejected>,
  rejection: Rejected,
  name: string,
): void {
  to.hosts += 1;
  to.params.add(rejection.params);
  to.isOfOneText &&= rejection.message === to.first.message;
  if (to.names.length <= REASON_HOSTS_NAMED) to.names.push(name);
}

const byHosts = (one: RejectionReason, other: RejectionReason): number => other.hosts - one.hosts;

/** Identifies the condition that a root failed. Rejections with the same condition form one group. */
export function conditionOf(rejection: Rejection): string {
  const { stage, code, group, params } = rejection;
  if (stage === 'room') {
    const what = neverHolds(rejection) ? `${code} ever` : code;
    return `${stage} ${what} ${group ?? ''} ${String(params['resource_class'] ?? '')}`;
  }
  const about = stage === 'traits' ? '' : String(params['resource_class'] ?? params['resource_classes'] ?? '');
  const trait = params['trait'] ?? params['missing'] ?? params['present'] ?? '';
  if (isDisabled(rejection)) return `${stage} disabled ${String(params['disabled_reason'])}`;
  // A trait missing in the whole group and one missing in a single provider are the same condition.
  const what = stage === 'traits' && code !== 'forbidden_trait' ? 'missing_trait' : code;
  return `${stage} ${what} ${group ?? ''} ${about} ${String(trait)}`;
}

/**
 * Stages that check room independently of other conditions. The sum over several groups is not one of them, because it
 * counts only providers with the right traits and aggregates.
 */
const ROOM: ReadonlySet<string> = new Set(['class', 'sharing', 'room']);

export const isRoomStage = (stage: Rejection['stage']): boolean => ROOM.has(stage);

/** The inventory cannot hold the amount even when unused, and no other inventory that the root can use holds it. */
export function neverHolds({ stage, code, params }: Rejection): boolean {
  if (stage !== 'room') return false;
  return UNIT_LIMITS[code] !== undefined || Number(params['asked']) > Number(params['capacity']);
}

/** The compute service of the host is disabled, as opposed to a host that only has the trait. */
const isDisabled = ({ stage, code, params }: Pick<Rejection, 'stage' | 'code' | 'params'>): boolean =>
  stage === 'root' && code === 'forbidden_trait' && params['disabled_reason'] !== undefined;

/** The violated limit of an inventory, by code. */
const UNIT_LIMITS: Readonly<Record<string, string>> = {
  below_min_unit: 'min_unit',
  above_max_unit: 'max_unit',
  no_multiple_of_step_size: 'step_size',
};

function placementReason(kind: Gathered<Rejection>, wording: Wording): RejectionReason {
  const { first, hosts, names } = kind;
  const { stage, code, group } = first;
  const ofGroup = group === null || group === '' ? '' : ` (request group ${withNames(group, wording.nameOf)})`;
  return {
    condition: conditionOf(first),
    by: 'placement',
    code,
    hosts,
    names: named(names),
    phrase: `${withNames(phraseOf(kind, wording), wording.nameOf)}${ofGroup}`,
    isRoom: isRoomStage(stage),
    isElsewhere: stage === 'in_tree',
  };
}

function phraseOf({ first, params: merged, hosts }: Gathered<Rejection>, wording: Wording): string {
  const { stage, code, group, params } = first;
  const isOne = hosts === 1;
  const [lacks, has] = isOne ? ['lacks', 'has'] : ['lack', 'have'];
  switch (`${stage}.${code}`) {
    case 'root.missing_trait':
      return traitPhrase(`${lacks} trait`, namesIn(params['trait']), { kind: 'trait', group: null, wording });
    case 'root.forbidden_trait':
      if (isDisabled(first)) return `${isOne ? 'is' : 'are'} disabled (${disabledText(merged.params())})`;
      if (params['trait'] === DISABLED_TRAIT) return `${isOne ? 'is' : 'are'} disabled by trait ${DISABLED_TRAIT}`;
      return traitPhrase(`${has} trait`, namesIn(params['trait']), { kind: 'forbidden_trait', group: null, wording });
    case 'traits.missing_trait':
    case 'traits.not_collectively_met': {
      const missing = namesIn(params['missing']);
      if (missing.length === 0) break;
      return traitPhrase(`${lacks} trait`, missing, { kind: 'trait', group: group ?? '', wording });
    }
    case 'traits.forbidden_trait': {
      const present = namesIn(params['present'] ?? params['forbidden']);
      return traitPhrase(`${has} trait`, present, { kind: 'forbidden_trait', group: group ?? '', wording });
    }
    case 'class.no_inventory':
    case 'sharing.not_connected': {
      const classes = namesIn(params['resource_classes']);
      const shared = stage === 'sharing' ? ' and shares none' : '';
      const sharing = isOne ? shared : shared.replace('shares', 'share');
      return `${has} no ${classes.join(', ')}${sharing}${askedBy(classes, group ?? '', wording)}`;
    }
    case 'room.not_enough_left':
    case 'room.below_min_unit':
    case 'room.above_max_unit':
    case 'room.no_multiple_of_step_size':
      return `${neverHolds(first) ? 'can never hold' : `${has} no room for`} ${roomPhrase(first, merged, wording)}`;
    case 'in_tree.other_tree':
      return isOne ? 'is not the host asked for' : 'are not the host asked for';
    case 'aggregates.not_a_member':
      return `${isOne ? 'is' : 'are'} outside of ${placesOfAggregates(namesIn(params['member_of']), wording)}`;
    case 'aggregates.in_forbidden_aggregate':
    case 'aggregates.root_in_forbidden_aggregate': {
      const aggregates = namesIn(params['aggregates']);
      const meaning = wording.meaningOf(aggregates) ?? `kept out of host aggregate ${aggregates.join(', ')}`;
      return `${isOne ? 'is' : 'are'} in a forbidden host aggregate (${meaning})`;
    }
  }
  const sentence = renderRejection({ ...first, group: null, params: hosts === 1 ? params : merged.params() });
  return `${isOne ? 'does' : 'do'} not fit: ${sentence}`;
}

/** The reason that the operator gave, and since when: a range, if the hosts were disabled at different times. */
const disabledText = ({ disabled_reason: reason, disabled_since: since }: RejectionParams): string =>
  since === null || since === undefined ? String(reason) : `${String(reason)}, since ${String(since)}`;

interface TraitsOf {
  readonly kind: 'trait' | 'forbidden_trait';
  readonly group: string | null;
  readonly wording: Wording;
}

function traitPhrase(begin: string, traits: readonly string[], of: TraitsOf): string {
  return `${begin}${traits.length > 1 ? 's' : ''} ${traits.join(', ')}${traitOrigin(traits, of)}`;
}

/** The part of the request that required or forbade the traits. */
export function traitOrigin(traits: readonly string[], { kind, group, wording }: TraitsOf): string {
  const origins = new Set(traits.flatMap((name) => wording.originsOf({ kind, group, name })));
  const verb = kind === 'trait' ? 'required' : 'forbidden';
  if (origins.size > 0) return `, ${verb} by ${listed(origins)}`;
  return kind === 'trait' ? '' : ', which is forbidden';
}

export function askedBy(classes: readonly string[], group: string, wording: Wording): string {
  const origins = new Set(classes.flatMap((name) => wording.originsOf({ kind: 'class', group, name })));
  return origins.size === 0 ? '' : `, asked by ${listed(origins)}`;
}

/** The amount, its origin, and the figures of the nearest provider: the usage, or the violated limit. */
function roomPhrase(rejection: Rejection, merged: MergedParams, wording: Wording): string {
  const { code, group, params, root } = rejection;
  const resourceClass = String(params['resource_class']);
  const limit = neverHolds(rejection) ? (UNIT_LIMITS[code] ?? 'capacity') : undefined;
  const { used, capacity, [limit ?? '']: limitValue } = merged.params();
  const numbers =
    limit === undefined ? `${String(used)} used of ${String(capacity)}` : `${limit} ${String(limitValue)}`;
  const origin = limit === 'capacity' ? capacityOrigin(merged.params()) : '';
  const on = params['is_root'] === false && merged.params()['provider_name'] === params['provider_name'];
  const where = on && params['provider_name'] !== root.name ? ` on ${String(params['provider_name'])}` : '';
  const asked = askedBy([resourceClass], group ?? '', wording);
  return `${String(params['asked'])} ${resourceClass}${asked} (${numbers}${origin === '' ? '' : ` = ${origin}`}${where})`;
}

/** Names of aggregate sets; a set with several aggregates starts with `in:`. */
export function placesOfAggregates(sets: readonly string[], wording: Wording): string {
  const places = sets.map((set) => {
    const aggregates = set.replace(/^in:/, '').split(',');
    const names = aggregates.map((uuid) => wording.nameOf(uuid) ?? uuid);
    const meaning = wording.meaningOf(aggregates);
    if (meaning?.startsWith('zone ') === true) return meaning;
    return `host aggregate ${names.join(' or ')}${meaning === undefined ? '' : ` (${meaning})`}`;
  });
  return places.join(' and ');
}

/** The missing property of a host in a forbidden aggregate. */
export const FORBIDDEN_AGGREGATES_LACK = 'freedom from forbidden aggregates';

function filterReason(
  { first, params, hosts, names, by, isOfOneText }: Gathered<HostRejection> & { readonly by: string },
  wording: Wording,
): FilterReason {
  const templates = wording.templatesOf(by);
  const message = isOfOneText
    ? first.message
    : templates === undefined
      ? `${first.message}, or the like`
      : renderFilterRejection(templates, { code: first.code, params: params.params() });
  const why = withNames(message, wording.nameOf);
  return {
    condition: `${by} ${first.code}`,
    by,
    code: first.code,
    hosts,
    names: hosts > names.length ? [] : named(names),
    phrase: `${hosts === 1 ? 'was' : 'were'} rejected by ${by}: ${why}`,
    lack: `a pass of ${by} (${why})`,
    isRoom: false,
    isElsewhere: false,
  };
}

/** Few hosts are listed by name, many are counted. */
const named = (names: readonly string[]): readonly string[] => (names.length > REASON_HOSTS_NAMED ? [] : names);

/** A parameter as a list. */
export const namesIn = (value: RejectionParams[string] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' && value !== null ? value : [String(value)];

const listed = (texts: ReadonlySet<string>): string => [...texts].join(' and ');
