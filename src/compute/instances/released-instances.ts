// Cleans up instances whose allocations a client deleted through the Placement API. Readers treat them as not placed at
// once. This task removes them from their server groups, and deletes their records after a retention time, during which
// the instance can still be unshelved. It removes unused locks of groups as well. The cleanup runs outside claims, so
// claims do not pay for it.
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { Database } from '../../platform/database/database';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { findUnusedGroupLocks, removeUnusedGroupLocks } from '../registry-locks.writes';
import { leaveAllGroups, lockGroupsOf } from '../server-groups/server-groups.writes';
import { findReleased, noticeReleased, removeReleased, stillReleased } from './released-instances.repository';

@Injectable()
export class ReleasedInstances implements OnModuleInit, OnModuleDestroy {
  /** Id of the record after which the next round starts. */
  private after = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  onModuleInit(): void {
    const round = (): void =>
      void (this.running = this.running.then(() => this.round()).then(() => this.removeGroupLocks()));
    this.timer = setInterval(round, SCHEDULER_LIMITS.releasedRoundSeconds * 1000);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Checks one page of records, and restarts at the first record after the last one. Never throws. */
  async round(nowMs = Date.now()): Promise<void> {
    try {
      const { releasedPerRound, releasedKeptSeconds } = SCHEDULER_LIMITS;
      const { found, lastId } = await this.db.read((sql) => findReleased(sql, this.after, releasedPerRound));
      this.after = lastId ?? 0;
      const fresh = found.filter(({ noticedAtMs }) => noticedAtMs === null);
      const since = nowMs - releasedKeptSeconds * 1000;
      const old = found.filter(({ noticedAtMs }) => noticedAtMs !== null && noticedAtMs < since);
      if (fresh.length + old.length === 0) return;
      await this.db.write(async (tx) => {
        await lockGroupsOf(tx, fresh.map(({ uuid }) => uuid).sort());
        const leaving = await stillReleased(tx, idsOf(fresh));
        await leaveAllGroups(tx, leaving.map(({ uuid }) => uuid).sort());
        await noticeReleased(tx, idsOf(leaving), nowMs);
        await removeReleased(tx, idsOf(old));
      });
    } catch (error) {
      this.log.warn({ err: error }, 'released instances could not be cleared away; the next round tries again');
    }
  }

  /** One page of the locks that no claim has taken for a day. Never throws. */
  async removeGroupLocks(nowMs = Date.now()): Promise<void> {
    try {
      const since = nowMs - SCHEDULER_LIMITS.groupLocksKeptSeconds * 1000;
      const unused = await this.db.read((sql) => findUnusedGroupLocks(sql, since, SCHEDULER_LIMITS.groupLocksPerRound));
      if (unused.length > 0) await this.db.write((tx) => removeUnusedGroupLocks(tx, unused, since));
    } catch (error) {
      this.log.warn({ err: error }, 'unused locks of server groups could not be removed; the next round tries again');
    }
  }
}

const idsOf = (records: readonly { readonly id: number }[]): readonly number[] => records.map(({ id }) => id);
