// Hosts from memory. The registries' facts follow the change log together with the provider graph; each state is built
// once and cached until one of its inputs changes.
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { loadHostAggregates, loadServices } from '../../compute/host-facts.loader';
import type { RefreshChanges } from '../../placement/allocation-candidates/graph-source';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { FollowedChanges, LogFollower } from '../../placement/allocation-candidates/log-follower';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { Provider } from '../../placement/candidate-search';
import { EMPTY_GRAPH } from '../../placement/candidate-search';
import { Database, WHOLE_LOAD } from '../../platform/database/database';
import type { Caller } from '../../platform/event-loop/caller';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { compareText } from '../../platform/values/text-order';
import type { BuildOptions } from '../../scheduling-rules/host-state/build-host-state';
import { aliveAt, expiryOf } from '../../scheduling-rules/host-state/build-host-state';
import { ChangedHosts } from '../../scheduling-rules/host-state/changed-hosts';
import { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { HostService, HostState } from '../../scheduling-rules/host-state/host-state';
import { isHost } from '../../scheduling-rules/host-state/unreported-hosts';
import type { ConsumerStore, ExternalHostFacts, HostSource, ReportedHosts, ReportedNode, ServiceNow } from '../ports';
import { EXTERNAL_HOST_FACTS, REMOTE_CONSUMERS } from '../ports';
import { treeOfRoot } from './candidate-answer';
import type { HostOptions } from './directory-hosts';
import { DirectoryHosts } from './directory-hosts';
import { ExternalDirectory } from './external-directory';

export interface HostSourceOptions extends HostOptions {
  readonly pendingTtlSeconds: number;
}

export const HOST_SOURCE_OPTIONS = Symbol('scheduler.HostSourceOptions');

type Trees = ReadonlyMap<string, readonly Provider[]>;

/** A state with all inputs it was built from. */
interface Built {
  readonly state: HostState;
  readonly tree: readonly Provider[];
  readonly aggregates: HostState['aggregates'];
  /** For a reported host: its report and Berth's placements; for another host: its instances. */
  readonly from: readonly unknown[];
  readonly expiresAtMs: number;
  readonly countsPlacements: boolean;
}

@Injectable()
export class ResidentHostSource
  extends DirectoryHosts<HostSourceOptions>
  implements HostSource, ReportedHosts, LogFollower, OnModuleInit, OnModuleDestroy
{
  private readonly built = new Map<string, Built>();
  private readonly changedHosts: ChangedHosts;
  readonly heartbeats: ChangedHosts;
  /** Instances of hosts without reports, with the tree for which they were read. */
  private readonly consumers = new Map<string, { tree: readonly Provider[]; instances: readonly string[] }>();

  /** Trees of reported hosts with placements that no report lists, as of the last read of these placements. */
  private readonly placements = new Map<string, readonly Provider[]>();
  /** Fills the directory instead of the registries. */
  private readonly external: ExternalDirectory | null;

  constructor(
    private readonly db: Database,
    private readonly graphs: GraphSource,
    private readonly allocations: AllocationsService,
    @Inject(HOST_SOURCE_OPTIONS) options: HostSourceOptions,
    @Optional() @Inject(EXTERNAL_HOST_FACTS) externalFacts: ExternalHostFacts | null = null,
    @Optional() @Inject(REMOTE_CONSUMERS) private readonly remote: ConsumerStore | null = null,
  ) {
    const [changedHosts, heartbeats] = [new ChangedHosts(), new ChangedHosts()];
    super(new HostDirectory(changedHosts, heartbeats), EMPTY_GRAPH, options);
    this.changedHosts = changedHosts;
    this.heartbeats = heartbeats;
    graphs.listen((refreshed) => this.noteTrees(refreshed));
    this.external =
      externalFacts === null
        ? null
        : new ExternalDirectory(externalFacts, this.directory, db, options.pendingTtlSeconds, remote !== null);
    if (this.external === null) graphs.follow(this);
  }

  onModuleInit(): void {
    this.external?.start();
  }

  onModuleDestroy(): void {
    this.external?.stop();
  }

  async load(): Promise<void> {
    const [services, aggregates] = await this.db.readSnapshot(
      async (sql) => [await loadServices(sql, null), await loadHostAggregates(sql, null)] as const,
      WHOLE_LOAD,
    );
    const directory = new HostDirectory(this.changedHosts, this.heartbeats);
    await tasks.forEach(services, (service) => directory.replaceServices([], [service]));
    directory.replaceAggregates([], aggregates);
    this.directory = directory;
    this.changedHosts.changedAll();
    // The directory already contains placements that were read in the meantime.
    this.placements.clear();
  }

  async apply({ services, hostAggregates }: FollowedChanges): Promise<void> {
    const unread: number[] = [];
    for (const [id, lastSeenUpMs] of services) {
      if (lastSeenUpMs === null || !this.directory.touch(id, lastSeenUpMs)) unread.push(id);
    }
    const ids = [...hostAggregates];
    if (unread.length + ids.length === 0) return;
    const [rows, aggregates] = await this.db.readSnapshot(async (sql) => [
      unread.length === 0 ? [] : await loadServices(sql, unread),
      ids.length === 0 ? [] : await loadHostAggregates(sql, ids),
    ]);
    this.directory.replaceServices(unread, rows);
    if (ids.length > 0) this.directory.replaceAggregates(ids, aggregates);
  }

  async refresh(isNow = false): Promise<void> {
    await this.external?.refresh(isNow);
    this.graph = await this.graphs.current();
  }

  /** With sharing providers, the candidates of a host depend on other trees. */
  get changes(): ChangedHosts | null {
    return this.graph.sharingIds.length > 0 ? null : this.changedHosts;
  }

  expiresAtMs(rootUuid: string): number {
    return this.built.get(rootUuid)?.expiresAtMs ?? Number.POSITIVE_INFINITY;
  }

  private noteTrees({ before, after, changes }: RefreshChanges): void {
    if (changes === null) {
      this.changedHosts.changedAll();
      return;
    }
    const { usages, touched } = changes;
    for (const id of new Set([...usages.map(({ providerId }) => providerId), ...touched])) {
      for (const graph of [before, after]) {
        const root = graph.findTreeOf(id)?.root;
        if (root !== undefined) this.changedHosts.changed(root.uuid);
      }
    }
  }

  servicesNow(hosts: readonly string[]): Promise<ReadonlyMap<string, ServiceNow>> | null {
    return this.external?.servicesNow(hosts) ?? null;
  }

  async hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.remote !== null) {
      const roots = [...(await this.remote.rootsOf(instances)).values()].flat();
      const names = roots.flatMap(({ uuid }) => this.directory.find(uuid)?.service.host ?? []);
      return new Set(names.sort(compareText));
    }
    const providers = new Set([...(await this.allocations.providersOfConsumers(instances)).values()].flat());
    const hosts = new Set<string>();
    for (const id of providers) {
      const root = this.graph.findTreeOf(id)?.root;
      if (root === undefined) continue;
      const entry = this.directory.find(root.uuid);
      if (isHost(root, entry !== undefined, this.options.hostsFromInventory))
        hosts.add(entry?.service.host ?? root.name);
    }
    return new Set([...hosts].sort(compareText));
  }

  *reported(): Iterable<ReportedNode> {
    for (const { host, service } of this.directory.reported) {
      const { stats } = host.report;
      yield { host: service.host, node: host.node, stats, lastSeenUpMs: service.service.lastSeenUpMs };
    }
  }

  nodesOf(serviceId: number): readonly string[] | undefined {
    return this.directory.findServiceById(serviceId)?.hosts.flatMap(({ uuid }) => uuid ?? []);
  }

  *reportedServices(): Iterable<readonly [rootUuid: string, service: HostService]> {
    for (const { service, host } of this.directory.reported) {
      if (host.uuid !== null) yield [host.uuid, service.service];
    }
  }

  facts(): ReturnType<ReportedHosts['facts']> {
    return { services: this.directory.allServices, aggregates: this.directory.aggregateFacts };
  }

  async states(
    requestedTrees: Trees,
    {
      nowMs,
      novaCompat,
      caller,
    }: { readonly nowMs: number; readonly novaCompat: boolean; readonly caller?: Caller | undefined },
  ): Promise<ReadonlyMap<string, HostState>> {
    const options: BuildOptions = {
      nowMs,
      pendingTtlSeconds: this.options.pendingTtlSeconds,
      countsPlacements: !novaCompat,
      comparesPlacement: this.external === null,
    };
    const trees = this.complete(requestedTrees);
    await this.readConsumers(trees);
    if (options.countsPlacements) {
      if (this.external === null) await this.readPlacements(trees);
      else await this.external.readPlacements(trees, nowMs);
    }
    const states = new Map<string, HostState>();
    const add = ([uuid, tree]: readonly [string, readonly Provider[]]): void => {
      const state = this.stateOf(uuid, tree, options);
      if (state !== null) states.set(uuid, state);
    };
    await tasks.forEach(trees, add, caller);
    this.forgetSurplus();
    return states;
  }

  /** Null: the root is not a host. */
  private stateOf(uuid: string, tree: readonly Provider[], options: BuildOptions): HostState | null {
    const entry = this.directory.find(uuid);
    const name = entry?.service.host ?? tree.find(({ parentUuid }) => parentUuid === null)?.name ?? '';
    const found = entry?.service ?? this.directory.findService(name);
    const instances = entry === undefined ? (this.consumers.get(uuid)?.instances ?? []) : [];
    const aggregates = this.directory.aggregatesOf(name);
    const from = [entry?.host.report ?? instances, found?.pending, found?.released];
    const known = this.built.get(uuid);
    const isFresh =
      known !== undefined &&
      isSame(known, { tree, aggregates, from }) &&
      known.expiresAtMs > options.nowMs &&
      known.countsPlacements === options.countsPlacements;
    if (!isFresh) {
      const state = this.buildState(uuid, tree, instances, options);
      if (state === null) return null;
      const expiresAtMs = entry === undefined ? Number.POSITIVE_INFINITY : expiryOf(entry, options);
      this.built.set(uuid, { state, tree, aggregates, from, expiresAtMs, countsPlacements: options.countsPlacements });
      return state;
    }
    const alive = entry === undefined && found !== undefined ? aliveAt(found.service, options.nowMs) : found?.service;
    const service = alive ?? null;
    if (known.state.service === service) return known.state;
    // Only the time of the report changed.
    const state = { ...known.state, service, updatedAtMs: entry?.host.reportedAtMs ?? null };
    this.built.set(uuid, { ...known, state });
    return state;
  }

  /** An empty tree means that Placement was not queried; the graph supplies it. */
  private complete(trees: Trees): Trees {
    if ([...trees.values()].every((tree) => tree.length > 0)) return trees;
    return new Map([...trees].map(([uuid, tree]) => [uuid, tree.length > 0 ? tree : treeOfRoot(this.graph, uuid)]));
  }

  /** A tree is a new object after each change of its usage, so only new trees need a read of instances. */
  private async readConsumers(trees: Trees): Promise<void> {
    const unread: string[] = [];
    for (const [uuid, tree] of trees) {
      if (this.directory.find(uuid) !== undefined) continue;
      const known = this.consumers.get(uuid);
      if (known === undefined || !sameList(known.tree, tree)) unread.push(uuid);
    }
    if (unread.length === 0) return;
    const found = await this.allocations.consumersOfTrees(unread);
    for (const uuid of unread) {
      this.consumers.set(uuid, { tree: trees.get(uuid) ?? [], instances: found.get(uuid) ?? [] });
    }
  }

  /**
   * The Placement API can delete allocations of Berth's placements without notice to other services. The usage of the
   * tree then changes, so the pending placements of such a host are read again.
   */
  private async readPlacements(trees: Trees): Promise<void> {
    const unread = new Map<string, number>();
    for (const [uuid, tree] of trees) {
      const service = this.directory.find(uuid)?.service;
      if (service === undefined || service.pending.length === 0) continue;
      const knownTree = this.placements.get(uuid);
      if (knownTree === undefined || !sameList(knownTree, tree)) unread.set(uuid, service.id);
    }
    if (unread.size === 0) return;
    const ids = [...new Set(unread.values())];
    const rows = await this.db.readSnapshot((sql) => loadServices(sql, ids));
    this.directory.replaceServices(ids, rows);
    for (const uuid of unread.keys()) this.placements.set(uuid, trees.get(uuid) ?? []);
  }

  /** Removes deleted roots once they outnumber the existing ones. */
  private forgetSurplus(): void {
    const exists = (uuid: string): boolean =>
      this.graph.findProviderByUuid(uuid) !== undefined || this.directory.find(uuid) !== undefined;
    const limit = 2 * Math.max(this.graph.rootIds.length, this.directory.size) + 100;
    for (const kept of [this.built, this.consumers, this.placements]) {
      if (kept.size > limit) for (const uuid of kept.keys()) if (!exists(uuid)) kept.delete(uuid);
    }
    this.external?.forget(exists, limit);
  }
}

function isSame(known: Built, now: Pick<Built, 'tree' | 'aggregates' | 'from'>): boolean {
  return known.aggregates === now.aggregates && sameList(known.tree, now.tree) && sameList(known.from, now.from);
}

const sameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one === other || (one.length === other.length && one.every((item, at) => item === other[at]));
