// What the reshaper can be asked to do, free of versions.
import type { ConsumerWrite } from '../allocations/allocations.commands';
import type { InventoryRecord } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';

/** The complete new inventory of one provider. */
export interface ReshapedProvider {
  readonly uuid: Uuid;
  readonly generation: number;
  readonly records: ReadonlyMap<string, InventoryRecord>;
}

export interface Reshape {
  readonly providers: readonly ReshapedProvider[];
  /** Complete new sets of the consumers that move; all others stay as they are. */
  readonly consumers: readonly ConsumerWrite[];
}
