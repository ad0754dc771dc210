// The commonest search of all, without the machinery: one unsuffixed group against a tree that is a single provider and
// sees no sharing one. There is at most one candidate, and everything about it but the provider is the same each time.
// Says exactly what the root's traits, matching and combining would say. Traits and aggregates are asked of the graph's
// lists: those of ten thousand roots are ten thousand places of memory (3 ms of the 9 that a decision took).

import { FoundCandidate } from './candidate';
import type { CandidateShape } from './candidate';
import type { CandidateMaker } from './candidate-maker';
import { AscendingIds } from './ascending-ids';
import { hasRoomFor } from './match-group';
import { findInventory } from './provider-graph';
import type { ProviderGraph, Tree } from './provider-graph';
import type { PreparedGroup, PreparedQuery } from './request-group';

/** Of each search its own; its trees are asked about in ascending order. */
export class SingleProviderTrees {
  private readonly seesSharing: boolean;
  /** What a tree has, its only provider has. */
  private readonly required: readonly AscendingIds[];
  private readonly forbidden: AscendingIds;

  private constructor(
    private readonly graph: ProviderGraph,
    private readonly group: PreparedGroup,
    { rootRequired, rootForbidden }: Pick<PreparedQuery, 'rootRequired' | 'rootForbidden'>,
    private readonly shape: CandidateShape,
  ) {
    const withTrait = (trait: string): readonly number[] => graph.rootsWithTrait(trait);
    const inAggregate = (aggregate: string): readonly number[] => graph.rootsWithAggregate(aggregate);
    this.seesSharing = graph.sharingIds.length > 0;
    const traitSets = [...group.requiredTraits, ...rootRequired.map((trait) => [trait])];
    const requiredTraits = traitSets.map((anyOf) => new AscendingIds(anyOf.map(withTrait)));
    const memberOf = group.memberOf.map((anyOf) => new AscendingIds([...anyOf].map(inAggregate)));
    const forbiddenAggregates = [...group.forbiddenAggregates].map(inAggregate);
    this.required = [...requiredTraits, ...memberOf];
    const forbiddenTraits = [...group.forbiddenTraits, ...rootForbidden].map(withTrait);
    this.forbidden = new AscendingIds([...forbiddenTraits, ...forbiddenAggregates]);
  }

  /** Null where the query asks for more than one group, or not for resources of an unsuffixed one. */
  static of(graph: ProviderGraph, query: PreparedQuery, maker: CandidateMaker): SingleProviderTrees | null {
    const [group] = query.groups;
    if (group === undefined || query.groups.length > 1 || !group.isUnsuffixed || group.demands.length === 0)
      return null;
    return new SingleProviderTrees(graph, group, query, maker.shapeOfOne());
  }

  /** The root of the tree, when it is all there is to look at; candidates of a sharing one may come from elsewhere too. */
  isSingle(tree: Tree): boolean {
    if (tree.providers.length !== 1 || tree.root.isSharing) return false;
    if (!this.seesSharing) return true;
    for (const aggregate of tree.aggregates) if (this.graph.sharingInAggregate(aggregate).length > 0) return false;
    return true;
  }

  /** The candidate of a single-provider tree; null for none. */
  candidateOf(tree: Tree): FoundCandidate | null {
    return this.hasCandidate(tree) ? new FoundCandidate(tree.root, tree.providers, this.shape) : null;
  }

  hasCandidate({ root }: Tree): boolean {
    if (!this.isAllowed(root.id)) return false;
    for (const { resourceClass, amount } of this.group.demands) {
      const inventory = findInventory(root, resourceClass);
      if (inventory === undefined || !hasRoomFor(inventory, amount)) return false;
    }
    return true;
  }

  /** The tree that `in_tree` names needs no look: it is the only one that is visited. */
  private isAllowed(rootId: number): boolean {
    for (const ids of this.required) if (!ids.has(rootId)) return false;
    return !this.forbidden.has(rootId);
  }
}
