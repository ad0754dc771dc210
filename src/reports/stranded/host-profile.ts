// Host profiles: trees with the same profile accept every flavor in the same placements if capacity is unlimited. A
// cloud has few profiles, so the search runs once for each of them; the rest for a single host is arithmetic on its
// rooms. A *placement* is one allocation candidate: the amounts that it takes of each room.

import type { CandidateQuery, Provider, ProviderGraph, ResourceRequest, Tree } from '../../placement/candidate-search';
import type { FoundCandidate, TreeCandidates } from '../../placement/candidate-search';
import { findInventory, treeCandidates, unlimitedGraph } from '../../placement/candidate-search';
import { memoize } from '../../platform/values/memoize';
import type { Task } from '../../platform/values/task';
import type { PackingItem, PackingRooms, Taking } from './packing';

/** The capacity of one provider in one resource class. */
export interface Room {
  /** Index into the providers of the tree, followed by the sharing providers that the tree can use. */
  readonly holder: number;
  readonly resourceClass: string;
  /** The provider is in the tree itself. */
  readonly isOwn: boolean;
}

/** The placements of a flavor on a host with the profile. */
interface FlavorPlacements {
  /** The classes that the flavor requests. */
  readonly classes: ReadonlySet<string>;
  /** Distinct placements. */
  readonly placements: readonly (readonly Taking[])[];
  readonly isCut: boolean;
  /** Why there is no placement even with unlimited capacity. */
  readonly reason: TreeCandidates['reason'];
}

export class HostProfile {
  /** Some room belongs to a sharing provider. */
  readonly isSharing: boolean;
  /** The search reached its limit, so placements can be missing. */
  readonly isCut: boolean;
  private readonly byClass = new Map<string, readonly PackingItem[]>();
  private readonly byFlavor = new Map<number, readonly PackingItem[]>();

  constructor(
    readonly id: number,
    readonly rooms: readonly Room[],
    /** One for each request, in the same order. */
    readonly flavors: readonly FlavorPlacements[],
  ) {
    this.isSharing = rooms.some(({ isOwn }) => !isOwn);
    this.isCut = flavors.some((flavor) => flavor.isCut);
  }

  /** Placements that use the class in the tree itself. The value of each is the amount that it takes there. */
  itemsTaking(resourceClass: string): readonly PackingItem[] {
    let items = this.byClass.get(resourceClass);
    if (items === undefined) {
      const all = this.flavors.flatMap((flavor) => flavor.placements);
      const taking = all.map((takes) => ({ takes, value: this.ownAmount(takes, resourceClass) }));
      items = taking.filter(({ value }) => value > 0);
      this.byClass.set(resourceClass, items);
    }
    return items;
  }

  /** The placements of one flavor, each with the value 1. */
  itemsOf(flavor: number): readonly PackingItem[] {
    let items = this.byFlavor.get(flavor);
    if (items === undefined) {
      items = (this.flavors[flavor]?.placements ?? []).map((takes) => ({ takes, value: 1 }));
      this.byFlavor.set(flavor, items);
    }
    return items;
  }

  private ownAmount(takes: readonly Taking[], resourceClass: string): number {
    let amount = 0;
    for (const taking of takes) {
      const room = this.rooms[taking.at];
      if (room?.isOwn === true && room.resourceClass === resourceClass) amount += taking.amount;
    }
    return amount;
  }
}

/** A tree with the sharing providers that it can use. */
export interface PlacedTree {
  readonly tree: Tree;
  readonly sharing: readonly Provider[];
}

const EVERYTHING: Omit<CandidateQuery, keyof ResourceRequest> = {
  maxCandidates: Number.MAX_SAFE_INTEGER,
  strategy: 'depth-first',
  perRoot: null,
  randomize: false,
};

/** The profiles of a cloud. */
export class ProfileCatalog {
  private readonly known = new Map<string, HostProfile>();
  private readonly traits = new Set<string>();
  private readonly aggregates = new Set<string>();
  private readonly classes = new Set<string>();
  /** Trees share sets of traits, so the text of each set is built once. */
  private readonly traitsOf = memoize((traits: ReadonlySet<string>) =>
    [...traits].filter((trait) => this.traits.has(trait)).join(),
  );

