// What all hosts' free amounts are good for: a walk over the graph that looks again only at what changed since the last
// one. What was found of a tree is kept with the tree, and what was found of rooms is shared by all hosts that have them.

import type { Provider, ProviderGraph, ResourceRequest, Tree } from '../../candidate-search';
import { compareText } from '../../domain/text-order';
import type { Walk } from '../../domain/walk';
import { HardwareCatalog, holderOf, placedTree, roomsOf } from './hardware';
import type { Hardware, HardwareBounds, PlacedTree } from './hardware';
import type { Hindrance } from './hindrance';
import { FlavorColumns, HindranceNames, roomForFlavor, strandedOn } from './host-findings';
import type { FlavorRoom, HostFindings, HostStranded } from './host-findings';
import type { PackingBounds, PackingItem, PackingRooms } from './packing';

/** `unusable`: nothing may be placed there now. `none`: no host, but what hosts share. */
export type Standing = 'usable' | 'unusable' | 'none';

export interface FindingsBounds extends HardwareBounds, PackingBounds {
  /** Different rooms of hosts that are remembered while a walk is under way. */
  readonly likes: number;
  /** Steps that all packings of a walk together may take; those behind are cut short. */
  readonly stepsInAll: number;
}

/** One flavor over all hosts. */
export interface FlavorTotal {
  readonly count: number;
  /** False: at least so many. */
  readonly isExact: boolean;
  /** With room for one. */
  readonly hosts: number;
  /** Hosts by what keeps one more from them. */
  readonly hindrances: readonly { readonly hindrance: Hindrance; readonly hosts: number }[];
}

export interface CloudFindings {
  /** By the id of the root; hosts that may be used. */
  readonly hosts: ReadonlyMap<number, HostFindings>;
  readonly unusable: number;
  /** One for each request, in their order. */
  readonly flavors: readonly FlavorTotal[];
}

interface Kept {
  readonly hardware: Hardware;
  /** What others share with it, as text. */
  readonly shared: string;
  readonly findings: HostFindings;
}

/** When a packing has so few steps, it is hardly more than greedy. */
const STEPS_OF_LATE_ONES = 50;
/** Hosts that are compared with what is known of them between two chances of others. */
const HOSTS_PER_STEP = 25;

/** One set of requests and what is known of trees under it. */
export class FindingsKeeper {
  private readonly catalog: HardwareCatalog;
  private readonly kept = new WeakMap<Tree, Kept>();
  private readonly names = new HindranceNames();

  constructor(
    private readonly requests: readonly ResourceRequest[],
    private readonly bounds: FindingsBounds,
  ) {
    this.catalog = new HardwareCatalog(requests, bounds);
  }

  *find(graph: ProviderGraph, standingOf: (root: Provider) => Standing): Walk<CloudFindings> {
    const hosts = new Map<number, HostFindings>();
    const sums = this.requests.map(() => new FlavorSum());
    const sharing: SharingHost[] = [];
    const likes = new Map<string, HostFindings>();
    const budget = { left: this.bounds.stepsInAll };
    let unusable = 0;
    for (const [at, rootId] of graph.rootIds.entries()) {
      if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
      const tree = graph.findTree(rootId);
      const standing = tree === undefined ? 'none' : standingOf(tree.root);
      if (standing === 'unusable') unusable += 1;
      if (tree === undefined || standing !== 'usable') continue;
      const placed = placedTree(graph, tree);
      const hardware = yield* this.catalog.of(graph, tree, placed.sharing);
      const rooms = roomsOf(placed, hardware);
      const findings = yield* this.findOn({ placed, hardware, rooms }, likes, budget);
      hosts.set(rootId, findings);
      for (const [flavor, sum] of sums.entries()) {
        sum.add(findings.flavors.at(flavor), hardware.isSharing);
      }
      if (hardware.isSharing) sharing.push({ placed, hardware, findings });
    }
    for (const [flavor, sum] of sums.entries()) yield* this.divide(flavor, sharing, sum);
    return { hosts, unusable, flavors: sums.map((sum) => sum.total) };
  }

