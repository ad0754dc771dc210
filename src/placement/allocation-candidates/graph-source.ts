// Keeps the provider graph in memory and reads the new entries of the change log before each search.
//
// Law: a search that starts after any process acknowledged a write sees that write. A running refresh can have read the
// log before that write, so searches that arrive during a refresh wait for the next one and share it.
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { CHANGE_LOG_LIMITS } from '../../platform/config/limits/database';
import type { Database } from '../../platform/database/database';
import { WHOLE_LOAD } from '../../platform/database/database';
import { chunks } from '../../platform/database/sql';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { InfoLog } from '../../platform/logging/logger.token';
import type { ProviderGraph } from '../candidate-search';
import { applyUsage, buildGraphInSteps, EMPTY_GRAPH, replaceTrees, treesConcerned } from '../candidate-search';
import type { ProviderIds } from '../resource-providers/provider-ids';
import type { LaneVector, NewChanges } from './change-log.loader';
import { countUnread, existingLanes, readNewChanges, readVector } from './change-log.loader';
import { loadGraphRows, loadTreesOf } from './graph.loader';
import type { LogFollower } from './log-follower';
import { LogFollowers } from './log-follower';

/** How the graph was kept up to date, counted since the start. */
interface RefreshCounts {
  readonly refreshes: number;
  readonly usageRows: number;
  readonly treeReloads: number;
  readonly wholeReloads: number;
}

