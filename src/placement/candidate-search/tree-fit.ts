// Whether one request has a candidate under one root: for callers that need a verdict per tree instead of candidates. A
// candidate that a search drops as a repetition counts under each of its anchors.

import { AnchorSearch } from './anchor-search';
import { CandidateMaker } from './candidate-maker';
import type { ProviderGraph, Tree } from './provider-graph';
import type { PreparedQuery, ResourceRequest } from './request-group';
import { prepareQuery } from './request-group';
import { isRootAllowed } from './root-required';
import { SingleProviderTrees } from './single-provider-trees';
import { Work } from './work';

/** A tree that takes more steps (about 10 ms) does not count as fitting. */
const STEPS_PER_TREE_MAX = 100_000;

export class TreeFit {
  private readonly query: PreparedQuery;
  private readonly singles: SingleProviderTrees | null;

  constructor(
    private readonly graph: ProviderGraph,
    request: ResourceRequest,
    private readonly stepsMax = STEPS_PER_TREE_MAX,
  ) {
    const unbounded = { maxCandidates: 1, strategy: 'depth-first', perRoot: 1, randomize: false } as const;
    this.query = prepareQuery(graph, { ...request, ...unbounded });
    this.singles = SingleProviderTrees.of(graph, this.query, new CandidateMaker(this.query));
  }

  /** Trees must be queried in ascending order of their roots. A tree that exceeds the step limit does not fit. */
  fits(tree: Tree): boolean {
    if (!isRootAllowed(tree.root, this.query)) return false;
    if (this.singles?.isSingle(tree) === true) return this.singles.hasCandidate(tree);
    return this.wouldFit(tree);
  }

  /** Like `fits`, in any order, and for a tree that can differ from the one in the graph. */
  wouldFit(tree: Tree): boolean {
    return this.verdictOn(tree) === 'fits';
  }

  /** `given_up`: the search of the tree reached its limit of steps. */
  verdictOn(tree: Tree): 'fits' | 'does_not_fit' | 'given_up' {
    if (!isRootAllowed(tree.root, this.query)) return 'does_not_fit';
    const work = Work.withoutPauses({ stepsPerAnchorMax: this.stepsMax });
    const under = new AnchorSearch(this.graph, tree, this.query, work);
    if (under.match() === 'found' && under.next() === 'found') return 'fits';
    return under.isExhausted ? 'given_up' : 'does_not_fit';
  }
}
