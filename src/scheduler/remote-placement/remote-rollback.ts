// Undoes claims in a Placement service that runs elsewhere: restores what the consumer had before, if its allocations are
// still those of the claim. A claim without an answer can arrive late, so its absence counts only after a time.

import { Inject, Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import type { InfoLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { Unavailable } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { BatchRollback } from '../claim/batch-rollback';
import type { ClaimIntent, RecordedIntent } from './remote-claims.repository';
import { findIntents, removeIntents } from './remote-claims.repository';
import { isSameAllocations, RemoteConsumers } from './remote-consumers';
import { RemotePlacement } from './remote-placement';

/** After this time, or twice the time limit of a request, a claim without an answer does not arrive any more. */
const SETTLED_SECONDS = 60;
/** The generation of a consumer after its first claim. */
const FIRST_GENERATION = 1;

@Injectable()
export class RemoteRollback implements BatchRollback {
  constructor(
    private readonly db: Database,
    private readonly placement: RemotePlacement,
    private readonly consumers: RemoteConsumers,
    private readonly instances: InstancesService,
    @Inject(LOGGER) private readonly log: InfoLog,
  ) {}

  async release(batchUuid: Uuid, hold: (tx: WriteTx) => Promise<boolean>): Promise<void> {
    let unsettled = 0;
    for (const intent of await this.db.read((sql) => findIntents(sql, batchUuid))) {
      // Renews the lease as well: one restoration takes less time than it lasts.
      if (!(await this.db.write(hold))) return;
      if (!(await this.undo(batchUuid, intent, hold))) unsettled += 1;
    }
    if (unsettled > 0) throw new Unavailable(`${unsettled} claims without an answer can still arrive in Placement.`);
  }

  /** The consumer's allocations are those that the claim wrote. */
  async isOurs({ consumerUuid, allocations, before }: ClaimIntent): Promise<boolean> {
    const current = await this.consumers.find(consumerUuid);
    return current?.generation === generationAfter(before) && isSameAllocations(current.allocations, allocations);
  }

  /** Returns false if the claim can still arrive. */
  private async undo(
    batchUuid: Uuid,
    intent: RecordedIntent,
    hold: (tx: WriteTx) => Promise<boolean>,
  ): Promise<boolean> {
    const { consumerUuid, before, projectId, userId, isConfirmed, ageSeconds } = intent;
    const forget = async (tx: WriteTx): Promise<void> => {
      if (!(await hold(tx))) return;
      await removeIntents(tx, batchUuid, [consumerUuid]);
      if (isConfirmed) await this.instances.forgetIn(tx, [consumerUuid], Date.now());
    };
    if (await this.isOurs(intent)) {
      const allocations = before?.allocations ?? {};
      const to = { generation: generationAfter(before), allocations, projectId, userId };
      if (await this.consumers.restore(consumerUuid, to, forget)) return true;
      this.log.info({ instance: consumerUuid }, 'a claim was not released: its allocations changed meanwhile');
    } else if (!isConfirmed && ageSeconds < Math.max(SETTLED_SECONDS, (2 * this.placement.timeoutMs) / 1000)) {
      return false;
    }
    await this.db.write(forget);
    return true;
  }
}

const generationAfter = (before: ClaimIntent['before']): number =>
  before === null ? FIRST_GENERATION : before.generation + 1;
