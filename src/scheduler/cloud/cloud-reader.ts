// A snapshot of the cloud for metrics and reports: the provider graph and, for each root, the registries' facts about
// it as a host. Everything comes from memory.
import { Inject, Injectable } from '@nestjs/common';
import { RegistriesConfig } from '../../compute/registries.config';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { ProviderGraph, Tree } from '../../placement/candidate-search';
import type { Caller } from '../../platform/event-loop/caller';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { namedZone } from '../../scheduling-rules/host-state/host-state';
import type { ReportedHosts } from '../ports';
import { REPORTED_HOSTS } from '../ports';
import type { CloudHost } from './cloud-host';
import { statusOf } from './host-status';

/** One host at one moment. */
export interface SeenHost {
  readonly graph: ProviderGraph;
  readonly atMs: number;
  readonly host: CloudHost;
}

/** The cloud at one moment. */
export interface Cloud {
  readonly graph: ProviderGraph;
  readonly atMs: number;
  /** In order of the ids of the roots. */
  readonly hosts: readonly CloudHost[];
  readonly hostAggregates: readonly HostAggregate[];
}

@Injectable()
export class CloudReader {
  constructor(
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly reported: ReportedHosts,
    private readonly config: RegistriesConfig,
  ) {}

  /** Reflects every write that was acknowledged before the call. */
  async current(caller?: Caller): Promise<Cloud> {
    const graph = await this.graphs.current();
    const atMs = Date.now();
    const hosts: CloudHost[] = [];
    const add = (rootId: number): void => {
      const tree = graph.findTree(rootId);
      if (tree !== undefined) hosts.push(this.hostOf(tree, atMs));
    };
    await tasks.forEach(graph.rootIds, add, caller);
    return { graph, atMs, hosts, hostAggregates: this.reported.hostAggregates() };
  }

  /** The host with this provider in its tree; undefined: the provider does not exist. */
  async find(uuid: string): Promise<SeenHost | undefined> {
    const graph = await this.graphs.current();
    const provider = graph.findProviderByUuid(uuid);
    const tree = provider && graph.findTreeOf(provider.id);
    const atMs = Date.now();
    return tree && { graph, atMs, host: this.hostOf(tree, atMs) };
  }

  private hostOf(tree: Tree, nowMs: number): CloudHost {
    const known = this.reported.known(tree.root);
    const { serviceDownSeconds } = this.config;
    const { status, reason } = statusOf(tree.root, known, { nowMs, serviceDownSeconds });
    return { tree, known, zone: namedZone(known.aggregates) ?? null, status, statusReason: reason };
  }
}
