// The cause why a flavor fits on no host, in the words of a refusal. The bottlenecks count each host under the first thing
// that it lacks; this counts each host under every condition that it fails.

import type {
  FailedCondition,
  ProviderGraph,
  Rejection,
  ResourceRequest,
  Tree,
} from '../../placement/candidate-search';
import { ConditionChecks, TreeFit } from '../../placement/candidate-search';
import type { Task } from '../../platform/values/task';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { countConditions } from '../../scheduling-rules/pipeline/condition-counts';
import { openingOf } from '../../scheduling-rules/pipeline/condition-words';
import { PLAIN_WORDING } from '../../scheduling-rules/pipeline/wording';

/** Null: no condition, and no small set of conditions, is the cause. */
export function* causeAgainst(
  graph: ProviderGraph,
  request: ResourceRequest,
  { trees, hostAggregates }: { readonly trees: readonly Tree[]; readonly hostAggregates: readonly HostAggregate[] },
): Task<string | null> {
  const checks = new ConditionChecks(graph, request);
  const fit = new TreeFit(graph, request);
  const failed = new Map<number, readonly FailedCondition[]>();
  const rejections: Rejection[] = [];
  for (const tree of trees) {
    yield;
    const { root } = tree;
    const own = checks.failedBy(root.id);
    const [first] = own;
    const rejection = first === undefined ? fit.rejection(tree) : { ...first, root };
    if (rejection === null) continue;
    failed.set(root.id, own);
    rejections.push({ ...rejection, root });
  }
  const names = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
  const wording = { ...PLAIN_WORDING, nameOf: (uuid: string) => names.get(uuid) };
  const { conditions } = checks;
  const hosts = { conditions, rejections, failed, furtherOf: () => [], withFacts: (each: Rejection) => each };
  return openingOf(yield* countConditions(hosts, wording), wording)?.text ?? null;
}
