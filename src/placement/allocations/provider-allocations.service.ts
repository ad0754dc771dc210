// The allocations on one provider. A popular provider can have several 100 000 rows. These are read in slices of one
// snapshot and merged in a task that yields. If one slice is enough, one statement runs.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../../platform/config/limits';
import { Database } from '../../platform/database/database';
import type { Uuid } from '../../platform/values/uuid';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import { stopIfGone } from '../../platform/event-loop/caller';
import { turns } from '../../platform/event-loop/turns';
import type { Caller } from '../../platform/event-loop/caller';
import type { ConsumerShare, ProviderAllocations } from './allocations.commands';
import { findByProvider, findMoreByProvider } from './allocations.repository';
import type { ProviderRows, ProviderShareRow } from './allocations.repository';

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
    const found = first?.rows.length === limit ? await this.inSlices(uuid, limit, caller) : first;
    if (found === undefined) throw unknownProvider(uuid);
    return sharesOf(found, caller);
  }

  private inSlices(uuid: Uuid, limit: number, caller: Caller): Promise<ProviderRows | undefined> {
    return this.db.readSnapshot(async (sql) => {
      const first = await findByProvider(sql, uuid, limit);
      if (first === undefined) return undefined;
      const rows = [...first.rows];
      for (let last = rows.at(-1); last !== undefined;) {
        stopIfGone(caller);
        const slice = await findMoreByProvider(sql, uuid, last, limit);
        for (const row of slice) rows.push(row);
        last = slice.at(-1);
      }
      return { generation: first.generation, rows };
    });
  }
}

/** A consumer with several classes is one share. */
async function sharesOf({ generation, rows }: ProviderRows, caller: Caller): Promise<ProviderAllocations> {
  const shares = new Map<number, ConsumerShare & { resources: Map<string, number> }>();
  let changedAt: number | undefined;
  const add = (row: ProviderShareRow): void => {
    const { consumerId, consumerUuid, consumerGeneration } = row;
    let share = shares.get(consumerId);
    if (share === undefined) {
      share = { consumerUuid, consumerGeneration, resources: new Map() };
      shares.set(consumerId, share);
    }
    share.resources.set(row.resourceClass, row.used);
    changedAt = Math.max(changedAt ?? 0, row.createdAtMs);
  };
  await turns.forEach(rows, add, caller);
  // Sorting a typed array is ten times as fast.
  const order = Float64Array.from(shares.keys()).sort();
  return { generation, shares: Array.from(order, (id) => shares.get(id) as ConsumerShare), changedAt };
}
