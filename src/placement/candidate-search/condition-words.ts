// The phrases of all conditions: the only place that makes words of kinds and codes. Each kind has the same forms.

import { DISABLED_TRAIT } from '../domain/standard-traits';
import type { Condition, ConditionKind, RejectionParam, RejectionParams } from './conditions';
import type { Figures } from './failure-figures';

/** What asks a condition: a name that the operator gave, and the extra spec or property. */
export interface Origin {
  readonly by: 'flavor' | 'image' | 'alias' | 'request' | 'prefilter';
  readonly name: string | null;
  readonly key: string | null;
}

/** What the words need beyond the conditions. */
export interface Wording {
  /** The name of an aggregate or of a request group; undefined if unknown. */
  readonly nameOf: (uuid: string) => string | undefined;
  readonly originsOf: (condition: Condition) => readonly Origin[];
  /** What a set of aggregates stands for, for example `zone az1`. */
  readonly meaningOf: (aggregates: readonly string[]) => string | undefined;
}

export const PLAIN_WORDING: Wording = Object.freeze({
  nameOf: () => undefined,
  originsOf: () => [],
  meaningOf: () => undefined,
});

/** A condition with its words, as documents show it. */
export interface DescribedCondition extends Omit<Condition, 'parts'> {
  readonly what: string;
  readonly origins: readonly Origin[];
}

export function describeCondition(condition: Condition, wording: Wording): DescribedCondition {
  const { kind, names, amount, groups } = condition;
  return { kind, what: whatOf(condition, wording), names, amount, groups, origins: wording.originsOf(condition) };
}

function whatOf({ kind, names, groups, what }: Condition, { nameOf, meaningOf }: Wording): string {
  if (what !== undefined) return what;
  if (kind === 'aggregate' || kind === 'forbidden_aggregate') {
    const meaning = meaningOf(names);
    if (kind === 'aggregate' && meaning?.startsWith('zone ') === true) return meaning;
    const named = names.map((uuid) => nameOf(uuid) ?? uuid).join(kind === 'aggregate' ? ' or ' : ', ');
    return `host aggregate ${named}${meaning === undefined ? '' : ` (${meaning})`}`;
  }
  if (names[0] === 'group_policy') return 'group_policy isolate';
  if (kind === 'together')
    return (
      groups
        .map((suffix) => nameOf(suffix) ?? suffix)
        .filter(Boolean)
        .join(', ') || names.join(', ')
    );
  return names.join(' or ');
}

/** The forms of one kind. `n` hosts are the subject; the figures are theirs. */
interface Forms {
  /** "has trait X". */
  readonly has: (of: DescribedCondition, n: number) => string;
  /** "lack trait X", "are disabled (firmware)". */
  readonly lack: (of: DescribedCondition, n: number, figures: Figures) => string;
  /** "lack only trait X"; `withFigures`: with the details of the hosts. */
  readonly lackOnly: (of: DescribedCondition, n: number, figures: Figures, withFigures: boolean) => string;
  /** "no host has trait X", of all hosts. */
  readonly noHost: (of: DescribedCondition, n: number, figures: Figures) => string;
  /** "without trait X", of a request. */
  readonly without: (of: DescribedCondition) => string;
}

