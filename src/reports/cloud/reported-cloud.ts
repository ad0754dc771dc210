// The cloud as reports see it at one moment: the provider graph, and for each root what the registries know of it as a
// host. All of it is in memory; reports read the database for single trees only. What a host is stays the same object until
// something of it is another, so whoever sums hosts or writes them as text needs to look at those only that changed.
import { Inject, Injectable } from '@nestjs/common';
import { GraphSource } from '../../allocation-candidates/graph-source';
import type { ProviderGraph, Tree } from '../../candidate-search';
import { REGISTRIES_CONFIG } from '../../compute/registries.config';
import type { RegistriesConfig } from '../../compute/registries.config';
import { REPORT_LIMITS } from '../../config/limits';
import type { Walk } from '../../domain/walk';
import { namedZone } from '../../scheduling/host-state/host-state';
import type { HostAggregate } from '../../scheduling/host-state/host-state';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import type { HostsMark, ReportedHosts } from '../../scheduler/ports';
import { turns } from '../../turns/turns';
import type { Caller } from '../../shares/caller';
import { statusOf } from './host-status';
import type { CloudHost } from './cloud-host';
import { KeptWhileUsed } from './kept-while-used';
import { RootsInMaking } from './seen-roots';
import type { SeenRoot, SeenRoots } from './seen-roots';

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
const ROOTS_PER_STEP = 1_000;

/** More roots than these are not looked at one by one. */
const ROOTS_PATCHED = 500;

/** All hosts as they were last. */
interface SeenCloud extends SeenRoots {
  readonly graph: ProviderGraph;
  readonly mark: HostsMark;
  readonly atMs: number;
}

@Injectable()
export class ReportedCloud {
  private readonly seen = new KeptWhileUsed<SeenCloud>(REPORT_LIMITS.readModelIdleMs);

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
    return tree && { graph, atMs, host: this.looked(tree, atMs).host };
  }

  private *walk(graph: ProviderGraph, atMs: number): Walk<Cloud> {
    const before = this.seen.get();
    const { mark, keys } = this.reported.changesSince(before?.mark);
    const ids = before && keys && rootsToLookAt(before, { graph, atMs, keys });
    const roots = before && ids ? this.withAnew(before, ids, graph, atMs) : yield* this.all(before, graph, atMs);
    this.seen.set({ ...roots, graph, mark, atMs });
    return { graph, atMs, hosts: roots.hosts, hostAggregates: this.reported.hostAggregates() };
  }

  private *all(before: SeenRoots | undefined, graph: ProviderGraph, atMs: number): Walk<SeenRoots> {
    const made = new RootsInMaking();
    const known = before?.roots ?? [];
    let old = 0;
    for (const [at, id] of graph.rootIds.entries()) {
      if (at % ROOTS_PER_STEP === ROOTS_PER_STEP - 1) yield;
      const tree = graph.findTree(id);
      if (tree === undefined) continue;
      while ((known[old]?.host.tree.root.id ?? id) < id) old += 1;
      made.add(this.seenNow(tree, atMs, known[old]));
    }
    return made.done();
  }

  /** The same as before but for the roots with these ids. */
  private withAnew(before: SeenRoots, ids: Iterable<number>, graph: ProviderGraph, atMs: number): SeenRoots {
    const made = new RootsInMaking(before);
    for (const id of ids) {
      const tree = graph.findTree(id);
      if (tree === undefined) made.remove(id);
      else made.replace(this.seenNow(tree, atMs, made.find(id)));
    }
    return made.done();
  }

  /** `was`: this root when it was looked at before, or another root. */
  private seenNow(tree: Tree, nowMs: number, was: SeenRoot | undefined): SeenRoot {
    if (was?.host.tree !== tree) return this.looked(tree, nowMs);
    const isTimely = was.atMs <= nowMs && nowMs <= was.untilMs;
    return isTimely && this.reported.isStill(tree.root, was.host.known) ? was : this.looked(tree, nowMs);
  }

  private looked(tree: Tree, atMs: number): SeenRoot {
    const known = this.reported.known(tree.root);
    const { serviceDownSeconds } = this.config;
    const { status, reason, untilMs } = statusOf(tree.root, known, { nowMs: atMs, serviceDownSeconds });
    const host = { tree, known, zone: zoneOf(known.aggregates), status, statusReason: reason };
    return { host, atMs, untilMs };
  }
}

/** Ids of the roots of which something may be said that was not before; undefined: too many to be told. */
function rootsToLookAt(
  before: SeenCloud,
  { graph, atMs, keys }: { readonly graph: ProviderGraph; readonly atMs: number; readonly keys: readonly string[] },
): ReadonlySet<number> | undefined {
  // The clock was set back, or time alone made somebody another.
  if (atMs < before.atMs || atMs > before.untilMs) return undefined;
  if (before.unreported.size > 2 * before.roots.length) return undefined;
  const ids = new Set(before.passing);
  for (const key of keys) {
    const id = graph.findProviderByUuid(key)?.rootId ?? before.unreported.get(key);
    if (id !== undefined) ids.add(id);
  }
  for (const id of graph.rootsChangedSince(before.graph)) {
    ids.add(id);
    if (ids.size > ROOTS_PATCHED) return undefined;
  }
  return ids.size > ROOTS_PATCHED ? undefined : ids;
}

/** Hosts of the same aggregates share one list of them. */
const zones = new WeakMap<readonly HostAggregate[], string | null>();

function zoneOf(aggregates: readonly HostAggregate[]): string | null {
  let zone = zones.get(aggregates);
  if (zone === undefined) {
    zone = namedZone(aggregates) ?? null;
    zones.set(aggregates, zone);
  }
  return zone;
}
