// Loads the whole graph for every search, in one consistent view. Always correct; the oracle for tests of faster
// sources.
import type { Database } from '../../platform/database/database';
import { WHOLE_LOAD } from '../../platform/database/database';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { ProviderGraph } from '../candidate-search';
import { buildGraphInSteps } from '../candidate-search';
import type { RefreshCounts } from './graph-source';
import { GraphSource } from './graph-source';
import { loadGraphRows } from './graph.loader';
import type { LogFollower } from './log-follower';
import { LogFollowers } from './log-follower';

export class DatabaseGraphSource extends GraphSource {
  private loads = 0;
  private readonly followers = new LogFollowers();

  constructor(private readonly db: Database) {
    super();
  }

  get counts(): RefreshCounts {
    return { refreshes: this.loads, untouched: 0, usageRows: 0, treeReloads: 0, wholeReloads: this.loads };
  }

  get status(): null {
    return null;
  }

  /** A graph that is loaded for each search has no position in the log. */
  get readPosition(): null {
    return null;
  }

  listen(): void {}

  changesSince(): Promise<never> {
    return Promise.reject(new Error('the change log is not followed'));
  }

  async countUnread(): Promise<number> {
    return 0;
  }

  async current(): Promise<ProviderGraph> {
    this.loads += 1;
    const graph = await tasks.run(buildGraphInSteps(await this.db.readSnapshot(loadGraphRows, WHOLE_LOAD)));
    await this.followers.loadAll();
    return graph;
  }

  follow(follower: LogFollower): void {
    this.followers.add(follower);
  }
}
