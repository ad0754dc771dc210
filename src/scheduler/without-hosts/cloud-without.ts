// The live cloud at one moment without some hosts, as ports of a scheduler. Claims change this copy only: candidates come
// from a copy of the provider graph, and the states of hosts are charged with the claims made here.
import { applyUsage, findInventory, replaceTrees } from '../../placement/candidate-search';
import type { Provider, ProviderGraph, UsageChange } from '../../placement/candidate-search';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { addTo } from '../../platform/values/lists-by-key';
import { chargeHost } from '../../scheduling-rules/host-state/charge-host';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { treeOfRoot } from '../adapters/candidate-answer';
import type { ClaimRequest, Claims, HostSource, ReferenceSource } from '../ports';

interface Charge {
  readonly claim: ClaimRequest;
  readonly spec: RequestSpec;
}

type Live = Pick<HostSource, 'cloud' | 'targets' | 'hostsOf' | 'serviceOf' | 'states'>;

export class CloudWithout implements HostSource, ReferenceSource, Claims {
  /** By the uuid of the root. */
  private readonly charges = new Map<string, Charge[]>();
  private readonly hostByInstance = new Map<string, string>();
  private unsettled: ClaimRequest[] = [];

  private constructor(
    private graph: ProviderGraph,
    private readonly liveGraph: ProviderGraph,
    private readonly live: Live,
    private readonly references: ReferenceSource,
  ) {}

  /** `roots`: uuids of the root providers that go. */
  static async of(
    liveGraph: ProviderGraph,
    roots: readonly string[],
    live: { readonly hosts: Live; readonly references: ReferenceSource },
  ): Promise<CloudWithout> {
    const ids = roots.flatMap((uuid) => liveGraph.findProviderByUuid(uuid)?.id ?? []);
    const noRows = { providers: [], inventories: [], traits: [], aggregates: [] };
    const graph = await tasks.run(replaceTrees(liveGraph, ids, noRows));
    return new CloudWithout(graph, liveGraph, live.hosts, live.references);
  }

  /** The graph with the usage of the claims so far. */
  async current(): Promise<ProviderGraph> {
    return this.graph;
  }

  /** Charges the hosts of the claims since the last call, for later requests. */
  settle(spec: RequestSpec): void {
    for (const claim of this.unsettled) {
      addTo(this.charges, claim.host.uuid, { claim, spec: { ...spec, instanceUuid: claim.consumerUuid } });
      this.hostByInstance.set(claim.consumerUuid, claim.host.host);
    }
    this.unsettled = [];
  }

  async refresh(): Promise<void> {}

  cloud(): ReturnType<HostSource['cloud']> {
    return this.live.cloud();
  }

  targets(target: Parameters<HostSource['targets']>[0]): ReturnType<HostSource['targets']> {
    return this.live.targets(target);
  }

  serviceOf(root: Pick<Provider, 'uuid' | 'name'>): ReturnType<HostSource['serviceOf']> {
    return this.live.serviceOf(root);
  }

  async hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.live.hostsOf(instances.filter((uuid) => !this.hostByInstance.has(uuid)));
    return new Set([...found, ...this.newHostsOf(instances)]);
  }

  /** The live states, which do not depend on the copy of the graph, with the charges in the order of the claims. */
  async states(
    trees: ReadonlyMap<string, readonly Provider[]>,
    at: Parameters<HostSource['states']>[1],
  ): Promise<ReadonlyMap<string, HostState>> {
    const liveTrees = new Map(Array.from(trees.keys(), (uuid) => [uuid, treeOfRoot(this.liveGraph, uuid)] as const));
    const states = new Map(await this.live.states(liveTrees, at));
    // As in nova, placements that no report lists do not count.
    if (at.novaCompat) return states;
    const { nowMs, novaCompat } = at;
    const charge = ([uuid, charges]: readonly [string, readonly Charge[]]): void => {
      let state = states.get(uuid);
      if (state === undefined) return;
      const summaries = new Map((liveTrees.get(uuid) ?? []).map((provider) => [provider.uuid, provider]));
      for (const { spec, claim } of charges) {
        const { allocations, mappings, placement } = claim;
        const candidate = { rootUuid: uuid, allocations, mappings };
        state = chargeHost(state, { spec, candidate, placement, summaries, novaCompat, nowMs });
      }
      states.set(uuid, state);
    };
    await tasks.forEach(this.charges, charge, at.caller);
    return states;
  }

  namesOf(kind: Parameters<ReferenceSource['namesOf']>[0]): Promise<readonly string[]> {
    return this.references.namesOf(kind);
  }

  async resolve(...asked: Parameters<ReferenceSource['resolve']>): ReturnType<ReferenceSource['resolve']> {
    const found = await this.references.resolve(...asked);
    const { group } = found;
    if (group === null) return found;
    return { ...found, group: { ...group, hosts: new Set([...group.hosts, ...this.newHostsOf(group.members)]) } };
  }

  private newHostsOf(instances: Iterable<string>): readonly string[] {
    return [...instances].flatMap((uuid) => this.hostByInstance.get(uuid) ?? []);
  }

  async claim(requests: readonly ClaimRequest[]): Promise<'claimed'> {
    const changes = new Map<number, UsageChange>();
    for (const { allocations } of requests) {
      for (const [uuid, { resources }] of Object.entries(allocations)) {
        const provider = this.graph.findProviderByUuid(uuid);
        for (const [name, amount] of Object.entries(resources)) {
          const inventory = provider && findInventory(provider, name);
          if (inventory === undefined) continue;
          const { id: inventoryId, version } = inventory;
          const used = (changes.get(inventoryId)?.used ?? inventory.used) + amount;
          changes.set(inventoryId, { inventoryId, used, version: version + 1 });
        }
      }
    }
    this.graph = applyUsage(this.graph, changes.values()).graph;
    this.unsettled.push(...requests);
    return 'claimed';
  }

  async open(): Promise<void> {}
  async held(): Promise<undefined> {}
  async release(): Promise<void> {}
  async finish(): Promise<void> {}
}
