// Row ids of providers by uuid, remembered. An id is never used twice, so a remembered one is either right or names a
// provider that is gone; a write that meets such a one forgets it and starts over.
import { Injectable } from '@nestjs/common';
import { CACHE_LIMITS } from '../config/limits';
import { BoundedMap } from '../database/bounded-map';
import type { SqlReader } from '../database/sql';
import { chunks } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import { findNodes } from './resource-providers.repository';

const UUIDS_PER_STATEMENT = 500;

@Injectable()
export class ProviderIds {
  private readonly known = new BoundedMap<Uuid, number>(CACHE_LIMITS.providerIds);

  /** Ids of those that exist, as far as is known. Costs no statement when all are remembered. */
  async resolve(sql: SqlReader, uuids: Iterable<Uuid>): Promise<ReadonlyMap<Uuid, number>> {
    const ids = new Map<Uuid, number>();
    const missing: Uuid[] = [];
    for (const uuid of uuids) {
      const id = this.known.get(uuid);
      if (id === undefined) missing.push(uuid);
      else ids.set(uuid, id);
    }
    for (const part of chunks(missing, UUIDS_PER_STATEMENT)) {
      for (const [uuid, node] of await findNodes(sql, part)) {
        ids.set(uuid, node.id);
        this.known.set(uuid, node.id);
      }
    }
    return ids;
  }

  /** Takes over what somebody has read anyway. */
  remember(providers: Iterable<{ readonly uuid: Uuid; readonly id: number }>): void {
    for (const { uuid, id } of providers) this.known.set(uuid, id);
  }

  forget(uuids: Iterable<Uuid>): void {
    for (const uuid of uuids) this.known.delete(uuid);
  }
}
