// The allocations on one provider. A popular provider can have several 100 000 rows. These are read in slices of one
// snapshot, and each slice is merged when it arrives. If one slice is enough, one statement runs.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/event-loop/caller';
import { stopIfGone } from '../../platform/event-loop/caller';
import type { Uuid } from '../../platform/values/uuid';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import type { ConsumerShare, ProviderAllocations } from './allocations.commands';
import type { ProviderRows, ProviderShareRow } from './allocations.repository';
import { findByProvider, findMoreByProvider } from './allocations.repository';

@Injectable()
export class ProviderAllocationsService {
  constructor(private readonly db: Database) {}

  /** In the order in which the consumers were created. Throws NotFound, CallerGone. */
  async ofProvider(
    uuid: Uuid,
    caller: Caller,
    limit: number = DATABASE_LIMITS.rowsPerRead,
  ): Promise<ProviderAllocations> {
    const first = await this.db.read((sql) => findByProvider(sql, uuid, limit));
    if (first === undefined) throw unknownProvider(uuid);
    return first.rows.length === limit ? this.inSlices(uuid, limit, caller) : new Shares().add(first.rows).of(first);
  }

  private inSlices(uuid: Uuid, limit: number, caller: Caller): Promise<ProviderAllocations> {
    return this.db.readSnapshot(async (sql) => {
      const first = await findByProvider(sql, uuid, limit);
      if (first === undefined) throw unknownProvider(uuid);
      const shares = new Shares().add(first.rows);
      for (let last = first.rows.at(-1); last !== undefined;) {
        stopIfGone(caller);
        const slice = await findMoreByProvider(sql, uuid, last, limit);
        shares.add(slice);
        last = slice.at(-1);
      }
      return shares.of(first);
    });
  }
}

/** A consumer with allocations of several classes is one share. */
class Shares {
  private readonly byConsumer = new Map<number, ConsumerShare & { resources: Map<string, number> }>();
  private changedAt: number | undefined;

  add(rows: readonly ProviderShareRow[]): this {
    for (const { consumerId, consumerUuid, consumerGeneration, resourceClass, used, createdAtMs } of rows) {
      let share = this.byConsumer.get(consumerId);
      if (share === undefined) {
        share = { consumerUuid, consumerGeneration, resources: new Map() };
        this.byConsumer.set(consumerId, share);
      }
      share.resources.set(resourceClass, used);
      this.changedAt = Math.max(this.changedAt ?? 0, createdAtMs);
    }
    return this;
  }

  of({ generation }: Pick<ProviderRows, 'generation'>): ProviderAllocations {
    // Sorting a typed array is ten times as fast.
    const order = Float64Array.from(this.byConsumer.keys()).sort();
    const shares = Array.from(order, (id) => this.byConsumer.get(id) as ConsumerShare);
    return { generation, shares, changedAt: this.changedAt };
  }
}
