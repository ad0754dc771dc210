// Undoes the claims of calls whose answer did not arrive. A record exists from before the first claim until the answer
// is delivered. An answer that the broker returned is undone at once. A record without a known outcome, because the
// process ended or its connection did, or because the call was so old that its caller can have given up, is judged by
// any process after the call has expired: its claims are undone if nova's databases show the instance neither on the
// claimed host nor on its way.
//
// A claim is undone only if nothing else has written the instance's allocations since.
import { randomUUID } from 'node:crypto';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { Database } from '../../platform/database/database';
import type { InfoLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import type { Uuid } from '../../platform/values/uuid';
import type { ConsumerStore, ReportedHosts } from '../../scheduler/ports';
import { CONSUMER_STORE, REPORTED_HOSTS } from '../../scheduler/ports';
import type { CalledInstance, CallRecord, DueRecord } from './call-records.repository';
import { findDueRecords, insertRecord, postponeRecord, removeRecord } from './call-records.repository';
import { DatabasePlaces } from './database-places';
import { needsClaim } from './instance-places';
import { CALL_LIMITS } from './limits';

/** The generation of a consumer after its first claim. */
const FIRST_GENERATION = 1;

@Injectable()
export class CallRecords implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: Database,
    @Inject(CONSUMER_STORE) private readonly consumers: ConsumerStore,
    private readonly instances: InstancesService,
    @Inject(REPORTED_HOSTS) private readonly hosts: Pick<ReportedHosts, 'known'>,
    @Inject(DatabasePlaces) private readonly places: Pick<DatabasePlaces, 'find'>,
    @Inject(LOGGER) private readonly log: InfoLog,
  ) {}

  onModuleInit(): void {
    const round = (): void => void (this.running = this.running.then(() => this.recover()));
    this.timer = setInterval(round, CALL_LIMITS.recoveryEveryMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Must be called before the first claim of the call. */
  async open(requestId: string, uuids: readonly Uuid[], remainingMs: number): Promise<CallRecord> {
    const [only, ...others] = uuids;
    // The claims of several instances are refused if one of them has allocations.
    const before = only === undefined || others.length > 0 ? undefined : await this.consumers.find(only);
    const instances = uuids.map((uuid): CalledInstance => ({
      uuid,
      before: before === undefined ? null : { generation: before.generation, allocations: before.allocations },
    }));
    const record = { uuid: randomUUID(), requestId, instances };
    const seconds = Math.ceil(remainingMs / 1000) + CALL_LIMITS.recordGraceSeconds;
    await this.db.write((tx) => insertRecord(tx, record, seconds));
    return record;
  }

  /** The answer arrived, or the call claimed nothing. A record that cannot be removed is judged later. Never throws. */
  async close({ uuid, requestId }: CallRecord): Promise<void> {
    try {
      await this.db.write((tx) => removeRecord(tx, uuid));
    } catch (error) {
      this.log.warn(
        { err: error, request_id: requestId },
        'the record of a call could not be removed; it is judged later',
      );
    }
  }

  /** The caller did not receive its answer. After a failure, a later round tries again. Never throws. */
  async undo(record: CallRecord): Promise<void> {
    if (await this.release(record)) await this.close(record);
  }

  /** Undoes the claims and keeps the record, for another attempt. Returns false after a failure. Never throws. */
  async release(record: CallRecord): Promise<boolean> {
    try {
      for (const instance of record.instances) await this.undoClaim(instance, record.requestId);
      return true;
    } catch (error) {
      this.log.warn(
        { err: error, request_id: record.requestId },
        'claims of a call without an answer could not be released; a later round tries again',
      );
      return false;
    }
  }

  /** One round over the records of expired calls. Returns the number of records that it removed. Never throws. */
  async recover(): Promise<number> {
    let removed = 0;
    try {
      for (const record of await this.db.read((sql) => findDueRecords(sql, CALL_LIMITS.recordsPerRecovery))) {
        if (await this.judge(record)) removed += 1;
      }
    } catch (error) {
      this.log.warn({ err: error }, 'calls without a known outcome could not be judged; the next round tries again');
    }
    return removed;
  }

  /** Returns false if the record stays, because an instance could not be judged. */
  private async judge(record: DueRecord): Promise<boolean> {
    const { uuid, requestId, ageSeconds } = record;
    let isUnknown = false;
    for (const instance of record.instances) {
      const needed = await this.isNeeded(instance);
      if (needed === undefined) isUnknown = true;
      else if (!needed) await this.undoClaim(instance, requestId);
    }
    if (!isUnknown || ageSeconds > CALL_LIMITS.recordAgeSeconds) {
      if (isUnknown)
        this.log.warn({ request_id: requestId }, 'the claims of a call stay: the databases of nova were not readable');
      await this.db.write((tx) => removeRecord(tx, uuid));
      return true;
    }
    await this.db.write((tx) => postponeRecord(tx, uuid, CALL_LIMITS.recordGraceSeconds));
    return false;
  }

  /** Undefined: nova's databases cannot be read. */
  private async isNeeded({ uuid, before }: CalledInstance): Promise<boolean | undefined> {
    const roots = (await this.consumers.rootsOf([uuid])).get(uuid);
    const claimed = (roots ?? []).filter((root) => !Object.hasOwn(before?.allocations ?? {}, root.uuid));
    if (claimed.length === 0) return true;
    const place = await this.places.find(uuid);
    if (place === undefined) return undefined;
    return needsClaim(
      place,
      new Set(claimed.map((root) => this.hosts.known(root).reported?.service.host ?? root.name)),
    );
  }

  /** Restores the allocations from before the call, if the call's claim is the last write to them. */
  private async undoClaim({ uuid, before }: CalledInstance, requestId: string): Promise<void> {
    const current = await this.consumers.find(uuid);
    const generation = before === null ? FIRST_GENERATION : before.generation + 1;
    if (current?.generation !== generation) return;
    const placed = await this.db.read(async (sql) => (await this.instances.find(sql, [uuid])).get(uuid));
    if (placed?.requestId !== requestId) return;
    const nowMs = Date.now();
    const isRestored = await this.consumers.restore(
      uuid,
      { ...current, allocations: before?.allocations ?? {} },
      async (tx) => {
        if (before === null) await this.instances.forgetIn(tx, [uuid], nowMs);
      },
    );
    // Otherwise another request has changed the allocations meanwhile, so they are not the call's any more.
    if (!isRestored) return;
    this.log.info({ instance: uuid, request_id: requestId }, 'released a claim whose answer did not arrive');
  }
}
