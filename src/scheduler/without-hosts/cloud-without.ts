// The live cloud at one moment without some hosts, as ports of a scheduler. Placements change this copy only: candidates
// come from a copy of the provider graph, and the states of hosts are charged with what was placed here.
import { applyUsage, findInventory, replaceTrees } from '../../placement/candidate-search';
import type { Candidate, Provider, ProviderGraph, UsageChange } from '../../placement/candidate-search';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { addTo } from '../../platform/values/lists-by-key';
import { chargeHost } from '../../scheduling-rules/host-state/charge-host';
import { placeInstance } from '../../scheduling-rules/host-state/charge-instance';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { treeOfRoot } from '../adapters/candidate-answer';
import type { Placement } from '../claim/placement';
import type { HostSource, ReferenceSource } from '../ports';

interface Charge {
  readonly candidate: Candidate;
  readonly spec: RequestSpec;
}

type Live = Pick<HostSource, 'cloud' | 'targets' | 'hostsOf' | 'serviceOf' | 'states'>;

export class CloudWithout implements HostSource, ReferenceSource {
  /** By the uuid of the root. */
  private readonly charges = new Map<string, Charge[]>();
  private readonly hostByInstance = new Map<string, string>();

  private constructor(
    private graph: ProviderGraph,
    private readonly liveGraph: ProviderGraph,
    private readonly live: Live,
    private readonly references: ReferenceSource,
    private readonly packing: boolean,
  ) {}

  /** `roots`: uuids of the root providers that go. */
  static async of(
    liveGraph: ProviderGraph,
    roots: readonly string[],
    live: { readonly hosts: Live; readonly references: ReferenceSource; readonly packing: boolean },
  ): Promise<CloudWithout> {
    const ids = roots.flatMap((uuid) => liveGraph.findProviderByUuid(uuid)?.id ?? []);
    const noRows = { providers: [], inventories: [], traits: [], aggregates: [] };
    const graph = await tasks.run(replaceTrees(liveGraph, ids, noRows));
    return new CloudWithout(graph, liveGraph, live.hosts, live.references, live.packing);
  }

  /** The graph with the usage of the placements so far. */
  async current(): Promise<ProviderGraph> {
    return this.graph;
  }

  /** Takes the room of these placements, for later requests. */
  take(spec: RequestSpec, placements: readonly Placement[]): void {
    const changes = new Map<number, UsageChange>();
    for (const { instanceUuid, selected } of placements) {
      if (selected === null) continue;
      const { candidate, state } = selected;
      addTo(this.charges, state.uuid, { candidate, spec: { ...spec, instanceUuid } });
      this.hostByInstance.set(instanceUuid, state.host);
      for (const [uuid, { resources }] of Object.entries(candidate.allocations)) {
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

  /** The live states, which do not depend on the copy of the graph, with the charges in the order of the placements. */
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
      for (const { spec, candidate } of charges) {
        const placement = placeInstance(state, spec, { mappings: candidate.mappings, packing: this.packing });
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
}
