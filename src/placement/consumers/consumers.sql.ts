// SQL fragments about consumers for the statements of other slices, which can then stay single statements.

/** True if the consumer has allocations: a consumer exists only while it has some. */
export const hasAllocations = (uuidColumn: string): string =>
  `EXISTS (SELECT 1 FROM consumers holder WHERE holder.uuid = ${uuidColumn})`;
