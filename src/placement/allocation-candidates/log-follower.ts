// Interface of further readers of the change log. A follower receives its changes in the same refresh that updates the
// graph, so after `current()` every follower is as fresh as the graph.
import type { NewChanges } from './change-log.loader';

/** The changes that followers receive. */
export type FollowedChanges = Pick<NewChanges, 'services' | 'hostAggregates'>;

export interface LogFollower {
  /** Reloads everything. */
  load(): Promise<void>;
  /** Loads the rows that the changes name. Must be idempotent, also for changes that `load` already covered. */
  apply(changes: FollowedChanges): Promise<void>;
}

/**
 * The followers of one source, and which of them have loaded. A follower that joins later loads in the next refresh.
 */
export class LogFollowers {
  private readonly loaded = new Map<LogFollower, boolean>();

  add(follower: LogFollower): void {
    this.loaded.set(follower, false);
  }

  async loadAll(): Promise<void> {
    for (const follower of this.loaded.keys()) await this.loadOne(follower);
  }

  async apply(changes: FollowedChanges): Promise<void> {
    const hasChanges = changes.services.size > 0 || changes.hostAggregates.size > 0;
    for (const [follower, isLoaded] of this.loaded) {
      if (!isLoaded) await this.loadOne(follower);
      else if (hasChanges) await follower.apply(changes);
    }
  }

  private async loadOne(follower: LogFollower): Promise<void> {
    this.loaded.set(follower, false);
    await follower.load();
    this.loaded.set(follower, true);
  }
}
