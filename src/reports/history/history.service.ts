// The history of the cloud: a sample for each interval, written by one process at a time, kept for eight days. Everything
// comes from the capacity report and from counts of decisions by an index.
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { DecisionStore } from '../../scheduler/decisions/decision-store';
import { CapacityReportService } from '../capacity/capacity-report.service';
import { HostChanges } from './host-changes';
import { eachSince } from './host-events.repository';
import type { SampleDocument } from './sample.entity';
import type { NewSample } from './samples.repository';
import { insertSample, samplesSince, takeRound } from './samples.repository';
import { changedUse, Timeline } from './timeline';
import type { WhenFull } from './when-full';
import { whenFull } from './when-full';

/** 0: no samples are taken. */
export const HISTORY_INTERVAL_SECONDS = Symbol('reports.HistoryIntervalSeconds');

const LOOKED_EVERY_MS = 15_000;
const KEPT_MS = 8 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Hours that a forecast looks back. */
const FORECAST_HOURS = 168;
const REFUSALS_READ = 1_000;
/** Points of one history. */
const POINTS = 300;
/** Resource classes of one sample: the first ones of the capacity report. */
const CLASSES = 20;
/** The sampler never disconnects. */
const SAMPLER = { isGone: false } as const;

@Injectable()
export class HistoryService implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private lastRound = 0;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly capacity: CapacityReportService,
    private readonly changes: HostChanges,
    private readonly decisions: DecisionStore,
    @Inject(HISTORY_INTERVAL_SECONDS) private readonly intervalSeconds: number,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  onModuleInit(): void {
    if (this.intervalSeconds === 0) return;
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.look(Date.now()));
    }, LOOKED_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Records the changes of hosts, and takes the sample of the current interval, unless a process has taken it. Never throws. */
  async look(nowMs: number): Promise<void> {
    const intervalMs = this.intervalSeconds * 1_000;
    const atMs = Math.floor(nowMs / intervalMs) * intervalMs;
    try {
      await this.changes.record(nowMs);
      if (atMs <= this.lastRound) return;
      this.lastRound = atMs;
      if (!(await this.db.write((tx) => takeRound(tx, atMs)))) return;
      const sample = await this.sampleAt(atMs, intervalMs);
      await this.db.write((tx) => insertSample(tx, sample, atMs - KEPT_MS));
    } catch (error) {
      this.log.warn({ err: error }, 'the history could not be recorded; the next attempt follows');
    }
  }

  since(hours: number, nowMs: number): Promise<readonly NewSample[]> {
    const intervalMs = Math.max(1, this.intervalSeconds) * 1_000;
    const stepMs = Math.ceil((hours * HOUR_MS) / POINTS / intervalMs) * intervalMs;
    return this.db.readMuch((sql) => samplesSince(sql, nowMs - hours * HOUR_MS, stepMs));
  }

  /** When each class of the last sample is full: the soonest first, then the fullest. */
  async forecasts(nowMs: number): Promise<readonly (WhenFull & { readonly resource_class: string })[]> {
    const samples = await this.since(FORECAST_HOURS, nowMs);
    const last = Object.entries(samples.at(-1)?.document.classes ?? {});
    const found = last.map(([name, { usable, capacity }]) => {
      const points = samples.flatMap(({ sampledAtMs: atMs, document }) => {
        const used = document.classes[name]?.used;
        return used === undefined ? [] : { atMs, used };
      });
      return { resource_class: name, free: usable / capacity, ...whenFull(points, usable) };
    });
    return found
      .sort((a, b) => (a.earliest_days ?? Infinity) - (b.earliest_days ?? Infinity) || a.free - b.free)
      .map(({ free: _, ...forecast }) => forecast);
  }

  /** Newest first, after the use; `leftOut`: changes that are not in the entries. */
  async timeline(sinceMs: number, nowMs: number, limit: number) {
    const filter = { outcome: 'no_valid_host', sinceMs } as const;
    const { items } = await this.decisions.list(filter, { limit: REFUSALS_READ, marker: undefined });
    const unread = Math.max(0, (await this.decisions.countOutcome(filter.outcome, sinceMs)) - items.length);
    const line = await this.db.readMuch(async (sql) => {
      const read = new Timeline();
      await eachSince(sql, sinceMs, (event) => read.addEvent(event));
      return read;
    });
    for (const refusal of items) line.addRefusal(refusal);
    const found = line.entries;
    const samples = await this.since(Math.ceil((nowMs - sinceMs) / HOUR_MS), nowMs);
    const [first, last] = [samples.find(({ sampledAtMs }) => sampledAtMs >= sinceMs), samples.at(-1)];
    const use = first && last ? changedUse(first, last) : [];
    const leftOut = found.slice(limit).reduce((sum, { changes }) => sum + changes, unread);
    return { entries: [...use, ...found.slice(0, limit)], leftOut };
  }

  private async sampleAt(atMs: number, intervalMs: number): Promise<NewSample> {
    return {
      sampledAtMs: atMs,
      placed: await this.countOf('placed', atMs, intervalMs),
      refused: await this.countOf('no_valid_host', atMs, intervalMs),
      document: await this.document(),
    };
  }

  private async countOf(outcome: 'placed' | 'no_valid_host', atMs: number, intervalMs: number): Promise<number> {
    const since = await this.decisions.countOutcome(outcome, atMs - intervalMs);
    return Math.max(0, since - (await this.decisions.countOutcome(outcome, atMs)));
  }

  private async document(): Promise<SampleDocument> {
    const asked = { grouping: 'total', classes: [], flavors: [], limit: 1, marker: undefined } as const;
    const { groups, stranded } = await this.capacity.page(asked, SAMPLER);
    const sums = groups[0]?.sums;
    if (sums === undefined) return { hosts: 0, usable: 0, instances: 0, classes: {} };
    const classes = [...sums.classes]
      .slice(0, CLASSES)
      .map(
        ([name, { capacity, used, usable }]) =>
          [name, { capacity, used, usable, stranded: stranded.of(name, sums)?.amount ?? null }] as const,
      );
    const pools = new Map(sums.statuses).get('sharing') ?? 0;
    return {
      hosts: sums.hosts - pools,
      usable: sums.hostsUsable - pools,
      instances: sums.amount('instances'),
      classes: Object.fromEntries(classes),
    };
  }
}
