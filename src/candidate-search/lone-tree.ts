// The commonest search of all, without the machinery: one unsuffixed group against a tree that is a single provider and
// sees no sharing one. There is at most one candidate, and everything about it but the provider is the same each time.
// Says exactly what matching and combining would say.

import { Candidate } from './candidate';
import type { CandidateShape } from './candidate';
import type { CandidateMaker } from './candidate-maker';
import { hasForbiddenTrait, hasRequiredTraits, hasRoomFor, isInForbiddenAggregate, isMember } from './match-group';
import { findInventory } from './provider-graph';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import type { PreparedGroup, PreparedQuery } from './request-group';

export class LoneTrees {
  private constructor(
    private readonly graph: ProviderGraph,
    private readonly group: PreparedGroup,
    private readonly shape: CandidateShape,
  ) {}

  /** Null where the query asks for more than one group, or not for resources of an unsuffixed one. */
  static of(graph: ProviderGraph, query: PreparedQuery, maker: CandidateMaker): LoneTrees | null {
    const [group] = query.groups;
    if (group === undefined || query.groups.length > 1 || !group.isUnsuffixed || group.demands.length === 0)
      return null;
    return new LoneTrees(graph, group, maker.shapeOfOne());
  }

  /** The root of the tree, when it is all there is to look at; candidates of a sharing one may come from elsewhere too. */
  isLone(tree: Tree): boolean {
    if (tree.providers.length !== 1 || tree.root.isSharing) return false;
    if (this.graph.sharingIds.length === 0) return true;
    for (const aggregate of tree.aggregates) if (this.graph.sharingInAggregate(aggregate).length > 0) return false;
    return true;
  }

  /** The candidate of a lone tree whose root passed the root traits; null for none. */
  candidateOf(tree: Tree): Candidate | null {
    return this.hasCandidate(tree) ? new Candidate(tree.root.id, tree.providers, this.shape) : null;
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
