// What the inventories slice can be asked to do, free of versions, and what it answers.
import type { InventoryRecord } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';

export interface Inventory extends InventoryRecord {
  readonly resourceClass: string;
  /** Milliseconds since the epoch: last update, else creation. */
  readonly changedAt: number;
}

export interface Inventories {
  readonly generation: number;
  readonly inventories: readonly Inventory[];
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
  /** When its newest record changed; absent without any. */
  readonly changedAt: number | 'absent';
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
