// SQL fragments about consumers for the statements of other slices, which can then stay single statements.

/** True if the consumer has allocations: a consumer exists only while it has some. */
export const hasAllocations = (uuidColumn: string): string =>
  `EXISTS (SELECT 1 FROM consumers holder WHERE holder.uuid = ${uuidColumn})`;

/** True if the consumer has allocations in the tree of this root. */
export const hasAllocationsInTree = (uuidColumn: string, rootUuidColumn: string): string =>
  'EXISTS (SELECT 1 FROM consumers holder JOIN allocations amount ON amount.consumer_id = holder.id ' +
  'JOIN resource_providers part ON part.id = amount.resource_provider_id ' +
  'JOIN resource_providers root ON root.id = part.root_provider_id ' +
  `WHERE holder.uuid = ${uuidColumn} AND root.uuid = ${rootUuidColumn})`;
