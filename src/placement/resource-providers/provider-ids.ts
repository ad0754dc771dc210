// A cache of provider row ids by uuid. Ids are never reused, so a cached id is either correct or belongs to a deleted
// provider. A write that finds a deleted provider removes it from the cache and starts over.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { SqlReader } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';
import { findNodes } from './providers.writes';

/** Row ids of resource providers by uuid. A cache bounded by `max` would allocate its lists at the start. */
const PROVIDER_IDS = 100_000;

@Injectable()
export class ProviderIds {
  private readonly known = new LRUCache<Uuid, number>({ maxSize: PROVIDER_IDS, sizeCalculation: () => 1 });

  /** Ids of the existing providers; a cached one can be deleted already. Runs no statement if all ids are cached. */
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

  /** Caches an id that the caller has read anyway. */
  remember({ uuid, id }: { readonly uuid: Uuid; readonly id: number }): void {
    this.known.set(uuid, id);
  }

  forget(uuids: Iterable<Uuid>): void {
    for (const uuid of uuids) this.known.delete(uuid);
  }
}
