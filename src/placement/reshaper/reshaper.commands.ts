// Commands of the reshaper, independent of API versions.
import type { Uuid } from '../../platform/values/uuid';
import type { ConsumerWrite } from '../allocations/allocations.commands';
import type { InventoryRecord } from '../domain/inventory';

/** All new inventory records of one provider. */
export interface ReshapedProvider {
  readonly uuid: Uuid;
  readonly generation: number;
  readonly records: ReadonlyMap<string, InventoryRecord>;
}

export interface Reshape {
  readonly providers: readonly ReshapedProvider[];
  /** The complete new allocations of the consumers that move. Other consumers do not change. */
  readonly consumers: readonly ConsumerWrite[];
}
