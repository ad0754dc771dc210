// Providers that no registered flavor can use: no flavor requests an amount of one of their classes that they can give
// while they are empty. Only classes and amounts are compared, not traits and aggregates.
import type { Inventory, Provider, Tree } from '../../placement/candidate-search';
import { fitsUnits } from '../../placement/domain/inventory';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';

/** Resource class to the distinct amounts that flavors request. */
export type AskedAmounts = ReadonlyMap<string, ReadonlySet<number>>;

interface Unreached {
  readonly classes: readonly string[];
  readonly providers: Provider[];
  readonly tree: Tree;
}

export class UnreachedProviders {
  private readonly found = new Map<string, Unreached>();

  constructor(private readonly asked: AskedAmounts) {}

  add(tree: Tree): void {
    for (const provider of tree.providers) {
      const { inventories } = provider;
      if (inventories.length === 0 || inventories.some((each) => isReached(each, this.asked))) continue;
      const classes = inventories.map(({ resourceClass }) => resourceClass);
      const known = this.found.get(classes.join());
      if (known === undefined) this.found.set(classes.join(), { classes, providers: [provider], tree });
      else known.providers.push(provider);
    }
  }

  /** One piece of advice for all providers with the same classes. */
  get advice(): readonly Advice[] {
    return [...this.found.values()].map((unreached) => adviceOn(unreached, this.asked));
  }
}

function isReached(inventory: Inventory, asked: AskedAmounts): boolean {
  for (const amount of asked.get(inventory.resourceClass) ?? []) if (couldGive(inventory, amount)) return true;
  return false;
}

const couldGive = (inventory: Inventory, amount: number): boolean =>
  fitsUnits(inventory, amount) && amount <= inventory.capacity;

function adviceOn({ classes, providers, tree }: Unreached, asked: AskedAmounts): Advice {
  const unasked = classes.filter((name) => !asked.has(name));
  const why =
    unasked.length === classes.length
      ? `no registered flavor asks for ${classes.join(', ')}`
      : `no registered flavor asks for an amount of ${classes.join(', ')} that they could give`;
  return adviceOf({
    kind: 'unreached_provider',
    severity: 'note',
    sentence: `${counted(providers.length, 'provider')} can be used by no flavor: ${why}.`,
    subjects: providers.map(({ uuid, name }) => ({ kind: 'provider', id: uuid, name })),
    commands: flavorFor(providers, tree),
  });
}

/** Classes that every flavor requests by default. */
const USUAL = ['VCPU', 'MEMORY_MB', 'DISK_GB'] as const;

/** A small flavor that requests the smallest amount that one of the providers gives. */
function flavorFor(providers: readonly Provider[], tree: Tree): readonly string[] {
  for (const { inventories } of providers) {
    for (const inventory of inventories) {
      const amount = Math.max(1, Math.ceil(inventory.minUnit / inventory.stepSize)) * inventory.stepSize;
      if (!couldGive(inventory, amount)) continue;
      // An instance needs CPU and memory. Without them in the tree, the flavor asks for the class alone.
      const has = new Set(tree.providers.flatMap((each) => each.inventories.map(({ resourceClass: name }) => name)));
      const isWhole = has.has('VCPU') && has.has('MEMORY_MB');
      const none = USUAL.filter((name) => name !== inventory.resourceClass && !(isWhole && has.has(name))).map(
        (name) => [`resources:${name}`, 0] as const,
      );
      const properties = [...none, [`resources:${inventory.resourceClass}`, amount] as const];
      const disk = isWhole && has.has('DISK_GB') ? '10' : '0';
      return [
        command(
          ...['openstack', 'flavor', 'create', '--vcpus', '1', '--ram', isWhole ? '1024' : '1', '--disk', disk],
          ...properties.flatMap(([name, value]) => ['--property', `${name}=${value}`]),
          `only-${inventory.resourceClass.toLowerCase().replaceAll('_', '-')}`,
        ),
      ];
    }
  }
  // No provider can give any amount, so the operator must correct the inventories.
  return [command('openstack', 'resource', 'provider', 'inventory', 'list', tree.root.uuid)];
}
