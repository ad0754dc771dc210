// Row ids of providers by uuid, remembered. An id is never used twice, so a remembered one is either right or names a
// provider that is gone; a write that meets such a one forgets it and starts over.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CACHE_LIMITS } from '../config/limits';
import type { SqlReader } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import { findNodes } from './providers.writes';

@Injectable()
export class ProviderIds {
  private readonly known = new LRUCache<Uuid, number>({ max: CACHE_LIMITS.providerIds });

  /** Ids of those that exist, as far as is known. Costs no statement when all are remembered. */
  async resolve(sql: SqlReader, uuids: Iterable<Uuid>): Promise<ReadonlyMap<Uuid, number>> {
    const ids = new Map<Uuid, number>();
    const missing: Uuid[] = [];
    for (const uuid of uuids) {
      const id = this.known.get(uuid);
      if (id === undefined) missing.push(uuid);
      else ids.set(uuid, id);
    }
    for (const [uuid, { id }] of await findNodes(sql, missing)) {
      ids.set(uuid, id);
      this.known.set(uuid, id);
    }
    return ids;
  }

  /** Takes over what somebody has read anyway. */
  remember({ uuid, id }: { readonly uuid: Uuid; readonly id: number }): void {
    this.known.set(uuid, id);
  }

  forget(uuids: Iterable<Uuid>): void {
    for (const uuid of uuids) this.known.delete(uuid);
  }
}
