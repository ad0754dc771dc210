// A reader of the change log besides the provider graph. It hears of what it follows in the same refresh that brings
// the graph up to date, so that whoever asks for the current graph finds every follower as fresh as the graph.
import type { NewChanges } from './change-log.loader';

/** What followers hear of. */
export type FollowedChanges = Pick<NewChanges, 'services' | 'hostAggregates'>;

export interface LogFollower {
  /** Reads everything again. */
  load(): Promise<void>;
  /** Reads what these changes name. Hearing of a change twice, or of one that was loaded already, does no harm. */
  apply(changes: FollowedChanges): Promise<void>;
}

/** The followers of one source, and which of them have loaded. One that joins late loads in the next refresh. */
export class LogFollowers {
  private readonly loaded = new Map<LogFollower, boolean>();

  add(follower: LogFollower): void {
    this.loaded.set(follower, false);
  }

  get areLoaded(): boolean {
    return [...this.loaded.values()].every((isLoaded) => isLoaded);
  }

  async loadAll(): Promise<void> {
    for (const follower of this.loaded.keys()) await this.loadOne(follower);
  }

  async apply(changes: FollowedChanges): Promise<void> {
    const hasNews = changes.services.size > 0 || changes.hostAggregates.size > 0;
    for (const [follower, isLoaded] of this.loaded) {
      if (!isLoaded) await this.loadOne(follower);
      else if (hasNews) await follower.apply(changes);
    }
  }

  private async loadOne(follower: LogFollower): Promise<void> {
    this.loaded.set(follower, false);
    await follower.load();
    this.loaded.set(follower, true);
  }
}