  private *findOn(
    { placed, hardware, rooms }: HostOfMake,
    likes: Map<string, HostFindings>,
    budget: { left: number },
  ): Walk<HostFindings> {
    const shared = hardware.isSharing ? rooms.left.filter((_, at) => hardware.rooms[at]?.isOwn === false).join() : '';
    const kept = this.kept.get(placed.tree);
    if (kept?.hardware === hardware && kept.shared === shared) return kept.findings;
    const free = freeOf(placed.tree);
    const key = `${hardware.id} ${rooms.left.join()} ${rooms.most.join()} ${textOf(free)}`;
    let findings = likes.get(key);
    if (findings === undefined) {
      findings = yield* this.workOut(hardware, rooms, free, budget);
      if (likes.size >= this.bounds.likes) likes.clear();
      likes.set(key, findings);
    }
    this.kept.set(placed.tree, { hardware, shared, findings });
    return findings;
  }

  private *workOut(
    hardware: Hardware,
    rooms: PackingRooms,
    free: ReadonlyMap<string, number>,
    budget: { left: number },
  ): Walk<HostFindings> {
    const { steps: most, items } = this.bounds;
    const bounds: PackingBounds = {
      items,
      steps: budget.left > 0 ? most : Math.min(most, STEPS_OF_LATE_ONES),
    };
    const told = { spent: 0 };
    const stranded: HostStranded[] = [];
    for (const [resourceClass, amount] of free) {
      const found = strandedOn(hardware, rooms, { resourceClass, amount }, bounds, told);
      stranded.push({ ...found, lacks: this.names.same(found.lacks) });
      yield;
    }
    const flavors: FlavorRoom[] = [];
    for (const [at, { ways }] of hardware.flavors.entries()) {
      flavors.push(roomForFlavor(hardware, at, rooms, bounds));
      if (ways.length > 1 || at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
    }
    budget.left -= told.spent;
    return { stranded, flavors: new FlavorColumns(flavors, this.names) };
  }

  /**
   * Hosts that take from one pool cannot all have what each of them could have alone. One after the other they are given
   * what is left, which is possible and hence no less than said; it is exact where no bound leaves more.
   */
  private *divide(flavor: number, hosts: readonly SharingHost[], sum: FlavorSum): Walk<void> {
    if (hosts.length === 0) return;
    const pools = new Pools();
    let [given, isExact] = [0, true];
    for (const [at, { placed, hardware, findings }] of hosts.entries()) {
      if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
      const room = findings.flavors.at(flavor);
      isExact &&= room.isExact;
      if (room.count === 0) continue;
      pools.want(placed, hardware, hardware.itemsOf(flavor), room.count);
      if (pools.grant(placed, hardware, room.ofOthers)) {
        given += room.count;
        continue;
      }
      const rooms = pools.roomsLeft(placed, hardware, roomsOf(placed, hardware));
      const rest = roomForFlavor(hardware, flavor, rooms, this.bounds);
      pools.grant(placed, hardware, rest.ofOthers);
      given += rest.count;
    }
    sum.addTogether(given, isExact && given >= pools.most);
  }
}

interface HostOfMake {
  readonly placed: PlacedTree;
  readonly hardware: Hardware;
  readonly rooms: PackingRooms;
}

interface SharingHost {
  readonly placed: PlacedTree;
  readonly hardware: Hardware;
  readonly findings: HostFindings;
}

/** Adds up one flavor. */
class FlavorSum {
  private count = 0;
  private isExact = true;
  private hosts = 0;
  private readonly byHindrance = new Map<string, { readonly hindrance: Hindrance; hosts: number }>();

  /** A host; of one that takes from others the count is added with all of those. */
  add({ count, isExact, hindrance }: FlavorRoom, isSharing: boolean): void {
    if (count > 0) this.hosts += 1;
    if (!isSharing) {
      this.count += count;
      this.isExact &&= isExact;
    }
    if (hindrance === null) return;
    const key = `${hindrance.kind} ${hindrance.name}`;
    const known = this.byHindrance.get(key);
    if (known === undefined) this.byHindrance.set(key, { hindrance, hosts: 1 });
    else known.hosts += 1;
  }

