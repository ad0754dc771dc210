// Replaces the inventories of several providers while they are in use. It adds the new records to the old ones, the
// caller moves the allocations, then it deletes the remaining old records. The caller holds the rows of the providers.
import type { WriteTx } from '../../platform/database/sql';
import { InventoryInUse } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { InventoryRecord } from '../domain/inventory';
import type { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { checkRecords } from './check-records';
import type { RecordKey } from './inventories.repository';
import { classNamesOf, keptInventories, putInventories, removeUnused, writesOf } from './inventories.repository';

export interface ProviderRecords {
  readonly id: number;
  readonly uuid: Uuid;
  readonly records: ReadonlyMap<string, InventoryRecord>;
}

export class InventoryReplacement {
  private leftOver: readonly RecordKey[] = [];

  constructor(
    private readonly tx: WriteTx,
    private readonly providers: readonly ProviderRecords[],
    private readonly resourceClasses: ResourceClassesService,
  ) {}

  /** Throws InvalidInput, UnknownReference. */
  async putNamed(nowMs: number): Promise<void> {
    for (const { uuid, records } of this.providers) checkRecords(records, uuid, true);
    const classes = await this.resourceClasses.resolve(
      this.tx,
      this.providers.flatMap(({ records }) => [...records.keys()]),
    );
    const before = await this.stored();
    const writes = this.providers.flatMap(({ id, records }) => writesOf(id, records, classes));
    if (writes.length > 0) await putInventories(this.tx, writes, nowMs);
    this.leftOver = this.providers.flatMap(({ id: providerId, records }) => {
      const kept = new Set([...records.keys()].map((name) => classes.get(name)));
      return (before.get(providerId) ?? []).flatMap(({ classId }) =>
        kept.has(classId) ? [] : { providerId, classId },
      );
    });
  }

  /** Throws InventoryInUse with the first provider whose old records could not be deleted. */
  async dropLeftOver(): Promise<void> {
    const gone = this.leftOver;
    if (gone.length === 0 || (await removeUnused(this.tx, gone)) === gone.length) return;
    const left = await this.stored();
    const first = gone.find((key) => left.get(key.providerId)?.some(({ classId }) => classId === key.classId));
    const { id, uuid } = this.providers.find((provider) => provider.id === first?.providerId) ?? { id: -1, uuid: '' };
    const classIds = gone.filter((key) => key.providerId === id).map((key) => key.classId);
    throw new InventoryInUse(await classNamesOf(this.tx, id, classIds), uuid, 'update conflict: ');
  }

  private stored(): ReturnType<typeof keptInventories> {
    return keptInventories(
      this.tx,
      this.providers.map(({ id }) => id),
    );
  }
}
