// What a tree has of each resource class, its providers summed. A tree is another object whenever anything in it changed, so
// the sums are kept for as long as the tree is this one. Pure.
import type { Inventory, Provider, Tree } from '../../candidate-search';
import { compareText } from '../../domain/text-order';

/** In units of the resource class. */
export interface ClassSum {
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  /** What each inventory has left, summed: an over-full one has nothing left, and takes nothing from the others. */
  readonly free: number;
}

interface TreeSums {
  /** Ascending by class. */
  readonly classes: ReadonlyMap<string, ClassSum>;
  /** By class, the largest amount that can still be asked of one of its inventories. */
  readonly largest: ReadonlyMap<string, number>;
  /** All traits as one text, the same for trees with the same traits. */
  readonly traitsText: string;
  /** Of all providers, distinct. */
  readonly traits: ReadonlySet<string>;
}

const kept = new WeakMap<Tree, TreeSums>();

export function sumsOf(tree: Tree): TreeSums {
  let sums = kept.get(tree);
  if (sums === undefined) kept.set(tree, (sums = summed(tree.providers)));
  return sums;
}

function summed(providers: readonly Provider[]): TreeSums {
  const [only] = providers;
  if (only !== undefined && providers.length === 1) return closedSums(classesOf(only), only.traits, providers);
  const classes = new Map<string, ClassSum>();
  for (const provider of providers) {
    for (const [name, sum] of classesOf(provider)) {
      const known = classes.get(name);
      classes.set(name, known === undefined ? sum : added(known, sum));
    }
  }
  const traits = new Set<string>();
  for (const provider of providers) for (const trait of provider.traits) traits.add(trait);
  return closedSums(new Map([...classes].sort(([one], [other]) => compareText(one, other))), traits, providers);
}

function closedSums(
  classes: ReadonlyMap<string, ClassSum>,
  traits: ReadonlySet<string>,
  providers: readonly Provider[],
): TreeSums {
  const largest = new Map<string, number>();
  for (const { inventories } of providers) {
    for (const inventory of inventories) {
      const amount = largestAmount(inventory);
      if (amount > (largest.get(inventory.resourceClass) ?? -1)) largest.set(inventory.resourceClass, amount);
    }
  }
  return { classes, largest, traits, traitsText: [...traits].sort().join() };
}

/** What one allocation can still take: of what is left, no more than max_unit, in steps of step_size, or nothing. */
function largestAmount({ capacity, used, minUnit, maxUnit, stepSize }: Inventory): number {
  const most = Math.min(capacity - used, maxUnit);
  const amount = most - (most % stepSize);
  return amount >= Math.max(1, minUnit) ? amount : 0;
}

/** Of one provider, which has one inventory of a class at most. */
export const classesOf = ({ inventories }: Provider): ReadonlyMap<string, ClassSum> =>
  new Map(
    inventories.map(({ resourceClass, total, reserved, capacity, used }) => [
      resourceClass,
      { total, reserved, capacity, used, free: Math.max(0, capacity - used) },
    ]),
  );

const added = (one: ClassSum, other: ClassSum): ClassSum => ({
  total: one.total + other.total,
  reserved: one.reserved + other.reserved,
  capacity: one.capacity + other.capacity,
  used: one.used + other.used,
  free: one.free + other.free,
});
