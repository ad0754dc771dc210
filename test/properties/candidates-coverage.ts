// The coverage of a comparison with the model: parameters and eras of the queries, and rules that decided.

import type { CandidateQuery, GraphRows } from '../../src/placement/candidate-search';
import { buildGraph } from '../../src/placement/candidate-search';
import { MODEL_RULES } from './candidates-model';
import type { Era } from './candidates-worlds';
import { ERAS } from './candidates-worlds';

const SINGLE = ['plain', 'in_tree', 'member_of', 'forbidden', 'required', 'root_required', 'sharing elsewhere'];

/** Everything that a run must cover. */
export const WANTED: readonly string[] = [
  ...ERAS.map(([era]) => `era ${era}`),
  ...[
    'resources',
    'resources{S}',
    'required',
    'required{S}',
    'required=in:',
    'required=!',
    'required{S}=!',
    'required twice',
    'forbidden twice',
    'member_of',
    'member_of{S}',
    'member_of=in:',
    'member_of=!',
    'member_of{S}=!',
    'member_of twice',
    'in_tree',
    'in_tree{S}',
    'in_tree of nobody',
    'group_policy=none',
    'group_policy=isolate',
    'same_subtree',
    'a group without resources',
    'root_required',
    'root_required=!',
    'limit',
  ].map((name) => `parameter ${name}`),
  ...[
    ...MODEL_RULES,
    'used',
    'reserved',
    'allocation_ratio',
    'total',
    'min_unit',
    'max_unit',
    'max_unit of a sum',
    'step_size',
    'root_required',
    'root_required: !',
    'forbidden trait',
    'required of a granular group',
    'in_tree',
    'in_tree of a granular group',
    'member_of',
    'member_of: !',
    'member_of: ! of the root',
    'member_of: the root spans the tree',
    'member_of: a root spans its own tree only',
    'member_of of a granular group',
    'member_of: ! of a granular group',
    'a foreign sharing provider gives',
    'one candidate from several anchors',
  ].map((name) => `rule ${name}`),
  ...SINGLE.map((name) => `single-provider tree ${name}`),
  'indexed tree',
];

/** The coverage of one query; `noted` are the rules that decided in the model. */
export function hitsOf(
  rows: GraphRows,
  query: CandidateQuery,
  era: Era,
  noted: ReadonlySet<string>,
): readonly string[] {
  return [
    `era ${era}`,
    ...parametersOf(rows, query).map((name) => `parameter ${name}`),
    ...[...noted].map((rule) => `rule ${rule}`),
    ...singleHits(rows, query).map((name) => `single-provider tree ${name}`),
    ...(hasIndexedTree(rows) ? ['indexed tree'] : []),
  ];
}

function hasIndexedTree(rows: GraphRows): boolean {
  const graph = buildGraph(rows);
  return graph.rootIds.some((rootId) => (graph.findTree(rootId)?.offers ?? null) !== null);
}

function parametersOf(rows: GraphRows, query: CandidateQuery): readonly string[] {
  const granular = query.groups.filter(({ suffix }) => suffix !== '').length;
  const uuids = new Set(rows.providers.map(({ uuid }) => uuid));
  const perGroup = query.groups.flatMap((group) => {
    const s = group.suffix === '' ? '' : '{S}';
    const given: readonly (readonly [string, boolean])[] = [
      [`resources${s}`, group.resources.size > 0],
      [`required${s}`, group.requiredTraits.length > 0],
      ['forbidden twice', group.forbiddenTraits.length > 1],
      ['required twice', group.requiredTraits.length > 1],
      ['required=in:', group.requiredTraits.some((anyOf) => anyOf.length > 1)],
      [`required${s}=!`, group.forbiddenTraits.length > 0],
      [`member_of${s}`, group.memberOf.length > 0],
      ['member_of twice', group.memberOf.length > 1],
      ['member_of=in:', group.memberOf.some((anyOf) => anyOf.length > 1)],
      [`member_of${s}=!`, group.forbiddenAggregates.length > 0],
      [`in_tree${s}`, group.inTree !== null],
      ['in_tree of nobody', group.inTree !== null && !uuids.has(group.inTree)],
      ['a group without resources', group.resources.size === 0],
    ];
    return given.flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  });
  return [
    ...new Set(perGroup),
    ...(granular > 1 ? [`group_policy=${query.groupPolicy}`] : []),
    ...(query.sameSubtree.some((suffixes) => suffixes.length > 1) ? ['same_subtree'] : []),
    ...(query.rootRequired.length > 0 ? ['root_required'] : []),
    ...(query.rootForbidden.length > 0 ? ['root_required=!'] : []),
    ...(query.limit === null ? [] : ['limit']),
  ];
}

/** Covered: one unsuffixed group, and a matching provider that is alone in its tree and sees no sharing provider. */
export function singleHits(rows: GraphRows, query: CandidateQuery): readonly string[] {
  const [group] = query.groups;
  if (group === undefined || query.groups.length > 1 || group.suffix !== '') return [];
  const sharers = rows.traits.filter(({ trait }) => trait === 'MISC_SHARES_VIA_AGGREGATE');
  const aggregatesOf = (id: number): readonly string[] =>
    rows.aggregates.filter(({ providerId }) => providerId === id).map(({ aggregate }) => aggregate);
  const shared = new Set(sharers.flatMap(({ providerId }) => aggregatesOf(providerId)));
  const isSingle = ({ id, rootId }: GraphRows['providers'][number]): boolean =>
    rows.providers.filter((other) => other.rootId === rootId).length === 1 &&
    !sharers.some(({ providerId }) => providerId === id) &&
    !aggregatesOf(id).some((aggregate) => shared.has(aggregate)) &&
    [...group.resources.keys()].every((name) =>
      rows.inventories.some(({ providerId, resourceClass }) => providerId === id && resourceClass === name),
    );
  if (!rows.providers.some(isSingle)) return [];
  const given: readonly (readonly [string, boolean])[] = [
    ['plain', true],
    ['in_tree', group.inTree !== null],
    ['member_of', group.memberOf.length > 0],
    ['forbidden', group.forbiddenTraits.length + group.forbiddenAggregates.length > 0],
    ['required', group.requiredTraits.length > 0],
    ['root_required', query.rootRequired.length + query.rootForbidden.length > 0],
    ['sharing elsewhere', sharers.length > 0],
  ];
  return given.flatMap(([name, isGiven]) => (isGiven ? [name] : []));
}
