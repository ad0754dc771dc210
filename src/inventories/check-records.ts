// What a set of records must satisfy, whoever writes it.
import { WRITE_LIMITS } from '../config/limits';
import { capacityOf } from '../domain/inventory';
import type { InventoryRecord } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';
import { InvalidInput } from '../domain/errors';
import { FIELD_RULES, fieldFault } from '../domain/field-fault';

/**
 * Capacity below zero is never allowed; zero is where `reserved` may equal `total`. Throws InvalidInput naming class
 * and provider.
 */
export function checkRecords(
  records: ReadonlyMap<string, InventoryRecord>,
  providerUuid: Uuid,
  reservedCanBeTotal: boolean,
): void {
  if (records.size > WRITE_LIMITS.inventoriesPerProvider) {
    throw new InvalidInput(fieldFault('inventories', FIELD_RULES.entries('most', WRITE_LIMITS.inventoriesPerProvider)));
  }
  for (const [name, record] of records) {
    const capacity = capacityOf(record);
    if (capacity > 0 || (capacity === 0 && reservedCanBeTotal)) continue;
    throw new InvalidInput(
      `Unable to create or update inventory for resource provider ${providerUuid}: Invalid inventory for '${name}' on ` +
        `resource provider '${providerUuid}'. The reserved value is greater than ` +
        `${reservedCanBeTotal ? '' : 'or equal to '}total.`,
    );
  }
}
