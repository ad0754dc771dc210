// Reading a provider tree as the host's report has it.
import type { HostConsumer, ProviderNode } from '../../service/reports';
import { byName } from '../../shown/by-name';

/** The names of all providers of the tree, by uuid, from the root down. */
export function providerNames(tree: ProviderNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (node: ProviderNode): void => {
    names.set(node.uuid, node.name);
    node.children.forEach(visit);
  };
  visit(tree);
  return names;
}

/** A provider's name without that of its root, which stands above the page already. */
export function shortName(name: string, root: string): string {
  if (name === root) return 'root';
  const rest = name.startsWith(root) ? name.slice(root.length).replace(/^[-_.:/]+/, '') : '';
  return rest === '' ? name : rest;
}

/** What tells hosts apart comes first: custom traits, then hardware and the rest, what every compute service says last. */
export function sortedTraits(traits: readonly string[]): string[] {
  const rank = (trait: string): number => (trait.startsWith('CUSTOM_') ? 0 : trait.startsWith('COMPUTE_') ? 2 : 1);
  return [...traits].sort((a, b) => rank(a) - rank(b) || byName(a, b));
}

/** What a consumer has in all, over the providers that it has it from. */
function amountsOf({ allocations }: Pick<HostConsumer, 'allocations'>): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const amounts of Object.values(allocations)) {
    for (const [resourceClass, amount] of Object.entries(amounts)) {
      sums[resourceClass] = (sums[resourceClass] ?? 0) + amount;
    }
  }
  return sums;
}

export type ConsumerRow = HostConsumer & {
  readonly amounts: Readonly<Record<string, number>>;
  /** The providers of the tree that it has something from; others share theirs. */
  readonly on: readonly string[];
};

export function consumerRows(
  consumers: readonly HostConsumer[],
  names: ReadonlyMap<string, string>,
): readonly ConsumerRow[] {
  return consumers.map((consumer) => ({
    ...consumer,
    amounts: amountsOf(consumer),
    on: Object.keys(consumer.allocations).map((uuid) => names.get(uuid) ?? uuid),
  }));
}

/** Sorted as the heads of the table say: by a text, or by the amount of a class. */
export function sortedConsumers(rows: readonly ConsumerRow[], sort: string): readonly ConsumerRow[] {
  const isDown = sort.startsWith('-');
  const by = isDown ? sort.slice(1) : sort;
  const compare = (a: ConsumerRow, b: ConsumerRow): number => {
    if (by.startsWith('amount:')) {
      const name = by.slice('amount:'.length);
      return (a.amounts[name] ?? 0) - (b.amounts[name] ?? 0);
    }
    return byName(textOf(a, by), textOf(b, by));
  };
  return [...rows].sort((a, b) => (isDown ? compare(b, a) : compare(a, b)) || a.uuid.localeCompare(b.uuid));
}

function textOf(row: ConsumerRow, by: string): string {
  if (by === 'flavor') return row.instance?.flavor ?? '';
  if (by === 'image') return row.instance?.image ?? '';
  if (by === 'project') return row.project_id;
  if (by === 'type') return row.consumer_type ?? '';
  return row.uuid;
}
