// Request schemas for inventories.
import { bodySchema } from '../../platform/http/schema-validator';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../../platform/values/names';
import type { InventoryRecord } from '../domain/inventory';
import { INVENTORY_DEFAULTS, MAX_ALLOCATION_RATIO, MAX_INT } from '../domain/inventory';

const count = (minimum: number): SchemaNode => ({ type: 'integer', minimum, maximum: MAX_INT });

/** The properties of one record. */
export const RECORD = {
  total: count(1),
  reserved: count(0),
  min_unit: count(1),
  max_unit: count(1),
  step_size: count(1),
  allocation_ratio: { type: 'number', maximum: MAX_ALLOCATION_RATIO },
};

const OPTIONAL = Object.keys(RECORD).filter((name) => name !== 'total');
const GENERATION = 'resource_provider_generation';
const INTEGER = { type: 'integer' };
const CLASS = { type: 'string', pattern: NAME_PATTERN, maxLength: MAX_NAME_LENGTH };

export interface RecordBody {
  readonly total: number;
  readonly reserved?: number;
  readonly min_unit?: number;
  readonly max_unit?: number;
  readonly step_size?: number;
  readonly allocation_ratio?: number;
}

/** All records of one provider, for PUT inventories and for the reshaper. */
export const INVENTORY_SET = named(
  'ReplaceInventories',
  closed({
    [GENERATION]: INTEGER,
    inventories: {
      type: 'object',
      patternProperties: {
        [NAME_PATTERN]: closed({ ...RECORD, [GENERATION]: INTEGER }, [...OPTIONAL, GENERATION]),
      },
      propertyNames: { maxLength: MAX_NAME_LENGTH },
      additionalProperties: false,
    },
  }),
);

export interface InventorySetBody {
  readonly resource_provider_generation: number;
  readonly inventories: Readonly<Record<string, RecordBody>>;
}

export const REPLACE_INVENTORIES = bodySchema<InventorySetBody>(INVENTORY_SET);

export const CREATE_INVENTORY = bodySchema<RecordBody & { readonly resource_class: string }>(
  named(
    'CreateInventory',
    closed({ ...RECORD, resource_class: CLASS, [GENERATION]: INTEGER }, [...OPTIONAL, GENERATION]),
  ),
);

export const UPDATE_INVENTORY = bodySchema<RecordBody & { readonly resource_provider_generation: number }>(
  named('UpdateInventory', closed({ ...RECORD, [GENERATION]: INTEGER }, OPTIONAL)),
);

/** The inverse of `recordOf`. The fields are also named like the columns. */
export const recordBodyOf = (record: InventoryRecord): Required<RecordBody> => ({
  total: record.total,
  reserved: record.reserved,
  min_unit: record.minUnit,
  max_unit: record.maxUnit,
  step_size: record.stepSize,
  allocation_ratio: record.allocationRatio,
});

/** A missing field gets its default, not its previous value. */
export function recordOf(body: RecordBody): InventoryRecord {
  return {
    total: body.total,
    reserved: body.reserved ?? INVENTORY_DEFAULTS.reserved,
    minUnit: body.min_unit ?? INVENTORY_DEFAULTS.minUnit,
    maxUnit: body.max_unit ?? INVENTORY_DEFAULTS.maxUnit,
    stepSize: body.step_size ?? INVENTORY_DEFAULTS.stepSize,
    allocationRatio: body.allocation_ratio ?? INVENTORY_DEFAULTS.allocationRatio,
  };
}

export function recordsOf(body: InventorySetBody): ReadonlyMap<string, InventoryRecord> {
  return new Map(Object.entries(body.inventories).map(([name, record]) => [name, recordOf(record)]));
}
