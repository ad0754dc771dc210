// Keeps the provider graph in memory and, before each search, asks the change log what is new.
//
// Law: a search that starts after a write was acknowledged, by any process, sees that write. A refresh that has begun
// may have read the log before that write, so searches that arrive during one wait for the next, and share it.
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { applyUsageWalk, buildGraphWalk, EMPTY_GRAPH, replaceTreesWalk } from '../candidate-search';
import type { ProviderGraph } from '../candidate-search';
import { CHANGE_LOG_LIMITS } from '../config/limits';
import { Database, WHOLE_LOAD } from '../database/database';
import { LOGGER } from '../logging/logger.token';
import type { InfoLog } from '../logging/logger.token';
import { ProviderIds } from '../resource-providers/provider-ids';
import { turns } from '../turns/turns';
import { dataVersion, existingLanes, readNewChanges, readVector } from './change-log.loader';
import type { LaneVector, NewChanges } from './change-log.loader';
import { GraphSource } from './graph-source';
import type { RefreshCounts } from './graph-source';
import { LogFollowers } from './log-follower';
import type { LogFollower } from './log-follower';
import { loadGraphRows, loadTreesOf } from './graph.loader';

export const RETENTION_SECONDS = Symbol('retention of the change log in seconds');

@Injectable()
export class ResidentGraphSource extends GraphSource implements OnModuleInit, OnModuleDestroy {
  private graph: ProviderGraph = EMPTY_GRAPH;
  private vector: LaneVector = new Map();
  private readAtSeconds: number | undefined;
  private version: number | undefined;
  private running: Promise<ProviderGraph> | undefined;
  private next: Promise<ProviderGraph> | undefined;
  private readonly followers = new LogFollowers();
  private timer: NodeJS.Timeout | undefined;
  private lanesAtLastPruning = 0;
  private readonly counted = { refreshes: 0, untouched: 0, usageRows: 0, treeReloads: 0, wholeReloads: 0 };

  constructor(
    private readonly db: Database,
    @Inject(RETENTION_SECONDS) private readonly retentionSeconds: number,
    private readonly providerIds: ProviderIds,
    @Inject(LOGGER) private readonly log: InfoLog,
  ) {
    super();
  }

  get counts(): RefreshCounts {
    return { ...this.counted };
  }

  /** Before the service says that it is ready. */
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

  current(): Promise<ProviderGraph> {
    this.next ??= this.afterRunning();
    return this.next;
  }

  follow(follower: LogFollower): void {
    this.followers.add(follower);
  }

  private async afterRunning(): Promise<ProviderGraph> {
    // A failed refresh is told to those who waited for it; the next one starts on its own.
    await this.running?.catch(() => undefined);
    const refresh = this.refresh();
    this.running = refresh;
    this.next = undefined;
    try {
      return await refresh;
    } finally {
      if (this.running === refresh) this.running = undefined;
    }
  }

  private async refresh(): Promise<ProviderGraph> {
    this.counted.refreshes += 1;
    if (this.readAtSeconds === undefined) return this.loadWhole('start');
    const seen = this.version;
    const news = await this.db.read(async (sql) => {
      // Asked before the log is read: a commit in between makes the next refresh look again.
      const version = await dataVersion(sql);
      if (version !== undefined && version === seen && this.followers.areLoaded) return undefined;
      const changes = await readNewChanges(sql, this.vector, CHANGE_LOG_LIMITS.rowsPerRead);
      return { version, changes };
    });
    if (news === undefined) {
      this.counted.untouched += 1;
      return this.graph;
    }
    const slept = news.changes.readAtSeconds - this.readAtSeconds;
    if (slept > this.retentionSeconds * CHANGE_LOG_LIMITS.readerShareOfRetention)
      return this.loadWhole('slept too long');
    if (news.changes.isTooMuch) return this.loadWhole('too many changes at once');
    await this.apply(news.changes);
    this.version = news.version;
    await this.forgetDeadLanes();
    return this.graph;
  }

  private async apply(changes: NewChanges): Promise<void> {
    let graph = this.graph;
    const touched = new Set(changes.touched);
    if (changes.usages.length > 0) {
      const outcome = await turns.run(applyUsageWalk(graph, changes.usages));
      graph = outcome.graph;
      const unknown = new Set(outcome.unknownIds);
      for (const row of changes.usages) if (unknown.has(row.inventoryId)) touched.add(row.providerId);
      this.counted.usageRows += changes.usages.length;
    }
    if (touched.size > 0) {
      const ids = [...touched, ...[...touched].flatMap((id) => graph.findTreeOf(id)?.root.id ?? [])];
      const rows = await this.db.readSnapshot((sql) => loadTreesOf(sql, ids));
      graph = await turns.run(replaceTreesWalk(graph, touched, rows));
      this.counted.treeReloads += touched.size;
    }
    await this.followers.apply(changes);
    this.graph = graph;
    this.vector = changes.vector;
    this.readAtSeconds = changes.readAtSeconds;
  }

  /** Vector first, tables after: what is committed in between is read again, which does no harm. */
  private async loadWhole(reason: string): Promise<ProviderGraph> {
    const began = performance.now();
    const { version, vector, readAtSeconds } = await this.db.read(async (sql) => ({
      version: await dataVersion(sql),
      ...(await readVector(sql)),
    }));
    const rows = await this.db.readSnapshot(loadGraphRows, WHOLE_LOAD);
    this.graph = await turns.run(buildGraphWalk(rows));
    this.providerIds.remember(rows.providers);
    await this.followers.loadAll();
    this.vector = vector;
    this.readAtSeconds = readAtSeconds;
    this.version = version;
    this.counted.wholeReloads += 1;
    const durationMs = Math.round(performance.now() - began);
    this.log.info({ reason, trees: this.graph.rootIds.length, durationMs }, 'provider graph loaded');
    return this.graph;
  }

  /** Keeps the vector, and with it the statement that reads the log, from growing with every connection ever made. */
  private async forgetDeadLanes(): Promise<void> {
    if (this.vector.size < 2 * this.lanesAtLastPruning + CHANGE_LOG_LIMITS.lanesBeforePruning) return;
    const alive = await this.db.read((sql) => existingLanes(sql, [...this.vector.keys()]));
    this.vector = new Map([...this.vector].filter(([lane]) => alive.has(lane)));
    this.lanesAtLastPruning = this.vector.size;
  }
}
