// The port through which a search gets the provider graph. An implementation must show every write that any process
// acknowledged before the call.
import type { ProviderGraph } from '../candidate-search';
import type { LaneVector, NewChanges } from './change-log.loader';
import type { LogFollower } from './log-follower';

/** How the graph was kept up to date, counted since the start. */
export interface RefreshCounts {
  readonly refreshes: number;
  /** Refreshes that did not read the log, because SQLite's data version was unchanged. */
  readonly untouched: number;
  readonly usageRows: number;
  readonly treeReloads: number;
  readonly wholeReloads: number;
}

/** Size and age of the graph in memory. */
export interface GraphStatus {
  readonly trees: number;
  /** Time since the graph was last up to date with the database. */
  readonly ageSeconds: number;
}

/** A position in the change log, up to which it was read. */
export interface ReadPosition {
  readonly vector: LaneVector;
  /** Time of the read, by the database's clock. */
  readonly readAtSeconds: number;
}

/** The changes of one refresh. The followers have applied them already. */
export interface RefreshChanges {
  readonly before: ProviderGraph;
  readonly after: ProviderGraph;
  /** Null: the whole graph was reloaded, so the differences are unknown. */
  readonly changes: NewChanges | null;
}

/** Called after every refresh with changes, when its graph is the current one. Must not throw. */
export type RefreshListener = (changes: RefreshChanges) => void;

export abstract class GraphSource {
  abstract get counts(): RefreshCounts;

  /** Null: no graph is in memory. */
  abstract get status(): GraphStatus | null;

  /** Number of committed changes that are not applied yet. Throws Unavailable. */
  abstract countUnread(): Promise<number>;

  abstract current(): Promise<ProviderGraph>;

  /** From the next `current()` on, the follower is as fresh as the graph that it returns. */
  abstract follow(follower: LogFollower): void;

  /** The log position of the last answer of `current()`; null if the log is not followed and changes are not reported. */
  abstract get readPosition(): ReadPosition | null;

  abstract listen(listener: RefreshListener): void;

  /** The log entries after the vector; `isTooMuch` if they exceed one read. */
  abstract changesSince(vector: LaneVector): Promise<NewChanges>;
}
