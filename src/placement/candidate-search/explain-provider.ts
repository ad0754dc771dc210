// The amounts that one provider can give each request group under its own root; if none, the number that is the cause.
// Other trees report what a sharing provider gives under their roots.

import type { Candidates } from './candidate';
import type { EmptyMatch, Reason } from './explain-anchor';
import { explainMatch } from './explain-anchor';
import { hasRoomFor, isAllowedGranular, isAllowedUnsuffixed, mayServeUnder } from './match-group';
import type { Provider, ProviderGraph } from './provider-graph';
import { findInventory } from './provider-graph';
import type { CandidateQuery, Demand } from './request-group';
import { prepareQuery } from './request-group';
import { Anchor } from './sharing';
import { Work } from './work';

/** One slot that the provider could fill: a whole granular group, or one class of the unsuffixed group. */
export interface ProviderPart {
  readonly group: string;
  /** Null: the group as a whole. */
  readonly resourceClass: string | null;
  /** Null: this provider can serve the slot. */
  readonly reason: Reason | null;
}

export function explainProvider(
  graph: ProviderGraph,
  query: CandidateQuery,
  provider: Provider,
): readonly ProviderPart[] {
  const tree = graph.findTree(provider.rootId);
  if (tree === undefined) return [];
  const anchor = new Anchor(graph, tree);
  const work = new Work();
  const parts: ProviderPart[] = [];
  for (const group of prepareQuery(graph, query).groups) {
    const asked = group.isUnsuffixed ? group.demands.map(({ resourceClass }) => resourceClass) : [null];
    for (const resourceClass of asked) {
      const reason = reasonOf(graph, anchor, { group, missing: resourceClass }, provider, work);
      parts.push({ group: group.suffix, resourceClass, reason });
    }
  }
  return parts;
}

/** True when a returned candidate takes from the provider, or maps a resourceless group to it. */
export function occursIn({ list }: Candidates, { id }: Provider): boolean {
  return list.some(({ providers }) => providers.some((provider) => provider.id === id));
}

function reasonOf(
  graph: ProviderGraph,
  anchor: Anchor,
  { group, missing }: EmptyMatch,
  provider: Provider,
  work: Work,
): Reason | null {
  const demands = group.demands.filter((demand) => missing === null || demand.resourceClass === missing);
  const isAllowed = group.isUnsuffixed
    ? mayServeUnder(anchor, group) && isAllowedUnsuffixed(anchor, group, provider)
    : isAllowedGranular(group, provider);
  if (isAllowed && demands.every((demand) => hasRoomOn(provider, demand))) return null;
  const reason = explainMatch(graph, anchor, { group, missing }, work, [provider]);
  // Whether another provider shares the class is not a property of this provider.
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
