// A second implementation of the contract of allocation candidates: slow and obvious. It tries every way to assign
// providers to the demands of all groups and checks each complete way against one rule after another. It works on rows
// and shares only input types with the engine.

import type {
  CandidateQuery,
  GraphRows,
  InventoryRow,
  ProviderRow,
  RequestGroup,
} from '../../src/placement/candidate-search';

/** One complete assignment: for every demand, in order, the id of its provider. */
type Way = readonly number[];

interface ModelDemand {
  readonly group: RequestGroup;
  /** Null: the group requests no resources. */
  readonly resources: readonly (readonly [string, number])[];
}

/** Collects the rules that decided a query, for the coverage of a run. */
export type Noted = Set<string>;

/** Maximum of assignments to try; above it, the caller draws another query. */
const WAYS_MAX = 2_000;

/** Every candidate as text; null if there are too many assignments. Ignores `limit` and similar parameters. */
export function modelCandidates(
  rows: GraphRows,
  query: CandidateQuery,
  noted: Noted = new Set(),
): ReadonlySet<string> | null {
  const anchors = modelAnchors(rows, query, MODEL_RULES, noted);
  if (anchors === null) return null;
  const lists = [...anchors.values()].flatMap((found) => [...found]);
  const candidates = new Set(lists);
  if (candidates.size < lists.length) noted.add('one candidate from several anchors');
  return candidates;
}

/** The rules that apply only to complete assignments. */
export const MODEL_RULES = ['traits', 'group_policy', 'same_subtree', 'merged_capacity', 'single_provider_per_tree'];

/**
 * The candidates of each root, including roots without any; a candidate of several roots appears under each of them.
 */
export function modelAnchors(
  rows: GraphRows,
  query: CandidateQuery,
  rules: readonly string[] = MODEL_RULES,
  noted: Noted = new Set(),
): ReadonlyMap<number, ReadonlySet<string>> | null {
  const world = ModelWorld.of(rows);
  world.noted = noted;
  const demands = query.groups.flatMap((group) => demandsOf(group));
  const anchors = new Map<number, Set<string>>();
  for (const anchor of rows.providers.filter((provider) => provider.id === provider.rootId)) {
    const found = new Set<string>();
    anchors.set(anchor.id, found);
    if (!world.isRootAllowed(anchor, query)) continue;
    const suppliers = demands.map((demand) => world.suppliersOf(demand, anchor));
    if (suppliers.reduce((ways, ids) => ways * ids.length, 1) > WAYS_MAX) return null;
    for (const way of product(suppliers)) {
      if (!world.isAllowed(way, demands, query, rules)) continue;
      found.add(world.show(way, demands));
      if (way.some((id) => world.isForeign(id, anchor))) noted.add('a foreign sharing provider gives');
    }
  }
  return anchors;
}

/** The names of the providers in the summaries of candidates with these suppliers. */
export function modelSummarised(rows: GraphRows, suppliers: ReadonlySet<string>, nestedAware: boolean): string[] {
  const roots = new Set(rows.providers.filter(({ uuid }) => suppliers.has(uuid)).map(({ rootId }) => rootId));
  return rows.providers
    .filter(({ uuid, rootId }) => (nestedAware ? roots.has(rootId) : suppliers.has(uuid)))
    .map(({ uuid }) => uuid)
    .sort();
}

function demandsOf(group: RequestGroup): ModelDemand[] {
  const resources = [...group.resources];
  return group.suffix === '' ? resources.map((demand) => ({ group, resources: [demand] })) : [{ group, resources }];
}

function* product(lists: readonly (readonly number[])[]): Generator<Way> {
  const [first, ...others] = lists;
  if (first === undefined) yield [];
  else for (const id of first) for (const rest of product(others)) yield [id, ...rest];
}

function collect<Row extends { readonly providerId: number }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
): ReadonlyMap<number, readonly Value[]> {
  const collected = new Map<number, Value[]>();
  for (const row of rows) collected.set(row.providerId, [...(collected.get(row.providerId) ?? []), valueOf(row)]);
  return collected;
}

/** The single field of the record that prevents room; undefined if there are several. */
function whyNoRoom({ total, reserved, allocationRatio, used }: InventoryRow, amount: number): string {
  if (amount <= (total - reserved) * allocationRatio) return 'used';
  if (used + amount <= total * allocationRatio) return 'reserved';
  return used + amount <= total - reserved ? 'allocation_ratio' : 'total';
}

const KNOWN = new WeakMap<GraphRows, ModelWorld>();

