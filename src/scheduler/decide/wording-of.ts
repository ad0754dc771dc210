// The words of one decision: names of host aggregates and providers, origins of conditions, templates of filters. All
// are looked up lazily, for the first sentence.

import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import type { BoundFilter } from '../../scheduling-rules/pipeline/bind';
import type { DecisionFacts } from '../../scheduling-rules/pipeline/explanation';
import type { Templates } from '../../scheduling-rules/pipeline/verdict';
import type { Wording } from '../../scheduling-rules/pipeline/wording';
import { ConditionOrigins } from '../../scheduling-rules/request/condition-origins';

interface WordingSources {
  readonly facts: DecisionFacts;
  readonly filters: readonly BoundFilter[];
  readonly hostAggregates: () => readonly HostAggregate[];
  readonly novaCompat: boolean;
}

export function wordingOf({ facts, filters, hostAggregates, novaCompat }: WordingSources): Wording {
  const templates = new Map<string, Templates>(filters.map(({ part }) => [part.name, part.rejections]));
  const origins = facts.request && new ConditionOrigins(facts.request, facts.prefilters, novaCompat);
  let names: ReadonlyMap<string, string> | undefined;
  return {
    originsOf: (condition) => origins?.originsOf(condition) ?? [],
    meaningOf: (aggregates) => origins?.meaningOf(aggregates),
    templatesOf: (filter) => templates.get(filter),
    nameOf: (uuid) => (names ??= namesOf(facts, hostAggregates())).get(uuid),
  };
}

function namesOf(
  { request, placement }: DecisionFacts,
  aggregates: readonly HostAggregate[],
): ReadonlyMap<string, string> {
  return new Map([
    ...(placement?.rejections ?? []).map(({ root }): [string, string] => [root.uuid, root.name]),
    ...aggregates.map(({ uuid, name }): [string, string] => [uuid, name]),
    // The id of a PCI request is the beginning of its request groups.
    ...(request?.pciRequests ?? []).flatMap(({ requestId, aliasName }): [string, string][] =>
      requestId === null || aliasName === null ? [] : [[requestId, aliasName]],
    ),
  ]);
}
