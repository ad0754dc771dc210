// From trees to graph: a GraphEdit puts whole trees into the indexes of the next snapshot and shares everything else.
// `buildGraph` is the only way from rows to a graph, for loaders, tests and benchmarks alike.

import { addTo } from '../../platform/values/lists-by-key';
import type { Task } from '../../platform/values/task';
import { forEachInSteps, runToCompletion } from '../../platform/values/task';
import type { GraphParts, Tree } from './provider-graph';
import { EMPTY_GRAPH, hashUuid, idsOf, ProviderGraph, ROOTS, SHARERS } from './provider-graph';
import { SharedLists } from './shared-lists';
import type { Facts, LoadedRows, ProviderRow } from './tree-builder';
import { buildTree } from './tree-builder';

/** The snapshot of exactly these rows. They must include every provider's parent and root. */
export const buildGraph = (rows: LoadedRows): ProviderGraph => runToCompletion(buildGraphInSteps(rows));

/** Like `buildGraph`, with pauses: at 10 000 hosts it takes longer than one task may block the event loop. */
export function* buildGraphInSteps(rows: LoadedRows): Task<ProviderGraph> {
  const shared = new SharedLists();
  const edit = new GraphEdit(EMPTY_GRAPH, shared);
  yield* forEachInSteps(yield* buildTrees(rows, () => true, shared), (tree) => edit.put(tree));
  return edit.done();
}

/**
 * The trees of the rows whose root id passes `isWanted`. A cloud has hundreds of thousands of rows, so they are
 * processed in steps.
 */
export function* buildTrees(
  rows: LoadedRows,
  isWanted: (rootId: number) => boolean,
  shared: SharedLists,
): Task<Tree[]> {
  const members = new Map<number, ProviderRow[]>();
  yield* forEachInSteps(rows.providers, (row) => {
    if (isWanted(row.rootId)) addTo(members, row.rootId, row);
  });
  const facts: Facts = { inventories: new Map(), traits: new Map(), aggregates: new Map(), shared };
  yield* forEachInSteps(rows.inventories, (row) => addTo(facts.inventories, row.providerId, row));
  yield* forEachInSteps(rows.traits, (row) => addTo(facts.traits, row.providerId, row.trait));
  yield* forEachInSteps(rows.aggregates, (row) => addTo(facts.aggregates, row.providerId, row.aggregate));
  const trees: Tree[] = [];
  yield* forEachInSteps(members, ([rootId, providers]) => trees.push(buildTree(rootId, providers, facts)));
  return trees;
}

/** Collects trees to add and to remove; `done` makes the next snapshot. */
export class GraphEdit {
  private readonly trees;
  private readonly rootOf;
  private readonly holderOf;
  private readonly uuids;
  private readonly classes;
  private readonly traits;
  private readonly aggregates;
  private readonly sharing;
  private readonly everything;

  constructor(
    base: ProviderGraph,
    private readonly shared = base.parts.shared,
  ) {
    this.trees = base.parts.trees.edit();
    this.rootOf = base.parts.rootOf.edit();
    this.holderOf = base.parts.holderOf.edit();
    this.uuids = base.parts.uuids.edit();
    this.classes = base.parts.classes.edit();
    this.traits = base.parts.traits.edit();
    this.aggregates = base.parts.aggregates.edit();
    this.sharing = base.parts.sharing.edit();
    this.everything = base.parts.everything.edit();
  }

  put(tree: Tree): void {
    this.trees.set(tree.root.id, tree);
    for (const provider of tree.providers) {
      this.rootOf.set(provider.id, tree.root.id);
      for (const inventory of provider.inventories) this.holderOf.set(inventory.id, provider.id);
      const hash = hashUuid(provider.uuid);
      const others = this.uuids.get(hash);
      this.uuids.set(hash, others === undefined ? provider.id : [...idsOf(others), provider.id]);
    }
    this.fileKeys(tree, 'file');
  }

  /** Removes a whole tree. Trees that take over its providers must be added afterwards. */
  take(tree: Tree): void {
    this.trees.delete(tree.root.id);
    for (const provider of tree.providers) {
      this.rootOf.delete(provider.id);
      for (const inventory of provider.inventories) this.holderOf.delete(inventory.id);
      const hash = hashUuid(provider.uuid);
      const others = idsOf(this.uuids.get(hash)).filter((id) => id !== provider.id);
      const [first] = others;
      if (first === undefined) this.uuids.delete(hash);
      else this.uuids.set(hash, others.length === 1 ? first : others);
    }
    this.fileKeys(tree, 'remove');
  }

  /** Replaces a tree by one with the same providers, classes, traits and aggregates: only usage differs. */
  replaceUsage(tree: Tree): void {
    this.trees.set(tree.root.id, tree);
  }

  done(): ProviderGraph {
    const parts: GraphParts = {
      trees: this.trees.done(),
      rootOf: this.rootOf.done(),
      holderOf: this.holderOf.done(),
      uuids: this.uuids.done(),
      classes: this.classes.done(),
      traits: this.traits.done(),
      aggregates: this.aggregates.done(),
      sharing: this.sharing.done(),
      everything: this.everything.done(),
      shared: this.shared,
    };
    return new ProviderGraph(parts);
  }

  private fileKeys(tree: Tree, change: 'file' | 'remove'): void {
    const rootId = tree.root.id;
    this.everything[change](ROOTS, rootId);
    for (const resourceClass of classesOf(tree)) this.classes[change](resourceClass, rootId);
    for (const trait of traitsOf(tree)) this.traits[change](trait, rootId);
    for (const aggregate of tree.aggregates) this.aggregates[change](aggregate, rootId);
    for (const provider of tree.providers) {
      if (!provider.isSharing) continue;
      this.everything[change](SHARERS, provider.id);
      for (const aggregate of provider.aggregates) this.sharing[change](aggregate, provider.id);
    }
  }
}

function classesOf({ providers, offers }: Tree): Iterable<string> {
  if (offers !== null) return offers.keys();
  return new Set(providers.flatMap(({ inventories }) => inventories.map(({ resourceClass }) => resourceClass)));
}

function traitsOf(tree: Tree): ReadonlySet<string> {
  if (tree.providers.length === 1) return tree.root.traits;
  return new Set(tree.providers.flatMap((provider) => [...provider.traits]));
}
