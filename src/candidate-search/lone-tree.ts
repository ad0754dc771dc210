// The commonest search of all, without the machinery: one unsuffixed group against a tree that is a single provider and
// sees no sharing one. There is at most one candidate, and everything about it but the provider is the same each time.
// Says exactly what matching and combining would say.

import type { Candidate } from './candidate';
import { hasForbiddenTrait, hasRequiredTraits, hasRoomFor, isInForbiddenAggregate, isMember } from './match-group';
import { findInventory } from './provider-graph';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import type { PreparedGroup, PreparedQuery } from './request-group';

export class LoneTrees {
  /** Shared by all candidates of a search. */
  private readonly resources: ReadonlyMap<string, number>;

  private constructor(
    private readonly graph: ProviderGraph,
    private readonly group: PreparedGroup,
  ) {
    this.resources = new Map(group.demands.map(({ resourceClass, amount }) => [resourceClass, amount]));
  }

  /** Null where the query asks for more than one group, or not for resources of an unsuffixed one. */
  static of(graph: ProviderGraph, query: PreparedQuery): LoneTrees | null {
    const [group] = query.groups;
    if (group === undefined || query.groups.length > 1 || !group.isUnsuffixed || group.demands.length === 0)
      return null;
    return new LoneTrees(graph, group);
  }

  /** The root of the tree, when it is all there is to look at; candidates of a sharing one may come from elsewhere too. */
  isLone(tree: Tree): boolean {
    if (tree.providers.length !== 1 || tree.root.isSharing) return false;
    if (this.graph.sharingIds.length === 0) return true;
    return tree.aggregates.every((aggregate) => this.graph.sharingInAggregate(aggregate).length === 0);
  }

  /** The candidate of a lone tree whose root passed the root traits; null for none. */
  candidateOf(tree: Tree): Candidate | null {
    if (!this.hasCandidate(tree)) return null;
    const { root } = tree;
    return {
      anchorId: root.id,
      allocations: [{ provider: root, resources: this.resources }],
      mappings: new Map([[this.group.suffix, [root.uuid]]]),
    };
  }

  hasCandidate({ root }: Tree): boolean {
    for (const { resourceClass, amount } of this.group.demands) {
      const inventory = findInventory(root, resourceClass);
      if (inventory === undefined || !hasRoomFor(inventory, amount)) return false;
    }
    return this.isAllowed(root);
  }

  private isAllowed(root: Provider): boolean {
    const { group } = this;
    return (
      (group.inTree === null || group.inTree.rootId === root.id) &&
      !hasForbiddenTrait(group, root) &&
      hasRequiredTraits(group, root) &&
      !isInForbiddenAggregate(group, root) &&
      isMember(group, root)
    );
  }
}
