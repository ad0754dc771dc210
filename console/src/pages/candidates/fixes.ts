// The changes that the service has tried, as changes of the form's query. Pure.
import type { Schema } from '@berth/client';
import type { FormGroup, FormQuery } from './query-form';

type TriedFix = Schema<'CandidatesExplanation'>['fixes'][number];
type Condition = Schema<'WhyNotCondition'>;

interface Fix {
  /** Label of the button, with the number of hosts that gain a candidate. */
  readonly name: string;
  /** Null: a change of the hosts. */
  readonly query: FormQuery | null;
}

/** In the order of the service: those for most hosts first. */
export function fixesOf(tried: readonly TriedFix[], query: FormQuery): readonly Fix[] {
  return tried.map(({ kind, conditions, amount, text }) => {
    if (kind === 'trait') return { name: text, query: null };
    const [condition] = conditions;
    if (kind !== 'amount' || condition === undefined) return { name: text, query: conditions.reduce(without, query) };
    return { name: text, query: withGroups(query, condition, (group) => withAmount(group, condition, amount ?? 0)) };
  });
}

const withAmount = (group: FormGroup, { names }: Condition, amount: number): FormGroup => ({
  ...group,
  resources: group.resources.map((each) =>
    each.resourceClass === names[0] ? { ...each, amount: String(amount) } : each,
  ),
});

function without(query: FormQuery, condition: Condition): FormQuery {
  const { kind, names } = condition;
  if (kind === 'together') {
    if (names[0] === 'group_policy') return { ...query, groupPolicy: 'none' };
    return { ...query, sameSubtree: query.sameSubtree.filter((each) => setOf(each) !== setOf(names.join())) };
  }
  const isForbidden = kind === 'forbidden_trait' || kind === 'enabled' || kind === 'forbidden_aggregate';
  const term = `${isForbidden ? '!' : ''}${setOf(names.join())}`;
  const others = (terms: readonly string[]): readonly string[] => terms.filter((each) => setOf(each) !== term);
  const changed = withGroups(query, condition, (group) =>
    kind === 'resource'
      ? { ...group, resources: group.resources.filter(({ resourceClass }) => resourceClass !== names[0]) }
      : { ...group, required: others(group.required), memberOf: others(group.memberOf) },
  );
  return { ...changed, rootRequired: others(query.rootRequired) };
}

/** `in:A,B` and `B,A` are the same alternatives; `!A` is another condition than `A`. */
function setOf(term: string): string {
  const names = term
    .replace(/^!?(?:in:)?/, '')
    .split(',')
    .sort()
    .join();
  return term.startsWith('!') ? `!${names}` : names;
}

const withGroups = (query: FormQuery, { groups }: Condition, change: (group: FormGroup) => FormGroup): FormQuery => ({
  ...query,
  groups: query.groups.map((each) => (groups.includes(each.suffix) ? change(each) : each)),
});
