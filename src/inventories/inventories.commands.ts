// What the inventories slice can be asked to do, free of versions, and what it answers.
import type { InventoryRecord } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';
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
  /** Whether a record without any room may be stored. */
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
  /** When its newest record changed; absent without any. */
  readonly changedAt: number | 'absent';
}

export interface UpdatedInventory {
  readonly generation: number;
  readonly before: InventoryRecord | undefined;
}

export interface SetInventories {
  readonly providerUuid: Uuid;
  readonly records: ReadonlyMap<string, InventoryRecord>;
  /** Classes whose records shall go. */
  readonly removed: readonly string[];
}

export interface SetOutcome {
  readonly isChanged: boolean;
  /** Classes that should have gone and are in use. */
  readonly inUse: readonly string[];
}
