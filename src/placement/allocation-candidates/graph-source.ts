// The port through which a search gets the provider graph. An implementation must show every write that any process
// acknowledged before the call.
import type { ProviderGraph } from '../candidate-search';
import type { ProvidersInMemory } from '../resource-providers/known-providers';
import type { LaneVector, NewChanges } from './change-log.loader';
import type { LogFollower } from './log-follower';

/** Counters of graph updates since the start. */
export interface RefreshCounts {
  readonly refreshes: number;
  /** Refreshes without a read of the log, because SQLite's data version was unchanged. */
  readonly untouched: number;
  readonly usageRows: number;
  readonly treeReloads: number;
  readonly wholeReloads: number;
}

/** The size of the graph in memory, and its lag. */
export interface GraphStanding {
  readonly trees: number;
  /** Seconds since the graph was last as new as the database. */
  readonly ageSeconds: number;
}

/** The position up to which the change log was read. */
export interface LogStand {
  readonly vector: LaneVector;
  /** The database's clock at the time of the read. */
  readonly readAtSeconds: number;
}

/** The result of one refresh. Followers receive its changes first. */
export interface RefreshNews {
  readonly before: ProviderGraph;
  readonly after: ProviderGraph;
  /** Null: everything was reloaded, so the changes are unknown. */
  readonly changes: NewChanges | null;
}

/** Called after every refresh with changes, once its graph is current. Must not throw. */
export type RefreshListener = (news: RefreshNews) => void;

export abstract class GraphSource implements ProvidersInMemory {
  abstract get counts(): RefreshCounts;

  /** Null: the source keeps no graph. */
  abstract get standing(): GraphStanding | null;

  /** The number of committed changes that the graph lacks. Throws Unavailable. */
  abstract countBehind(): Promise<number>;

  abstract current(): Promise<ProviderGraph>;

  /** From the next `current()` on, the follower is as fresh as the returned graph. */
  abstract follow(follower: LogFollower): void;

  /**
   * The log position of the last result of `current()`; null if the source does not follow the log and notifies no
   * listener.
   */
  abstract get stand(): LogStand | null;

  abstract listen(listener: RefreshListener): void;

  /** The log entries after the vector; `isTooMuch` if there are more than one page. */
  abstract newsSince(vector: LaneVector): Promise<NewChanges>;
}
