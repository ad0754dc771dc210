// Brute-force model of stranded amounts: tries every sequence of flavors and every assignment of their demands to
// providers, to find the largest usable part of a host's free amounts. It follows the definitions, works on plain data,
// and shares no code with the engine or the reports.

export interface ModelInventory {
  readonly total: number;
  readonly reserved: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly ratio: number;
  readonly used: number;
}

export interface ModelProvider {
  readonly name: string;
  readonly parent: string | null;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  readonly inventories: Readonly<Record<string, ModelInventory>>;
}

export interface ModelGroup {
  /** Empty: the unsuffixed group, whose classes can come from different providers. */
  readonly suffix: string;
  readonly resources: Readonly<Record<string, number>>;
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
}

export interface ModelFlavor {
  readonly groups: readonly ModelGroup[];
  readonly isolate: boolean;
  readonly sameSubtree: readonly (readonly string[])[];
  readonly rootRequired: readonly string[];
}

export interface ModelCloud {
  readonly providers: readonly ModelProvider[];
  readonly flavors: readonly ModelFlavor[];
}

/** Amounts, keyed by `provider class`. */
type Amounts = Readonly<Record<string, number>>;

/** Maximum of steps; above it, the caller draws another cloud. */
const LOOKS_MAX = 60_000;

export class TooMuch extends Error {}

/** The cloud, and what a hypothetical sequence has taken so far. */
export class StrandedModel {
  private looks = 0;

  constructor(private readonly cloud: ModelCloud) {}

  roots(): readonly ModelProvider[] {
    return this.cloud.providers.filter(({ parent }) => parent === null);
  }

  free(root: ModelProvider, resourceClass: string): number {
    let free = 0;
    for (const provider of this.treeOf(root)) {
      const inventory = provider.inventories[resourceClass];
      if (inventory !== undefined) free += Math.max(0, capacityOf(inventory) - inventory.used);
    }
    return free;
  }

  /** Definition: the free amount minus the largest amount that a sequence takes of it. */
  stranded(root: ModelProvider, resourceClass: string): number {
    const own = new Set(this.treeOf(root).map(({ name }) => name));
    const worth = (taken: Amounts): number => {
      let sum = 0;
      for (const [place, amount] of Object.entries(taken)) {
        const [name = '', taking] = place.split(' ');
        if (taking === resourceClass && own.has(name)) sum += amount;
      }
      return sum;
    };
    return this.free(root, resourceClass) - this.mostOf([root], this.cloud.flavors, worth);
  }

  /** How many instances of one flavor fit on these hosts, one after the other. */
  fit(roots: readonly ModelProvider[], flavor: ModelFlavor): number {
    return this.mostOf(roots, [flavor], () => 1);
  }

  private mostOf(
    roots: readonly ModelProvider[],
    flavors: readonly ModelFlavor[],
    worth: (taken: Amounts) => number,
  ): number {
    const known = new Map<string, number>();
    const most = (taken: Amounts): number => {
      const key = JSON.stringify(Object.entries(taken).sort());
      const before = known.get(key);
      if (before !== undefined) return before;
      let best = 0;
      for (const root of roots) {
        for (const flavor of flavors) {
          for (const placed of this.placements(root, flavor, taken)) {
            best = Math.max(best, worth(placed) + most(sum(taken, placed)));
          }
        }
      }
      known.set(key, best);
      return best;
    };
    return most({});
  }

