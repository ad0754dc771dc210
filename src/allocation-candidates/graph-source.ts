// The port through which a search gets the provider graph. Whoever answers must show every write that was acknowledged
// before it was asked, by any process.
import type { ProviderGraph } from '../candidate-search';
import type { ProvidersInMemory } from '../resource-providers/known-providers';
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
export interface GraphStanding {
  readonly trees: number;
  /** Since it last was as new as the database. */
  readonly ageSeconds: number;
}

export abstract class GraphSource implements ProvidersInMemory {
  abstract get counts(): RefreshCounts;

  /** Null: none is kept. */
  abstract get standing(): GraphStanding | null;

  /** Changes that are committed and not followed yet. Throws Unavailable. */
  abstract countBehind(): Promise<number>;

  abstract current(): Promise<ProviderGraph>;

  /** From the next `current()` on, the follower is as fresh as the graph that is answered. */
  abstract follow(follower: LogFollower): void;
}
