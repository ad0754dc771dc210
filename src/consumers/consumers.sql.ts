// What other slices' statements may ask of consumers, in so many words of SQL: a statement of theirs stays one.

/** True where the consumer that a column names has allocations: a consumer exists only while it has some. */
export const hasAllocations = (uuidColumn: string): string =>
  `EXISTS (SELECT 1 FROM consumers holder WHERE holder.uuid = ${uuidColumn})`;
