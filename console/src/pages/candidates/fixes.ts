// The reasons of an explanation, and the changes that the service has tried, as changes of the form's query. Pure.
import type { Schema } from '@berth/client';
import { amountText, classText, countOf } from '../../shown/amount';
import type { FormGroup, FormQuery } from './query-form';

type Rejection = Schema<'TreeRejection'>;

type TriedFix = Schema<'CandidatesExplanation'>['fixes'][number];

interface Fix {
  /** Label of the button, with the number of trees that gain a candidate. */
  readonly name: string;
  /** Null: a change of the trees. */
  readonly query: FormQuery | null;
}

/** All rejections with one code: the number of trees and sample sentences. */
export interface Reason {
  /** For example `room.not_enough_left`. */
  readonly code: string;
  readonly trees: number;
  /** Distinct sentences, the most frequent first. */
  readonly sentences: readonly { readonly text: string; readonly trees: number }[];
}

interface Explained {
  readonly by_code: Readonly<Record<string, number>>;
  readonly rejections: readonly Rejection[];
}

const SENTENCES_SHOWN = 5;

/** Sorted by the number of trees, largest first. */
export function reasonsOf({ by_code: counts, rejections }: Explained): readonly Reason[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([code, trees]) => {
      const matching = rejections.filter((each) => `${each.stage}.${each.code}` === code);
      return { code, trees, sentences: sentencesOf(matching) };
    });
}

function sentencesOf(matching: readonly Rejection[]): Reason['sentences'] {
  const counts = new Map<string, number>();
  for (const { message } of matching) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SENTENCES_SHOWN)
    .map(([text, trees]) => ({ text, trees }));
}

/** In the order of the service: those for most trees first. */
export function fixesOf(tried: readonly TriedFix[], query: FormQuery): readonly Fix[] {
  return tried.map(({ kind, conditions, amount, trees }) => {
    const found = countOf(trees, 'more tree');
    const [condition = ''] = conditions;
    if (kind === 'trait') return { name: `Trait ${valueOf(condition)} on the root: ${found}`, query: null };
    if (kind === 'amount' && amount !== null) return lessOf(condition, amount, { found, query });
    return {
      name: `Without ${conditions.map(labelOf).join(' and ')}: ${found}`,
      query: conditions.reduce(withoutCondition, query),
    };
  });
}

function lessOf(
  condition: string,
  amount: number,
  { found, query }: { readonly found: string; readonly query: FormQuery },
): Fix {
  const [resourceClass = '', asked = ''] = valueOf(condition).split(':');
  const suffix = partOf(condition, 'resources');
  const changed = withGroup(query, suffix, (group) => ({
    ...group,
    resources: group.resources.map((each) =>
      each.resourceClass === resourceClass ? { ...each, amount: String(amount) } : each,
    ),
  }));
  const name = `${classText(resourceClass)} ${amountText(resourceClass, amount)} instead of ${amountText(resourceClass, Number(asked))}`;
  return { name: `${name}: ${found}`, query: changed };
}

/** For example `CUSTOM_X`, from `required_GPU=CUSTOM_X`. */
const valueOf = (condition: string): string => condition.slice(condition.indexOf('=') + 1);

/** The suffix of the group, if the condition is of this parameter. */
const partOf = (condition: string, parameter: string): string =>
  condition.slice(parameter.length, condition.indexOf('='));

function labelOf(condition: string): string {
  const value = valueOf(condition);
  if (condition.startsWith('resources')) return value.replace(/^(.*):(.*)$/, '$2 $1');
  if (condition.startsWith('member_of')) return 'the aggregates';
  if (condition.startsWith('group_policy')) return 'group policy isolate';
  if (condition.startsWith('same_subtree')) return 'same_subtree';
  return value.startsWith('!') ? `forbidding ${value.slice(1)}` : value.replace(/^in:/, 'any of ');
}

function withoutCondition(query: FormQuery, condition: string): FormQuery {
  const value = valueOf(condition);
  const [, parameter = '', suffix = ''] = /^(resources|required|member_of|in_tree)([^=]*)=/.exec(condition) ?? [];
  if (condition.startsWith('root_required')) {
    return { ...query, rootRequired: query.rootRequired.filter((each) => each !== value) };
  }
  if (condition.startsWith('group_policy')) return { ...query, groupPolicy: 'none' };
  if (condition.startsWith('same_subtree')) {
    return { ...query, sameSubtree: query.sameSubtree.filter((each) => !isSameSet(each, value)) };
  }
  return withGroup(query, suffix, (group) => {
    switch (parameter) {
      case 'resources': {
        const [resourceClass] = value.split(':');
        return { ...group, resources: group.resources.filter((each) => each.resourceClass !== resourceClass) };
      }
      case 'required':
        return { ...group, required: group.required.filter((term) => !isSameSet(term, value)) };
      case 'member_of':
        return { ...group, memberOf: group.memberOf.filter((term) => !isSameSet(term, value)) };
      default:
        return { ...group, inTree: '' };
    }
  });
}

/** `in:A,B` and `B,A` are the same alternatives; `!A` is another condition than `A`. */
const isSameSet = (one: string, other: string): boolean => setOf(one) === setOf(other);

function setOf(term: string): string {
  const names = term
    .replace(/^!?(?:in:)?/, '')
    .split(',')
    .sort()
    .join();
  return term.startsWith('!') ? `!${names}` : names;
}

const withGroup = (query: FormQuery, suffix: string, change: (group: FormGroup) => FormGroup): FormQuery => ({
  ...query,
  groups: query.groups.map((each) => (each.suffix === suffix ? change(each) : each)),
});
