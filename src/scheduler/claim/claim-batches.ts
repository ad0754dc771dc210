// Makes batches of several transactions atomic, even if their process dies between two of them. A batch is recorded
// before its first claim, its row is locked in every transaction that claims for it, and the last transaction deletes
// it. The owner renews a lease; any process undoes a batch with an expired lease. Times are those of the database's
// clock.
import { randomUUID } from 'node:crypto';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { Unavailable } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { ClaimBatch } from '../ports';
import type { BatchRollback } from './batch-rollback';
import { BATCH_ROLLBACK } from './batch-rollback';
import type { OwnedBatch } from './claim-batches.repository';
import { findAbandoned, holdBatch, insertBatch, removeBatch, takeOverBatch } from './claim-batches.repository';

/** The interval of lease renewals and of the search for expired batches. */
const BATCH_RENEW_SECONDS = 10;
const BATCH_RECOVERY_SECONDS = 10;
const BATCHES_PER_RECOVERY = 10;

@Injectable()
export class ClaimBatches implements OnModuleInit, OnModuleDestroy {
  /** The batches that this process renews, with their owner tokens. */
  private readonly owned = new Map<Uuid, Uuid>();
  private timer: NodeJS.Timeout | undefined;
  private recovering: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private renewing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: Database,
    @Inject(BATCH_ROLLBACK) private readonly rollback: BatchRollback,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  onModuleInit(): void {
    const look = (): void => void (this.running = this.running.then(() => this.recover()));
    look();
    this.recovering = setInterval(look, BATCH_RECOVERY_SECONDS * 1000);
    this.recovering.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.recovering);
    clearInterval(this.timer);
    await Promise.all([this.running, this.renewing]);
  }

  /** In a separate transaction before the first claim. */
  async open(batch: ClaimBatch): Promise<void> {
    const owned = { uuid: batch.uuid, owner: randomUUID(), requestId: batch.requestId };
    await this.db.write((tx) => insertBatch(tx, owned, Date.now()));
    batch.isOpen = true;
    this.owned.set(owned.uuid, owned.owner);
    this.timer ??= setInterval(() => void (this.renewing = this.renewAll()), BATCH_RENEW_SECONDS * 1000).unref();
  }

  /**
   * Must be the first call in a transaction that claims for the batch. Throws Unavailable if another process took it
   * over.
   */
  async holdIn(tx: WriteTx, batch: ClaimBatch): Promise<void> {
    if (batch.isOpen && !(await holdBatch(tx, this.ownedOf(batch)))) throw takenOver();
  }

  /**
   * In the last transaction: the claims become permanent. Throws Unavailable if another process took the batch over.
   */
  async closeIn(tx: WriteTx, batch: ClaimBatch): Promise<void> {
    if (batch.isOpen && !(await removeBatch(tx, this.ownedOf(batch)))) throw takenOver();
  }

  /** Stops the renewal of the lease. */
  forget({ uuid }: ClaimBatch): void {
    this.owned.delete(uuid);
    if (this.owned.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Releases everything with the batch's mark. Never throws: after a failure, the open batch is undone later. */
  async undo(batch: ClaimBatch): Promise<void> {
    try {
      if (batch.isOpen) await this.undoOwned(this.ownedOf(batch));
      else await this.rollback.release(batch.uuid, async () => true);
    } catch (error) {
      const fields = { err: error, request_id: batch.requestId, batch: batch.uuid };
      this.log.warn(
        fields,
        batch.isOpen
          ? 'a batch could not be undone; it is tried again'
          : 'what a request claimed could not be released',
      );
    } finally {
      this.forget(batch);
    }
  }

  /** One round: takes over batches with expired leases and undoes them; returns their number. Never throws. */
  async recover(): Promise<number> {
    let undone = 0;
    try {
      const abandoned = await this.db.read((sql) => findAbandoned(sql, BATCHES_PER_RECOVERY));
      for (const batch of abandoned) {
        const owner = randomUUID();
        if (!(await this.db.write((tx) => takeOverBatch(tx, batch, owner)))) continue;
        await this.undoOwned({ uuid: batch.uuid, owner });
        this.log.warn({ batch: batch.uuid }, 'rolled back a batch of a process that is not running');
        undone += 1;
      }
    } catch (error) {
      this.log.warn({ err: error }, 'abandoned batches could not be undone; the next round tries again');
    }
    return undone;
  }

  /** Skips batches that another process has taken over; that process undoes them. */
  private async undoOwned(batch: OwnedBatch): Promise<void> {
    await this.rollback.release(batch.uuid, (tx) => holdBatch(tx, batch));
    await this.db.write((tx) => removeBatch(tx, batch));
  }

  private async renewAll(): Promise<void> {
    for (const [uuid, owner] of [...this.owned]) {
      try {
        await this.db.write((tx) => holdBatch(tx, { uuid, owner }));
      } catch (error) {
        this.log.warn({ err: error, batch: uuid }, 'the lease of a batch could not be renewed; it is tried again');
      }
    }
  }

  private ownedOf({ uuid }: ClaimBatch): OwnedBatch {
    const owner = this.owned.get(uuid);
    if (owner === undefined) throw new Error(`batch ${uuid} is not open here`);
    return { uuid, owner };
  }
}

const takenOver = (): Unavailable =>
  new Unavailable('The batch exceeded its time limit and was rolled back. Nothing is claimed.');
