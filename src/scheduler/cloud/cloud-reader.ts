// The cloud as metrics and reports see it at one moment: the provider graph, and for each root what the registries know of
// it as a host. All of it is in memory.
import { Inject, Injectable } from '@nestjs/common';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { ProviderGraph, Tree } from '../../placement/candidate-search';
import { REGISTRIES_CONFIG } from '../../compute/registries.config';
import type { RegistriesConfig } from '../../compute/registries.config';
import { namedZone } from '../../scheduling-rules/host-state/host-state';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { turns } from '../../platform/event-loop/turns';
import type { Caller } from '../../platform/event-loop/caller';
import { REPORTED_HOSTS } from '../ports';
import type { ReportedHosts } from '../ports';
import type { CloudHost } from './cloud-host';
import { statusOf } from './host-status';

/** A single host at one moment. */
export interface SeenHost {
  readonly graph: ProviderGraph;
  readonly atMs: number;
  readonly host: CloudHost;
}

/** One moment of the cloud. */
export interface Cloud {
  readonly graph: ProviderGraph;
  readonly atMs: number;
  /** In the order of the ids of the roots. */
  readonly hosts: readonly CloudHost[];
  readonly hostAggregates: readonly HostAggregate[];
}

@Injectable()
export class CloudReader {
  constructor(
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly reported: ReportedHosts,
    @Inject(REGISTRIES_CONFIG) private readonly config: RegistriesConfig,
  ) {}

  /** Shows every write that was acknowledged before the call. */
  async current(caller?: Caller): Promise<Cloud> {
    const graph = await this.graphs.current();
    const atMs = Date.now();
    const hosts: CloudHost[] = [];
    const add = (rootId: number): void => {
      const tree = graph.findTree(rootId);
      if (tree !== undefined) hosts.push(this.hostOf(tree, atMs));
    };
    await turns.forEach(graph.rootIds, add, caller);
    return { graph, atMs, hosts, hostAggregates: this.reported.hostAggregates() };
  }

  /** The host with this provider in its tree; undefined: there is no such provider. */
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
