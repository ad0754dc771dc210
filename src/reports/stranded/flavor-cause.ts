// The cause why a flavor fits on no host, in the words of a refusal. The bottlenecks count each host under the first thing
// that it lacks; this counts each host under every condition that it fails.

import type { JudgedHost, ProviderGraph, ResourceRequest, Tree } from '../../placement/candidate-search';
import { HostJudge, PLAIN_WORDING, refusalCause, refusalOf } from '../../placement/candidate-search';
import type { Task } from '../../platform/values/task';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';

/** Null: there are no hosts. */
export function* causeAgainst(
  graph: ProviderGraph,
  request: ResourceRequest,
  { trees, hostAggregates }: { readonly trees: readonly Tree[]; readonly hostAggregates: readonly HostAggregate[] },
): Task<string | null> {
  const judge = new HostJudge(graph, request);
  const hosts: JudgedHost[] = [];
  for (const tree of trees) {
    yield;
    const judged = judge.judge(tree);
    if (judged !== null && judged.failures.length > 0) hosts.push(judged);
  }
  if (hosts.length === 0) return null;
  const names = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
  return refusalCause(yield* refusalOf(hosts), { ...PLAIN_WORDING, nameOf: (uuid) => names.get(uuid) });
}
