// The contract of allocation candidates, written down a second time: slow and obvious. Every way to give every demand
// of every group to any provider is tried, and each complete way is judged by the rules one after another. It works on
// rows and shares nothing with the engine but the types of its input.

import type { CandidateQuery, GraphRows, InventoryRow, ProviderRow, RequestGroup } from '../../src/candidate-search';

/** One complete way: for every demand, in order, the id of the provider that gives it. */
type Way = readonly number[];

interface ModelDemand {
  readonly group: RequestGroup;
  /** Null: the group asks for no resources. */
  readonly resources: readonly (readonly [string, number])[];
}

/** More ways than this are not tried: the caller draws another query. */
export const WAYS_MAX = 20_000;

/** Every candidate as text, or null when there would be too many ways to try. `limit` and the like are ignored. */
export function modelCandidates(rows: GraphRows, query: CandidateQuery): ReadonlySet<string> | null {
  const anchors = modelAnchors(rows, query);
  return anchors === null ? null : new Set([...anchors.values()].flatMap((found) => [...found]));
}

/** The rules that only a complete way can be judged by. */
export const MODEL_RULES = ['traits', 'group_policy', 'same_subtree', 'merged_capacity', 'single_provider_per_tree'];

/** What each root yields, the id of every root included; what several yield stands at each of them. */
export function modelAnchors(
  rows: GraphRows,
  query: CandidateQuery,
  rules: readonly string[] = MODEL_RULES,
): ReadonlyMap<number, ReadonlySet<string>> | null {
  const world = new ModelWorld(rows);
  const demands = query.groups.flatMap((group) => demandsOf(group));
  const anchors = new Map<number, Set<string>>();
  for (const anchor of rows.providers.filter((provider) => provider.id === provider.rootId)) {
    const found = new Set<string>();
    anchors.set(anchor.id, found);
    if (query.rootRequired.some((trait) => !world.hasTrait(anchor.id, trait))) continue;
    if (query.rootForbidden.some((trait) => world.hasTrait(anchor.id, trait))) continue;
    const givers = demands.map((demand) => world.giversOf(demand, anchor));
    if (givers.reduce((ways, ids) => ways * ids.length, 1) > WAYS_MAX) return null;
    for (const way of product(givers)) {
      if (world.isAllowed(way, demands, query, rules)) found.add(world.show(way, demands));
    }
  }
  return anchors;
}

/** The names of the providers to summarise for candidates that consist of these providers. */
export function modelSummarised(rows: GraphRows, givers: ReadonlySet<string>, nestedAware: boolean): string[] {
  const roots = new Set(rows.providers.filter(({ uuid }) => givers.has(uuid)).map(({ rootId }) => rootId));
  return rows.providers
    .filter(({ uuid, rootId }) => (nestedAware ? roots.has(rootId) : givers.has(uuid)))
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

class ModelWorld {
  private readonly byId: ReadonlyMap<number, ProviderRow>;
  private readonly traits: ReadonlyMap<number, readonly string[]>;
  private readonly aggregates: ReadonlyMap<number, readonly string[]>;
  private readonly inventories: ReadonlyMap<number, readonly InventoryRow[]>;
  private readonly anchors: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(private readonly rows: GraphRows) {
    this.byId = new Map(rows.providers.map((provider) => [provider.id, provider]));
    this.traits = collect(rows.traits, ({ trait }) => trait);
    this.aggregates = collect(rows.aggregates, ({ aggregate }) => aggregate);
    this.inventories = collect(rows.inventories, (row) => row);
    this.anchors = new Map(rows.providers.map((provider) => [provider.id, this.findAnchors(provider)]));
  }

  hasTrait(id: number, trait: string): boolean {
    return this.traits.get(id)?.includes(trait) === true;
  }

  /** Who may give the demand under the anchor, each looked at alone. */
  giversOf({ group, resources }: ModelDemand, anchor: ProviderRow): number[] {
    return this.rows.providers
      .filter((provider) => this.anchors.get(provider.id)?.has(anchor.id))
      .filter((provider) =>
        resources.every(([resourceClass, amount]) => this.hasRoom(provider.id, resourceClass, amount, true)),
      )
      .filter((provider) => !group.forbiddenTraits.some((trait) => this.hasTrait(provider.id, trait)))
      .filter((provider) =>
        group.suffix === '' ? this.isUnsuffixedGiver(group, provider, anchor) : this.isGranularGiver(group, provider),
      )
      .map(({ id }) => id);
  }

  isAllowed(way: Way, demands: readonly ModelDemand[], query: CandidateQuery, rules: readonly string[]): boolean {
    return rules.every((rule) => this.keepsRule(rule, way, demands, query));
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

  private isUnsuffixedGiver(group: RequestGroup, provider: ProviderRow, anchor: ProviderRow): boolean {
    if (group.inTree !== null) {
      const wanted = this.rows.providers.find(({ uuid }) => uuid === group.inTree)?.rootId;
      if (provider.rootId !== wanted || anchor.id !== wanted) return false;
    }
    const isForeign = provider.rootId !== anchor.id;
    if (!this.isMember(group, provider.id) && (isForeign || !this.isMember(group, provider.rootId))) return false;
    return !this.isForbiddenMember(group, provider.id) && !this.isForbiddenMember(group, anchor.id);
  }

  private isGranularGiver(group: RequestGroup, provider: ProviderRow): boolean {
    if (group.inTree !== null) {
      const wanted = this.rows.providers.find(({ uuid }) => uuid === group.inTree)?.rootId;
      if (provider.rootId !== wanted) return false;
    }
    if (!group.requiredTraits.every((anyOf) => anyOf.some((trait) => this.hasTrait(provider.id, trait)))) return false;
    return this.isMember(group, provider.id) && !this.isForbiddenMember(group, provider.id);
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
    const givers = way.filter((_, at) => demands[at]?.group === group);
    return group.requiredTraits.every((anyOf) => givers.some((id) => anyOf.some((trait) => this.hasTrait(id, trait))));
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

  /** A sum of several groups need not respect minimum and step: each part did. */
  private hasRoom(id: number, resourceClass: string, amount: number, isSingle: boolean): boolean {
    const row = this.inventories.get(id)?.find((other) => other.resourceClass === resourceClass);
    if (row === undefined || row.used + amount > (row.total - row.reserved) * row.allocationRatio) return false;
    if (amount > row.maxUnit) return false;
    return !isSingle || (amount >= row.minUnit && amount % row.stepSize === 0);
  }

  private aggregatesOf(id: number): readonly string[] {
    return this.aggregates.get(id) ?? [];
  }

  private uuidOf(id: number): string {
    return this.byId.get(id)?.uuid ?? '';
  }
}
