// The port through which a search gets the provider graph. An implementation must show every write that any process
// acknowledged before the call.
import type { ProviderGraph } from '../candidate-search';
import type { ProvidersInMemory } from '../resource-providers/known-providers';
import type { LaneVector, NewChanges } from './change-log.loader';
import type { LogFollower } from './log-follower';

/** How the graph was kept up to date, counted since the start. */
export interface RefreshCounts {
  readonly refreshes: number;
  /** Refreshes that SQLite's data version spared the log. */
  readonly untouched: number;
  readonly usageRows: number;
  readonly treeReloads: number;
  readonly wholeReloads: number;
}

/** How large the graph in memory is, and how far it is behind. */
export interface GraphStatus {
  readonly trees: number;
  /** Since it last was as new as the database. */
  readonly ageSeconds: number;
}

/** How far the change log was read. */
export interface ReadPosition {
  readonly vector: LaneVector;
  /** By the database's clock. */
  readonly readAtSeconds: number;
}

/** The changes of one refresh. The followers have applied them already. */
export interface RefreshChanges {
  readonly before: ProviderGraph;
  readonly after: ProviderGraph;
  /** Null: the whole graph was reloaded, so the differences are unknown. */
  readonly changes: NewChanges | null;
}

/** Hears of every refresh that brought something, as soon as its graph is the current one. It must not throw. */
export type RefreshListener = (news: RefreshChanges) => void;

export abstract class GraphSource implements ProvidersInMemory {
  abstract get counts(): RefreshCounts;

  /** Null: none is kept. */
  abstract get status(): GraphStatus | null;

  /** Changes that are committed and not followed yet. Throws Unavailable. */
  abstract countUnread(): Promise<number>;

  abstract current(): Promise<ProviderGraph>;

  /** From the next `current()` on, the follower is as fresh as the graph that is answered. */
  abstract follow(follower: LogFollower): void;

  /** The log position of the last answer of `current()`; null if the log is not followed and changes are not reported. */
  abstract get readPosition(): ReadPosition | null;

  abstract listen(listener: RefreshListener): void;

  /** The log entries after the vector; `isTooMuch` if they exceed one read. */
  abstract changesSince(vector: LaneVector): Promise<NewChanges>;
}
