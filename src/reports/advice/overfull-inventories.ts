// Providers with more usage than capacity: an inventory was lowered below its usage. Nothing more fits there until
// consumers leave, or the operator raises the capacity.
import type { Inventory, Provider, ProviderGraph } from '../../placement/candidate-search';
import { capacityOf } from '../../placement/domain/inventory';
import { addTo } from '../../platform/values/lists-by-key';
import { byText } from '../../platform/values/text-order';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';
import type { Holder } from './first-to-move';
import { firstToMove } from './first-to-move';

interface Overfull {
  readonly provider: Provider;
  readonly inventory: Inventory;
}

/** By resource class, the largest excess first. */
export type OverfullByClass = ReadonlyMap<string, readonly Overfull[]>;

/** Instances with allocations of the class on the provider; empty if they were not read. */
export type HoldersOn = (provider: Provider, resourceClass: string) => readonly Holder[];

/** Names of instances by uuid; those without a name are absent. */
type NamesOf = (uuids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const excessOf = ({ inventory: { used, capacity } }: Overfull): number => used - capacity;

export function overfullByClass(graph: ProviderGraph): OverfullByClass {
  const byClass = new Map<string, Overfull[]>();
  for (const id of graph.rootIds) {
    for (const provider of graph.findTree(id)?.providers ?? []) {
      for (const inventory of provider.inventories) {
        if (inventory.used <= inventory.capacity) continue;
        addTo(byClass, inventory.resourceClass, { provider, inventory });
      }
    }
  }
  for (const found of byClass.values()) found.sort((one, other) => excessOf(other) - excessOf(one));
  return new Map([...byClass].sort(byText(([name]) => name)));
}

/** One piece for each resource class. */
export async function overfullInventories(
  byClass: OverfullByClass,
  holdersOn: HoldersOn,
  namesOf: NamesOf,
): Promise<readonly Advice[]> {
  const advice: Advice[] = [];
  for (const [name, found] of byClass) advice.push(await adviceOn(name, found, { holdersOn, namesOf }));
  return advice;
}

/** Consumers that the sentence names. */
const NAMED = 3;

async function adviceOn(
  resourceClass: string,
  worst: readonly Overfull[],
  { holdersOn, namesOf }: { readonly holdersOn: HoldersOn; readonly namesOf: NamesOf },
): Promise<Advice> {
  let sum = 0;
  for (const each of worst) sum += excessOf(each);
  const moves = worst.flatMap((each) =>
    firstToMove(holdersOn(each.provider, resourceClass), excessOf(each)).map((holder) => ({ ...each, holder })),
  );
  const first = moves.slice(0, NAMED);
  const names = await namesOf(first.map(({ holder }) => holder.uuid));
  const named = first.map(
    ({ holder: { uuid, amount }, provider }) =>
      `${names.get(uuid) ?? uuid} (${amount} ${resourceClass}) from ${provider.name}`,
  );
  const more = moves.length > NAMED ? ` and ${moves.length - NAMED} more` : '';
  const raises = worst.map(({ provider, inventory }) => raised(provider, inventory));
  const migrations = moves.map(({ holder }) =>
    command('openstack', 'server', 'migrate', '--live-migration', holder.uuid),
  );
  return adviceOf({
    kind: 'overfull_inventory',
    severity: 'error',
    sentence:
      `${counted(worst.length, 'provider')} ${worst.length === 1 ? 'has' : 'have'} more ${resourceClass} allocated than ` +
      `capacity, by ${sum} in all: nothing more fits there. ` +
      (moves.length === 0
        ? 'Move consumers away, or raise the capacity to the usage.'
        : `Move first: ${named.join(', ')}${more}. Or raise the capacity to the usage.`),
    subjects: worst.map(({ provider }) => ({ kind: 'provider', id: provider.uuid, name: provider.name })),
    commands: moves.length === 0 ? raises : migrations,
    alternatives: moves.length === 0 ? [] : raises,
    link: `hosts?sort=-use:${resourceClass}`,
  });
}

const RATIO_DIGITS = 1_000_000;

/** The ratio at which the whole usage fits. If the whole total is reserved, the reservation is dropped. */
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
