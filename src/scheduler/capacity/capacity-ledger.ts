// What the cloud has, what of it is used, and what is free where something may be placed now: by resource class, by zone
// and by host aggregate. Worked out of the graph in memory when somebody asks, in turns with everybody else's work, and
// kept for a while.
import { Inject, Injectable } from '@nestjs/common';
import { GraphSource } from '../../allocation-candidates/graph-source';
import type { Provider, ProviderGraph, Tree } from '../../candidate-search';
import { DISABLED_TRAIT } from '../../domain/standard-traits';
import { REGISTRIES_CONFIG } from '../../compute/registries.config';
import type { RegistriesConfig } from '../../compute/registries.config';
import { serviceStateOf } from '../../compute/services/service-liveness';
import { METRICS_LIMITS } from '../../config/limits';
import { compareText } from '../../domain/text-order';
import type { Walk } from '../../domain/walk';
import { zoneOf } from '../../scheduling/host-state/host-state';
import type { HostAggregate, HostService } from '../../scheduling/host-state/host-state';
import { turns } from '../../turns/turns';

/** Where a root provider stands as a host. */
export interface HostPlace {
  /** Null: nobody reports for it. */
  readonly service: HostService | null;
  readonly aggregates: readonly HostAggregate[];
}

/** Knows of every root provider whether it is a host; null: it is none. */
export interface HostPlaces {
  place(root: Provider): HostPlace | null;
}

export const HOST_PLACES = Symbol('scheduler.HostPlaces');

/** In units of the resource class. */
export interface CapacityTotals {
  capacity: number;
  used: number;
  /** Capacity that is not used, on hosts that are up and enabled, and on providers that are no hosts. */
  free: number;
}

/** By resource class. */
type ClassTotals = Map<string, CapacityTotals>;

export interface CapacityTable {
  readonly trees: number;
  readonly providers: number;
  readonly inventories: number;
  readonly hosts: { readonly up: number; readonly down: number; readonly disabled: number };
  readonly classes: ReadonlyMap<string, CapacityTotals>;
  readonly zones: ReadonlyMap<string, ReadonlyMap<string, CapacityTotals>>;
  /** By uuid. */
  readonly aggregates: ReadonlyMap<
    string,
    { readonly name: string; readonly classes: ReadonlyMap<string, CapacityTotals> }
  >;
  /** Resource classes that have no line of their own because there are too many. */
  readonly classesLeftOut: number;
}

/** Trees that are looked at between two chances of others. */
const TREES_PER_STEP = 100;

@Injectable()
export class CapacityLedger {
  private kept: { readonly table: CapacityTable; readonly at: number } | undefined;
  private running: Promise<CapacityTable> | undefined;

  constructor(
    private readonly graphs: GraphSource,
    @Inject(HOST_PLACES) private readonly places: HostPlaces,
    @Inject(REGISTRIES_CONFIG) private readonly config: RegistriesConfig,
  ) {}

  /** At most so old as `METRICS_LIMITS` says; those who ask at the same time share one walk. */
  async table(nowMs: number): Promise<CapacityTable> {
    const { kept } = this;
    if (kept !== undefined && performance.now() - kept.at < METRICS_LIMITS.capacityKeptMs) return kept.table;
    this.running ??= this.count(nowMs).finally(() => (this.running = undefined));
    return this.running;
  }

  private async count(nowMs: number): Promise<CapacityTable> {
    const at = performance.now();
    const graph = await this.graphs.current();
    const { config, places } = this;
    const table = await turns.run(capacityWalk(graph, { config, places, nowMs }));
    this.kept = { table, at };
    return table;
  }
}

interface CountedCloud {
  readonly config: Pick<RegistriesConfig, 'serviceDownSeconds' | 'defaultZone'>;
  readonly places: HostPlaces;
  readonly nowMs: number;
}

function* capacityWalk(graph: ProviderGraph, { config, places, nowMs }: CountedCloud): Walk<CapacityTable> {
  const classes: ClassTotals = new Map();
  const zones = new Map<string, ClassTotals>();
  const aggregates = new Map<string, { readonly name: string; readonly classes: ClassTotals }>();
  const hosts = { up: 0, down: 0, disabled: 0 };
  let [providers, inventories] = [0, 0];
  for (const [at, id] of graph.rootIds.entries()) {
    if (at % TREES_PER_STEP === TREES_PER_STEP - 1) yield;
    const tree = graph.findTree(id);
    if (tree === undefined) continue;
    const place = places.place(tree.root);
    const state = place === null ? 'up' : stateOf(tree.root, place, config.serviceDownSeconds, nowMs);
    const sums = [classes];
    if (place !== null) {
      hosts[state] += 1;
      sums.push(totalsOf(zones, zoneOf(place, config.defaultZone)));
      for (const { uuid, name } of place.aggregates) sums.push(aggregateOf(aggregates, uuid, name));
    }
    providers += tree.providers.length;
    inventories += addTree(tree, state === 'up', sums);
  }
  return bounded({ trees: graph.rootIds.length, providers, inventories, hosts, classes, zones, aggregates });
}

