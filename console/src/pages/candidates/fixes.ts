// Suggests changes to a query that finds too little, if the explanation names a single condition. Pure.
import type { Schema } from '@berth/client';
import { amountText, classText } from '../../shown/amount';
import type { FormGroup, FormQuery } from './query-form';

type Rejection = Schema<'TreeRejection'>;

interface Fix {
  /** Label of the button. */
  readonly name: string;
  readonly query: FormQuery;
}

/** All rejections with one code: the number of trees, sample sentences, and changes that would admit them. */
export interface Reason {
  /** For example `room.not_enough_left`. */
  readonly code: string;
  readonly trees: number;
  /** Distinct sentences, the most frequent first. */
  readonly sentences: readonly { readonly text: string; readonly trees: number }[];
  readonly fixes: readonly Fix[];
}

interface Explained {
  readonly by_code: Readonly<Record<string, number>>;
  readonly rejections: readonly Rejection[];
}

const SENTENCES_SHOWN = 5;

/** Sorted by the number of trees, largest first. */
export function reasonsOf({ by_code: counts, rejections }: Explained, query: FormQuery): readonly Reason[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([code, trees]) => {
      const matching = rejections.filter((each) => `${each.stage}.${each.code}` === code);
      return { code, trees, sentences: sentencesOf(matching), fixes: fixesOf(matching, query) };
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

function fixesOf(matching: readonly Rejection[], query: FormQuery): readonly Fix[] {
  const fixes = new Map<string, Fix>();
  for (const rejection of matching) {
    for (const fix of fixesFor(rejection, matching, query)) fixes.set(fix.name, fix);
    if (fixes.size >= 3) break;
  }
  return [...fixes.values()];
}

function fixesFor(rejection: Rejection, matching: readonly Rejection[], query: FormQuery): readonly Fix[] {
  const { stage, params } = rejection;
  const suffix = rejection.group ?? '';
  const group = query.groups.find((each) => each.suffix === suffix);
  if (stage === 'traits' && group !== undefined) {
    return group.required
      .filter((term) => namesOf(term).some((name) => namedIn(params).has(name)))
      .map((term) => ({
        name: `Without ${term.startsWith('!') ? `forbidding ${term.slice(1)}` : term.replace(/^in:/, 'any of ')}`,
        query: withGroup(query, { ...group, required: group.required.filter((each) => each !== term) }),
      }));
  }
  if (stage === 'room' && group !== undefined) return lessOf(group, matching, query);
  if (stage === 'aggregates' && group !== undefined && group.memberOf.length > 0) {
    return [{ name: 'In any aggregate', query: withGroup(query, { ...group, memberOf: [] }) }];
  }
  if (stage === 'in_tree' && group !== undefined && group.inTree !== '') {
    return [{ name: 'In any tree', query: withGroup(query, { ...group, inTree: '' }) }];
  }
  if (stage === 'root' && query.rootRequired.length > 0) {
    return [{ name: 'Without traits of the root', query: { ...query, rootRequired: [] } }];
  }
  if (stage === 'group_policy') return [{ name: 'With group policy none', query: { ...query, groupPolicy: 'none' } }];
  if (stage === 'same_subtree') return [{ name: 'Anywhere in the tree', query: { ...query, sameSubtree: [] } }];
  return [];
}

/** Lowers the amount to the largest that any of the group's rejections still allows. */
function lessOf(group: FormGroup, matching: readonly Rejection[], query: FormQuery): readonly Fix[] {
  const most = new Map<string, number>();
  for (const { group: suffix, params } of matching) {
    const name = params['resource_class'];
    if (typeof name !== 'string' || (suffix ?? '') !== group.suffix) continue;
    most.set(name, Math.max(most.get(name) ?? 0, largestOf(params)));
  }
  return group.resources.flatMap(({ resourceClass, amount }) => {
    const left = most.get(resourceClass) ?? 0;
    if (left <= 0 || left >= Number(amount)) return [];
    const resources = group.resources.map((each) =>
      each.resourceClass === resourceClass ? { ...each, amount: String(left) } : each,
    );
    return [
      {
        name: `${classText(resourceClass)} ${amountText(resourceClass, left)} instead of ${amountText(resourceClass, Number(amount))}`,
        query: withGroup(query, { ...group, resources }),
      },
    ];
  });
}

/** The largest amount that the inventory of a rejection can allocate in one request; 0 if none. */
function largestOf(params: Readonly<Record<string, unknown>>): number {
  const numberOf = (name: string, otherwise: number): number => {
    const value = params[name];
    return typeof value === 'number' ? value : otherwise;
  };
  const left = Math.min(numberOf('capacity', 0) - numberOf('used', 0), numberOf('max_unit', Infinity));
  const step = numberOf('step_size', 1);
  const largest = Math.floor(left / step) * step;
  return largest < numberOf('min_unit', 1) ? 0 : largest;
}

const withGroup = (query: FormQuery, group: FormGroup): FormQuery => ({
  ...query,
  groups: query.groups.map((each) => (each.suffix === group.suffix ? group : each)),
});

const namesOf = (term: string): readonly string[] => term.replace(/^!?(?:in:)?/, '').split(',');

/** Every text in the parameters of a rejection, including the traits in question. */
function namedIn(params: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return new Set(
    Object.values(params).flatMap((value) => (Array.isArray(value) ? value.map(String) : [String(value)])),
  );
}
