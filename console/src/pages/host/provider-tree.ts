// Reads the provider tree of a host report.
import type { HostConsumer, Named, ProviderNode } from '../../service/reports';
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

/** A provider's name without the prefix of its root, which the page shows above. */
export function shortName(name: string, root: string): string {
  if (name === root) return 'root';
  const rest = name.startsWith(root) ? name.slice(root.length).replace(/^[-_.:/]+/, '') : '';
  return rest === '' ? name : rest;
}

/** Custom traits first, then hardware and other traits, then those that every compute service reports. */
export function sortedTraits(traits: readonly string[]): string[] {
  const rank = (trait: string): number => (trait.startsWith('CUSTOM_') ? 0 : trait.startsWith('COMPUTE_') ? 2 : 1);
  return [...traits].sort((a, b) => rank(a) - rank(b) || byName(a, b));
}

/** The total amounts of a consumer over all its providers. */
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
  /** Names of its hosts, or of the providers that it has allocations from. */
  readonly on: readonly string[];
};

/** In the order of the uuids. */
export function consumerRows(
  consumers: readonly (HostConsumer & { readonly hosts?: readonly Named[] })[],
  names: ReadonlyMap<string, string> = new Map(),
): readonly ConsumerRow[] {
  const rows = consumers.map((consumer) => ({
    ...consumer,
    amounts: amountsOf(consumer),
    on:
      consumer.hosts?.map(({ name }) => name) ??
      Object.keys(consumer.allocations).map((uuid) => names.get(uuid) ?? uuid),
  }));
  return rows.sort((a, b) => a.uuid.localeCompare(b.uuid));
}
