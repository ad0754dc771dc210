// Selects the roots to visit. The rarest demand of the query (met by the fewest trees) lists the roots, the other
// demands narrow the list. The result is a superset of the anchors in the answer; matching decides what each anchor
// offers.

import { AscendingIds } from './ascending-ids';
import type { Provider, ProviderGraph } from './provider-graph';
import { findInventory } from './provider-graph';
import type { PreparedGroup, PreparedQuery } from './request-group';
import { anchorsOf, countAnchorsOf } from './sharing';
import type { Work } from './work';

/** Trees that meet a demand themselves, and sharing providers that meet it for other trees. */
interface Suppliers {
  readonly roots: readonly (readonly number[])[];
  readonly sharing: readonly Provider[];
}

/** Iterator over the roots to visit. Law: it contains every anchor of a candidate. */
export class Anchors {
  private at = 0;

  constructor(
    /** Ascending. */
    private readonly rootIds: readonly number[],
    private readonly idSets: readonly AscendingIds[] = [],
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.rootIds.length;
  }

  /** The next root; null at the end, or when a pause is due first. */
  next(work: Work): number | null {
    const { rootIds } = this;
    const first = this.at;
    const end = Math.min(rootIds.length, first + work.pauseAt - work.done);
    for (let at = first; at < end; at += 1) {
      const rootId = rootIds[at];
      if (rootId === undefined || !this.passes(rootId)) continue;
      this.at = at + 1;
      work.done += this.at - first;
      return rootId;
    }
    this.at = Math.max(first, end);
    work.done += this.at - first;
    return null;
  }

  private passes(rootId: number): boolean {
    for (const ids of this.idSets) if (!ids.has(rootId)) return false;
    return true;
  }
}

export function anchorsToVisit(graph: ProviderGraph, query: PreparedQuery, work: Work): Anchors {
  const sharers = allSharers(graph, work);
  const all = graph.rootIds.length;
  let rarest: Suppliers | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  const others: Suppliers[] = [];
  for (const suppliers of demandsOf(graph, query, sharers)) {
    work.done += sharers.length;
    const count = countRoots(graph, suppliers);
    if (count === 0) return new Anchors([]);
    if (count < fewest) {
      if (rarest !== null) others.push(rarest);
      [rarest, fewest] = [suppliers, count];
    } else {
      others.push(suppliers);
    }
  }
  if (rarest === null) return new Anchors(graph.rootIds);
  // The lists do not contain the trees that a sharing provider serves. A list of all trees narrows nothing.
  const narrowing = others.filter(({ roots, sharing }) => sharing.length === 0 && roots[0]?.length !== all);
  return new Anchors(
    unite(graph, rarest, work),
    narrowing.map(({ roots }) => new AscendingIds(roots)),
  );
}

function* demandsOf(graph: ProviderGraph, query: PreparedQuery, sharers: readonly Provider[]): Generator<Suppliers> {
  for (const trait of query.rootRequired) yield { roots: [graph.rootsWithTrait(trait)], sharing: [] };
  for (const group of query.groups) yield* demandsOfGroup(graph, group, sharers);
}

function* demandsOfGroup(
  graph: ProviderGraph,
  group: PreparedGroup,
  sharers: readonly Provider[],
): Generator<Suppliers> {
  if (group.inTree !== null) yield suppliersInTree(group, group.inTree.rootId, sharers);
  for (const { resourceClass } of group.demands) {
    yield {
      roots: [graph.rootsWithClass(resourceClass)],
      sharing: sharers.filter((provider) => findInventory(provider, resourceClass) !== undefined),
    };
  }
  for (const anyOf of group.requiredTraits) {
    yield {
      roots: anyOf.map((trait) => graph.rootsWithTrait(trait)),
      sharing: sharers.filter((provider) => anyOf.some((trait) => provider.traits.has(trait))),
    };
  }
  for (const anyOf of group.memberOf) {
    yield {
      roots: [...anyOf].map((aggregate) => graph.rootsWithAggregate(aggregate)),
      sharing: sharers.filter((provider) => provider.aggregates.some((aggregate) => anyOf.has(aggregate))),
    };
  }
}

/**
 * With `in_tree` on the unsuffixed group no sharing provider serves across trees. With `in_tree` on a granular group a
 * sharing provider of that tree can.
 */
function suppliersInTree(group: PreparedGroup, rootId: number | undefined, sharers: readonly Provider[]): Suppliers {
  if (rootId === undefined) return { roots: [], sharing: [] };
  const sharing = group.isUnsuffixed ? [] : sharers.filter((provider) => provider.rootId === rootId);
  return { roots: [[rootId]], sharing };
}

function countRoots(graph: ProviderGraph, suppliers: Suppliers): number {
  let count = 0;
  for (const ids of suppliers.roots) count += ids.length;
  for (const provider of suppliers.sharing) count += countAnchorsOf(graph, provider);
  return count;
}

function allSharers(graph: ProviderGraph, work: Work): readonly Provider[] {
  const sharers: Provider[] = [];
  for (const id of graph.sharingIds) {
    const provider = graph.findProvider(id);
    if (provider !== undefined) sharers.push(provider);
    work.done += 1;
  }
  return sharers;
}

function unite(graph: ProviderGraph, suppliers: Suppliers, work: Work): readonly number[] {
  let lists = [...suppliers.roots];
  for (const provider of suppliers.sharing) for (const list of anchorsOf(graph, provider)) lists.push(list);
  while (lists.length > 1) {
    const fewer: (readonly number[])[] = [];
    for (let at = 0; at < lists.length; at += 2) {
      fewer.push(merged(lists[at] ?? [], lists[at + 1] ?? [], work));
    }
    lists = fewer;
  }
  return lists[0] ?? [];
}

/** The union of two ascending lists, without duplicates. */
function merged(first: readonly number[], second: readonly number[], work: Work): readonly number[] {
  if (second.length === 0 || first === second) return first;
  const ids: number[] = [];
  let [at, other] = [0, 0];
  while (at < first.length || other < second.length) {
    const id = first[at] ?? Number.POSITIVE_INFINITY;
    const otherId = second[other] ?? Number.POSITIVE_INFINITY;
    ids.push(Math.min(id, otherId));
    if (id <= otherId) at += 1;
    if (otherId <= id) other += 1;
    work.done += 1;
  }
  return ids;
}
