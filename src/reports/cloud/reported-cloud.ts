// The cloud as reports see it at one moment: the provider graph, and for each root what the registries know of it as a
// host. All of it is in memory; reports read the database for single trees only.
import { Inject, Injectable } from '@nestjs/common';
import { GraphSource } from '../../allocation-candidates/graph-source';
import type { ProviderGraph, Tree } from '../../candidate-search';
import { REGISTRIES_CONFIG } from '../../compute/registries.config';
import type { RegistriesConfig } from '../../compute/registries.config';
import type { Walk } from '../../domain/walk';
import type { HostAggregate } from '../../scheduling/host-state/host-state';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import type { KnownHost, ReportedHosts } from '../../scheduler/ports';
import { turns } from '../../turns/turns';
import type { Caller } from '../../turns/turns';
import { statusOf } from './host-status';
import type { HostStatus } from './host-status';

/** A root provider with its tree and what it is as a host. */
export interface CloudHost {
  readonly tree: Tree;
  readonly known: KnownHost;
  /** Null: in none. */
  readonly zone: string | null;
  readonly status: HostStatus;
  readonly statusReason: string | null;
}

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

/** Roots looked at between two chances of others. */
const ROOTS_PER_STEP = 250;

const ZONE = 'availability_zone';

@Injectable()
export class ReportedCloud {
  constructor(
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly reported: ReportedHosts,
    @Inject(REGISTRIES_CONFIG) private readonly config: RegistriesConfig,
  ) {}

  /** Shows every write that was acknowledged before it was asked for. */
  async current(caller?: Caller): Promise<Cloud> {
    const graph = await this.graphs.current();
    const atMs = Date.now();
    return turns.run(this.walk(graph, atMs), caller);
  }

  /** The host with this provider in its tree; undefined: there is no such provider. */
  async find(uuid: string): Promise<SeenHost | undefined> {
    const graph = await this.graphs.current();
    const provider = graph.findProviderByUuid(uuid);
    const tree = provider && graph.findTreeOf(provider.id);
    const atMs = Date.now();
    return tree && { graph, atMs, host: this.hostOf(tree, atMs) };
  }

  private *walk(graph: ProviderGraph, atMs: number): Walk<Cloud> {
    const hosts: CloudHost[] = [];
    for (const [at, id] of graph.rootIds.entries()) {
      if (at % ROOTS_PER_STEP === ROOTS_PER_STEP - 1) yield;
      const tree = graph.findTree(id);
      if (tree !== undefined) hosts.push(this.hostOf(tree, atMs));
    }
    return { graph, atMs, hosts, hostAggregates: this.reported.hostAggregates() };
  }

  private hostOf(tree: Tree, nowMs: number): CloudHost {
    const known = this.reported.known(tree.root);
    const { serviceDownSeconds } = this.config;
    const { status, reason } = statusOf(tree.root, known, { nowMs, serviceDownSeconds });
    return { tree, known, zone: zoneOf(known.aggregates), status, statusReason: reason };
  }
}

/** Hosts of the same aggregates share one list of them. */
const zones = new WeakMap<readonly HostAggregate[], string | null>();

function zoneOf(aggregates: readonly HostAggregate[]): string | null {
  let zone = zones.get(aggregates);
  if (zone === undefined) {
    zone = aggregates.find(({ metadata }) => metadata[ZONE] !== undefined)?.metadata[ZONE] ?? null;
    zones.set(aggregates, zone);
  }
  return zone;
}
