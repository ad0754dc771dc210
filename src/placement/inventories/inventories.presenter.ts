// Presents inventories, which are equal in all versions.
import type { LastModified } from '../../platform/http/answer';
import { newestOf } from '../../platform/values/newest';
import type { InventoryRecord } from '../domain/inventory';
import type { Inventories } from './inventories.commands';
import { recordBodyOf } from './inventories.schema';

type Records = Iterable<readonly [string, InventoryRecord]>;

export function inventoriesDocument(generation: number, records: Records): object {
  const inventories = Object.fromEntries([...records].map(([name, record]) => [name, recordBodyOf(record)]));
  return { resource_provider_generation: generation, inventories };
}

export function inventoryDocument(generation: number, record: InventoryRecord): object {
  return { ...recordBodyOf(record), resource_provider_generation: generation };
}

/** As JSON. */
export const presentInventories = (generation: number, records: Records): string =>
  written(inventoriesDocument(generation, records));

/** As JSON. */
export const presentOne = (generation: number, record: InventoryRecord): string =>
  written(inventoryDocument(generation, record));

const WHOLE_RATIO = /"allocation_ratio":\d+(?=[,}])/g;

/** Writes an integral ratio as `2.0`, because some clients distinguish integers from other numbers. */
const written = (document: object): string => JSON.stringify(document).replace(WHOLE_RATIO, '$&.0');

/** The time of the newest change of a record; absent if there is no record. */
export function newestRecord({ inventories }: Inventories): LastModified {
  return newestOf(inventories, 'absent');
}

export function inventoryPath(providerUuid: string, resourceClass: string): string {
  return `/resource_providers/${providerUuid}/inventories/${resourceClass}`;
}