  addTogether(count: number, isExact: boolean): void {
    this.count += count;
    this.isExact &&= isExact;
  }

  get total(): FlavorTotal {
    const hindrances = [...this.byHindrance.values()].sort(
      (one, other) => other.hosts - one.hosts || compareText(one.hindrance.name, other.hindrance.name),
    );
    return { count: this.count, isExact: this.isExact, hosts: this.hosts, hindrances };
  }
}

/** What the hosts want of one room that others share. */
interface Wanted {
  /** How many they could place if each of them had it for itself. */
  alone: number;
  /** What each of those takes of the room at least. */
  least: number;
}

/** What is left of the rooms that sharing providers give. */
class Pools {
  private readonly left = new Map<string, number>();
  private readonly before = new Map<string, number>();
  /** By room; hosts that take of none, or of several ones, by themselves. */
  private readonly wanted = new Map<string, Wanted>();

  /** Takes it all, or nothing. */
  grant(placed: PlacedTree, hardware: Hardware, takes: FlavorRoom['ofOthers']): boolean {
    for (const { at, amount } of takes) if (amount > this.leftOf(placed, hardware, at).left) return false;
    for (const { at, amount } of takes) {
      const { key, left } = this.leftOf(placed, hardware, at);
      this.left.set(key, left - amount);
    }
    return true;
  }

  roomsLeft(placed: PlacedTree, hardware: Hardware, { left, most }: PackingRooms): PackingRooms {
    return {
      left: left.map((room, at) =>
        hardware.rooms[at]?.isOwn === true ? room : Math.min(room, this.leftOf(placed, hardware, at).left),
      ),
      most,
    };
  }

  /** The host could place so many. */
  want(placed: PlacedTree, hardware: Hardware, items: readonly PackingItem[], count: number): void {
    let [found, least] = ['', Number.POSITIVE_INFINITY];
    for (const { takes } of items) {
      const ofOthers = takes.filter(({ at }) => hardware.rooms[at]?.isOwn === false);
      const [first] = ofOthers;
      const key = first === undefined || ofOthers.length > 1 ? '' : this.leftOf(placed, hardware, first.at).key;
      if (key === '' || (found !== '' && found !== key)) {
        [found, least] = ['', 0];
        break;
      }
      [found, least] = [key, Math.min(least, first?.amount ?? 0)];
    }
    const wanted = this.wanted.get(found);
    if (wanted === undefined) this.wanted.set(found, { alone: count, least });
    else [wanted.alone, wanted.least] = [wanted.alone + count, Math.min(wanted.least, least)];
  }

  /** More than this cannot be placed by all of them together. */
  get most(): number {
    let most = 0;
    for (const [key, { alone, least }] of this.wanted) {
      const places = least > 0 ? Math.floor((this.before.get(key) ?? 0) / least) : Number.POSITIVE_INFINITY;
      most += Math.min(alone, places);
    }
    return most;
  }

  private leftOf({ tree, sharing }: PlacedTree, { rooms }: Hardware, at: number): { key: string; left: number } {
    const room = rooms[at];
    const provider = room && holderOf(room.holder, tree, sharing);
    const key = `${provider?.id ?? ''} ${room?.resourceClass ?? ''}`;
    let left = this.left.get(key);
    if (left === undefined) {
      const inventory = provider?.inventories.find(({ resourceClass }) => resourceClass === room?.resourceClass);
      left = inventory === undefined ? 0 : Math.max(0, inventory.capacity - inventory.used);
      this.left.set(key, left);
      this.before.set(key, left);
    }
    return { key, left };
  }
}

/** What is free in the tree, by class. */
function freeOf({ providers }: Tree): ReadonlyMap<string, number> {
  const free = new Map<string, number>();
  for (const { inventories } of providers) {
    for (const { resourceClass, capacity, used } of inventories) {
      free.set(resourceClass, (free.get(resourceClass) ?? 0) + Math.max(0, capacity - used));
    }
  }
  return free;
}

function textOf(free: ReadonlyMap<string, number>): string {
  let text = '';
  for (const [resourceClass, amount] of free) text += `${resourceClass}=${amount};`;
  return text;
}
