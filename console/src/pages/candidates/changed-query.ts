// Changes that the service has tried, as changes of the form's query. Pure.
import type { Schema } from '@berth/client';
import type { FormGroup, FormQuery } from './query-form';

type Change = Schema<'RequestFix'>;
type Condition = Schema<'WhyNotCondition'>;

/** Undefined for a change that is none of the query, for example a trait on a host. */
export function changedQuery(query: FormQuery, { kind, conditions, amount }: Change): FormQuery | undefined {
  if (kind === 'trait') return undefined;
  const [first] = conditions;
  if (kind === 'amount') return first && amount !== null ? withAmount(query, first, amount) : undefined;
  return conditions.reduce<FormQuery | undefined>((changed, each) => changed && withoutCondition(changed, each), query);
}

const withAmount = (query: FormQuery, { groups, names: [name] }: Condition, amount: number): FormQuery =>
  inGroups(query, groups, (group) => ({
    ...group,
    resources: group.resources.map((each) =>
      each.resourceClass === name ? { ...each, amount: String(amount) } : each,
    ),
  }));

function withoutCondition(query: FormQuery, { kind, names, groups }: Condition): FormQuery | undefined {
  const others = (terms: readonly string[]): readonly string[] => terms.filter((term) => !isTerm(term, kind, names));
  switch (kind) {
    case 'resource':
      return inGroups(query, groups, (group) => ({
        ...group,
        resources: group.resources.filter(({ resourceClass }) => !names.includes(resourceClass)),
      }));
    case 'trait':
    case 'forbidden_trait':
      if (groups.length === 0) return { ...query, rootRequired: others(query.rootRequired) };
      return inGroups(query, groups, (group) => ({ ...group, required: others(group.required) }));
    case 'aggregate':
    case 'forbidden_aggregate':
      return inGroups(query, groups, (group) => ({ ...group, memberOf: others(group.memberOf) }));
    case 'host':
      return inGroups(query, groups, (group) => ({ ...group, inTree: '' }));
    case 'group_policy':
      return { ...query, groupPolicy: 'none' };
    case 'together':
      return { ...query, sameSubtree: query.sameSubtree.filter((suffixes) => !isSameSet(suffixes.split(','), names)) };
    default:
      return undefined;
  }
}

/** `!A` and `!in:A,B` forbid; `in:A,B` and `in:B,A` are the same alternatives. */
function isTerm(term: string, kind: Condition['kind'], names: readonly string[]): boolean {
  const isForbidden = kind === 'forbidden_trait' || kind === 'forbidden_aggregate';
  return term.startsWith('!') === isForbidden && isSameSet(term.replace(/^!?(?:in:)?/, '').split(','), names);
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join();

const inGroups = (
  query: FormQuery,
  suffixes: readonly string[],
  change: (group: FormGroup) => FormGroup,
): FormQuery => ({
  ...query,
  groups: query.groups.map((group) => (suffixes.includes(group.suffix) ? change(group) : group)),
});