/** Size and age of the graph in memory. */
interface GraphStatus {
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
type RefreshListener = (changes: RefreshChanges) => void;

/** Maximum of rows per read; more changes cause a full reload. */
const ROWS_PER_READ = 50_000;

export class GraphSource implements OnModuleInit, OnModuleDestroy {
  private graph: ProviderGraph = EMPTY_GRAPH;
  private vector: LaneVector = new Map();
  private readAtSeconds: number | undefined;
  /** The `performance.now()` at which the graph was last up to date with the database. */
  private freshAt = 0;
  private running: Promise<ProviderGraph> | undefined;
  private next: Promise<ProviderGraph> | undefined;
  private readonly followers = new LogFollowers();
  private readonly listeners: RefreshListener[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lanesAtLastPruning = 0;
  private readonly counted = { refreshes: 0, usageRows: 0, treeReloads: 0, wholeReloads: 0 };

  constructor(
    private readonly db: Database,
    private readonly retentionSeconds: number,
    private readonly providerIds: ProviderIds,
    private readonly log: InfoLog,
  ) {}

  get counts(): RefreshCounts {
    return { ...this.counted };
  }

  get status(): GraphStatus {
    return { trees: this.graph.rootIds.length, ageSeconds: (performance.now() - this.freshAt) / 1_000 };
  }

  /** The last answer of `current()`, or a later one. */
  get lastRead(): ProviderGraph {
    return this.graph;
  }

  /** Number of committed changes that are not applied yet. Throws Unavailable. */
  countUnread(): Promise<number> {
    return this.db.read((sql) => countUnread(sql, this.vector));
  }

  /** The log position of the last answer of `current()`. */
  get readPosition(): ReadPosition {
    return { vector: this.vector, readAtSeconds: this.readAtSeconds ?? 0 };
  }

  listen(listener: RefreshListener): void {
    this.listeners.push(listener);
  }

  /** The log entries after the vector; `isTooMuch` if they exceed one read. */
  changesSince(vector: LaneVector): Promise<NewChanges> {
    return this.db.read((sql) => readNewChanges(sql, vector, CHANGE_LOG_LIMITS.rowsPerRead));
  }

  /** Runs before the service reports ready. */
  async onModuleInit(): Promise<void> {
    await this.current();
    this.timer = setInterval(() => this.keepUp(), CHANGE_LOG_LIMITS.idleRefreshMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private keepUp(): void {
    this.current().catch((error: unknown) => {
      this.log.info({ cause: String(error) }, 'the change log could not be followed; the next search tries again');
    });
  }

  /** Shows every write that any process acknowledged before the call. */
  current(): Promise<ProviderGraph> {
    this.next ??= this.afterRunning();
    return this.next;
  }

  /** From the next `current()` on, the follower is as fresh as the graph that it returns. */
  follow(follower: LogFollower): void {
    this.followers.add(follower);
  }

  private async afterRunning(): Promise<ProviderGraph> {
    // The callers that waited receive a refresh's error; the next refresh starts regardless.
    await this.running?.catch(() => undefined);
    const refresh = this.refreshed();
    this.running = refresh;
    this.next = undefined;
    try {
      return await refresh;
    } finally {
      if (this.running === refresh) this.running = undefined;
    }
  }

  private async refreshed(): Promise<ProviderGraph> {
    const began = performance.now();
    const graph = await this.refresh();
    this.freshAt = began;
    return graph;
  }

  private async refresh(): Promise<ProviderGraph> {
    this.counted.refreshes += 1;
    if (this.readAtSeconds === undefined) return this.loadWhole('start');
    const firstRead = await this.changesSince(this.vector);
    const changes = firstRead.isTooMuch ? await this.readMany() : firstRead;
    const slept = changes.readAtSeconds - this.readAtSeconds;
    if (slept > this.retentionSeconds * CHANGE_LOG_LIMITS.readerShareOfRetention)
      return this.loadWhole('slept too long');
    if (changes.isTooMuch) return this.loadWhole('too many changes at once');
    await this.apply(changes);
    await this.forgetDeadLanes();
    return this.graph;
  }

  /** The first read returns one page (on SQLite in one step); this one reads up to the maximum. */
  private readMany(): Promise<NewChanges> {
    return this.db.readMuch((sql) => readNewChanges(sql, this.vector, ROWS_PER_READ));
  }

  private async apply(changes: NewChanges): Promise<void> {
    let graph = this.graph;
    const touched = new Set(changes.touched);
    if (changes.usages.length > 0) {
      for (const some of chunks(changes.usages, CHANGE_LOG_LIMITS.rowsPerRead)) {
        const before = graph;
        const outcome = await tasks.paced(() => applyUsage(before, some));
        graph = outcome.graph;
        const unknown = new Set(outcome.unknownIds);
        for (const row of some) if (unknown.has(row.inventoryId)) touched.add(row.providerId);
      }
      this.counted.usageRows += changes.usages.length;
    }
    if (touched.size > 0) {
      const ids = treesConcerned(graph, touched);
      const rows = await this.db.readSnapshot((sql) => loadTreesOf(sql, ids));
      graph = await tasks.run(replaceTrees(graph, touched, rows));
      this.counted.treeReloads += touched.size;
    }
    await this.followers.apply(changes);
    const before = this.graph;
    this.graph = graph;
    this.vector = changes.vector;
    this.readAtSeconds = changes.readAtSeconds;
    if (bringsSomething(changes)) this.notify({ before, after: graph, changes });
  }

  /** Reads the vector before the tables: changes committed in between are applied again, which is idempotent. */
  private async loadWhole(reason: string): Promise<ProviderGraph> {
    const began = performance.now();
    const { vector, readAtSeconds } = await this.db.read(readVector);
    const rows = await this.db.readSnapshot(loadGraphRows, WHOLE_LOAD);
    const before = this.graph;
    this.graph = await tasks.run(buildGraphInSteps(rows));
    for (const provider of rows.providers) this.providerIds.remember(provider);
    await this.followers.loadAll();
    this.vector = vector;
    this.readAtSeconds = readAtSeconds;
    this.counted.wholeReloads += 1;
    this.notify({ before, after: this.graph, changes: null });
    const durationMs = Math.round(performance.now() - began);
    this.log.info({ reason, trees: this.graph.rootIds.length, durationMs }, 'provider graph loaded');
    return this.graph;
  }

  private notify(news: RefreshChanges): void {
    for (const listener of this.listeners) listener(news);
  }

  /** Prevents growth of the vector, and of the statement that reads the log, with every connection ever made. */
  private async forgetDeadLanes(): Promise<void> {
    if (this.vector.size < 2 * this.lanesAtLastPruning + CHANGE_LOG_LIMITS.lanesBeforePruning) return;
    const alive = await this.db.read((sql) => existingLanes(sql, [...this.vector.keys()]));
    this.vector = new Map([...this.vector].filter(([lane]) => alive.has(lane)));
    this.lanesAtLastPruning = this.vector.size;
  }
}

const bringsSomething = (changes: NewChanges): boolean => {
  const { usages, touched, services, hostAggregates, documents } = changes;
  return usages.length + touched.size + services.size + hostAggregates.size + documents.size > 0;
};
