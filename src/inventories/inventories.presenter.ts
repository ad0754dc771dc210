// Inventories as clients see them. Nothing here ever changed with a version.
import type { InventoryRecord } from '../domain/inventory';
import { newestOf } from '../domain/newest';
import type { LastModified } from '../http/answer';
import type { Inventories } from './inventories.commands';

export function presentRecord(record: InventoryRecord): object {
  return {
    total: record.total,
    reserved: record.reserved,
    min_unit: record.minUnit,
    max_unit: record.maxUnit,
    step_size: record.stepSize,
    allocation_ratio: record.allocationRatio,
  };
}

export function presentInventories(generation: number, records: Iterable<readonly [string, InventoryRecord]>): object {
  const inventories = Object.fromEntries([...records].map(([name, record]) => [name, presentRecord(record)]));
  return { resource_provider_generation: generation, inventories };
}

export function presentOne(generation: number, record: InventoryRecord): object {
  return { ...presentRecord(record), resource_provider_generation: generation };
}

/** Newest record; absent when there is none. */
export function newestRecord({ inventories }: Inventories): LastModified {
  return newestOf(inventories, 'absent');
}

export function inventoryPath(providerUuid: string, resourceClass: string): string {
  return `/resource_providers/${providerUuid}/inventories/${resourceClass}`;
}
