// The words of one decision: names of host aggregates, origins of conditions. All are looked up lazily, for the first
// sentence.

import type { Wording } from '../../placement/candidate-search';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import type { DecisionFacts } from '../../scheduling-rules/pipeline/explanation';
import { ConditionOrigins } from '../../scheduling-rules/request/condition-origins';

interface WordingSources {
  readonly facts: DecisionFacts;
  readonly hostAggregates: () => readonly HostAggregate[];
  readonly novaCompat: boolean;
}

export function wordingOf({ facts, hostAggregates, novaCompat }: WordingSources): Wording {
  const origins = facts.request && new ConditionOrigins(facts.request, facts.prefilters, novaCompat);
  let names: ReadonlyMap<string, string> | undefined;
  return {
    originsOf: (condition) => origins?.originsOf(condition) ?? [],
    meaningOf: (aggregates) => origins?.meaningOf(aggregates),
    nameOf: (uuid) => (names ??= namesOf(facts, hostAggregates())).get(uuid),
  };
}

const namesOf = ({ request }: DecisionFacts, aggregates: readonly HostAggregate[]): ReadonlyMap<string, string> =>
  new Map([
    ...aggregates.map(({ uuid, name }): [string, string] => [uuid, name]),
    // The id of a PCI request is the beginning of its request groups.
    ...(request?.pciRequests ?? []).flatMap(({ requestId, aliasName }): [string, string][] =>
      requestId === null || aliasName === null ? [] : [[requestId, aliasName]],
    ),
  ]);
