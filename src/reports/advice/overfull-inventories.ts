// Providers of which more is used than they have: an inventory was lowered below its use. Nothing more fits there until
// consumers are gone, or the inventory says again what the operator lends out.
import type { Inventory, Provider, ProviderGraph } from '../../placement/candidate-search';
import { capacityOf } from '../../placement/domain/inventory';
import { addTo } from '../../platform/values/lists-by-key';
import { byText } from '../../platform/values/text-order';
import { adviceOf, command, counted } from './advice';
import type { Advice } from './advice';

interface Overfull {
  readonly provider: Provider;
  readonly inventory: Inventory;
}

/** One piece for each resource class. */
export function overfullInventories(graph: ProviderGraph): readonly Advice[] {
  const byClass = new Map<string, Overfull[]>();
  for (const id of graph.rootIds) {
    for (const provider of graph.findTree(id)?.providers ?? []) {
      for (const inventory of provider.inventories) {
        if (inventory.used <= inventory.capacity) continue;
        addTo(byClass, inventory.resourceClass, { provider, inventory });
      }
    }
  }
  return [...byClass].sort(byText(([name]) => name)).map(([name, found]) => adviceOn(name, found));
}

function adviceOn(resourceClass: string, found: readonly Overfull[]): Advice {
  const excess = (each: Overfull): number => each.inventory.used - each.inventory.capacity;
  const worst = [...found].sort((one, other) => excess(other) - excess(one));
  let sum = 0;
  for (const each of found) sum += excess(each);
  return adviceOf({
    kind: 'overfull_inventory',
    severity: 'error',
    sentence:
      `${counted(found.length, 'provider')} ${found.length === 1 ? 'has' : 'have'} more ${resourceClass} allocated than ` +
      `capacity, by ${sum} in all: nothing more fits there. Move consumers away, or raise the capacity to what is used.`,
    subjects: worst.map(({ provider }) => ({ kind: 'provider', id: provider.uuid, name: provider.name })),
    commands: worst.map(({ provider, inventory }) => raised(provider, inventory)),
    link: `hosts?sort=-use:${resourceClass}`,
  });
}

const RATIO_DIGITS = 1_000_000;

/** The ratio by which everything that is used fits; where all of the total is reserved, without the reservation. */
function raised({ uuid }: Provider, inventory: Inventory): string {
  const { resourceClass, total, used } = inventory;
  const reserved = inventory.reserved < total ? inventory.reserved : 0;
  let steps = Math.ceil((used / (total - reserved)) * RATIO_DIGITS);
  while (capacityOf({ total, reserved, allocationRatio: steps / RATIO_DIGITS }) < used) steps += 1;
  return command(
    ...['openstack', 'resource', 'provider', 'inventory', 'set', '--amend'],
    ...(reserved === inventory.reserved ? [] : ['--resource', `${resourceClass}:reserved=${reserved}`]),
    ...['--resource', `${resourceClass}:allocation_ratio=${steps / RATIO_DIGITS}`, uuid],
  );
}
