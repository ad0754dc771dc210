// Which anchors see which sharing providers. An anchor is a root under which candidates are built; it sees the
// providers of its own tree and every sharing provider that has an aggregate in common with any of them.

import type { Provider, ProviderGraph, Tree } from './provider-graph';

const NO_PROVIDERS: readonly Provider[] = [];

/** A root under which candidates are built, with the sharing providers of other trees that it sees. */
export class Anchor {
  private found: readonly Provider[] | null = null;

  constructor(
    private readonly graph: ProviderGraph,
    readonly tree: Tree,
  ) {}

  get root(): Provider {
    return this.tree.root;
  }

  /** Sharing providers of other trees that this anchor sees, ascending by id. */
  get sharing(): readonly Provider[] {
    return (this.found ??= sharingSeenBy(this.graph, this.tree));
  }

  owns(provider: Provider): boolean {
    return provider.rootId === this.tree.root.id;
  }
}

/**
 * The number of trees under whose roots a sharing provider can be used, including its own; trees with several members
 * in its aggregates count several times.
 */
export function countAnchorsOf(graph: ProviderGraph, provider: Provider): number {
  let count = 1;
  for (const aggregate of provider.aggregates) count += graph.rootsWithAggregate(aggregate).length;
  return count;
}

/** Every root under which a sharing provider can be used, as ascending lists that can overlap. */
export function anchorsOf(graph: ProviderGraph, provider: Provider): readonly (readonly number[])[] {
  return [[provider.rootId], ...provider.aggregates.map((aggregate) => graph.rootsWithAggregate(aggregate))];
}

function sharingSeenBy(graph: ProviderGraph, tree: Tree): readonly Provider[] {
  let sharing = NO_PROVIDERS;
  for (const aggregate of tree.aggregates) sharing = united(sharing, graph.sharingInAggregate(aggregate));
  for (const provider of sharing) {
    if (provider.rootId === tree.root.id) return sharing.filter(({ rootId }) => rootId !== tree.root.id);
  }
  return sharing;
}

/** Most trees see the sharing providers of a single aggregate; they share its list. */
function united(known: readonly Provider[], others: readonly Provider[]): readonly Provider[] {
  if (others.length === 0 || known === others) return known;
  if (known.length === 0) return others;
  return [...new Set([...known, ...others])].sort((one, other) => one.id - other.id);
}
