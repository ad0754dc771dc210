// Stores decisions, best effort: several at once, after the response, and no request waits or fails because of it.
// Decisions that exceed the queue or cannot be written are dropped, counted and logged.
import type { OnApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageQuery } from '../../compute/registry-page';
import { countRows } from '../../compute/registry-page.sql';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { Database } from '../../platform/database/database';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import type { DecisionRow, KeptDecision, ReadDecision } from './decision.entity';
import type { DecisionDocument } from './decision.presenter';
import type { DecisionFilter } from './decisions.repository';
import * as repository from './decisions.repository';
import { decisionTextOf, keptDecision, packedDocument, readDocument } from './kept-decision';
import type { DecisionFixes } from './request-fixes';

export interface DecisionStoreOptions {
  /** 0: none are stored. */
  readonly maxCount: number;
  readonly maxAgeSeconds: number;
}

export const DECISION_STORE_OPTIONS = Symbol('scheduler.DecisionStoreOptions');

/** In a document without fixes. In a text of a client the quotes would be escaped. */
const NO_FIXES = '"fixes":null';

@Injectable()
export class DecisionStore implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private queue: Decision[] = [];
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private trimming: NodeJS.Timeout | undefined;
  private isStopping = false;
  private droppedCount = 0;

  constructor(
    private readonly db: Database,
    @Inject(DECISION_STORE_OPTIONS) private readonly options: DecisionStoreOptions,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  /** The number of decisions that were dropped. */
  get dropped(): number {
    return this.droppedCount;
  }

  onModuleInit(): void {
    this.trimming = setInterval(() => void this.trim(), SCHEDULER_LIMITS.decisionTrimSeconds * 1000);
    this.trimming.unref();
  }

  /** Requests can still be running; their decisions are written at once. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.trimming);
    await this.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Queues the decision and returns; it is written some time after the response. */
  keep(decision: Decision): void {
    if (this.options.maxCount === 0) return;
    if (this.queue.length >= SCHEDULER_LIMITS.decisionsQueued) {
      this.drop(1, 'too many decisions wait to be written');
      return;
    }
    this.queue.push(decision);
    if (this.isStopping || this.queue.length >= SCHEDULER_LIMITS.decisionsPerWrite) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), SCHEDULER_LIMITS.decisionWaitMs);
  }

  /** Writes the queue. Never throws. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.queue.length > 0 || this.writing !== undefined) {
      this.writing ??= this.writeSome().finally(() => (this.writing = undefined));
      await this.writing;
    }
  }

  private async writeSome(): Promise<void> {
    const decisions = this.queue.splice(0, SCHEDULER_LIMITS.decisionsPerWrite);
    try {
      const kept: KeptDecision[] = [];
      // One after the other, because each can reach the size limit while it is compressed.
      for (const decision of decisions) {
        const packed = await keptDecision(decision);
        if (packed !== undefined) kept.push(packed);
      }
      if (kept.length < decisions.length) this.drop(decisions.length - kept.length, 'the document is too large');
      await this.db.write((tx) => repository.insertDecisions(tx, kept));
    } catch (error) {
      this.drop(decisions.length, (error as Error).message);
    }
  }

  private drop(count: number, reason: string): void {
    this.droppedCount += count;
    this.log.warn({ count, dropped: this.droppedCount, reason }, 'decisions were not kept');
  }

  /**
   * The decision document; undefined if it is not stored. The first reading of a decision without candidates adds what
   * `fixesFor` returns for it. A decision of an earlier release has no place for it and stays as it is.
   */
  async find(
    requestId: string,
    fixesFor: (document: DecisionDocument) => Promise<DecisionFixes | null>,
  ): Promise<Buffer | undefined> {
    const row = await this.db.read((sql) => repository.findDocument(sql, requestId));
    if (row === undefined) return undefined;
    const text = await decisionTextOf(row.document);
    const isOpen = row.code === 'scheduler.no_candidates' && text.includes(NO_FIXES);
    return (isOpen ? await this.withFixes(row.id, text, fixesFor) : undefined) ?? text;
  }

  /** The document with fixes, which is stored if the database can be written; undefined if there are none. */
  private async withFixes(
    id: number,
    text: Buffer,
    fixesFor: (document: DecisionDocument) => Promise<DecisionFixes | null>,
  ): Promise<Buffer | undefined> {
    const document = JSON.parse(text.toString()) as DecisionDocument;
    const { summary } = document;
    const fixes = summary.fixes === null ? await fixesFor(document) : null;
    if (fixes === null) return undefined;
    const packed = await packedDocument({ ...document, summary: { ...summary, fixes } });
    if (packed === undefined) return undefined;
    try {
      await this.db.write((tx) => repository.replaceDocument(tx, id, packed));
    } catch (error) {
      this.log.warn({ err: error }, 'the changes that were found for a decision could not be stored');
    }
    return packed.text;
  }

  /** Same as a parsed value; undefined also if its compressed size exceeds `bytesMax`. */
  async read(requestId: string, bytesMax: number): Promise<DecisionDocument | undefined> {
    const row = await this.db.read((sql) => repository.findDocument(sql, requestId));
    if (row === undefined || row.document.length > (bytesMax * 4) / 3 + 4) return undefined;
    return readDocument(row.document);
  }

  list(filter: DecisionFilter, page: PageQuery): Promise<Page<DecisionRow>> {
    return this.db.read((sql) => repository.listDecisions(sql, filter, page));
  }

  count(filter: DecisionFilter): Promise<number> {
    return this.db.readMuch((sql) => countRows(sql, 'scheduler_decisions d', repository.conditionsOf(filter)));
  }

  countOutcome(outcome: Decision['outcome'], sinceMs: number): Promise<number> {
    return this.db.read((sql) => repository.countOutcome(sql, outcome, sinceMs));
  }

  /** Ids of the newest decisions with this outcome since then, newest first. */
  idsOfOutcome(
    outcome: Decision['outcome'],
    bounds: { readonly sinceMs: number; readonly limit: number },
  ): Promise<readonly number[]> {
    return this.db.read((sql) => repository.idsOfOutcome(sql, outcome, bounds));
  }

  /** The stored documents of these decisions, parsed in tasks that yield. Deleted decisions are omitted. */
  async documentsOf(ids: readonly number[]): Promise<readonly ReadDecision[]> {
    if (ids.length === 0) return [];
    const rows = await this.db.read((sql) => repository.decisionsByIds(sql, ids));
    const read: ReadDecision[] = [];
    for (const { document, ...row } of rows) read.push({ ...row, document: await readDocument(document) });
    return read;
  }

  /** One trim round, by the first process that starts it; returns the number of deleted decisions. */
  async trim(nowMs = Date.now()): Promise<number> {
    let removed = 0;
    try {
      if (!(await this.db.write((tx) => repository.takeTrimRound(tx, Math.floor(nowMs / 1000))))) return 0;
      const bounds = {
        maxCount: this.options.maxCount,
        maxBytes: SCHEDULER_LIMITS.decisionsBytes,
        sinceMs: nowMs - this.options.maxAgeSeconds * 1000,
      };
      // In small transactions, so other writers wait only briefly.
      for (let gone = -1; gone !== 0; removed += gone) {
        gone = await this.db.write((tx) => repository.trimDecisions(tx, bounds));
      }
    } catch (error) {
      this.log.warn({ err: error }, 'old decisions could not be removed; the next round tries again');
    }
    return removed;
  }
}
