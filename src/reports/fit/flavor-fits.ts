// Finds the hosts with room for one more instance of a flavor, and the reasons against the others: from the verdict of
// placement on each tree, and from the host's status. Filters do not run: most of them need an image, a project or a
// server group.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ProviderGraph, ResourceRequest, Tree } from '../../placement/candidate-search';
import {
  failuresText,
  findInventory,
  HostJudge,
  isAbsent,
  PLAIN_WORDING,
  TreeFit,
} from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import type { Caller } from '../../platform/event-loop/caller';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { queryFault } from '../../platform/values/field-fault';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import type { HostStatus } from '../../scheduler/cloud/host-status';
import { isUsable } from '../../scheduler/cloud/host-status';
import type { FlavorRequest } from '../../scheduler/decide/flavor-requests';
import { FlavorRequests } from '../../scheduler/decide/flavor-requests';
import type { Bottleneck } from '../stranded/bottleneck';
import { bottleneckOf } from '../stranded/bottleneck';

/** Requests of flavors for which reasons are cached: to judge 10 000 trees takes 60 ms of CPU. */
const FLAVORS_KEPT = 16;

export interface FlavorVerdict {
  readonly flavor: FlavorRequest['flavor'];
  /** One sentence for each reason; empty if the flavor fits. */
  readonly hinders: readonly string[];
}

/** The placement requests of a flavor. */
interface AskedFlavor {
  readonly request: ResourceRequest;
  readonly fallback: ResourceRequest | null;
}

/** Why a flavor does not fit on a host. */
export type UnfitReason = Bottleneck | { readonly kind: 'status'; readonly name: HostStatus };

@Injectable()
export class FlavorFits {
  private readonly reasons = new LRUCache<string, WeakMap<Tree, Bottleneck | null>>({ max: FLAVORS_KEPT });

  constructor(private readonly flavors: FlavorRequests) {}

  /** At most `most` registered flavors; `isCut`: there are more. */
  async some(most: number): Promise<{ readonly flavors: readonly FlavorRequest[]; readonly isCut: boolean }> {
    const { flavors, isCut } = await this.flavors.all();
    return { flavors: flavors.slice(0, most), isCut: isCut || flavors.length > most };
  }

  /** The query of a flavor that a parameter names. Throws InvalidInput for an unknown flavor or an invalid request. */
  async named(parameter: string, idOrName: string): Promise<AskedFlavor> {
    const found = await this.flavors.named(idOrName);
    if (found === undefined) throw queryFault(parameter, `names no flavor: '${idOrName}'`);
    const { request, fallback, error } = found;
    if (request === null) throw queryFault(parameter, `names a flavor that is refused: ${error ?? ''}`);
    return { request, fallback };
  }

  /** By position: why the host cannot take one more instance now; null: it can. Hosts are in the order of their roots. */
  async reasonsAgainst(
    { request: first, fallback }: AskedFlavor,
    { graph, hosts }: Pick<Cloud, 'graph' | 'hosts'>,
    caller: Caller,
  ): Promise<readonly (UnfitReason | null)[]> {
    const request = await requestInForce(graph, first, fallback, caller);
    const judge = new HostJudge(graph, request);
    const key = textOf(request);
    const known = this.reasons.get(key) ?? new WeakMap<Tree, Bottleneck | null>();
    this.reasons.set(key, known);
    const reasonAgainst = (tree: Tree): Bottleneck | null => {
      const before = known.get(tree);
      if (before !== undefined) return before;
      const failures = judge.judge(tree)?.failures ?? [];
      // What the host does not have, before what is used up.
      const failure =
        failures.find(isAbsent) ??
        failures.find(({ condition, isNever }) => isNever || condition.kind !== 'resource') ??
        failures[0];
      const reason = failure === undefined ? null : bottleneckOf(failure);
      // Sharing providers can change while the tree itself does not.
      if (!tree.aggregates.some((each) => graph.sharingInAggregate(each).length > 0)) known.set(tree, reason);
      return reason;
    };
    const reasons: (UnfitReason | null)[] = [];
    const explain = ({ tree, status }: CloudHost): void =>
      void reasons.push(isUsable(status) ? reasonAgainst(tree) : { kind: 'status', name: status });
    await tasks.forEach(hosts, explain, caller);
    return reasons;
  }
}

/**
 * The reasons against each of the flavors on one host: why it accepts nothing, if so, then every condition that it fails.
 */
export async function verdictsOn(
  graph: ProviderGraph,
  { tree, status, statusReason }: CloudHost,
  flavors: readonly FlavorRequest[],
  caller: Caller,
): Promise<readonly FlavorVerdict[]> {
  const inForce = new Map<FlavorRequest, ResourceRequest>();
  for (const asked of flavors) {
    const { request, fallback } = asked;
    if (request !== null) inForce.set(asked, allowingDisabled(await requestInForce(graph, request, fallback, caller)));
  }
  const ofHost = isUsable(status) || statusReason === null ? [] : [statusReason];
  const verdicts: FlavorVerdict[] = [];
  const judge = (asked: FlavorRequest): void => {
    const hinders = new Set(ofHost);
    const request = inForce.get(asked);
    if (request === undefined) hinders.add(asked.error ?? '');
    const judged = request === undefined ? null : new HostJudge(graph, request).judge(tree);
    for (const failure of judged?.failures ?? []) hinders.add(failuresText([failure], PLAIN_WORDING));
    verdicts.push({ flavor: asked.flavor, hinders: [...hinders] });
  };
  await tasks.forEach(flavors, judge, caller);
  return verdicts;
}

/** The status of the host already says that it is disabled; as a trait it would hide what else the flavor fails. */
const allowingDisabled = (request: ResourceRequest): ResourceRequest => ({
  ...request,
  rootForbidden: request.rootForbidden.filter((trait) => trait !== DISABLED_TRAIT),
});

/** The fallback, if no tree meets the first request. */
export async function requestInForce(
  graph: ProviderGraph,
  request: ResourceRequest,
  fallback: ResourceRequest | null,
  caller?: Caller,
): Promise<ResourceRequest> {
  if (fallback === null) return request;
  const first = new TreeFit(graph, request);
  let isMet = false;
  const judge = (rootId: number): void => {
    const tree = isMet ? undefined : graph.findTree(rootId);
    isMet ||= tree !== undefined && first.fits(tree);
  };
  await tasks.forEach(rootsToTry(graph, request), judge, caller);
  return isMet ? request : fallback;
}

/** Roots with the rarest requested class that no sharing provider has: a tree without that class cannot fit. */
function rootsToTry(graph: ProviderGraph, { groups }: ResourceRequest): readonly number[] {
  const sharers = graph.sharingIds.flatMap((id) => graph.findProvider(id) ?? []);
  let fewest = graph.rootIds;
  for (const name of groups.flatMap(({ resources }) => [...resources.keys()])) {
    if (sharers.some((provider) => findInventory(provider, name) !== undefined)) continue;
    const roots = graph.rootsWithClass(name);
    if (roots.length < fewest.length) fewest = roots;
  }
  return fewest;
}

/** The request as a cache key. */
const textOf = (request: ResourceRequest): string =>
  JSON.stringify(request, (_, value: unknown) => (value instanceof Map ? [...(value as Map<string, number>)] : value));