class ModelWorld {
  noted: Noted = new Set();
  private readonly byId: ReadonlyMap<number, ProviderRow>;
  private readonly traits: ReadonlyMap<number, readonly string[]>;
  private readonly aggregates: ReadonlyMap<number, readonly string[]>;
  private readonly inventories: ReadonlyMap<number, readonly InventoryRow[]>;
  private readonly anchors: ReadonlyMap<number, ReadonlySet<number>>;

  /** Cached, because many queries run on one world. */
  static of(rows: GraphRows): ModelWorld {
    const world = KNOWN.get(rows) ?? new ModelWorld(rows);
    KNOWN.set(rows, world);
    return world;
  }

  private constructor(private readonly rows: GraphRows) {
    this.byId = new Map(rows.providers.map((provider) => [provider.id, provider]));
    this.traits = collect(rows.traits, ({ trait }) => trait);
    this.aggregates = collect(rows.aggregates, ({ aggregate }) => aggregate);
    this.inventories = collect(rows.inventories, (row) => row);
    this.anchors = new Map(rows.providers.map((provider) => [provider.id, this.findAnchors(provider)]));
  }

  hasTrait(id: number, trait: string): boolean {
    return this.traits.get(id)?.includes(trait) === true;
  }

  isForeign(id: number, anchor: ProviderRow): boolean {
    return this.byId.get(id)?.rootId !== anchor.id;
  }

  isRootAllowed(anchor: ProviderRow, query: CandidateQuery): boolean {
    if (query.rootRequired.some((trait) => !this.hasTrait(anchor.id, trait))) return this.refuse('root_required');
    if (query.rootForbidden.some((trait) => this.hasTrait(anchor.id, trait))) return this.refuse('root_required: !');
    return true;
  }

  private refuse(rule: string): false {
    this.noted.add(rule);
    return false;
  }

  /** The providers that can serve the demand under the anchor, each checked separately. */
  suppliersOf({ group, resources }: ModelDemand, anchor: ProviderRow): number[] {
    return this.rows.providers
      .filter((provider) => this.anchors.get(provider.id)?.has(anchor.id))
      .filter((provider) =>
        resources.every(([resourceClass, amount]) => this.hasRoom(provider.id, resourceClass, amount, true)),
      )
      .filter(
        (provider) =>
          !group.forbiddenTraits.some((trait) => this.hasTrait(provider.id, trait)) || this.refuse('forbidden trait'),
      )
      .filter((provider) =>
        group.suffix === '' ? this.mayServeUnsuffixed(group, provider, anchor) : this.mayServeGranular(group, provider),
      )
      .map(({ id }) => id);
  }

  isAllowed(way: Way, demands: readonly ModelDemand[], query: CandidateQuery, rules: readonly string[]): boolean {
    return rules.every((rule) => this.keepsRule(rule, way, demands, query) || this.refuse(rule));
  }

  private keepsRule(rule: string, way: Way, demands: readonly ModelDemand[], query: CandidateQuery): boolean {
    switch (rule) {
      case 'traits':
        return this.hasCollectiveTraits(way, demands);
      case 'group_policy':
        return query.groupPolicy === 'none' || this.isIsolated(way, demands);
      case 'same_subtree':
        return query.sameSubtree.every((suffixes) =>
          this.isOneSubtree(way.filter((_, at) => suffixes.includes(demands[at]?.group.suffix ?? ''))),
        );
      case 'merged_capacity':
        return this.sumsFit(way, demands);
      default:
        return query.nestedAware || this.usesOnePerTree(way);
    }
  }

  show(way: Way, demands: readonly ModelDemand[]): string {
    const sums = [...this.sumsOf(way, demands)]
      .flatMap(([id, each]) =>
        [...each].map(([resourceClass, amount]) => `${this.uuidOf(id)}/${resourceClass}:${amount}`),
      )
      .sort();
    const mappings = new Set(way.map((id, at) => `${demands[at]?.group.suffix ?? ''}>${this.uuidOf(id)}`));
    return `${sums.join(' ')} | ${[...mappings].sort().join(' ')}`;
  }

  private findAnchors(provider: ProviderRow): Set<number> {
    const anchors = new Set([provider.rootId]);
    if (!this.hasTrait(provider.id, 'MISC_SHARES_VIA_AGGREGATE')) return anchors;
    for (const other of this.rows.providers) {
      if (this.aggregatesOf(provider.id).some((aggregate) => this.aggregatesOf(other.id).includes(aggregate))) {
        anchors.add(other.rootId);
      }
    }
    return anchors;
  }

