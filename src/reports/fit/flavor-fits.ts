// Which hosts have room for one more instance of a flavor, and what hinders the others: by what placement says of each
// tree and by the host's status. Filters are not asked, for most of them need an image, a project or a server group.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { findInventory, renderRejection, TreeFit } from '../../placement/candidate-search';
import type { ProviderGraph, ResourceRequest, Tree } from '../../placement/candidate-search';
import { queryFault } from '../../platform/values/field-fault';
import type { Walk } from '../../platform/values/walk';
import { FlavorRequests } from '../../scheduler/decide/flavor-requests';
import type { FlavorRequest } from '../../scheduler/decide/flavor-requests';
import { isUsable } from '../../scheduler/cloud/host-status';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';

/** Requests of flavors for which it is remembered which trees have room. */
const FLAVOR_VERDICTS_KEPT = 16;

/** Trees judged between two chances of others. */
const TREES_PER_STEP = 100;
/** The same of trees whose verdict is known. */
const TREES_LOOKED_UP_PER_STEP = 2_000;

export interface FlavorVerdict {
  readonly flavor: FlavorRequest['flavor'];
  /** One sentence each; none where it fits. */
  readonly hinders: readonly string[];
}

/** What placement is asked for a flavor. */
interface FlavorQuery {
  readonly request: ResourceRequest;
  readonly fallback: ResourceRequest | null;
}

/** With what is known of trees that were judged by what it asks before. */
export interface AskedFlavor extends FlavorQuery {
  readonly verdicts: Verdicts;
}

/** Whether trees have room, for the requests that were asked about last: to judge 10 000 trees takes 60 ms of CPU. */
class Verdicts {
  private readonly byRequest = new LRUCache<string, WeakMap<Tree, boolean>>({ max: FLAVOR_VERDICTS_KEPT });

  of(request: ResourceRequest): WeakMap<Tree, boolean> {
    const text = textOf(request);
    let verdicts = this.byRequest.get(text);
    if (verdicts === undefined) this.byRequest.set(text, (verdicts = new WeakMap()));
    return verdicts;
  }
}

@Injectable()
export class FlavorFits {
  private readonly verdicts = new Verdicts();

  constructor(private readonly flavors: FlavorRequests) {}

  /** The registered flavors, `most` of them; `isCut`: there are more. */
  async some(most: number): Promise<{ readonly flavors: readonly FlavorRequest[]; readonly isCut: boolean }> {
    const { flavors, isCut } = await this.flavors.all();
    return { flavors: flavors.slice(0, most), isCut: isCut || flavors.length > most };
  }

  /** What the flavor asks for that a parameter names. Throws InvalidInput where there is none, or it asks for nonsense. */
  async named(parameter: string, idOrName: string): Promise<AskedFlavor> {
    const found = await this.flavors.named(idOrName);
    if (found === undefined) throw queryFault(parameter, `names no flavor: '${idOrName}'`);
    const { request, fallback, error } = found;
    if (request === null) throw queryFault(parameter, `names a flavor that is refused: ${error ?? ''}`);
    return { request, fallback, verdicts: this.verdicts };
  }
}

/** By position, 1 for each of the hosts that has room for one now, and takes it. They are given in the order of their roots. */
export function* hostsThatFit(
  graph: ProviderGraph,
  hosts: readonly CloudHost[],
  { request, fallback, verdicts }: AskedFlavor,
): Walk<Uint8Array> {
  const inForce = yield* requestInForce(graph, { request, fallback });
  const fit = new TreeFit(graph, inForce);
  const known = verdicts.of(inForce);
  const fits = new Uint8Array(hosts.length);
  let judged = 0;
  for (const [at, { tree, status }] of hosts.entries()) {
    if (at % TREES_LOOKED_UP_PER_STEP === TREES_LOOKED_UP_PER_STEP - 1) yield;
    if (!isUsable(status)) continue;
    let verdict = known.get(tree);
    if (verdict === undefined) {
      if ((judged += 1) % TREES_PER_STEP === 0) yield;
      verdict = fit.fits(tree);
      // What others share with it may be another without its being so.
      if (!tree.aggregates.some((aggregate) => graph.sharingInAggregate(aggregate).length > 0))
        known.set(tree, verdict);
    }
    if (verdict) fits[at] = 1;
  }
  return fits;
}

/** What hinders each of the flavors on this one host. */
export function* verdictsOn(
  graph: ProviderGraph,
  host: CloudHost,
  flavors: readonly FlavorRequest[],
): Walk<readonly FlavorVerdict[]> {
  const verdicts: FlavorVerdict[] = [];
  for (const { flavor, request, fallback, error } of flavors) {
    yield;
    const hinders = new Set<string>();
    if (!isUsable(host.status) && host.statusReason !== null) hinders.add(host.statusReason);
    if (request === null) hinders.add(error ?? '');
    else {
      const fit = new TreeFit(graph, yield* requestInForce(graph, { request, fallback }));
      const rejection = fit.rejection(host.tree);
      if (rejection !== null) hinders.add(renderRejection(rejection));
    }
    verdicts.push({ flavor, hinders: [...hinders] });
  }
  return verdicts;
}

/** The second query is sent when no tree at all meets the first. */
export function* requestInForce(graph: ProviderGraph, { request, fallback }: FlavorQuery): Walk<ResourceRequest> {
  if (fallback === null) return request;
  const first = new TreeFit(graph, request);
  for (const [at, rootId] of rootsToTry(graph, request).entries()) {
    if (at % TREES_PER_STEP === TREES_PER_STEP - 1) yield;
    const tree = graph.findTree(rootId);
    if (tree !== undefined && first.fits(tree)) return request;
  }
  return fallback;
}

/** Whoever can be met at all has every class that nobody shares: the class that the fewest trees have names them. */
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

/** What is asked, as text. */
const textOf = (requests: ResourceRequest | readonly ResourceRequest[]): string =>
  JSON.stringify(requests, (_, value: unknown) => (value instanceof Map ? [...(value as Map<string, number>)] : value));
