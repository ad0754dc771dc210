// The records of a JSON Lines file, one per line: a header, custom names, providers with their details, consumers with
// their allocations. Records contain uuids and names, no ids. Keys and lines are sorted, so any tool can compare two
// files. Times are milliseconds since the epoch and optional.
import { MAX_ALLOCATION_RATIO, MAX_INT } from '../../placement/domain/inventory';
import type { RecordBody } from '../../placement/inventories/inventories.schema';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed } from '../../platform/microversion/versioned-schema';
import {
  CUSTOM_NAME_PATTERN,
  MAX_NAME_LENGTH,
  MAX_PROVIDER_NAME_LENGTH,
  NAME_PATTERN,
} from '../../platform/values/names';

export const FORMAT = 'berth-placement';
export const FORMAT_VERSION = 1;

export interface HeaderRecord {
  readonly record: 'header';
  readonly format: typeof FORMAT;
  readonly version: typeof FORMAT_VERSION;
  /** Number of lines of each kind; a file with fewer is truncated. Optional, for files written by hand. */
  readonly counts?: { readonly providers: number; readonly consumers: number };
}

interface Times {
  readonly created_at?: number;
  readonly updated_at?: number | null;
}

export interface NameRecord extends Times {
  readonly record: 'resource_class' | 'trait';
  readonly name: string;
}

export interface InventoryRecordLine extends Times, RecordBody {}

export interface ProviderRecord extends Times {
  readonly record: 'provider';
  readonly uuid: string;
  readonly name: string;
  readonly parent?: string | null;
  readonly generation?: number;
  readonly inventories?: Readonly<Record<string, InventoryRecordLine>>;
  readonly traits?: readonly string[];
  readonly aggregates?: readonly string[];
}

export interface ConsumerRecord extends Times {
  readonly record: 'consumer';
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly type?: string | null;
  readonly generation?: number;
  /** Amounts by provider and class. */
  readonly allocations: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export type TransferRecord = HeaderRecord | NameRecord | ProviderRecord | ConsumerRecord;

const integer = (minimum: number, maximum = MAX_INT): object => ({ type: 'integer', minimum, maximum });
const TIMES = {
  created_at: integer(0, Number.MAX_SAFE_INTEGER),
  updated_at: { type: ['integer', 'null'], minimum: 0 },
};
const UUID = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const NAME = { type: 'string', pattern: NAME_PATTERN, maxLength: MAX_NAME_LENGTH };
const OWNER = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH };
const GENERATION = integer(0);
/** The limits of the reference's schema, which are wider than those of its API. */
const INVENTORY_OPTIONS = {
  reserved: integer(0),
  min_unit: integer(0),
  max_unit: integer(0),
  step_size: integer(1),
  allocation_ratio: { type: 'number', maximum: MAX_ALLOCATION_RATIO },
  ...TIMES,
};
const INVENTORY = closed({ total: integer(0), ...INVENTORY_OPTIONS }, Object.keys(INVENTORY_OPTIONS));

/** The optional members follow the required ones. */
const record = (required: SchemaNode, optional: SchemaNode): SchemaNode =>
  closed({ record: {}, ...required, ...optional }, Object.keys(optional));

/** A schema for each kind of record. */
export const RECORD_SCHEMAS: Readonly<Record<TransferRecord['record'], SchemaNode>> = {
  header: record(
    { format: { const: FORMAT }, version: { const: FORMAT_VERSION } },
    { counts: closed({ providers: integer(0), consumers: integer(0) }) },
  ),
  resource_class: record({ name: NAME }, TIMES),
  trait: record({ name: NAME }, TIMES),
  provider: record(
    { uuid: UUID, name: { type: 'string', minLength: 1, maxLength: MAX_PROVIDER_NAME_LENGTH } },
    {
      parent: { anyOf: [UUID, { type: 'null' }] },
      generation: GENERATION,
      inventories: { type: 'object', propertyNames: NAME, additionalProperties: INVENTORY },
      traits: { type: 'array', items: NAME, uniqueItems: true },
      aggregates: { type: 'array', items: UUID, uniqueItems: true },
      ...TIMES,
    },
  ),
  consumer: record(
    {
      uuid: UUID,
      project: OWNER,
      user: OWNER,
      allocations: {
        type: 'object',
        minProperties: 1,
        propertyNames: UUID,
        additionalProperties: {
          type: 'object',
          minProperties: 1,
          propertyNames: NAME,
          additionalProperties: integer(1),
        },
      },
    },
    { type: { anyOf: [NAME, { type: 'null' }] }, generation: GENERATION, ...TIMES },
  ),
};

const CUSTOM = new RegExp(CUSTOM_NAME_PATTERN);
export const isCustom = (name: string): boolean => CUSTOM.test(name);
