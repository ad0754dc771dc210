// Operations on the inventories of one provider. Every write locks the provider's row first.
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import type { LogContext } from '../../platform/logging/log-context';
import { contextFields } from '../../platform/logging/log-context';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import {
  ConcurrentUpdate,
  InventoryInUse,
  NotFound,
  ProviderGenerationConflict,
  UnknownReference,
} from '../../platform/values/errors';
import { newestOf } from '../../platform/values/newest';
import type { Uuid } from '../../platform/values/uuid';
import type { InventoryRecord } from '../domain/inventory';
import { capacityOf, RECORD_FIELDS } from '../domain/inventory';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import * as providers from '../resource-providers/providers.writes';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import { checkRecords } from './check-records';
import type {
  Inventories,
  ReplacedInventories,
  ReplaceInventories,
  SetInventories,
  SetOutcome,
  UpdatedInventory,
  WriteInventory,
} from './inventories.commands';
import type { InventoryWrite, KeptInventory, RecordKey } from './inventories.repository';
import * as repository from './inventories.repository';
import type { ProviderRecords } from './inventory-replacement';
import { InventoryReplacement } from './inventory-replacement';

@Injectable()
export class InventoriesService {
  constructor(
    private readonly db: Database,
    private readonly resourceClasses: ResourceClassesService,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  /** Throws NotFound. */
  async list(providerUuid: Uuid): Promise<Inventories> {
    const found = await this.db.read((sql) => repository.findInventories(sql, providerUuid));
    if (found === undefined) throw unknownProvider(providerUuid);
    return found;
  }

  /**
   * Replaces all records. Returns the new generation and the time of the newest change; an unchanged record keeps its
   * time. Throws conflicts, InvalidInput, UnknownReference.
   */
  replaceAll(command: ReplaceInventories, context: LogContext): Promise<ReplacedInventories> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const id = await this.providerId(tx, command.providerUuid);
      if (!(await providers.compareAndRaise(tx, id, command.generation, nowMs))) {
        throw new ProviderGenerationConflict(command.providerUuid);
      }
      checkRecords(command.records, command.providerUuid, command.reservedCanBeTotal);
      const classes = await this.classIds(tx, command);
      const before = (await repository.keptInventories(tx, [id])).get(id) ?? [];
      await this.removeOthers(tx, command.providerUuid, id, before, new Set(classes.values()));
      const writes = repository.writesOf(id, command.records, classes);
      const changed = writes.filter((write) => !before.some((old) => isSame(old, write)));
      if (changed.length > 0) await repository.putInventories(tx, changed, nowMs);
      this.warnOverCapacity(command.providerUuid, before, writes, context);
      tx.changes.tree(id);
      const kept = before.filter((old) => writes.some(({ classId }) => classId === old.classId));
      const newest = newestOf(kept, 'absent');
      return {
        generation: command.generation + 1,
        changedAt: changed.length > 0 ? nowMs : newest,
        before: before.map((record) => [record.resourceClass, record] as const),
      };
    });
  }

  /**
   * Sets some records of a provider and deletes others, in the caller's transaction; the remaining records do not
   * change. Does not compare the generation; a change increments it. A record in use is not deleted; the result lists
   * its class. Throws NotFound, InvalidInput, UnknownReference.
   */
  async setIn(tx: WriteTx, command: SetInventories, nowMs: number, context?: LogContext): Promise<SetOutcome> {
    const { providerUuid, records, removed } = command;
    const id = await this.providerId(tx, providerUuid);
    const classes = await this.resourceClasses.resolve(tx, [...records.keys(), ...removed]);
    const writesTo = (before: readonly KeptInventory[]): readonly InventoryWrite[] => {
      const stored = new Map(before.map((old) => [old.resourceClass, old]));
      const after = new Map([...records].map(([name, recordOf]) => [name, recordOf(stored.get(name))]));
      checkRecords(after, providerUuid, true);
      return repository.writesOf(id, after, classes).filter((write) => !before.some((old) => isSame(old, write)));
    };
    const stored = (before: readonly KeptInventory[]): readonly KeptInventory[] =>
      before.filter((old) => removed.some((name) => classes.get(name) === old.classId));
    const unused = (before: readonly KeptInventory[]): readonly number[] =>
      stored(before).flatMap((old) => (old.used === 0 ? [old.classId] : []));
    const inventoriesRead = (await repository.keptInventories(tx, [id])).get(id) ?? [];
    const nameOf = (classId: number): string => removed.find((name) => classes.get(name) === classId) ?? '';
    const left = stored(inventoriesRead).flatMap((old) => (old.used === 0 ? [] : [nameOf(old.classId)]));
    if (writesTo(inventoriesRead).length + unused(inventoriesRead).length === 0)
      return { isChanged: false, inUse: left };
    await this.raise(tx, id, providerUuid, nowMs);
    const before = (await repository.keptInventories(tx, [id])).get(id) ?? [];
    const changed = writesTo(before);
    if (changed.length > 0) await repository.putInventories(tx, changed, nowMs);
    if (unused(before).length > 0) await repository.removeUnused(tx, keysOf(id, unused(before)));
    this.warnOverCapacity(providerUuid, before, changed, context);
    tx.changes.tree(id);
    const gone = stored(before).map((old) => old.classId);
    return { isChanged: true, inUse: gone.length === 0 ? [] : await repository.classNamesOf(tx, id, gone) };
  }

  /** Replaces all records of several providers while they are in use, in the caller's transaction and in steps. */
  replacementIn(tx: WriteTx, providers: readonly ProviderRecords[]): InventoryReplacement {
    return new InventoryReplacement(tx, providers, this.resourceClasses);
  }

  /** Creates one record; returns the new generation. */
  create(command: WriteInventory): Promise<number> {
    return this.changing(command.providerUuid, async (tx, id, nowMs) => {
      checkRecord(command, 'create');
      const classId = await this.classId(tx, command.resourceClass);
      try {
        await repository.insertInventory(tx, { providerId: id, classId, record: command.record }, nowMs);
      } catch (error) {
        if (tx.dialect.classify(error) !== 'duplicate') throw error;
        throw new ConcurrentUpdate(
          `Update conflict: Inventory of ${command.resourceClass} already exists on resource provider ${command.providerUuid}.`,
        );
      }
      return (await providers.generationOf(tx, id)) ?? 0;
    });
  }

  /** Updates one record. Throws NotFound if the class does not exist. */
  update(command: WriteInventory & { readonly generation: number }, context: LogContext): Promise<UpdatedInventory> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const id = await this.providerId(tx, command.providerUuid);
      if (!(await providers.compareAndRaise(tx, id, command.generation, nowMs))) {
        throw new ProviderGenerationConflict(command.providerUuid);
      }
      checkRecord(command, 'update');
      const classId = await this.pathClassId(tx, command.resourceClass);
      const write = { providerId: id, classId, record: command.record };
      const before = (await repository.keptInventories(tx, [id])).get(id) ?? [];
      if (!(await repository.updateInventory(tx, write, nowMs))) {
        throw new UnknownReference(
          `No inventory of class ${command.resourceClass} found on resource provider ${command.providerUuid}.`,
        );
      }
      this.warnOverCapacity(command.providerUuid, before, [write], context);
      tx.changes.tree(id);
      return {
        generation: command.generation + 1,
        before: before.find((old) => old.classId === classId),
      };
    });
  }

  /** Deletes one record. Throws NotFound. If it is in use, throws ConcurrentUpdate, as clients of this route expect. */
  delete(providerUuid: Uuid, resourceClass: string): Promise<void> {
    return this.changing(providerUuid, async (tx, id) => {
      const classId = await this.pathClassId(tx, resourceClass, `${noneToDelete(resourceClass)}: `);
      if ((await repository.removeUnused(tx, [{ providerId: id, classId }])) === 0) {
        const isThere = (await repository.classNamesOf(tx, id, [classId])).length > 0;
        if (isThere) {
          const { message } = new InventoryInUse([resourceClass], providerUuid);
          throw new ConcurrentUpdate(`Unable to delete inventory of class ${resourceClass}: ${message}`);
        }
        throw new NotFound(`${noneToDelete(resourceClass)} on resource provider ${providerUuid}.`);
      }
    });
  }

  /** Deletes all records. Throws NotFound, InventoryInUse. */
  deleteAll(providerUuid: Uuid): Promise<void> {
    return this.changing(providerUuid, async (tx, id) => {
      await repository.removeAllUnused(tx, id);
      const left = await repository.classNamesOf(tx, id);
      if (left.length > 0) throw new InventoryInUse(left, providerUuid);
    });
  }

  /** Increments the generation and records the change; throws NotFound for an unknown provider. */
  private changing<T>(providerUuid: Uuid, change: (tx: WriteTx, id: number, nowMs: number) => Promise<T>): Promise<T> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const id = await this.providerId(tx, providerUuid);
      await this.raise(tx, id, providerUuid, nowMs);
      const answer = await change(tx, id, nowMs);
      tx.changes.tree(id);
      return answer;
    });
  }

  private async removeOthers(
    tx: WriteTx,
    providerUuid: Uuid,
    id: number,
    before: readonly KeptInventory[],
    kept: ReadonlySet<number>,
  ): Promise<void> {
    const gone = before.map((old) => old.classId).filter((classId) => !kept.has(classId));
    if (gone.length === 0) return;
    if ((await repository.removeUnused(tx, keysOf(id, gone))) === gone.length) return;
    throw new InventoryInUse(await repository.classNamesOf(tx, id, gone), providerUuid, 'update conflict: ');
  }

  private async providerId(tx: WriteTx, uuid: Uuid): Promise<number> {
    const node = (await providers.findNodes(tx, [uuid])).get(uuid);
    if (node === undefined) throw unknownProvider(uuid);
    return node.id;
  }

  private async raise(tx: WriteTx, id: number, uuid: Uuid, nowMs: number): Promise<void> {
    if ((await providers.raiseGenerations(tx, [id], nowMs)) !== 1) throw unknownProvider(uuid);
  }

  /** Ids of the classes of a set of records. Clients match the text of the error. */
  private async classIds(
    tx: WriteTx,
    { records, providerUuid }: ReplaceInventories,
  ): Promise<ReadonlyMap<string, number>> {
    try {
      return await this.resourceClasses.resolve(tx, [...records.keys()]);
    } catch (error) {
      if (!(error instanceof UnknownReference)) throw error;
      throw new UnknownReference(
        `Unknown resource class in inventory for resource provider ${providerUuid}: ${error.message}`,
      );
    }
  }

  private async classId(tx: WriteTx, name: string): Promise<number> {
    const id = (await this.resourceClasses.resolve(tx, [name])).get(name);
    if (id === undefined) throw new Error('resolve answered without a name it was asked for');
    return id;
  }

  /** The class in the path. Throws NotFound if it does not exist. */
  private async pathClassId(tx: WriteTx, name: string, prefix = ''): Promise<number> {
    try {
      return await this.classId(tx, name);
    } catch (error) {
      if (error instanceof UnknownReference) throw new NotFound(`${prefix}${error.message}`);
      throw error;
    }
  }

  private warnOverCapacity(
    providerUuid: Uuid,
    before: readonly KeptInventory[],
    writes: readonly { classId: number; record: InventoryRecord }[],
    context: LogContext | undefined,
  ): void {
    const request = context === undefined ? {} : contextFields(context);
    for (const { classId, record } of writes) {
      const used = before.find((old) => old.classId === classId)?.used ?? 0;
      const capacity = capacityOf(record);
      if (used > capacity) {
        this.log.warn({ ...request, providerUuid, classId, used, capacity }, 'inventory is now below its use');
      }
    }
  }
}

const checkRecord = (
  { resourceClass, record, providerUuid, reservedCanBeTotal }: WriteInventory,
  change: 'create' | 'update',
): void => checkRecords(new Map([[resourceClass, record]]), providerUuid, reservedCanBeTotal, change);

const keysOf = (providerId: number, classIds: readonly number[]): readonly RecordKey[] =>
  classIds.map((classId) => ({ providerId, classId }));

function isSame(old: KeptInventory, write: { classId: number; record: InventoryRecord }): boolean {
  return old.classId === write.classId && RECORD_FIELDS.every((field) => old[field] === write.record[field]);
}

/** Clients match this text and that of `noRecord`. */
const noneToDelete = (resourceClass: string): string => `No inventory of class ${resourceClass} found for delete`;

export function noRecord(resourceClass: string, providerUuid: Uuid): NotFound {
  return new NotFound(`No inventory of class ${resourceClass} for ${providerUuid}.`);
}
