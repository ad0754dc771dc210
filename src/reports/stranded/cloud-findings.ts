// The stranded amounts of all hosts, and how many instances still fit. Hosts with the same profile and the same free
// amounts are computed once.

import type { ProviderGraph, ResourceRequest, Tree } from '../../placement/candidate-search';
import { sharingSeen } from '../../placement/candidate-search';
import type { Task } from '../../platform/values/task';
import { compareText } from '../../platform/values/text-order';
import { classSums } from '../../scheduler/cloud/tree-sums';
import type { Bottleneck } from './bottleneck';
import type { FlavorRoom, HostFindings, HostStranded } from './host-findings';
import { roomForFlavor, strandedOn } from './host-findings';
import type { HostProfile, PlacedTree } from './host-profile';
import { holderOf, ProfileCatalog, roomsOf } from './host-profile';
import type { PackingRooms } from './packing';
import { greedyPacking } from './packing';

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
  /** The stranded amounts of the hosts, by the id of the root; none without requests, because no flavor is known. */
  readonly hosts: ReadonlyMap<number, readonly HostStranded[]>;
  /** One for each request, in the same order. */
  readonly flavors: readonly FlavorTotal[];
}

interface FindingsQuery {
  readonly requests: readonly ResourceRequest[];
  /** Of the hosts that accept instances now, in ascending order of their roots. */
  readonly trees: readonly Tree[];
  /** Maximum number of allocation candidates of one flavor on one profile. */
  readonly candidates: number;
}

export function* findingsOf(graph: ProviderGraph, { requests, trees, candidates }: FindingsQuery): Task<CloudFindings> {
  const catalog = new ProfileCatalog(graph, requests, candidates);
  const found = new Map<string, HostFindings>();
  const hosts = new Map<number, readonly HostStranded[]>();
  const sums = requests.map((_, flavor) => new FlavorSum(flavor));
  for (const tree of requests.length === 0 ? [] : trees) {
    yield;
    const placed = { tree, sharing: sharingSeen(graph, tree) };
    const profile = yield* catalog.profileOf(placed);
    const rooms = roomsOf(placed, profile);
    const free = Array.from(classSums(tree.providers), ([name, sum]): FreeAmount => [name, sum.free]);
    const key = `${profile.id} ${rooms.left.join()} ${rooms.most.join()} ${free.join()}`;
    let findings = found.get(key);
    if (findings === undefined) found.set(key, (findings = findingsOn(profile, rooms, free)));
    hosts.set(tree.root.id, findings.stranded);
    const host = { profile, rooms, pools: poolsOf(placed, profile) };
    for (const sum of sums) sum.add(host, findings);
  }
  return { hosts, flavors: sums.map((sum) => sum.total) };
}

type FreeAmount = readonly [resourceClass: string, amount: number];

const findingsOn = (profile: HostProfile, rooms: PackingRooms, free: readonly FreeAmount[]): HostFindings => ({
  stranded: free.map(([name, amount]) => strandedOn(profile, rooms, name, amount)),
  flavors: profile.flavors.map((_, flavor) => roomForFlavor(profile, flavor, rooms)),
});

interface ProfiledHost {
  readonly profile: HostProfile;
  readonly rooms: PackingRooms;
  /** For each room of a sharing provider: the name of the pool, the same on all hosts. Null: a room of the host. */
  readonly pools: readonly (string | null)[];
}

const poolsOf = (placed: PlacedTree, { rooms }: HostProfile): ProfiledHost['pools'] =>
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

  add(host: ProfiledHost, { flavors }: HostFindings): void {
    const alone = flavors[this.flavor];
    if (alone === undefined) return;
    const { count, isExact } = host.profile.isSharing ? this.behindOthers(host, alone) : alone;
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
    { profile, rooms, pools }: ProfiledHost,
    alone: FlavorRoom,
  ): Pick<FlavorRoom, 'count' | 'isExact'> {
    const takenOf = (pool: string | null = null): number => (pool === null ? 0 : (this.taken.get(pool) ?? 0));
    const left = rooms.left.map((room, at) => Math.max(0, room - takenOf(pools[at])));
    const packing = greedyPacking({ left, most: rooms.most }, profile.itemsOf(this.flavor));
    for (const [at, pool] of pools.entries()) {
      if (pool !== null) this.taken.set(pool, takenOf(pool) + (left[at] ?? 0) - (packing.left[at] ?? 0));
    }
    return { count: packing.value, isExact: alone.isExact && packing.value === alone.count };
  }
}
