// Response schemas for inventories.presenter.ts.
import { byName, COUNT, GENERATION, NUMBER } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

const RECORD = {
  total: COUNT,
  reserved: COUNT,
  min_unit: COUNT,
  max_unit: COUNT,
  step_size: COUNT,
  allocation_ratio: NUMBER,
};

const INVENTORY_RECORD = named('InventoryRecord', closed(RECORD));

/** One record, with the generation of its provider. */
export const INVENTORY = named('Inventory', closed({ ...RECORD, resource_provider_generation: GENERATION }));

export const INVENTORIES = named(
  'Inventories',
  closed({ resource_provider_generation: GENERATION, inventories: byName(INVENTORY_RECORD) }),
);
