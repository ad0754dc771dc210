// Limits of imports, exports and repairs.
/** Imports from and exports to the schema of OpenStack Placement, by commands. */
export const TRANSFER_LIMITS = Object.freeze({
  /** Rows of names (projects, users, traits, …) per page. */
  namesPerPage: 5_000,
  /** Providers, with their ids and trees in memory during a pass; and projects, users, aggregates. */
  providers: 1_000_000,
  names: 2_000_000,
  /** Provider ids whose inventories, traits and aggregates are compared and written as one unit. */
  providersPerBlock: 250,
  providersPerWrite: 500,
  /** Consumers compared and written as one unit, with all their allocations. */
  consumersPerPage: 500,
  /** Findings kept to avoid repetition, and listed per kind; counts cover the kept ones. */
  findingsKept: 200_000,
  findingsListed: 100,
  differencesListed: 100,
  /** Rows written to a file or the reference's schema by one statement, and by one transaction. */
  rowsPerInsert: 500,
  rowsPerWrite: 10_000,
  /** The interval of progress lines without a terminal, and of updates with one. */
  progressLineMs: 5_000,
  progressDrawMs: 200,
});

/** Limits of `berth verify --repair`. */
export const REPAIR_LIMITS = Object.freeze({
  /** Faults of one kind that one run finds and repairs; the next run finds more. */
  foundPerRound: 100_000,
  repairsPerWrite: 100,
});