export const FORMS: Readonly<Record<ConditionKind, Forms>> = {
  resource: {
    has: (c, n) => `${have(n)} ${amountOf(c)} free`,
    lack: (c, n, figures) => {
      if (figures.areAbsent) return `${have(n)} no ${c.what}${n === 1 ? notShared(figures) : ''}`;
      return figures.areNever
        ? `can never hold ${amountOf(c)}${n === 1 ? limitOf(figures) : ''}`
        : `${lack(n)} ${n === 1 ? lackingOf(c, figures, true) : c.what}`;
    },
    lackOnly: (c, n, figures, withFigures) => {
      const { first } = figures;
      if (first?.code !== 'on_several_providers') return `${lack(n)} only ${lackingOf(c, figures, withFigures)}`;
      const { free, providers, suffixes } = first.params;
      return (
        `${have(n)} ${text(free)} ${c.what} free on ${text(providers)} providers, and one request group takes one provider` +
        (suffixes === undefined
          ? ''
          : ` (use ${listOf(suffixes)
              .map((suffix) => `resources${suffix}`)
              .join(', ')})`)
      );
    },
    noHost: (c, _, figures) => {
      if (figures.areAbsent) return `no host has ${c.what}`;
      return figures.areNever
        ? `no host can hold ${amountOf(c)} (largest ${figures.capacity.most})`
        : `no host has ${amountOf(c)} free (most ${figures.free.most})`;
    },
    without: (c) => `without ${amountOf(c)}`,
  },
  trait: {
    has: (c, n) => `${have(n)} trait ${c.what}`,
    lack: (c, n) => `${lack(n)} trait ${c.what}`,
    lackOnly: (c, n) => `${lack(n)} only trait ${c.what}`,
    noHost: (c) => `no host has trait ${c.what}`,
    without: (c) => `without trait ${c.what}`,
  },
  forbidden_trait: {
    has: (c, n) => `${have(n)} no trait ${c.what}`,
    lack: (c, n) => `${have(n)} the forbidden trait ${c.what}`,
    lackOnly: (c, n) => `${be(n)} kept out only by the forbidden trait ${c.what}`,
    noHost: (c, n) => `${allOf(n)} ${have(n)} the forbidden trait ${c.what}`,
    without: (c) => `without forbidding trait ${c.what}`,
  },
  aggregate: {
    has: (c, n) => `${be(n)} in ${c.what}`,
    lack: (c, n) => `${be(n)} outside of ${c.what}`,
    lackOnly: (c, n) => `${be(n)} only outside of ${c.what}`,
    noHost: (c, _, figures) => {
      const { first, aggregates } = figures;
      if (first?.code !== 'project_not_named') return `no host is in ${c.what}`;
      const named = [...aggregates].sort();
      return `no host aggregate admits project ${text(first.params['wanted'])} (filter_tenant_id of ${shownNames(named)})`;
    },
    without: (c) => `outside of ${c.what}`,
  },
  forbidden_aggregate: {
    has: (c, n) => `${be(n)} outside of the forbidden ${c.what}`,
    lack: (c, n) => `${be(n)} in the forbidden ${c.what}`,
    lackOnly: (c, n) => `${be(n)} kept out only by the forbidden ${c.what}`,
    noHost: (c, n) => `${allOf(n)} ${be(n)} in the forbidden ${c.what}`,
    without: (c) => `in the forbidden ${c.what}`,
  },
  enabled: {
    has: (_, n) => `${be(n)} enabled`,
    lack: (_, n, figures) => `${be(n)} disabled${disabledBecause(figures)}`,
    lackOnly: (_, n, figures) => `${be(n)} only disabled${disabledBecause(figures)}`,
    noHost: (_, n, figures) => `${allOf(n)} ${be(n)} disabled${disabledBecause(figures)}`,
    without: () => 'with the disabled hosts enabled',
  },
  host: {
    has: (_, n) => `${be(n)} asked for`,
    lack: (_, n, figures) => `${be(n)} excluded: ${said(figures)}`,
    lackOnly: (_, n, figures) => `${be(n)} only excluded: ${said(figures)}`,
    noHost: (_, n, figures) => `${allOf(n)} ${be(n)} excluded: ${said(figures)}`,
    without: () => 'on any host',
  },
  together: {
    has: (c, n) => `${have(n)} ${roleOf(c)}`,
    lack: (c, n) => `${lack(n)} ${roleOf(c)}`,
    lackOnly: (c, n) => `${lack(n)} only ${roleOf(c)}`,
    noHost: (c) => `no host has ${roleOf(c)}`,
    without: (c) => (c.names[0] === 'group_policy' ? 'with group_policy none' : `without same_subtree of ${c.what}`),
  },
  service_up: {
    has: (_, n) => `${be(n)} up`,
    lack: (_, n, figures) => `${be(n)} down${inBrackets(n === 1 ? said(figures) : '')}`,
    lackOnly: (_, n, figures) => `${be(n)} only down${inBrackets(n === 1 ? said(figures) : '')}`,
    noHost: (_, n, figures) => `${allOf(n)} ${be(n)} down${inBrackets(n === 1 ? said(figures) : '')}`,
    without: () => 'with the hosts up',
  },
  group_policy: {
    has: (c, n) => `${n === 1 ? 'keeps' : 'keep'} to ${c.what}`,
    lack: (c, n) => groupText(c, n === 1 ? 'runs' : 'run', n === 1 ? 'is' : 'are'),
    lackOnly: (c, n) => groupText(c, n === 1 ? 'only runs' : 'only run', n === 1 ? 'is only' : 'are only'),
    noHost: (c, n) =>
      isApart(c)
        ? `${n === 1 ? allOf(n) : 'each'} runs a member of ${c.what} (add hosts or raise its max_server_per_host)`
        : `no host is a host of ${c.what}`,
    without: (c) => `without ${c.what}`,
  },
  filter: {
    has: (c, n) => `${n === 1 ? 'passes' : 'pass'} ${c.what}`,
    lack: (c, n, figures) => `${n === 1 ? 'fails' : 'fail'} ${c.what} (${said(figures)})`,
    lackOnly: (c, n, figures) => `${n === 1 ? 'fails' : 'fail'} only ${c.what} (${said(figures)})`,
    noHost: (c, _, figures) => `no host passes ${c.what} (${said(figures)})`,
    without: (c) => `without ${c.what}`,
  },
  claim: {
    has: () => 'could be claimed',
    lack: (c, n) =>
      c.what === 'taken' ? `${be(n)} filled by the earlier instances` : `passed, not claimed (${claimOf(c)})`,
    lackOnly: (c) => `could only not be claimed (${claimOf(c)})`,
    noHost: (c, n) =>
      c.what === 'taken'
        ? `the earlier instances filled ${allOf(n)}`
        : `${allOf(n)} passed and none could be claimed (${claimOf(c)})`,
    without: () => 'without a claim',
  },
};

