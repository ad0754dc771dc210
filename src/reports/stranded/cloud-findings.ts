// The stranded amounts of all hosts, and how many instances still fit. Hosts with the same profile and the same free
// amounts are computed once.

import type { Provider, ProviderGraph, ResourceRequest } from '../../placement/candidate-search';
import type { Task } from '../../platform/values/task';
import { compareText } from '../../platform/values/text-order';
import { classSums } from '../../scheduler/cloud/tree-sums';
import type { Bottleneck } from './bottleneck';
import type { FlavorRoom, HostFindings, HostStranded } from './host-findings';
import { roomForFlavor, strandedOn } from './host-findings';
import type { HostProfile, PlacedTree } from './host-profile';
import { HardwareCatalog, HardwareSurvey, holderOf, placedTree, roomsOf } from './host-profile';
import type { PackingRooms } from './packing';
import { greedyPacking } from './packing';

/** `unusable`: a host that accepts no instances now. `none`: a sharing provider, which is not a host. */
export type FindingsVersion = 'usable' | 'unusable' | 'none';

/** One flavor over all hosts. */
export interface FlavorTotal {
  readonly count: number;
  /** False: `count` is a lower bound. */
  readonly isExact: boolean;
  /** Hosts with room for one more instance. */
  readonly hosts: number;
  /** Hosts by the bottleneck that prevents one more instance. */
  readonly bottlenecks: readonly { readonly bottleneck: Bottleneck; readonly hosts: number }[];
}

export interface CloudFindings {
  /** The stranded amounts of usable hosts, by the id of the root; none without requests, because no flavor is known. */
  readonly hosts: ReadonlyMap<number, readonly HostStranded[]>;
  readonly unusable: number;
  /** One for each request, in the same order. */
  readonly flavors: readonly FlavorTotal[];
}

interface FindingsQuery {
  readonly requests: readonly ResourceRequest[];
  readonly versionOf: (root: Provider) => FindingsVersion;
  /** Maximum number of allocation candidates of one flavor on one profile. */
  readonly candidates: number;
}

export function* findingsOf(
  graph: ProviderGraph,
  { requests, versionOf, candidates }: FindingsQuery,
): Task<CloudFindings> {
  const catalog = new HardwareCatalog(requests);
  const found = new Map<string, HostFindings>();
  const bottlenecks = new Map<string, Bottleneck>();
  const hosts = new Map<number, readonly HostStranded[]>();
  const sums = requests.map((_, flavor) => new FlavorSum(flavor));
  let unusable = 0;
  for (const rootId of graph.rootIds) {
    yield;
    const tree = graph.findTree(rootId);
    const standing = tree === undefined ? 'none' : versionOf(tree.root);
    if (standing === 'unusable') unusable += 1;
    if (tree === undefined || standing !== 'usable' || requests.length === 0) continue;
    const placed = placedTree(graph, tree);
    let hardware = catalog.find(placed);
    if (hardware === undefined) {
      const survey = new HardwareSurvey(graph, placed, candidates);
      for (const request of requests) {
        survey.add(request);
        yield;
      }
      hardware = catalog.add(survey);
    }
    const rooms = roomsOf(placed, hardware);
    const free = Array.from(classSums(tree.providers), ([name, sum]): FreeAmount => [name, sum.free]);
    const key = `${hardware.id} ${rooms.left.join()} ${rooms.most.join()} ${free.join()}`;
    let findings = found.get(key);
    if (findings === undefined) found.set(key, (findings = findingsOn(hardware, rooms, free, bottlenecks)));
    hosts.set(rootId, findings.stranded);
    const host = { hardware, rooms, pools: poolsOf(placed, hardware) };
    for (const sum of sums) sum.add(host, findings);
  }
  return { hosts, unusable, flavors: sums.map((sum) => sum.total) };
}

type FreeAmount = readonly [resourceClass: string, amount: number];

function findingsOn(
  hardware: HostProfile,
  rooms: PackingRooms,
  free: readonly FreeAmount[],
  bottlenecks: Map<string, Bottleneck>,
): HostFindings {
  return {
    stranded: free.map(([name, amount]) => {
      const found = strandedOn(hardware, rooms, name, amount);
      return { ...found, lacks: found.lacks && same(found.lacks, bottlenecks) };
    }),
    flavors: hardware.flavors.map((_, flavor) => roomForFlavor(hardware, flavor, rooms)),
  };
}

/** One object for all equal bottlenecks. */
function same(bottleneck: Bottleneck, known: Map<string, Bottleneck>): Bottleneck {
  const key = `${bottleneck.kind} ${bottleneck.name}`;
  const first = known.get(key) ?? bottleneck;
  known.set(key, first);
  return first;
}

interface HostOfMake {
  readonly hardware: HostProfile;
  readonly rooms: PackingRooms;
  /** For each room of a sharing provider: the name of the pool, the same on all hosts. Null: a room of the host. */
  readonly pools: readonly (string | null)[];
}

const poolsOf = (placed: PlacedTree, { rooms }: HostProfile): HostOfMake['pools'] =>
  rooms.map(({ holder, resourceClass, isOwn }) =>
    isOwn ? null : `${holderOf(holder, placed)?.id ?? ''} ${resourceClass}`,
  );

/** Adds up the total of one flavor. */
class FlavorSum {
  private count = 0;
  private isExact = true;
  private hosts = 0;
  private readonly byBottleneck = new Map<string, { readonly bottleneck: Bottleneck; hosts: number }>();
  /** By pool: the amount that the hosts so far have taken. */
  private readonly taken = new Map<string, number>();

  constructor(private readonly flavor: number) {}

  add(host: HostOfMake, { flavors }: HostFindings): void {
    const alone = flavors[this.flavor];
    if (alone === undefined) return;
    const { count, isExact } = host.hardware.isSharing ? this.behindOthers(host, alone) : alone;
    this.count += count;
    this.isExact &&= isExact;
    if (alone.count > 0) this.hosts += 1;
    const { bottleneck } = alone;
    if (bottleneck === null) return;
    const key = `${bottleneck.kind} ${bottleneck.name}`;
    const known = this.byBottleneck.get(key);
    if (known === undefined) this.byBottleneck.set(key, { bottleneck, hosts: 1 });
    else known.hosts += 1;
  }

  get total(): FlavorTotal {
    const bottlenecks = [...this.byBottleneck.values()].sort(
      (one, other) => other.hosts - one.hosts || compareText(one.bottleneck.name, other.bottleneck.name),
    );
    return { count: this.count, isExact: this.isExact, hosts: this.hosts, bottlenecks };
  }

  /**
   * Hosts that share a pool compete for it: each host gets the amount that the hosts before it leave. This is one
   * possible sequence, so the sum is a lower bound. It is exact if each host gets the amount that it could take alone.
   */
  private behindOthers(
    { hardware, rooms, pools }: HostOfMake,
    alone: FlavorRoom,
  ): Pick<FlavorRoom, 'count' | 'isExact'> {
    const takenOf = (pool: string | null = null): number => (pool === null ? 0 : (this.taken.get(pool) ?? 0));
    const left = rooms.left.map((room, at) => Math.max(0, room - takenOf(pools[at])));
    const packing = greedyPacking({ left, most: rooms.most }, hardware.itemsOf(this.flavor));
    for (const [at, pool] of pools.entries()) {
      if (pool !== null) this.taken.set(pool, takenOf(pool) + (left[at] ?? 0) - (packing.left[at] ?? 0));
    }
    return { count: packing.worth, isExact: alone.isExact && packing.worth === alone.count };
  }
}
