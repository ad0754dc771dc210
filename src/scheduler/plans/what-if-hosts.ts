// The hosts of a snapshot in memory, as a scheduler's ports, with changes that can be undone. States are built from the
// facts, as in the running service, so that cells, devices, instance lists and amounts are right after each change.
import type { Provider, ProviderGraph, UsageChange } from '../../placement/candidate-search';
import { applyUsage, findInventory } from '../../placement/candidate-search';
import { addTo } from '../../platform/values/lists-by-key';
import { ChangedHosts } from '../../scheduling-rules/host-state/changed-hosts';
import { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { PendingInstance } from '../../scheduling-rules/host-state/host-facts';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { TargetNode, WantedTarget } from '../../scheduling-rules/request-spec/target-host';
import { treeOfRoot } from '../adapters/candidate-answer';
import { DirectoryHosts } from '../adapters/directory-hosts';
import type { HostSourceOptions } from '../adapters/resident-host-source';
import type { HostSource } from '../ports';
import type { Shares, SnapshotRows, SnapshotSettings } from './cloud-snapshot';
import type { Locate } from './what-if-groups';

export class WhatIfHosts extends DirectoryHosts<HostSourceOptions> implements HostSource {
  readonly changes: ChangedHosts | null;
  /** No host reports. */
  readonly heartbeats = new ChangedHosts();
  private readonly changed: ChangedHosts;
  private readonly built = new Map<string, HostState | null>();
  private readonly nodes = new Map<string, TargetNode[]>();

  constructor(
    graph: ProviderGraph,
    { services, aggregates }: Pick<SnapshotRows, 'services' | 'aggregates'>,
    private readonly settings: SnapshotSettings,
    /** Uuids of the instances, by root. */
    private readonly instancesAt: Map<string, readonly string[]>,
    private readonly locate: Locate,
  ) {
    const changed = new ChangedHosts();
    super(new HostDirectory(changed), graph, settings.hosts);
    this.changed = changed;
    // With sharing providers, the candidates of a host depend on other trees.
    this.changes = graph.sharingIds.length > 0 ? null : changed;
    this.directory.replaceServices([], services);
    this.directory.replaceAggregates([], aggregates);
    for (const node of super.targets({ host: null, node: null })) {
      for (const name of new Set([node.host, node.node])) addTo(this.nodes, name, node);
    }
  }

  get current(): ProviderGraph {
    return this.graph;
  }

  async refresh(): Promise<void> {}

  override targets({ host, node }: WantedTarget): readonly TargetNode[] {
    const named = host ?? node;
    if (named === null) return super.targets({ host, node });
    const nodes = this.nodes.get(named) ?? [];
    return nodes.filter((each) => (host ?? each.host) === each.host && (node ?? each.node) === each.node);
  }

  /**
   * Adds the amounts, and the arrival (1) or the departure (-1) of the instances: no report counts an arrived one yet, and
   * one can still list a departed one. Returns the undoing.
   */
  apply(shares: Shares, sign: 1 | -1, instances: readonly PendingInstance[]): () => void {
    const { graph } = this;
    const roots = new Set(instances.map(({ hostUuid }) => hostUuid));
    const usage: UsageChange[] = [];
    for (const [uuid, { resources }] of Object.entries(shares)) {
      const provider = graph.findProviderByUuid(uuid);
      if (provider === undefined) continue;
      roots.add(provider.rootUuid);
      for (const [name, amount] of Object.entries(resources)) {
        const inventory = findInventory(provider, name);
        if (inventory === undefined) continue;
        const { id: inventoryId, version } = inventory;
        usage.push({ inventoryId, used: Math.max(0, inventory.used + sign * amount), version: version + 1 });
      }
    }
    this.graph = applyUsage(graph, usage).graph;
    const undoing = instances.map((instance) => this.applyTo(instance, sign === 1));
    this.touch(roots);
    return () => {
      this.graph = graph;
      for (const undo of undoing.reverse()) undo();
      this.touch(roots);
    };
  }

  /** Asks kept hosts of request classes again. */
  touch(roots: Iterable<string>): void {
    for (const root of roots) {
      this.built.delete(root);
      this.changed.changed(root);
    }
  }

  private applyTo(instance: PendingInstance, isArrival: boolean): () => void {
    const { uuid, hostUuid: root } = instance;
    const { directory, instancesAt } = this;
    const instances = instancesAt.get(root) ?? [];
    const others = instances.filter((each) => each !== uuid);
    instancesAt.set(root, isArrival ? [...others, uuid] : others);
    const name = this.graph.findProviderByUuid(root)?.name ?? '';
    const service = directory.find(root)?.service ?? directory.findService(name);
    if (service !== undefined) {
      const pending = service.pending.filter((each) => each.uuid !== uuid);
      const released = service.released.filter((each) => each.uuid !== uuid);
      if (isArrival) pending.push(instance);
      else released.push({ ...instance, releasedAtMs: this.settings.nowMs });
      directory.replaceServices([], [{ ...service, pending, released }]);
    }
    return () => {
      instancesAt.set(root, instances);
      if (service !== undefined) directory.replaceServices([], [service]);
    };
  }

  async hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(instances.flatMap((uuid) => this.locate(uuid) ?? []));
  }

  /** The same hosts for questions that are asked once: no request class is kept for them. */
  withoutChanges(): HostSource {
    return Object.create(this, { changes: { value: null } }) as HostSource;
  }

  async states(
    trees: ReadonlyMap<string, readonly Provider[]>,
    { novaCompat }: { readonly novaCompat: boolean },
  ): Promise<ReadonlyMap<string, HostState>> {
    const { nowMs, isExternal } = this.settings;
    const { pendingTtlSeconds } = this.options;
    const options = { nowMs, pendingTtlSeconds, countsPlacements: !novaCompat, comparesPlacement: !isExternal };
    const states = new Map<string, HostState>();
    for (const uuid of trees.keys()) {
      let state = this.built.get(uuid);
      if (state === undefined) {
        state = this.buildState(uuid, treeOfRoot(this.graph, uuid), this.instancesAt.get(uuid) ?? [], options);
        this.built.set(uuid, state);
      }
      if (state !== null) states.set(uuid, state);
    }
    return states;
  }
}
