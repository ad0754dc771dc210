// Runs one query of one world in the engine and in the model.

import type { CandidateQuery, GraphRows, ProviderGraph } from '../../src/placement/candidate-search';
import { buildGraph, searchCandidates, Work } from '../../src/placement/candidate-search';
import type { Noted } from './candidates-model';
import { modelCandidates } from './candidates-model';
import { showCandidate } from './candidates-shown';

const GRAPHS = new WeakMap<GraphRows, ProviderGraph>();

/** The graph of a world; cached. */
function graphOf(rows: GraphRows): ProviderGraph {
  const graph = GRAPHS.get(rows) ?? buildGraph(rows);
  GRAPHS.set(rows, graph);
  return graph;
}

export function engineCandidates(rows: GraphRows, query: CandidateQuery, env = {}): readonly string[] {
  return searchCandidates(graphOf(rows), query, env).list.map(showCandidate);
}

interface Comparison {
  /** Ascending. */
  readonly expected: readonly string[];
  readonly actual: readonly string[];
  readonly isEqual: boolean;
}

/**
 * The result of the engine with its defaults, and with little or no patience and frequent pauses: small worlds are
 * otherwise searched before its bounds and its cache of failed prefixes apply. Both results must be equal.
 */
function candidatesEitherWay(rows: GraphRows, query: CandidateQuery): readonly string[] {
  const found = engineCandidates(rows, query);
  const work = new Work({ patience: rows.inventories.length % 3 === 0 ? 12 : 0, stepsBetweenPauses: 3 });
  const incomplete = engineCandidates(rows, query, { work });
  return incomplete.join() === found.join() ? found : ['without patience:', ...incomplete];
}

/**
 * With a limit the engine can choose which candidates to return, but not how many. Null if the model would take too
 * long.
 */
export function compare(rows: GraphRows, query: CandidateQuery, noted?: Noted): Comparison | null {
  const found = modelCandidates(rows, query, noted);
  if (found === null) return null;
  const expected = [...found].sort();
  const actual = [...candidatesEitherWay(rows, query)].sort();
  if (query.limit === null) return { expected, actual, isEqual: expected.join() === actual.join() };
  const isPart = actual.every((candidate) => found.has(candidate)) && new Set(actual).size === actual.length;
  return { expected, actual, isEqual: isPart && actual.length === Math.min(query.limit, expected.length) };
}