  private mayServeUnsuffixed(group: RequestGroup, provider: ProviderRow, anchor: ProviderRow): boolean {
    if (group.inTree !== null) {
      const wanted = this.rows.providers.find(({ uuid }) => uuid === group.inTree)?.rootId;
      if (provider.rootId !== wanted || anchor.id !== wanted) return this.refuse('in_tree');
    }
    const isForeign = provider.rootId !== anchor.id;
    if (!this.isMember(group, provider.id)) {
      if (!this.isMember(group, provider.rootId)) return this.refuse('member_of');
      if (isForeign) return this.refuse('member_of: a root spans its own tree only');
      this.noted.add('member_of: the root spans the tree');
    }
    if (this.isForbiddenMember(group, provider.id)) return this.refuse('member_of: !');
    return !this.isForbiddenMember(group, anchor.id) || this.refuse('member_of: ! of the root');
  }

  private mayServeGranular(group: RequestGroup, provider: ProviderRow): boolean {
    if (group.inTree !== null) {
      const wanted = this.rows.providers.find(({ uuid }) => uuid === group.inTree)?.rootId;
      if (provider.rootId !== wanted) return this.refuse('in_tree of a granular group');
    }
    if (!group.requiredTraits.every((anyOf) => anyOf.some((trait) => this.hasTrait(provider.id, trait)))) {
      return this.refuse('required of a granular group');
    }
    if (!this.isMember(group, provider.id)) return this.refuse('member_of of a granular group');
    return !this.isForbiddenMember(group, provider.id) || this.refuse('member_of: ! of a granular group');
  }

  private isMember(group: RequestGroup, id: number): boolean {
    return group.memberOf.every((anyOf) => this.aggregatesOf(id).some((aggregate) => anyOf.includes(aggregate)));
  }

  private isForbiddenMember(group: RequestGroup, id: number): boolean {
    return this.aggregatesOf(id).some((aggregate) => group.forbiddenAggregates.includes(aggregate));
  }

  private hasCollectiveTraits(way: Way, demands: readonly ModelDemand[]): boolean {
    const group = demands.find((demand) => demand.group.suffix === '')?.group;
    if (group === undefined) return true;
    const suppliers = way.filter((_, at) => demands[at]?.group === group);
    return group.requiredTraits.every((anyOf) =>
      suppliers.some((id) => anyOf.some((trait) => this.hasTrait(id, trait))),
    );
  }

  private isIsolated(way: Way, demands: readonly ModelDemand[]): boolean {
    const granular = way.filter((_, at) => demands[at]?.group.suffix !== '');
    return new Set(granular).size === granular.length;
  }

  private isOneSubtree(ids: readonly number[]): boolean {
    const unique = [...new Set(ids)];
    return unique.length < 2 || unique.some((top) => unique.every((id) => this.climb(id).includes(top)));
  }

  private climb(id: number): number[] {
    const parentId = this.byId.get(id)?.parentId ?? null;
    return parentId === null ? [id] : [id, ...this.climb(parentId)];
  }

  private sumsFit(way: Way, demands: readonly ModelDemand[]): boolean {
    for (const [id, sums] of this.sumsOf(way, demands)) {
      for (const [resourceClass, amount] of sums) if (!this.hasRoom(id, resourceClass, amount, false)) return false;
    }
    return true;
  }

  private sumsOf(way: Way, demands: readonly ModelDemand[]): ReadonlyMap<number, ReadonlyMap<string, number>> {
    const all = new Map<number, Map<string, number>>();
    for (const [at, id] of way.entries()) {
      for (const [resourceClass, amount] of demands[at]?.resources ?? []) {
        const sums = all.get(id) ?? new Map<string, number>();
        all.set(id, sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount));
      }
    }
    return all;
  }

  private usesOnePerTree(way: Way): boolean {
    const used = this.rows.providers.filter(({ id }) => way.includes(id));
    return new Set(used.map(({ rootId }) => rootId)).size === used.length;
  }

  /** A sum over several groups need not respect minimum and step: each part does. */
  private hasRoom(id: number, resourceClass: string, amount: number, isSingle: boolean): boolean {
    const row = this.inventories.get(id)?.find((other) => other.resourceClass === resourceClass);
    if (row === undefined) return false;
    if (row.used + amount > (row.total - row.reserved) * row.allocationRatio)
      return this.refuse(whyNoRoom(row, amount));
    if (amount > row.maxUnit) return this.refuse(isSingle ? 'max_unit' : 'max_unit of a sum');
    if (!isSingle) return true;
    if (amount < row.minUnit) return this.refuse('min_unit');
    return amount % row.stepSize === 0 || this.refuse('step_size');
  }

  private aggregatesOf(id: number): readonly string[] {
    return this.aggregates.get(id) ?? [];
  }

  private uuidOf(id: number): string {
    return this.byId.get(id)?.uuid ?? '';
  }
}
