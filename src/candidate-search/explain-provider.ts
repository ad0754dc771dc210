// What one provider could give each request group under its own root, and if nothing, which of its numbers says no.
// What it gives under other roots, as a sharing provider, is told with those trees.

import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import type { Candidates } from './candidate';
import { explainMatch } from './explain-anchor';
import type { EmptyMatch, Reason } from './explain-anchor';
import { hasRoomFor, isAllowedGranular, isAllowedUnsuffixed, mayServeUnder } from './match-group';
import { findInventory } from './provider-graph';
import type { Provider, ProviderGraph } from './provider-graph';
import { prepareQuery } from './request-group';
import type { CandidateQuery, Demand } from './request-group';
import { Anchor } from './sharing';
import { Work } from './work';

/** One decision of a group that the provider could take: all of a granular group, one class of the unsuffixed one. */
export interface ProviderPart {
  readonly group: string;
  /** Null: the group as a whole. */
  readonly resourceClass: string | null;
  /** Null: the provider can serve it, as far as it alone is concerned. */
  readonly reason: Reason | null;
}

export function explainProvider(
  graph: ProviderGraph,
  query: CandidateQuery,
  provider: Provider,
): readonly ProviderPart[] {
  return finish(explainProviderWalk(graph, query, provider));
}

/** The explanation as a walk that its caller pulls. */
export function* explainProviderWalk(
  graph: ProviderGraph,
  query: CandidateQuery,
  provider: Provider,
  work: Work = new Work(),
): Walk<readonly ProviderPart[]> {
  const tree = graph.findTree(provider.rootId);
  if (tree === undefined) return [];
  const anchor = new Anchor(graph, tree);
  const parts: ProviderPart[] = [];
  for (const group of prepareQuery(graph, query).groups) {
    const asked = group.isUnsuffixed ? group.demands.map(({ resourceClass }) => resourceClass) : [null];
    for (const resourceClass of asked) {
      const reason = yield* reasonOf(graph, anchor, { group, missing: resourceClass }, provider, work);
      parts.push({ group: group.suffix, resourceClass, reason });
    }
  }
  return parts;
}

/** Candidates looked at between two chances to stop. */
const CANDIDATES_PER_STEP = 1_000;

/** True when a returned candidate takes from the provider, or names it for a group without resources. */
export function* occursInWalk({ list }: Candidates, { id }: Provider): Walk<boolean> {
  for (let at = 0; at < list.length; at += 1) {
    if (at % CANDIDATES_PER_STEP === CANDIDATES_PER_STEP - 1) yield;
    for (const provider of list[at]?.providers ?? []) if (provider.id === id) return true;
  }
  return false;
}

function* reasonOf(
  graph: ProviderGraph,
  anchor: Anchor,
  { group, missing }: EmptyMatch,
  provider: Provider,
  work: Work,
): Walk<Reason | null> {
  const demands = group.demands.filter((demand) => missing === null || demand.resourceClass === missing);
  const isAllowed = group.isUnsuffixed
    ? mayServeUnder(anchor, group) && isAllowedUnsuffixed(anchor, group, provider)
    : isAllowedGranular(group, provider);
  if (isAllowed && demands.every((demand) => hasRoomOn(provider, demand))) return null;
  const reason = yield* explainMatch(graph, anchor, { group, missing }, work, [provider]);
  // Who else shares the class is no matter of this provider.
  return reason.stage === 'sharing'
    ? { stage: 'class', code: 'no_inventory', params: { resource_classes: absentFrom(provider, demands) } }
    : reason;
}

function hasRoomOn(provider: Provider, { resourceClass, amount }: Demand): boolean {
  const inventory = findInventory(provider, resourceClass);
  return inventory !== undefined && hasRoomFor(inventory, amount);
}

const absentFrom = (provider: Provider, demands: readonly Demand[]): readonly string[] =>
  demands.flatMap(({ resourceClass }) => (findInventory(provider, resourceClass) === undefined ? [resourceClass] : []));
