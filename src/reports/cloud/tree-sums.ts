// What a tree has of each resource class, its providers summed. A tree is another object whenever anything in it changed, so
// the sums are kept for as long as the tree is this one. Pure.
import type { Provider, Tree } from '../../candidate-search';

/** In units of the resource class. */
export interface ClassSum {
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  /** What each inventory has left, summed: an over-full one has nothing left, and takes nothing from the others. */
  readonly free: number;
}

export interface TreeSums {
  /** Ascending by class. */
  readonly classes: ReadonlyMap<string, ClassSum>;
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
  if (only !== undefined && providers.length === 1) return { classes: classesOf(only), traits: only.traits };
  const classes = new Map<string, ClassSum>();
  for (const provider of providers) {
    for (const [name, sum] of classesOf(provider)) {
      const known = classes.get(name);
      classes.set(name, known === undefined ? sum : added(known, sum));
    }
  }
  const traits = new Set<string>();
  for (const provider of providers) for (const trait of provider.traits) traits.add(trait);
  return { classes: new Map([...classes].sort(([a], [b]) => (a < b ? -1 : 1))), traits };
}

/** Of one provider, which has one inventory of a class at most. */
export const classesOf = ({ inventories }: Provider): ReadonlyMap<string, ClassSum> =>
  new Map(
    inventories.map(({ resourceClass, total, reserved, capacity, used }) => [
      resourceClass,
      { total, reserved, capacity, used, free: Math.max(0, capacity - used) },
    ]),
  );

export const added = (one: ClassSum, other: ClassSum): ClassSum => ({
  total: one.total + other.total,
  reserved: one.reserved + other.reserved,
  capacity: one.capacity + other.capacity,
  used: one.used + other.used,
  free: one.free + other.free,
});
