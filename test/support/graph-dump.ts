import type { IdIndex } from '../../src/placement/candidate-search/id-index';
import type { Provider, ProviderGraph } from '../../src/placement/candidate-search/provider-graph';
import { findInTree } from '../../src/placement/candidate-search/provider-graph';
// A graph as plain, ordered data, to compare two snapshots, indexes included.
import { byText } from '../../src/platform/values/text-order';

/** All content of a snapshot, in an order that depends only on the content. */
export function dumpGraph(graph: ProviderGraph): unknown {
  const trees = graph.rootIds.map((rootId) => graph.findTree(rootId));
  return {
    trees: trees.map((tree) => ({
      root: tree?.root.id,
      isRootCurrent: tree !== undefined && findInTree(tree, tree.root.id) === tree.root,
      aggregates: tree?.aggregates,
      offers: [...(tree?.offers ?? [])]
        .map(
          ([resourceClass, offers]) =>
            [resourceClass, offers.flatMap((offer) => offer.inventories.map(({ id }) => id))] as const,
        )
        .sort(byText(([name]) => name)),
      providers: tree?.providers.map((provider) => dumpProvider(graph, provider)),
    })),
    classes: dumpIndex(graph.parts.classes),
    traits: dumpIndex(graph.parts.traits),
    aggregates: dumpIndex(graph.parts.aggregates),
    sharing: dumpIndex(graph.parts.sharing),
    everything: dumpIndex(graph.parts.everything),
  };
}

/** True when both snapshots hold the same facts and the same indexes. */
export function graphEquals(first: ProviderGraph, second: ProviderGraph): boolean {
  return JSON.stringify(dumpGraph(first)) === JSON.stringify(dumpGraph(second));
}

function dumpProvider(graph: ProviderGraph, provider: Provider): unknown {
  return {
    ...provider,
    traits: [...provider.traits],
    inventories: provider.inventories.map((inventory) => ({
      ...inventory,
      holder: graph.parts.holderOf.get(inventory.id) ?? null,
    })),
    foundById: graph.findProvider(provider.id) === provider,
    foundByUuid: graph.findProviderByUuid(provider.uuid) === provider,
  };
}

function dumpIndex(index: IdIndex): unknown {
  return index.keys.map((key) => [key, index.get(key)]);
}