/** Outcomes of claims. */
const CLAIMS: Readonly<Record<string, string>> = {
  no_capacity: 'no capacity left',
  conflict: 'taken by another request',
  policy: 'against the policy of the server group',
  consumer_exists: 'allocations exist already',
  host_unavailable: 'compute service disabled or down meanwhile',
};

const claimOf = ({ what }: DescribedCondition): string => CLAIMS[what] ?? what;

/** The role of request groups that a host cannot serve at once. */
function roleOf({ names, what }: DescribedCondition): string {
  const [first = ''] = names;
  if (first.startsWith('group_policy')) return 'a provider for each request group (group_policy isolate)';
  if (first === 'given_up') return 'an answer: the search reached its work limit';
  if (first === 'nested') return 'one provider with room for everything';
  if (names.length > 1) return `room for request groups ${what} together`;
  return first === '' ? 'providers with everything that is asked' : `one provider for request group ${what}`;
}

const groupText = (of: DescribedCondition, runs: string, is: string): string =>
  isApart(of) ? `${runs} a member of ${of.what}` : `${is} no host of ${of.what}`;
const isApart = ({ what }: DescribedCondition): boolean => what.startsWith('anti-');

const be = (n: number): string => (n === 1 ? 'is' : 'are');
const have = (n: number): string => (n === 1 ? 'has' : 'have');
const lack = (n: number): string => (n === 1 ? 'lacks' : 'lack');
export const allOf = (n: number): string => (n === 1 ? 'the only host' : n === 2 ? 'both hosts' : `all ${n} hosts`);
const amountOf = ({ amount, what }: DescribedCondition): string => (amount === null ? what : `${amount} ${what}`);
const inBrackets = (words: string): string => (words === '' ? '' : ` (${words})`);
const text = (value: RejectionParam | undefined): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '?');
const listOf = (value: RejectionParam | undefined): readonly string[] =>
  value === undefined || value === null ? [] : typeof value === 'object' ? value : [String(value)];

const NAMES_SHOWN = 3;
/** At most three names. */
const shownNames = (names: readonly string[]): string =>
  `${names.slice(0, NAMES_SHOWN).join(', ')}${names.length > NAMES_SHOWN ? ', …' : ''}`;

/** "2 VCPU (4 free, 6 asked)"; without one amount "VCPU". */
function lackingOf(of: DescribedCondition, figures: Figures, withFigures: boolean): string {
  const { what, amount } = of;
  const { hosts, first, lacking, free } = figures;
  if (lacking.count < hosts) return amountOf(of);
  const on = hosts === 1 ? first?.params['provider_name'] : undefined;
  const where = on === undefined ? '' : ` on ${text(on)}`;
  const begin = lacking.least !== lacking.most || lacking.most === 0 ? what : `${lacking.most} ${what}${where}`;
  return withFigures ? `${begin} (${free.text} free, ${amount ?? 0} asked)` : begin;
}

const notShared = ({ first }: Figures): string =>
  first?.code === 'not_connected' ? ', and no aggregate in common with a provider that shares it' : '';

/** The limit of the inventory that is too small, and how a capacity comes about. */
function limitOf({ first }: Figures): string {
  if (first === null) return '';
  const { code, params } = first;
  if (code === 'below_min_unit') return ` (min_unit ${text(params['min_unit'])})`;
  if (code === 'above_max_unit') return ` (max_unit ${text(params['max_unit'])})`;
  if (code === 'no_multiple_of_step_size') return ` (step_size ${text(params['step_size'])})`;
  if (typeof params['capacity'] !== 'number') return '';
  const origin = capacityOrigin(params);
  return ` (capacity ${params['capacity']}${origin === '' ? '' : ` = ${origin}`})`;
}

/** `(8 total - 2 reserved) * ratio 4`; empty if the capacity is the total. */
function capacityOrigin({ total, reserved, allocation_ratio: ratio }: RejectionParams): string {
  const unreserved = reserved === 0 ? `${text(total)} total` : `${text(total)} total - ${text(reserved)} reserved`;
  if (ratio === 1) return reserved === 0 ? '' : unreserved;
  return `${reserved === 0 ? unreserved : `(${unreserved})`} * ratio ${Number(Number(ratio).toPrecision(6))}`;
}

/** The sentence of the filter on these hosts, or on the first of them. */
function said({ sentences }: Figures): string {
  const [first = ''] = sentences;
  return sentences.size > 1 ? `${first}, or similar` : first;
}

/** The reason of the operator, and since when. */
function disabledBecause({ first, disabled }: Figures): string {
  const [reason = ''] = disabled;
  if (reason === '') return first?.code === 'forbidden_trait' ? ` (trait ${DISABLED_TRAIT})` : '';
  return ` (${disabled.size > 1 ? `${reason}, …` : reason})`;
}