function stateOf(
  root: Provider,
  { service }: HostPlace,
  downSeconds: number,
  nowMs: number,
): 'up' | 'down' | 'disabled' {
  if (service?.disabled === true || root.traits.has(DISABLED_TRAIT)) return 'disabled';
  return service === null ? 'up' : serviceStateOf(service, nowMs, downSeconds);
}

function totalsOf(of: Map<string, ClassTotals>, name: string): ClassTotals {
  let totals = of.get(name);
  if (totals === undefined) of.set(name, (totals = new Map<string, CapacityTotals>()));
  return totals;
}

function aggregateOf(
  of: Map<string, { readonly name: string; readonly classes: ClassTotals }>,
  uuid: string,
  name: string,
): ClassTotals {
  let found = of.get(uuid);
  if (found === undefined) of.set(uuid, (found = { name, classes: new Map() }));
  return found.classes;
}

function addTree({ providers }: Tree, isUp: boolean, sums: readonly ClassTotals[]): number {
  let count = 0;
  for (const { inventories } of providers) {
    for (const { resourceClass, capacity, used } of inventories) {
      count += 1;
      const free = isUp ? Math.max(0, capacity - used) : 0;
      for (const sum of sums) {
        const totals = sum.get(resourceClass);
        if (totals === undefined) sum.set(resourceClass, { capacity, used, free });
        else {
          totals.capacity += capacity;
          totals.used += used;
          totals.free += free;
        }
      }
    }
  }
  return count;
}

/** What there is too much of is added up under this name. */
const OTHER_NAMES = '(other)';

type Counted = Omit<CapacityTable, 'classesLeftOut' | 'zones' | 'aggregates'> & {
  readonly zones: ReadonlyMap<string, ClassTotals>;
  readonly aggregates: ReadonlyMap<string, { readonly name: string; readonly classes: ClassTotals }>;
};

/** As many names as the bounds allow, in an order that stays: standard classes first, then by name. */
function bounded({ classes, zones, aggregates, ...rest }: Counted): CapacityTable {
  const names = [...classes.keys()].sort((a, b) => rank(a) - rank(b) || compareText(a, b));
  const shown = new Set(names.slice(0, METRICS_LIMITS.resourceClasses));
  const only = (totals: ReadonlyMap<string, CapacityTotals>): ReadonlyMap<string, CapacityTotals> =>
    new Map([...totals].filter(([name]) => shown.has(name)));
  const zoneNames = [...zones.keys()].sort();
  const keptZones = new Map<string, ClassTotals>();
  for (const [at, name] of zoneNames.entries()) {
    const into = totalsOf(keptZones, at < METRICS_LIMITS.zones ? name : OTHER_NAMES);
    addAll(into, zones.get(name) ?? new Map<string, CapacityTotals>());
  }
  const keptAggregates = new Map<string, { readonly name: string; readonly classes: ClassTotals }>();
  const byName = [...aggregates].sort(([a, one], [b, other]) => compareText(one.name, other.name) || compareText(a, b));
  for (const [at, [uuid, { name, classes: totals }]] of byName.entries()) {
    const isShown = at < METRICS_LIMITS.hostAggregates;
    addAll(aggregateOf(keptAggregates, isShown ? uuid : '', isShown ? name : OTHER_NAMES), totals);
  }
  return {
    ...rest,
    classes: only(classes),
    zones: new Map([...keptZones].map(([name, totals]) => [name, only(totals)])),
    aggregates: new Map([...keptAggregates].map(([uuid, each]) => [uuid, { ...each, classes: only(each.classes) }])),
    classesLeftOut: names.length - shown.size,
  };
}

const rank = (resourceClass: string): number => (resourceClass.startsWith('CUSTOM_') ? 1 : 0);

function addAll(into: ClassTotals, totals: ClassTotals): void {
  for (const [name, { capacity, used, free }] of totals) {
    const known = into.get(name);
    if (known === undefined) into.set(name, { capacity, used, free });
    else {
      known.capacity += capacity;
      known.used += used;
      known.free += free;
    }
  }
}
