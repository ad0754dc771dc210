// The port through which a search gets the provider graph. Whoever answers must show every write that was acknowledged
// before it was asked, by any process.
import type { ProviderGraph } from '../candidate-search';
import type { KnownProviders } from '../resource-providers/known-providers';
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

export abstract class GraphSource implements KnownProviders {
  abstract get counts(): RefreshCounts;

  abstract current(): Promise<ProviderGraph>;

  /** From the next `current()` on, the follower is as fresh as the graph that is answered. */
  abstract follow(follower: LogFollower): void;
}
