// Whether one request has a candidate under one root, and if not, why: for callers that need a verdict per tree instead
// of candidates. A candidate that a search drops as a repetition counts under each of its anchors.

import { AnchorSearch } from './anchor-search';
import { CandidateMaker } from './candidate-maker';
import { explainAnchor } from './explain-anchor';
import type { ProviderGraph, Tree } from './provider-graph';
import type { PreparedQuery, ResourceRequest } from './request-group';
import { prepareQuery } from './request-group';
import { findRootFault } from './root-required';
import { SingleProviderTrees } from './single-provider-trees';
import type { Rejection } from './trace';
import type { WorkBounds } from './work';
import { Work } from './work';

/** A tree that takes more steps (about 10 ms) does not count as fitting. */
const STEPS_PER_TREE_MAX = 100_000;

export class TreeFit {
  private readonly query: PreparedQuery;
  private readonly singles: SingleProviderTrees | null;

  constructor(
    private readonly graph: ProviderGraph,
    request: ResourceRequest,
    private readonly bounds: WorkBounds = {},
  ) {
    const unbounded = { maxCandidates: 1, strategy: 'depth-first', perRoot: 1, randomize: false } as const;
    this.query = prepareQuery(graph, { ...request, ...unbounded });
    this.singles = SingleProviderTrees.of(graph, this.query, new CandidateMaker(this.query));
  }

  /** Trees must be queried in ascending order of their roots. A tree that exceeds the step limit does not fit. */
  fits(tree: Tree): boolean {
    if (findRootFault(tree.root, this.query) !== null) return false;
    if (this.singles?.isSingle(tree) === true) return this.singles.hasCandidate(tree);
    return this.searched(tree).isFound;
  }

  /** Like `fits`, for a tree whose traits and aggregates can differ from those in the graph. */
  wouldFit(tree: Tree): boolean {
    return findRootFault(tree.root, this.query) === null && this.searched(tree).isFound;
  }

  /** Null: the request fits. */
  rejection(tree: Tree): Rejection | null {
    const { root } = tree;
    const fault = findRootFault(root, this.query);
    if (fault !== null) {
      return { root, group: null, stage: 'root', code: fault.code, params: { trait: fault.trait } };
    }
    const { under, work, isFound } = this.searched(tree);
    if (isFound) return null;
    return { root, ...explainAnchor(this.graph, under, this.query, work) };
  }

  /** Searches up to the first candidate. */
  private searched(tree: Tree): { readonly under: AnchorSearch; readonly work: Work; readonly isFound: boolean } {
    const work = Work.withoutPauses({ stepsPerAnchorMax: STEPS_PER_TREE_MAX, ...this.bounds });
    const under = new AnchorSearch(this.graph, tree, this.query, work);
    const isFound = under.match() === 'found' && under.next() === 'found';
    return { under, work, isFound };
  }
}
