// The sentence of a refusal, of at most 240 characters: the cause, the nearest hosts, then the largest counts that are not said
// yet. And the refusal as documents show it.

import type { DescribedCondition, Origin, Wording } from './condition-words';
import { allOf, describeCondition, FORMS } from './condition-words';
import type { Condition, Failure } from './conditions';
import { Figures } from './failure-figures';
import type { JudgedHost } from './judged-hosts';
import type { NearestHosts, Refusal } from './refusal-table';
import type { RequestFix } from './request-fixes';

const CHARACTERS = 240;
const CONDITIONS_SHOWN = 50;
const NAMES_SHOWN = 3;
/** Groups of nearest hosts, and further counts, in a sentence. */
const GROUPS_SAID = 3;
const COUNTS_SAID = 3;

/** For example `0 of 800 hosts fit: no host has VGPU (flavor g1.gpu).` */
export function refusalSentence(
  refusal: Refusal,
  wording: Wording,
  { head, isOfHost = false, end = [] }: SentenceFrame = {},
): string {
  const { hosts } = refusal;
  if (hosts === 0 && head === undefined) return 'There are no hosts.';
  const begin = head ?? `0 of ${hosts} ${hosts === 1 ? 'host fits' : 'hosts fit'}`;
  const clauses: string[] = [];
  const textOf = (more: readonly string[]): string => `${begin}${more.length === 0 ? '' : ': '}${more.join('; ')}.`;
  for (const alternatives of [...clausesOf(refusal, wording, isOfHost), end]) {
    const clause = alternatives.find((each) => textOf([...clauses, each]).length <= CHARACTERS);
    // The first clause is cut rather than left out.
    if (clause !== undefined || clauses.length === 0)
      clauses.push(...(clause === undefined ? alternatives.slice(0, 1) : [clause]));
  }
  const text = textOf(clauses);
  return text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS - 1)}…`;
}

/** The first clause alone, for a list. */
export const refusalCause = (refusal: Refusal, wording: Wording): string =>
  clausesOf(refusal, wording, false).flat()[0] ?? '';

/** For each clause its alternatives, the longest first. */
function clausesOf(refusal: Refusal, wording: Wording, isOfHost: boolean): readonly (readonly string[])[] {
  const { only } = refusal;
  if (only !== null) return [[`${isOfHost ? 'it' : only.root.name} ${failuresText(only.failures, wording, ', ')}`]];
  const { cause, nearest, counts } = new Clauses(refusal, wording);
  return [cause === null ? [] : [cause], nearest, counts];
}

export interface SentenceFrame {
  /** Instead of the number of hosts. */
  readonly head?: string;
  /** The head names the only host. */
  readonly isOfHost?: boolean;
  readonly end?: readonly string[];
}

interface Described {
  readonly condition: Condition;
  readonly figures: Figures;
  readonly words: DescribedCondition;
}

/** The zone, or the host aggregate, whose hosts all fail the other condition. */
function placeOf(two: readonly Described[]): Described | undefined {
  const places = two.filter(({ condition }) => condition.kind === 'aggregate');
  return places.find(({ words }) => words.what.startsWith('zone ')) ?? places[0];
}

class Clauses {
  readonly cause: string | null;
  /** The longest first. */
  readonly nearest: readonly string[];
  readonly counts: readonly string[];
  /** Conditions that the clauses so far are about. */
  private readonly said = new Set<Condition>();

  constructor(
    private readonly refusal: Refusal,
    private readonly wording: Wording,
  ) {
    this.cause = this.causeText();
    this.nearest = this.nearestTexts();
    this.counts = this.countTexts();
  }

  /** Null: there is none, or the nearest hosts say all of it. */
  private causeText(): string | null {
    const { cause, nearest, hosts } = this.refusal;
    const [one, other, ...more] = cause.map((condition) => this.described(condition));
    if (one === undefined) return null;
    const isSaidLater = (condition: Condition): boolean =>
      nearest.slice(0, GROUPS_SAID).some((near) => near.condition === condition);
    const place = other === undefined || more.length > 0 ? undefined : placeOf([one, other]);
    const isOneOther = other === undefined && one.condition.kind !== 'resource';
    if (cause.every(isSaidLater) && place === undefined && !isOneOther) return null;
    if (more.length > 0 && nearest.length > 0) return null;
    if (other === undefined || place !== undefined) for (const condition of cause) this.said.add(condition);
    if (other === undefined) {
      const text = FORMS[one.words.kind].noHost(one.words, hosts, one.figures);
      return `${text}${originAfter(text, one.words)}`;
    }
    if (place !== undefined) {
      const inside = hosts - place.figures.hosts;
      const { words, figures } = place === one ? other : one;
      return `${allOf(inside)} of ${place.words.what} ${FORMS[words.kind].lack(words, inside, figures)}`;
    }
    const parts = [one, other, ...more].map(({ words, figures }) => {
      const satisfied = hosts - figures.hosts;
      return `${satisfied} ${FORMS[words.kind].has(words, satisfied)}`;
    });
    const last = parts.pop() ?? '';
    return `${parts.join(', ')} and ${last}, none has ${parts.length === 1 ? 'both' : 'all'}`;
  }

  private described(condition: Condition): Described {
    const figures = this.refusal.counts.find((each) => each.condition === condition)?.figures ?? new Figures();
    return { condition, figures, words: describeCondition(condition, this.wording) };
  }

  private nearestTexts(): readonly string[] {
    const groups = this.refusal.nearest.filter(({ condition }) => !this.said.has(condition)).slice(0, GROUPS_SAID);
    const [first] = groups;
    if (first === undefined) return [];
    for (const { condition } of groups) this.said.add(condition);
    const texts = groups.map((group, at) => nearestText(group, this.wording, at === 0));
    const shorter = [texts, texts.slice(0, 2), texts.slice(0, 1), [nearestText(first, this.wording, false)]];
    return shorter.map((each) => `closest: ${each.join(', ')}`);
  }

  private countTexts(): readonly string[] {
    const { counts, cause } = this.refusal;
    const unsaid = counts.flatMap(({ condition, figures, tooSmall }) => {
      const isCause = cause.includes(condition) && this.cause !== null;
      // Of a condition that is said, only the hosts that have the class and can never hold the amount are new.
      const rest = this.said.has(condition) ? tooSmall : figures;
      return rest.hosts === 0 || isCause ? [] : [{ condition, rest }];
    });
    const texts = unsaid.slice(0, COUNTS_SAID).map(({ condition, rest }) => countText(condition, rest, this.wording));
    return texts.length === 0 ? [] : [COUNTS_SAID, 2, 1].map((most) => texts.slice(0, most).join(', '));
  }
}

function countText(condition: Condition, figures: Figures, wording: Wording): string {
  const described = describeCondition(condition, wording);
  return `${figures.hosts} ${FORMS[described.kind].lack(described, figures.hosts, figures)}`;
}

/** `4 hosts lack only trait X (flavor big)`; at most three hosts by name. */
function nearestText(near: NearestHosts, wording: Wording, withDetails: boolean): string {
  const { condition, hosts, figures } = near;
  const described = describeCondition(condition, wording);
  const subject = hosts.length > NAMES_SHOWN ? `${hosts.length} hosts` : namesOf(near).join(', ');
  const text = FORMS[described.kind].lackOnly(described, hosts.length, figures, withDetails);
  return `${subject} ${text}${withDetails ? originAfter(text, described) : ''}`;
}

const namesOf = ({ hosts }: NearestHosts): readonly string[] =>
  hosts.slice(0, NAMES_SHOWN).map(({ root }) => root.name);

/** Words that end with figures get no origin. */
const originAfter = (text: string, described: DescribedCondition): string =>
  text.endsWith(')') ? '' : originText(described);

/** ` (flavor big)`; nothing for the amounts that every flavor has. */
function originText({ origins }: DescribedCondition): string {
  const texts = [...new Set(origins.filter(({ key, by }) => key !== null || by !== 'flavor').map(originWords))];
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

function originWords({ by, name, key }: Origin): string {
  if (by === 'prefilter') return key ?? name ?? '';
  if (by === 'alias') return `PCI alias ${name ?? ''}`;
  return name === null ? by : `${by} ${name}`;
}

/** The refusal as documents show it. */
export function describeRefusal({ hosts, counts, cause, nearest }: Refusal, wording: Wording) {
  return {
    hosts,
    counts: counts.slice(0, CONDITIONS_SHOWN).map(({ condition, figures }) => ({
      condition: describeCondition(condition, wording),
      failed: figures.hosts,
      never: figures.never,
      text: countText(condition, figures, wording),
    })),
    cause: cause.map((condition) => describeCondition(condition, wording)),
    nearest: nearest.slice(0, CONDITIONS_SHOWN).map((group) => ({
      condition: describeCondition(group.condition, wording),
      hosts: group.hosts.length,
      names: namesOf(group),
      text: nearestText(group, wording, true),
    })),
  };
}

/** A change as documents show it; `aggregate`: the host aggregate whose hosts get the trait. */
export function describeFix(
  { kind, conditions, amount }: Omit<RequestFix, 'roots'>,
  wording: Wording,
  { hosts, aggregate = null }: { readonly hosts: number; readonly aggregate?: string | null },
) {
  const described = conditions.map((condition) => describeCondition(condition, wording));
  const [first] = described;
  const change =
    kind === 'amount'
      ? `with ${amount ?? 0} ${first?.what ?? ''} instead of ${first?.amount ?? 0}`
      : kind === 'trait'
        ? `with trait ${first?.what ?? ''} set on the hosts${aggregate === null ? '' : ` of ${aggregate}`}`
        : described.map((each) => FORMS[each.kind].without(each)).join(' and ');
  return {
    kind,
    conditions: described,
    amount,
    aggregate,
    hosts,
    text: `${change}: ${hosts} host${hosts === 1 ? '' : 's'}`,
  };
}

export type DescribedFix = ReturnType<typeof describeFix>;

/** Everything that one host fails, for example "lacks trait X; is disabled". */
export const failuresText = (failures: JudgedHost['failures'], wording: Wording, between = '; '): string =>
  failures.map((failure) => failureTextOf(failure, wording)).join(between);

const failureTextOf = (failure: Failure, wording: Wording): string => {
  const described = describeCondition(failure.condition, wording);
  const text = FORMS[described.kind].lack(described, 1, Figures.of(failure));
  return `${text}${originAfter(text, described)}`;
};
