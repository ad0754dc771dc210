// Commands and results of the inventories slice, independent of API versions.
import type { Uuid } from '../../platform/values/uuid';
import type { InventoryRecord } from '../domain/inventory';
import type { StoredInventory } from './inventory.entity';

export interface ClassInventory extends InventoryRecord, Pick<StoredInventory, 'changedAt'> {
  readonly resourceClass: string;
}

export interface Inventories {
  readonly generation: number;
  readonly inventories: readonly ClassInventory[];
}

export interface ReplaceInventories {
  readonly providerUuid: Uuid;
  readonly generation: number;
  readonly records: ReadonlyMap<string, InventoryRecord>;
  /** Whether a record without any capacity is allowed. */
  readonly reservedCanBeTotal: boolean;
}

export interface WriteInventory {
  readonly providerUuid: Uuid;
  readonly resourceClass: string;
  readonly record: InventoryRecord;
  readonly reservedCanBeTotal: boolean;
}

export interface ReplacedInventories {
  readonly generation: number;
  readonly before: readonly (readonly [resourceClass: string, record: InventoryRecord])[];
  /** The time of the newest change of a record; absent if there is no record. */
  readonly changedAt: number | 'absent';
}

export interface UpdatedInventory {
  readonly generation: number;
  readonly before: InventoryRecord | undefined;
}

export interface SetInventories {
  readonly providerUuid: Uuid;
  /** Each record by the stored one, which is undefined for a new record. */
  readonly records: ReadonlyMap<string, (before: InventoryRecord | undefined) => InventoryRecord>;
  /** Resource classes whose records must be deleted. */
  readonly removed: readonly string[];
}

export interface SetOutcome {
  readonly isChanged: boolean;
  /** Resource classes that could not be deleted because they are in use. */
  readonly inUse: readonly string[];
}
