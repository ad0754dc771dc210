// Releases the claims of a batch that failed or whose process died.

import { Injectable } from '@nestjs/common';
import { InstancesService } from '../../compute/instances/instances.service';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';
import { INSTANCES_CLAIMED_TOGETHER } from '../../scheduling-rules/pipeline/limits';

export interface BatchRollback {
  /**
   * Releases everything that the batch claimed. `hold` locks the batch in each transaction; once it returns false, another
   * process does the rest. Throws if claims are left.
   */
  release(batchUuid: Uuid, hold: (tx: WriteTx) => Promise<boolean>): Promise<void>;
}

export const BATCH_ROLLBACK = Symbol('scheduler.BatchRollback');

/** Claims in this process's own Placement: the instances with the batch's mark. */
@Injectable()
export class MarkedInstances implements BatchRollback {
  constructor(
    private readonly db: Database,
    private readonly instances: InstancesService,
  ) {}

  async release(batchUuid: Uuid, hold: (tx: WriteTx) => Promise<boolean>): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = await this.db.write(
        async (tx) => (await hold(tx)) && this.instances.releaseOfBatchIn(tx, batchUuid, INSTANCES_CLAIMED_TOGETHER),
      );
    }
  }
}
