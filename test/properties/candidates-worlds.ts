// Random small worlds, random queries for them and random changes to them. The same seed gives the same data.

import type {
  CandidateQuery,
  GraphRows,
  InventoryRow,
  ProviderRow,
  RequestGroup,
} from '../../src/placement/candidate-search';
import { capacityOf } from '../../src/placement/domain/inventory';
import type { Feature } from '../../src/platform/microversion/api-version';

const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU'];
const TRAITS = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C'];
const AGGREGATES = ['agg-x', 'agg-y', 'agg-z'];
const SHARES = 'MISC_SHARES_VIA_AGGREGATE';

/** A seeded random generator. */
export class Dice {
  constructor(private state: number) {}

  /** Uniform in [0, 1). */
  readonly next = (): number => {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  some<T>(items: readonly T[], probability: number): T[] {
    return items.filter(() => this.chance(probability));
  }
}

/** With its root, such a tree is large enough for an index of offers. */
const LARGE_TREE_CHILDREN = 8;

/** One to four trees of up to three levels, including sharing providers, usage and units. */
export function drawWorld(dice: Dice): GraphRows {
  const providers: ProviderRow[] = [];
  // Some worlds have a tree that is large enough for an index; few other trees keep the model fast.
  const hasLargeTree = dice.chance(0.1);
  const trees = hasLargeTree ? dice.between(1, 2) : dice.between(1, 4);
  const add = (parent: ProviderRow | null): ProviderRow => {
    const id = providers.length + 1;
    const provider = {
      id,
      uuid: `rp-${id}`,
      name: `rp-${id}`,
      parentId: parent?.id ?? null,
      rootId: parent?.rootId ?? id,
    };
    providers.push(provider);
    return provider;
  };
  for (let tree = 0; tree < trees; tree += 1) {
    const root = add(null);
    const isLarge = hasLargeTree && tree === 0;
    const children = isLarge ? LARGE_TREE_CHILDREN : dice.chance(0.5) ? 0 : dice.between(1, 3);
    for (let child = 0; child < children; child += 1) {
      const node = add(root);
      if (dice.chance(0.3)) add(node);
    }
  }
  // The order of the ids differs from the order of creation.
  const shift = dice.between(0, providers.length - 1);
  const renumbered = (id: number): number => ((id - 1 + shift) % providers.length) + 1;
  return drawFacts(
    dice,
    providers.map((row) => ({
      ...row,
      id: renumbered(row.id),
      parentId: row.parentId === null ? null : renumbered(row.parentId),
      rootId: renumbered(row.rootId),
    })),
  );
}

/**
 * What queries can contain, by the feature that introduced it. Before nested trees (`false`) the engine applies another
 * rule; the other features only limit the query.
 */
export const ERAS = [
  ['allocationCandidatesApi', false],
  ['candidatesLimit', false],
  ['candidatesRequired', false],
  ['candidatesMemberOf', false],
  ['forbiddenTraits', false],
  ['repeatedMemberOf', false],
  ['granularGroups', false],
  ['nestedCandidates', true],
  ['candidatesInTree', true],
  ['forbiddenAggregates', true],
  ['stringSuffixes', true],
  ['rootRequired', true],
  ['sameSubtree', true],
  ['anyTraits', true],
] as const satisfies readonly (readonly [Feature, boolean])[];

export type Era = (typeof ERAS)[number][0];

/** A query of the newest era, or of a random one. */
export function drawQuery(dice: Dice, rows: GraphRows): CandidateQuery {
  return drawQueryOfEra(dice, rows).query;
}

export function drawQueryOfEra(dice: Dice, rows: GraphRows): { readonly query: CandidateQuery; readonly era: Era } {
  const [era, nestedAware] = dice.chance(0.4) ? dice.pick(ERAS) : (['anyTraits', true] as const);
  const query = { ...drawRichQuery(dice, rows), nestedAware };
  return { era, query: limitToEra(query, (feature) => ERAS.findIndex(([name]) => name === feature) <= indexOf(era)) };
}

const indexOf = (era: Era): number => ERAS.findIndex(([name]) => name === era);

function drawRichQuery(dice: Dice, rows: GraphRows): Omit<CandidateQuery, 'nestedAware'> {
  const rest: Omit<CandidateQuery, 'nestedAware' | 'groups' | 'groupPolicy' | 'sameSubtree'> = {
    limit: null,
    maxCandidates: 1_000_000,
    strategy: 'depth-first',
    perRoot: null,
    randomize: false,
    rootRequired: dice.chance(0.08) ? dice.some(TRAITS, 0.5) : [],
    rootForbidden: dice.chance(0.08) ? dice.some([...TRAITS, SHARES], 0.4) : [],
  };
  if (dice.chance(0.23)) {
    const group = drawGroup(dice, rows, '', 2.5);
    const aside = dice.chance(0.5) ? aimAside(rows, group) : null;
    return { ...rest, groups: [group], groupPolicy: 'none', sameSubtree: [], ...aside };
  }
  const aimed = dice.chance(0.6) ? aimAtSharingChild(dice, rows) : null;
  if (aimed !== null) return { ...rest, groups: [aimed], groupPolicy: 'none', sameSubtree: [] };
  const suffixes = ['', '1', '_B', 'C'].filter((suffix) => dice.chance(suffix === '' ? 0.65 : 0.35));
  if (suffixes.length === 0) suffixes.push(dice.pick(['', '1']));
  const groups = suffixes.map((suffix) => drawGroup(dice, rows, suffix));
  const granular = suffixes.filter((suffix) => suffix !== '');
  const sameSubtree: string[][] = [];
  if (granular.length > 0 && dice.chance(0.42)) {
    sameSubtree.push(dice.some(granular, 0.8));
    if (dice.chance(0.4)) {
      groups.push({ ...drawGroup(dice, rows, '_N'), resources: new Map() });
      sameSubtree[0]?.push('_N');
    }
  }
  return {
    ...rest,
    groups: groups.sort(() => dice.next() - 0.5),
    groupPolicy: dice.chance(0.35) ? 'isolate' : 'none',
    sameSubtree: sameSubtree.filter((list) => list.length > 0),
  };
}

/**
 * Requests resources of a sharing child through an aggregate of its root only; too rare without a generator of its own.
 */
function aimAtSharingChild(dice: Dice, rows: GraphRows): RequestGroup | null {
  const aggregatesOf = (id: number): readonly string[] =>
    rows.aggregates.filter(({ providerId }) => providerId === id).map(({ aggregate }) => aggregate);
  for (const { providerId: id } of rows.traits.filter(({ trait }) => trait === SHARES)) {
    const rootId = rows.providers.find((row) => row.id === id)?.rootId ?? id;
    const own = aggregatesOf(id);
    const [spanning] = aggregatesOf(rootId).filter((aggregate) => !own.includes(aggregate));
    const [held] = rows.inventories.filter(({ providerId }) => providerId === id);
    const isSeen = rows.providers.some(
      (other) => other.rootId !== rootId && aggregatesOf(other.id).some((aggregate) => own.includes(aggregate)),
    );
    if (spanning === undefined || held === undefined || !isSeen) continue;
    const group = drawGroup(dice, rows, '');
    return { ...group, resources: new Map([[held.resourceClass, 1]]), memberOf: [[spanning]], requiredTraits: [] };
  }
  return null;
}

/** Requires a trait of one other tree, and resources of that tree, so `in_tree` names a tree that is not visited. */
function aimAside(rows: GraphRows, group: RequestGroup): Pick<CandidateQuery, 'groups' | 'rootRequired'> | null {
  const wanted = rows.providers.find(({ uuid }) => uuid === group.inTree)?.rootId;
  if (wanted === undefined) return null;
  const rootOf = (id: number): number | undefined => rows.providers.find((row) => row.id === id)?.rootId;
  for (const trait of TRAITS) {
    const holders = new Set(rows.traits.filter((row) => row.trait === trait).map((row) => rootOf(row.providerId)));
    const [only] = holders;
    const held = rows.inventories.find(({ providerId }) => providerId === only);
    if (holders.size !== 1 || only === wanted || held === undefined) continue;
    const stripped = { ...group, memberOf: [], requiredTraits: [], forbiddenTraits: [], forbiddenAggregates: [] };
    return { groups: [{ ...stripped, resources: new Map([[held.resourceClass, 1]]) }], rootRequired: [trait] };
  }
  return null;
}

/** The query without parameters that its era does not have. */
function limitToEra(query: CandidateQuery, has: (feature: Era) => boolean): CandidateQuery {
  const groups = query.groups
    .filter(
      ({ suffix, resources }) => (has('granularGroups') || suffix === '') && (has('sameSubtree') || resources.size > 0),
    )
    .map((group): RequestGroup => {
      const requiredTraits = has('anyTraits')
        ? group.requiredTraits
        : group.requiredTraits.map((set) => set.slice(0, 1));
      return {
        ...group,
        suffix: has('stringSuffixes') ? group.suffix : (NUMBERED[group.suffix] ?? group.suffix),
        requiredTraits: has('candidatesRequired') ? requiredTraits : [],
        forbiddenTraits: has('forbiddenTraits') ? withoutAll(group.forbiddenTraits, requiredTraits) : [],
        memberOf: has('candidatesMemberOf') ? group.memberOf.slice(0, has('repeatedMemberOf') ? undefined : 1) : [],
        forbiddenAggregates: has('forbiddenAggregates') ? group.forbiddenAggregates : [],
        inTree: has('candidatesInTree') ? group.inTree : null,
      };
    });
  const [first] = query.groups;
  if (groups.length === 0 && first !== undefined) {
    return limitToEra({ ...query, groups: [{ ...first, suffix: '', resources: new Map([['VCPU', 1]]) }] }, has);
  }
  return {
    ...query,
    groups,
    sameSubtree: has('sameSubtree') ? query.sameSubtree : [],
    rootRequired: has('rootRequired') ? query.rootRequired : [],
    rootForbidden: has('rootRequired') ? query.rootForbidden : [],
  };
}

/** Suffixes of the eras that allow only numbers. */
const NUMBERED: Readonly<Record<string, string>> = { _B: '2', C: '3' };

/** A group must not both require and forbid a trait: such a request is refused before any search. */
function withoutAll(forbidden: readonly string[], required: readonly (readonly string[])[]): readonly string[] {
  return forbidden.filter((trait) => !required.some((anyOf) => anyOf.every((name) => name === trait)));
}

/**
 * The rows after random moves, deletions, creations and changes of providers, and the ids that a writer would report.
 */
export function drawChange(dice: Dice, rows: GraphRows): { readonly rows: GraphRows; readonly touched: number[] } {
  const touched = new Set<number>();
  let { providers } = rows;
  for (let change = dice.between(1, 3); change > 0 && providers.length > 0; change -= 1) {
    const chosen = dice.pick(providers);
    touched.add(chosen.id);
    const below = new Set(descendants(providers, chosen.id));
    const kind = dice.between(0, 3);
    if (kind === 0 && below.size === 1) providers = providers.filter(({ id }) => id !== chosen.id);
    else if (kind === 1) {
      const parents = providers.filter(({ id }) => !below.has(id));
      const parent = dice.chance(0.4) || parents.length === 0 ? null : dice.pick(parents);
      providers = providers.map((row) => moved(row, chosen, parent, below));
    } else if (kind === 2) {
      const id = 100 + dice.between(0, 1000);
      if (providers.every((row) => row.id !== id)) {
        providers = [
          ...providers,
          { id, uuid: `rp-${id}`, name: `rp-${id}`, parentId: chosen.id, rootId: chosen.rootId },
        ];
        touched.add(id);
      }
    }
  }
  const fresh = drawFacts(dice, providers);
  const isTouched = ({ providerId }: { readonly providerId: number }): boolean => touched.has(providerId);
  const isKept = (row: { readonly providerId: number }): boolean =>
    !isTouched(row) && providers.some(({ id }) => id === row.providerId);
  return {
    touched: [...touched],
    rows: {
      providers,
      inventories: [
        ...rows.inventories.filter(isKept),
        ...fresh.inventories.filter(isTouched).map((row) => ({ ...row, id: row.id + 10_000 })),
      ],
      traits: [...rows.traits.filter(isKept), ...fresh.traits.filter(isTouched)],
      aggregates: [...rows.aggregates.filter(isKept), ...fresh.aggregates.filter(isTouched)],
    },
  };
}

export function describe(rows: GraphRows, query: CandidateQuery): string {
  const groups = query.groups.map((group) => ({ ...group, resources: [...group.resources] }));
  return JSON.stringify({ rows, query: { ...query, groups } }, null, 1);
}

function drawFacts(dice: Dice, providers: readonly ProviderRow[]): GraphRows {
  const inventories: InventoryRow[] = [];
  const traits: { providerId: number; trait: string }[] = [];
  const aggregates: { providerId: number; aggregate: string }[] = [];
  for (const { id: providerId } of providers) {
    for (const resourceClass of dice.some(CLASSES, 0.6)) {
      inventories.push(drawInventory(dice, inventories.length + 1, providerId, resourceClass));
    }
    for (const trait of [...dice.some(TRAITS, 0.4), ...dice.some([SHARES], 0.2)]) traits.push({ providerId, trait });
    for (const aggregate of dice.some(AGGREGATES, 0.25)) aggregates.push({ providerId, aggregate });
  }
  return { providers, inventories, traits, aggregates };
}

function drawInventory(dice: Dice, id: number, providerId: number, resourceClass: string): InventoryRow {
  const total = dice.between(1, 8);
  const record = {
    total,
    reserved: dice.chance(0.2) ? dice.between(0, total) : 0,
    minUnit: dice.chance(0.1) ? 2 : 1,
    maxUnit: dice.chance(0.3) ? dice.between(1, 3) : total,
    stepSize: dice.chance(0.1) ? 2 : 1,
    allocationRatio: dice.pick([1, 1, 1, 1.5, 0.7, 4]),
  };
  const used = dice.chance(0.3) ? dice.between(0, total) : 0;
  return { ...record, id, providerId, resourceClass, capacity: capacityOf(record), used, version: dice.between(0, 3) };
}

/** `spice` multiplies the probability of conditions. */
function drawGroup(dice: Dice, rows: GraphRows, suffix: string, spice = 1): RequestGroup {
  const classes = dice.some(CLASSES, suffix === '' ? 0.4 / spice : 0.2);
  if (classes.length === 0) classes.push(dice.pick(CLASSES));
  const wishes = (items: readonly string[], probability: number): string[][] =>
    dice.chance(probability * spice)
      ? [dice.some(items, 0.4), ...(dice.chance(0.2) ? [[dice.pick(items)]] : [])].filter((set) => set.length > 0)
      : [];
  return {
    suffix,
    resources: new Map(classes.map((resourceClass) => [resourceClass, dice.chance(0.7) ? 1 : dice.between(1, 4)])),
    requiredTraits: wishes(TRAITS, 0.17),
    forbiddenTraits: dice.chance(0.1 * spice) ? dice.some([...TRAITS, SHARES], 0.35) : [],
    memberOf: wishes(AGGREGATES, 0.12),
    forbiddenAggregates: dice.chance((suffix === '' ? 0.14 : 0.08) * spice)
      ? dice.some([...AGGREGATES, 'agg-unknown'], 0.4)
      : [],
    inTree: dice.chance(0.07 * spice) ? dice.pick([...rows.providers.map(({ uuid }) => uuid), 'rp-unknown']) : null,
  };
}

function descendants(providers: readonly ProviderRow[], id: number): number[] {
  return [
    id,
    ...providers.filter(({ parentId }) => parentId === id).flatMap((child) => descendants(providers, child.id)),
  ];
}

function moved(
  row: ProviderRow,
  chosen: ProviderRow,
  parent: ProviderRow | null,
  below: ReadonlySet<number>,
): ProviderRow {
  if (!below.has(row.id)) return row;
  const rootId = parent?.rootId ?? chosen.id;
  return { ...row, rootId, parentId: row.id === chosen.id ? (parent?.id ?? null) : row.parentId };
}