  constructor(
    private readonly graph: ProviderGraph,
    private readonly requests: readonly ResourceRequest[],
    /** Maximum number of allocation candidates of one flavor. */
    private readonly candidates: number,
  ) {
    for (const { groups, rootRequired, rootForbidden } of requests) {
      for (const trait of [...rootRequired, ...rootForbidden]) this.traits.add(trait);
      for (const group of groups) {
        for (const resourceClass of group.resources.keys()) this.classes.add(resourceClass);
        for (const trait of [...group.requiredTraits.flat(), ...group.forbiddenTraits]) this.traits.add(trait);
        for (const aggregate of [...group.memberOf.flat(), ...group.forbiddenAggregates]) {
          this.aggregates.add(aggregate);
        }
      }
    }
  }

  /** The placements of each request are searched on the first tree with a profile. */
  *profileOf(placed: PlacedTree): Task<HostProfile> {
    const key = this.keyOf(placed);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const { tree, sharing } = placed;
    const unlimited = unlimitedGraph(this.graph, tree);
    const rooms = new Rooms(tree, sharing);
    const flavors: FlavorPlacements[] = [];
    for (const request of this.requests) {
      const query = { ...request, ...EVERYTHING, limit: null };
      const { list, isCut, reason } = treeCandidates(unlimited, tree.root.id, query, this.candidates);
      const classes = new Set(request.groups.flatMap(({ resources }) => [...resources.keys()]));
      flavors.push({ classes, placements: placementsOf(list, rooms), isCut, reason });
      yield;
    }
    const profile = new HostProfile(this.known.size, rooms.list, flavors);
    this.known.set(key, profile);
    return profile;
  }

  /** All properties that candidates depend on, except capacity. */
  private keyOf({ tree: { providers }, sharing }: PlacedTree): string {
    let key = '';
    const places = new Map<number | null, number>();
    for (const [at, provider] of providers.entries()) {
      places.set(provider.id, at);
      key += this.factsOf(provider);
    }
    // A parent may have a higher id than its child.
    if (providers.length > 1) for (const { parentId } of providers) key += `/${places.get(parentId) ?? ''}`;
    for (const provider of sharing) key += `+${provider.id}/${this.factsOf(provider)}`;
    return key;
  }

  private factsOf({ traits, aggregates, inventories }: Provider): string {
    let text = this.traitsOf(traits);
    for (const aggregate of aggregates) if (this.aggregates.has(aggregate)) text += `@${aggregate}`;
    for (const { resourceClass, minUnit, stepSize } of inventories) {
      if (!this.classes.has(resourceClass)) continue;
      text += minUnit === 1 && stepSize === 1 ? `;${resourceClass}` : `;${resourceClass}:${minUnit}:${stepSize}`;
    }
    return `${text}|`;
  }
}

function placementsOf(candidates: readonly FoundCandidate[], rooms: Rooms): readonly (readonly Taking[])[] {
  const found = new Map<string, readonly Taking[]>();
  for (const { providers, shape } of candidates) {
    const takes: Taking[] = [];
    for (const [place, provider] of providers.entries()) {
      for (const [resourceClass, amount] of shape.resources[place] ?? []) {
        if (amount > 0) takes.push({ at: rooms.at(provider.id, resourceClass), amount });
      }
    }
    takes.sort((one, other) => one.at - other.at);
    const key = takes.map((taking) => `${taking.at}:${taking.amount}`).join();
    if (!found.has(key)) found.set(key, takes);
  }
  return [...found.values()];
}

/** The rooms that placements use, numbered in order of appearance. */
class Rooms {
  readonly list: Room[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly holders: ReadonlyMap<number, number>;

  constructor(
    private readonly tree: Tree,
    sharing: readonly Provider[],
  ) {
    this.holders = new Map([...tree.providers, ...sharing].map(({ id }, at) => [id, at]));
  }

  at(providerId: number, resourceClass: string): number {
    const holder = this.holders.get(providerId) ?? 0;
    const key = `${holder} ${resourceClass}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.list.length;
      this.numbers.set(key, number);
      this.list.push({ holder, resourceClass, isOwn: holder < this.tree.providers.length });
    }
    return number;
  }
}

export function roomsOf(placed: PlacedTree, { rooms }: HostProfile): PackingRooms {
  const left: number[] = [];
  const most: number[] = [];
  for (const { holder, resourceClass } of rooms) {
    const provider = holderOf(holder, placed);
    const inventory = provider && findInventory(provider, resourceClass);
    left.push(inventory === undefined ? 0 : Math.max(0, inventory.capacity - inventory.used));
    most.push(inventory?.maxUnit ?? 0);
  }
  return { left, most };
}

export const holderOf = (holder: number, { tree, sharing }: PlacedTree): Provider | undefined =>
  holder < tree.providers.length ? tree.providers[holder] : sharing[holder - tree.providers.length];
