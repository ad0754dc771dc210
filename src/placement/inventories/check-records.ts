// Rules for a set of inventory records, for all writers.
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { InvalidInput } from '../../platform/values/errors';
import { FIELD_RULES, fieldFault } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import type { InventoryRecord } from '../domain/inventory';
import { capacityOf } from '../domain/inventory';

/** Capacity must not be negative, and can be zero only if `reserved` can equal `total`. Throws InvalidInput. */
export function checkRecords(
  records: ReadonlyMap<string, InventoryRecord>,
  providerUuid: Uuid,
  reservedCanBeTotal: boolean,
  change: 'create' | 'update' = 'update',
): void {
  if (records.size > WRITE_LIMITS.inventoriesPerProvider) {
    throw new InvalidInput(fieldFault('inventories', FIELD_RULES.entries('most', WRITE_LIMITS.inventoriesPerProvider)));
  }
  for (const [name, record] of records) {
    const capacity = capacityOf(record);
    if (capacity > 0 || (capacity === 0 && reservedCanBeTotal)) continue;
    throw new InvalidInput(
      `Unable to ${change} inventory for resource provider ${providerUuid}: Invalid inventory for '${name}' on ` +
        `resource provider '${providerUuid}'. The reserved value is greater than ` +
        `${reservedCanBeTotal ? '' : 'or equal to '}total.`,
    );
  }
}
