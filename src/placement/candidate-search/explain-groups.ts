// Counts, for each request group, the providers of the whole graph that pass each stage, regardless of their tree. One
// pass over the providers. Law: a group with an empty stage has no candidate; a group without one can still have none.

import { hasForbiddenTrait, hasRequiredTraits, hasRoomFor, isInForbiddenAggregate, isMember } from './match-group';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { findInventory } from './provider-graph';
import type { CandidateQuery, Demand, PreparedGroup } from './request-group';
import { prepareQuery } from './request-group';
import { anchorsOf } from './sharing';

export const GROUP_STAGES = ['class', 'room', 'traits', 'aggregates', 'in_tree'] as const;
export type GroupStage = (typeof GROUP_STAGES)[number];

/** The number of providers that reached a stage, and of those that passed it. */
export interface GroupStageCount {
  readonly stage: GroupStage;
  readonly in: number;
  readonly out: number;
}

interface ExplainedClass {
  readonly resourceClass: string;
  readonly stages: readonly GroupStageCount[];
  readonly firstEmpty: GroupStage | null;
}

export interface ExplainedGroup {
  readonly suffix: string;
  /** Providers that can serve the group; for the unsuffixed group, at least one of its classes. */
  readonly stages: readonly GroupStageCount[];
  /**
   * The first stage that no provider passes; for the unsuffixed group, that no provider passes for one of its classes.
   */
  readonly firstEmpty: GroupStage | null;
  /** The classes of the unsuffixed group, each possibly from a different provider; empty for other groups. */
  readonly classes: readonly ExplainedClass[];
}

/** Counts tree by tree. */
export class ExplainedGroups {
  private readonly counters: readonly GroupCounter[];
  private providers = 0;

  constructor(
    private readonly graph: ProviderGraph,
    query: CandidateQuery,
  ) {
    this.counters = prepareQuery(graph, query).groups.map((group) => new GroupCounter(graph, group));
  }

  count(rootId: number): void {
    const tree = this.graph.findTree(rootId);
    if (tree === undefined) return;
    this.providers += tree.providers.length;
    for (const provider of tree.providers) for (const counter of this.counters) counter.count(tree, provider);
  }

  get groups(): readonly ExplainedGroup[] {
    return this.counters.map((counter) => counter.result(this.providers));
  }
}

/** Histogram of the stages that a provider passes: 0 (not even `class`) to 5 (all). */
class StageCounts {
  private readonly passed = new Array<number>(GROUP_STAGES.length + 1).fill(0);

  add(stages: number): void {
    this.passed[stages] = (this.passed[stages] ?? 0) + 1;
  }

  /** `lost`: a stage that no provider passes, regardless of the counts. */
  result(providers: number, lost: GroupStage | null): readonly GroupStageCount[] {
    let left = providers;
    return GROUP_STAGES.map((stage, at) => {
      const before = left;
      left = stage === lost ? 0 : Math.max(0, left - (this.passed[at] ?? 0));
      return { stage, in: before, out: left };
    });
  }
}

class GroupCounter {
  private readonly all = new StageCounts();
  private readonly perClass: readonly { readonly demand: Demand; readonly counts: StageCounts }[];
  /** Required sets of the unsuffixed group that no provider with room has met yet. */
  private readonly unmet: Set<readonly string[]>;

  constructor(
    private readonly graph: ProviderGraph,
    private readonly group: PreparedGroup,
  ) {
    this.perClass = group.isUnsuffixed ? group.demands.map((demand) => ({ demand, counts: new StageCounts() })) : [];
    this.unmet = new Set(group.isUnsuffixed ? group.requiredTraits : []);
  }

  /** Returns the number of steps. */
  count(tree: Tree, provider: Provider): number {
    const { group } = this;
    if (!group.isUnsuffixed) {
      this.all.add(this.stagesOf(tree, provider, group.demands));
      return 1;
    }
    let most = 0;
    for (const { demand, counts } of this.perClass) {
      const stages = this.stagesOf(tree, provider, [demand]);
      counts.add(stages);
      most = Math.max(most, stages);
    }
    this.all.add(most);
    if (most >= 2 && !hasForbiddenTrait(group, provider)) this.noteTraits(provider);
    return this.perClass.length;
  }

  result(providers: number): ExplainedGroup {
    const lost = this.unmet.size > 0 ? 'traits' : null;
    const stages = this.all.result(providers, lost);
    const classes = this.perClass.map(({ demand, counts }) => {
      const counted = counts.result(providers, lost);
      return { resourceClass: demand.resourceClass, stages: counted, firstEmpty: firstEmptyOf([counted]) };
    });
    const firstEmpty = firstEmptyOf([stages, ...classes.map((each) => each.stages)]);
    return { suffix: this.group.suffix, stages, firstEmpty, classes };
  }

  private stagesOf(tree: Tree, provider: Provider, demands: readonly Demand[]): number {
    const { group } = this;
    let hasAllRoom = true;
    for (const { resourceClass, amount } of demands) {
      const inventory = findInventory(provider, resourceClass);
      if (inventory === undefined) return 0;
      hasAllRoom &&= hasRoomFor(inventory, amount);
    }
    if (!hasAllRoom) return 1;
    if (!this.hasTraits(provider)) return 2;
    if (!this.hasAggregates(tree, provider)) return 3;
    return group.inTree === null || group.inTree.rootId === provider.rootId ? 5 : 4;
  }

  /** A provider that serves all classes alone must have all traits; providers of several classes have them together. */
  private hasTraits(provider: Provider): boolean {
    const { group } = this;
    if (hasForbiddenTrait(group, provider)) return false;
    return (group.isUnsuffixed && group.demands.length > 1) || hasRequiredTraits(group, provider);
  }

  private hasAggregates(tree: Tree, provider: Provider): boolean {
    const { group } = this;
    if (isInForbiddenAggregate(group, provider)) return false;
    const isOwnMember = isMember(group, provider);
    if (!group.isUnsuffixed) return isOwnMember;
    if (!isInForbiddenAggregate(group, tree.root)) return isOwnMember || isMember(group, tree.root);
    return isOwnMember && this.mayServeElsewhere(provider);
  }

  /** A sharing provider can serve under another root even if its own root is in a forbidden aggregate. */
  private mayServeElsewhere(provider: Provider): boolean {
    if (!provider.isSharing) return false;
    for (const rootIds of anchorsOf(this.graph, provider)) {
      for (const rootId of rootIds) {
        const root = this.graph.findTree(rootId)?.root;
        if (root !== undefined && !isInForbiddenAggregate(this.group, root)) return true;
      }
    }
    return false;
  }

  private noteTraits(provider: Provider): void {
    for (const anyOf of this.unmet) if (anyOf.some((trait) => provider.traits.has(trait))) this.unmet.delete(anyOf);
  }
}

/** The earliest stage that is empty in one of the rows. */
function firstEmptyOf(lines: readonly (readonly GroupStageCount[])[]): GroupStage | null {
  return GROUP_STAGES.find((_, at) => lines.some((counts) => counts[at]?.out === 0)) ?? null;
}
