// The opening of a refusal: the condition that no host satisfies, or the conditions that no host satisfies together, each
// with its origin and the number of hosts that satisfy it by itself.

import type { RequestCondition } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import type { ConditionCount, ConditionSummary, RefusalCause } from './condition-counts';
import { UNMET_CONDITIONS_NAMED } from './limits';
import type { RejectionReason } from './rejection-reasons';
import { askedBy, placesOfAggregates, traitOrigin } from './rejection-reasons';
import type { Wording } from './wording';
import { withNames } from './wording';

interface Opening {
  readonly text: string;
  /** The conditions that the opening describes completely, with all reasons of the hosts. */
  readonly complete: ReadonlySet<ConditionCount>;
}

/** Null if no condition and no small set of conditions is the cause. */
export function openingOf({ hosts, cause }: ConditionSummary, wording: Wording): Opening | null {
  if (cause === null) return null;
  return cause.kind === 'unmet' ? unmetOpening(cause, hosts, wording) : conflictOpening(cause, hosts, wording);
}

function unmetOpening({ conditions }: RefusalCause, hosts: number, wording: Wording): Opening {
  const named = conditions.slice(0, UNMET_CONDITIONS_NAMED);
  const texts = named.map((count) => unmetText(count, hosts, wording));
  const more = conditions.length - named.length;
  const rest = more === 0 ? [] : [`no host satisfies ${more} further condition${more === 1 ? '' : 's'}`];
  const complete = new Set(named.filter(({ reasons }) => reasons.length === 1));
  return { text: [...texts, ...rest].join('; '), complete };
}

function unmetText(count: ConditionCount, hosts: number, wording: Wording): string {
  const { requested, reasons, by } = count;
  const only = reasons.length === 1 ? reasons[0] : undefined;
  if (requested === null) return `no host passes ${by}${only === undefined ? '' : `: ${whyOf(only, by)}`}`;
  switch (requested.kind) {
    case 'class':
      return unmetClass(requested, reasons, wording);
    case 'forbidden':
    case 'root_forbidden':
    case 'forbidden_aggregates':
      return `${allOf(hosts, only)} ${only?.phrase ?? (hosts === 1 ? 'is disabled' : 'are disabled')}`;
    default:
      return `no host ${satisfies(requested, wording).join('')}`;
  }
}

/** For example `all 3 hosts (a, b, c)`. */
function allOf(hosts: number, only: RejectionReason | undefined): string {
  const names = only === undefined || only.names.length === 0 ? '' : ` (${only.names.join(', ')})`;
  if (hosts === 1) return `the only host${names}`;
  return hosts === 2 ? `both hosts${names}` : `all ${hosts} hosts${names}`;
}

/** The common cause on all hosts: no inventory, an inventory that is too small, or too little free. */
function unmetClass(requested: RequestCondition, reasons: readonly RejectionReason[], wording: Wording): string {
  const { names } = requested;
  const origin = originOf(requested, wording);
  const figures = reasons.length === 1 ? figuresOf(reasons[0]?.phrase ?? '') : '';
  if (reasons.every(({ code }) => NO_INVENTORY.has(code))) {
    const shared = reasons.some(({ code }) => code !== 'no_inventory') ? ' or shares one' : '';
    return `no host has inventory of ${names.join()}${shared}${origin}`;
  }
  const begin = reasons.every(({ phrase }) => phrase.startsWith('can never hold')) ? 'can ever hold' : 'has room for';
  return `no host ${begin} ${amountOf(requested)}${origin}${figures}`;
}

const NO_INVENTORY: ReadonlySet<string> = new Set(['no_inventory', 'not_connected', 'not_in_tree']);

/** For example `32 VCPU`. */
const amountOf = ({ names, amount = 0 }: RequestCondition): string => `${amount} ${names.join()}`;

/** The figures at the end of a phrase, for example ` (2 used of 8)`. */
const figuresOf = (phrase: string): string =>
  / \((?:[^()]* used of|max_unit|min_unit|step_size|capacity)[^()]*\)/.exec(phrase)?.[0] ?? '';

const whyOf = ({ phrase }: RejectionReason, by: string): string =>
  phrase.slice(phrase.indexOf(`${by}: `) + by.length + 2);

function conflictOpening({ conditions }: RefusalCause, hosts: number, wording: Wording): Opening {
  const parts = conditions.map(({ requested, by, satisfied }) => {
    const [what, origin] = requested === null ? [`passes ${by}`, ''] : satisfies(requested, wording);
    return `${what} (${satisfied} of ${hosts} hosts)${origin}`;
  });
  return { text: `no host ${parts.join(', and also ')}`, complete: new Set() };
}

/** The predicate of a host that satisfies the condition, and the origin of the condition. */
function satisfies(requested: RequestCondition, wording: Wording): readonly [what: string, origin: string] {
  const { kind, names } = requested;
  const origin = originOf(requested, wording);
  switch (kind) {
    case 'class':
      return [`has room for ${amountOf(requested)}`, origin];
    case 'required':
    case 'root_required':
      return [`has ${names.length > 1 ? 'one of traits' : 'trait'} ${names.join(', ')}`, origin];
    case 'forbidden':
    case 'root_forbidden':
      return isStatus(requested) ? ['is enabled', ''] : [`is without trait ${names.join()}`, origin];
    case 'member_of':
      return [`is in ${placesOfAggregates([`in:${names.join()}`], wording)}`, origin];
    case 'forbidden_aggregates': {
      const meaning = wording.meaningOf(names) ?? `kept out of host aggregate ${names.join(', ')}`;
      return ['is outside of the forbidden host aggregates', ` (${withNames(meaning, wording.nameOf)})${origin}`];
    }
    case 'in_tree':
      return ['is the host that the request names', ''];
    case 'group_policy':
      return ['has a provider for each request group', ''];
    case 'same_subtree':
      return [`has room for the groups ${names.join(', ')} below one provider`, ''];
  }
}

function originOf({ kind, group, names }: RequestCondition, wording: Wording): string {
  const inGroup = group === null || group === '' ? '' : ` (request group ${withNames(group, wording.nameOf)})`;
  if (kind === 'class') return `${askedBy(names, group ?? '', wording)}${inGroup}`;
  if (kind === 'member_of' || kind === 'forbidden_aggregates') return inGroup;
  const isRequired = kind === 'required' || kind === 'root_required';
  return `${traitOrigin(names, { kind: isRequired ? 'trait' : 'forbidden_trait', group, wording })}${inGroup}`;
}

/** The prefilter for disabled hosts. */
const isStatus = ({ kind, names }: RequestCondition): boolean =>
  kind === 'root_forbidden' && names[0] === DISABLED_TRAIT;
