// Host profiles: trees that can place every flavor in the same ways if they have enough free amounts. A cloud has few
// profiles, so the engine runs once for each; the rest is arithmetic on the free amounts of a host. A *way* is the list
// of amounts that one allocation candidate takes, with the inventory of each.

import type { CandidateQuery, Provider, ProviderGraph, ResourceRequest, Tree } from '../../placement/candidate-search';
import { findInventory, unlimitedGraph, sharingSeen, treeCandidates } from '../../placement/candidate-search';
import type { FoundCandidate, TreeCandidates } from '../../placement/candidate-search';
import type { PackingItem, PackingRooms, Taking } from './packing';

/** A room: one resource class of one provider. */
export interface Room {
  /** Which of the tree's providers, or behind them of the sharing ones that it sees. */
  readonly holder: number;
  readonly resourceClass: string;
  /** Of the tree itself. */
  readonly isOwn: boolean;
}

/** In which ways a host of the make takes a flavor. */
interface FlavorWays {
  /** The classes that the flavor asks for. */
  readonly classes: ReadonlySet<string>;
  /** Distinct; each lists the amounts that it takes of each inventory. */
  readonly ways: readonly (readonly Taking[])[];
  readonly isCut: boolean;
  /** Why there is none, even on an empty host. */
  readonly reason: TreeCandidates['reason'];
}

export class HostProfile {
  /** Some room is a sharing provider's. */
  readonly isSharing: boolean;
  /** Some way may be missing. */
  readonly isCut: boolean;
  private readonly byClass = new Map<string, readonly PackingItem[]>();
  private readonly byFlavor = new Map<number, readonly PackingItem[]>();

  constructor(
    readonly id: number,
    readonly rooms: readonly Room[],
    /** One for each request, in their order. */
    readonly flavors: readonly FlavorWays[],
  ) {
    this.isSharing = rooms.some(({ isOwn }) => !isOwn);
    this.isCut = flavors.some((flavor) => flavor.isCut);
  }

  /** Ways that take of the tree's own rooms of the class, worth what they take of them. */
  itemsTaking(resourceClass: string): readonly PackingItem[] {
    let items = this.byClass.get(resourceClass);
    if (items === undefined) {
      const ways = this.flavors.flatMap((flavor) => flavor.ways);
      const taking = ways.map((takes) => ({ takes, worth: this.ownAmount(takes, resourceClass) }));
      items = taking.filter(({ worth }) => worth > 0);
      this.byClass.set(resourceClass, items);
    }
    return items;
  }

  /** The ways of one flavor, each worth one. */
  itemsOf(flavor: number): readonly PackingItem[] {
    let items = this.byFlavor.get(flavor);
    if (items === undefined) {
      items = (this.flavors[flavor]?.ways ?? []).map((takes) => ({ takes, worth: 1 }));
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

/** A tree as a host of its make. */
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

export class HardwareCatalog {
  private readonly known = new Map<string, HostProfile>();
  private readonly traits = new Set<string>();
  private readonly aggregates = new Set<string>();
  private readonly classes = new Set<string>();
  /** Trees share sets of traits, so what of them matters is written once. */
  private readonly traitTexts = new WeakMap<ReadonlySet<string>, string>();

  constructor(requests: readonly ResourceRequest[]) {
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

  /** The make of the tree; undefined for the first tree of its make. */
  find(placed: PlacedTree): HostProfile | undefined {
    return this.known.get(this.keyOf(placed));
  }

  add(survey: HardwareSurvey): HostProfile {
    const hardware = new HostProfile(this.known.size, survey.rooms.list, survey.flavors);
    this.known.set(this.keyOf(survey.placed), hardware);
    return hardware;
  }

  /** All that a candidate depends on but room. */
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

  private traitsOf(traits: ReadonlySet<string>): string {
    let text = this.traitTexts.get(traits);
    if (text === undefined) {
      text = [...traits].filter((trait) => this.traits.has(trait)).join();
      this.traitTexts.set(traits, text);
    }
    return text;
  }
}

/** Finds the ways of one request after the other, on the first tree of a make. */
export class HardwareSurvey {
  readonly flavors: FlavorWays[] = [];
  readonly rooms: Rooms;
  private readonly unlimited: ProviderGraph;

  constructor(
    graph: ProviderGraph,
    readonly placed: PlacedTree,
    /** Allocation candidates looked for of one flavor. */
    private readonly candidates: number,
  ) {
    this.unlimited = unlimitedGraph(graph, placed.tree);
    this.rooms = new Rooms(placed.tree, placed.sharing);
  }

  add(request: ResourceRequest): void {
    const query = { ...request, ...EVERYTHING, limit: null };
    const found = treeCandidates(this.unlimited, this.placed.tree.root.id, query, this.candidates);
    const classes = new Set(request.groups.flatMap(({ resources }) => [...resources.keys()]));
    this.flavors.push({ classes, ways: waysOf(found.list, this.rooms), isCut: found.isCut, reason: found.reason });
  }
}

function waysOf(candidates: readonly FoundCandidate[], rooms: Rooms): readonly (readonly Taking[])[] {
  const ways = new Map<string, readonly Taking[]>();
  for (const { providers, shape } of candidates) {
    const takes: Taking[] = [];
    for (const [place, provider] of providers.entries()) {
      for (const [resourceClass, amount] of shape.resources[place] ?? []) {
        if (amount > 0) takes.push({ at: rooms.at(provider.id, resourceClass), amount });
      }
    }
    takes.sort((one, other) => one.at - other.at);
    const key = takes.map((taking) => `${taking.at}:${taking.amount}`).join();
    if (!ways.has(key)) ways.set(key, takes);
  }
  return [...ways.values()];
}

/** The rooms that ways take of, numbered as they are met. */
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

export const placedTree = (graph: ProviderGraph, tree: Tree): PlacedTree => ({
  tree,
  sharing: sharingSeen(graph, tree),
});
