// Which hosts have room for one more instance of a flavor, and what hinders the others: by what placement says of each
// tree and by the host's status. Filters are not asked, for most of them need an image, a project or a server group.
import { Injectable } from '@nestjs/common';
import { renderRejection, TreeFit } from '../../candidate-search';
import type { ProviderGraph, ResourceRequest } from '../../candidate-search';
import { queryFault } from '../../domain/field-fault';
import type { Walk } from '../../domain/walk';
import { FlavorRequests } from '../../scheduler/decide/flavor-requests';
import type { FlavorRequest } from '../../scheduler/decide/flavor-requests';
import { isUsable } from '../cloud/host-status';
import type { CloudHost } from '../cloud/reported-cloud';

/** Trees judged between two chances of others. */
const TREES_PER_STEP = 100;

/** What a flavor asks for, in its own words if it can be asked for at all. */
export interface FlavorVerdict {
  readonly flavor: FlavorRequest['flavor'];
  readonly fits: boolean;
  /** One sentence each; empty where it fits. */
  readonly hinders: readonly string[];
}

@Injectable()
export class FlavorFits {
  constructor(private readonly flavors: FlavorRequests) {}

  /** The registered flavors, as many as are judged for one host; `isCut`: there are more. */
  async some(most: number): Promise<{ readonly flavors: readonly FlavorRequest[]; readonly isCut: boolean }> {
    const { flavors, isCut } = await this.flavors.all();
    return { flavors: flavors.slice(0, most), isCut: isCut || flavors.length > most };
  }

  /** The request of the flavor that a parameter names. Throws InvalidInput where there is none, or it asks for nonsense. */
  async named(parameter: string, idOrName: string): Promise<AskedFlavor> {
    const found = await this.flavors.named(idOrName);
    if (found === undefined) throw queryFault(parameter, `names no flavor: '${idOrName}'`);
    const { request, fallback, error } = found;
    if (request === null) throw queryFault(parameter, `names a flavor that no host could take: ${error ?? ''}`);
    return { request, fallback };
  }
}

/** What placement is asked for a flavor. */
export interface AskedFlavor {
  readonly request: ResourceRequest;
  readonly fallback: ResourceRequest | null;
}

/** The hosts that have room for one now and take it, in the order they were given: ascending by root. */
export function* hostsThatFit(
  graph: ProviderGraph,
  hosts: readonly CloudHost[],
  asked: AskedFlavor,
): Walk<ReadonlySet<CloudHost>> {
  const fit = new TreeFit(graph, yield* requestInForce(graph, asked));
  const fitting = new Set<CloudHost>();
  for (const [at, host] of hosts.entries()) {
    if (at % TREES_PER_STEP === TREES_PER_STEP - 1) yield;
    if (isUsable(host.status) && (yield* fit.fits(host.tree))) fitting.add(host);
  }
  return fitting;
}

/** What is said of each flavor for this one host. */
export function* verdictsOn(
  graph: ProviderGraph,
  host: CloudHost,
  flavors: readonly FlavorRequest[],
): Walk<readonly FlavorVerdict[]> {
  const verdicts: FlavorVerdict[] = [];
  for (const { flavor, request, fallback, error } of flavors) {
    yield;
    const hinders = isUsable(host.status) || host.statusReason === null ? [] : [host.statusReason];
    if (request === null) hinders.push(error ?? '');
    else {
      const found = yield* new TreeFit(graph, yield* requestInForce(graph, { request, fallback })).rejection(host.tree);
      const sentence = found === null ? null : renderRejection(found);
      if (sentence !== null && !hinders.includes(sentence)) hinders.push(sentence);
    }
    verdicts.push({ flavor, fits: hinders.length === 0, hinders });
  }
  return verdicts;
}

/** The second query is sent when no tree at all meets the first. */
function* requestInForce(graph: ProviderGraph, { request, fallback }: AskedFlavor): Walk<ResourceRequest> {
  if (fallback === null) return request;
  const first = new TreeFit(graph, request);
  for (const [at, rootId] of graph.rootIds.entries()) {
    if (at % TREES_PER_STEP === TREES_PER_STEP - 1) yield;
    const tree = graph.findTree(rootId);
    if (tree !== undefined && (yield* first.fits(tree))) return request;
  }
  return fallback;
}
