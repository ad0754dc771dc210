// The sums of a tree's inventories by resource class. Pure.
import type { Inventory, Tree } from '../../placement/candidate-search';
import { byText } from '../../platform/values/text-order';

/** In units of the resource class. */
export interface ClassSum {
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  /** The sum of the free amounts; an inventory above its capacity counts as 0 and reduces no other. */
  readonly free: number;
}

type Providers = Tree['providers'];

export const freeOf = ({ capacity, used }: Pick<Inventory, 'capacity' | 'used'>): number =>
  Math.max(0, capacity - used);

/** Ascending by class. */
export function classSums(providers: Providers): ReadonlyMap<string, ClassSum> {
  const names = new Set(providers.flatMap(({ inventories }) => inventories.map(({ resourceClass }) => resourceClass)));
  const sums = [...names].map((name): [string, ClassSum] => [name, classSum(providers, name) ?? NOTHING]);
  return new Map(sums.sort(byText(([name]) => name)));
}

const NOTHING: ClassSum = Object.freeze({ total: 0, reserved: 0, capacity: 0, used: 0, free: 0 });

/** Undefined: no provider has an inventory of the class. */
export function classSum(providers: Providers, resourceClass: string): ClassSum | undefined {
  let sum: { -readonly [F in keyof ClassSum]: number } | undefined;
  for (const { inventories } of providers) {
    for (const inventory of inventories) {
      if (inventory.resourceClass !== resourceClass) continue;
      sum ??= { total: 0, reserved: 0, capacity: 0, used: 0, free: 0 };
      sum.total += inventory.total;
      sum.reserved += inventory.reserved;
      sum.capacity += inventory.capacity;
      sum.used += inventory.used;
      sum.free += freeOf(inventory);
    }
  }
  return sum;
}

/** The distinct traits of all providers. Trees with equal sets of traits share the result. */
export function traitsOf({ root, providers }: Tree): ReadonlySet<string> {
  let all = root.traits;
  for (const { traits } of providers) all = unionOf(all, traits);
  return all;
}

type Traits = ReadonlySet<string>;

const unions = new WeakMap<Traits, WeakMap<Traits, Traits>>();

function unionOf(one: Traits, other: Traits): Traits {
  if (one === other) return one;
  let known = unions.get(one);
  if (known === undefined) unions.set(one, (known = new WeakMap()));
  let union = known.get(other);
  if (union === undefined) known.set(other, (union = new Set([...one, ...other])));
  return union;
}