  /** Every allocation candidate of the flavor under the root, with `taken` already in use. */
  private placements(root: ModelProvider, flavor: ModelFlavor, taken: Amounts): readonly Amounts[] {
    if (!flavor.rootRequired.every((trait) => root.traits.includes(trait))) return [];
    const demands = flavor.groups.flatMap((group) =>
      group.suffix === ''
        ? Object.entries(group.resources).map((demand) => ({ group, demand: [demand] }))
        : [{ group, demand: Object.entries(group.resources) }],
    );
    const visible = this.seenFrom(root);
    const found: Amounts[] = [];
    const choose = (chosen: readonly ModelProvider[]): void => {
      this.looks += 1;
      if (this.looks > LOOKS_MAX) throw new TooMuch();
      const next = demands[chosen.length];
      if (next === undefined) {
        const placed = this.judged(flavor, demands, chosen, taken);
        if (placed !== null) found.push(placed);
        return;
      }
      for (const provider of visible) {
        if (next.group.forbidden.some((trait) => provider.traits.includes(trait))) continue;
        const gives = next.demand.every(([resourceClass, amount]) => {
          const inventory = provider.inventories[resourceClass];
          return inventory !== undefined && amount >= inventory.min && amount % inventory.step === 0;
        });
        if (gives) choose([...chosen, provider]);
      }
    };
    choose([]);
    return found;
  }

  /** The amounts of the choice, if it satisfies all rules. */
  private judged(
    flavor: ModelFlavor,
    demands: readonly { readonly group: ModelGroup; readonly demand: readonly (readonly [string, number])[] }[],
    chosen: readonly ModelProvider[],
    taken: Amounts,
  ): Amounts | null {
    for (const group of flavor.groups) {
      const providers = chosen.filter((_, at) => demands[at]?.group === group);
      if (!group.required.every((trait) => providers.some(({ traits }) => traits.includes(trait)))) return null;
    }
    const suffixed = chosen.filter((_, at) => demands[at]?.group.suffix !== '');
    if (flavor.isolate && new Set(suffixed).size < suffixed.length) return null;
    for (const suffixes of flavor.sameSubtree) {
      const providers = chosen.filter((_, at) => suffixes.includes(demands[at]?.group.suffix ?? ''));
      const isBelowOne = providers.some((top) =>
        providers.every((provider) => this.ancestry(provider).includes(top.name)),
      );
      if (suffixes.length > 1 && !isBelowOne) return null;
    }
    let placed: Amounts = {};
    for (const [at, provider] of chosen.entries()) {
      for (const [resourceClass, amount] of demands[at]?.demand ?? []) {
        placed = sum(placed, { [`${provider.name} ${resourceClass}`]: amount });
      }
    }
    for (const [place, amount] of Object.entries(placed)) {
      const [name = '', resourceClass = ''] = place.split(' ');
      const inventory = this.provider(name).inventories[resourceClass];
      if (inventory === undefined || amount > inventory.max) return null;
      if (inventory.used + (taken[place] ?? 0) + amount > capacityOf(inventory)) return null;
    }
    return placed;
  }

  private provider(name: string): ModelProvider {
    const found = this.cloud.providers.find((provider) => provider.name === name);
    if (found === undefined) throw new Error(`no provider ${name}`);
    return found;
  }

  private ancestry(provider: ModelProvider): readonly string[] {
    return provider.parent === null
      ? [provider.name]
      : [provider.name, ...this.ancestry(this.provider(provider.parent))];
  }

  private treeOf(root: ModelProvider): readonly ModelProvider[] {
    return this.cloud.providers.filter((provider) => this.ancestry(provider).includes(root.name));
  }

  /** The tree, and the providers that share through an aggregate of any of its providers. */
  private seenFrom(root: ModelProvider): readonly ModelProvider[] {
    const tree = this.treeOf(root);
    const aggregates = new Set(tree.flatMap((provider) => provider.aggregates));
    const sharing = this.cloud.providers.filter(
      (provider) =>
        !tree.includes(provider) &&
        provider.traits.includes('MISC_SHARES_VIA_AGGREGATE') &&
        provider.aggregates.some((aggregate) => aggregates.has(aggregate)),
    );
    return [...tree, ...sharing];
  }
}

const capacityOf = ({ total, reserved, ratio }: ModelInventory): number => Math.trunc((total - reserved) * ratio);

function sum(one: Amounts, other: Amounts): Amounts {
  const added: Record<string, number> = { ...one };
  for (const [place, amount] of Object.entries(other)) added[place] = (added[place] ?? 0) + amount;
  return added;
}
