// Validation rules shared by the documents of all registries: names, ids, maps of texts, generations. The constraint of
// a custom rule is its JSON Schema for the API document, as far as one exists; that of nested documents is their class.
import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsInt,
  IsNotEmpty,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { MAX_INT } from '../placement/domain/inventory';
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import { AlsoAllows, CompiledRule, IsCompiled, MatchesSchema } from '../platform/http/dto-rules';
import { DOCUMENT, LIST_OF_DOCUMENTS, listSchemaOf, LONG_LIST_OF_DOCUMENTS } from '../platform/http/dto-schema';
import type { SchemaNode } from '../platform/microversion/versioned-schema';
import { FIELD_RULES } from '../platform/values/field-fault';
import { isJsonObject } from '../platform/values/json-object';
import { MAX_NAME_LENGTH, TYPED_NAME } from '../platform/values/names';
import { PRINTABLE } from '../platform/values/printable';
import { canonicalUuid, isUuidLike } from '../platform/values/uuid';

export const MAX_TEXT = MAX_NAME_LENGTH;
/** Fits in a 64-bit column, and JSON represents it exactly. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** Combines decorators. As on a field, the first one is the first to report an error. */
const decorated =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of [...decorators].reverse()) decorate(target, key);
  };

/** The field can be absent, but null is refused. */
export const MayBeAbsent = (): PropertyDecorator => AlsoAllows({ absent: true });

/** The field can be absent, and null is a valid value with its own meaning. */
export const MayBeNull = (): PropertyDecorator => AlsoAllows({ absent: true, null: true });

/** The field can be absent. Null means the same and becomes undefined. */
export const NullIsAbsent = (): PropertyDecorator =>
  decorated(
    MayBeNull(),
    Transform(({ value }: { value: unknown }) => (value === null ? undefined : value)),
  );

type Document = new () => object;

/** A nested document. The library's own rule for nested documents also accepts lists, including lists of lists. */
export const IsDocument = (type: () => Document, message = FIELD_RULES.type('object')): PropertyDecorator =>
  decorated(
    ValidateBy({ name: DOCUMENT, constraints: [type], validator: { validate: isJsonObject } }, { message }),
    ValidateNested({ message }),
    Type(type),
  );

/** A short list of documents. */
export const IsListOf = (type: () => Document, maxSize: number): PropertyDecorator =>
  decorated(
    ValidateBy({
      name: LIST_OF_DOCUMENTS,
      constraints: [type],
      validator: { validate: (value) => Array.isArray(value) && value.every(isJsonObject) },
    }),
    ArrayMaxSize(maxSize),
    ValidateNested({ each: true }),
    Type(type),
  );

/** A list of up to thousands of documents, validated by a compiled schema. Its entries are not transformed. */
export const IsLongListOf = (type: () => Document, maxSize: number): PropertyDecorator =>
  IsCompiled(LONG_LIST_OF_DOCUMENTS, [type, maxSize], new CompiledRule(() => listSchemaOf(type(), maxSize)));

/** A name that people type: non-empty text without blanks at its start or end, which would be invisible. */
export const IsName = (): PropertyDecorator =>
  decorated(IsString(), Matches(TYPED_NAME, { message: FIELD_RULES.name }), MaxLength(MAX_TEXT));

const IsPrintable = (): PropertyDecorator => Matches(PRINTABLE, { message: FIELD_RULES.printable });

/** Text that people read later, in lists or on a terminal. */
export const IsText = (max = MAX_TEXT): PropertyDecorator => decorated(IsString(), IsPrintable(), MaxLength(max));

export const IsFilledText = (max = MAX_TEXT): PropertyDecorator => decorated(IsText(max), IsNotEmpty());

/** Text that is not shown, such as a password or a file. */
export const IsAnyText = (max = MAX_TEXT): PropertyDecorator => decorated(IsString(), MaxLength(max));

const canonical = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(canonical) : typeof value === 'string' ? (canonicalUuid(value) ?? value) : value;

const UUID: SchemaNode = { type: 'string', format: 'uuid-like' };

/** A uuid in any spelling that the Placement API accepts. It becomes canonical. */
export const IsUuid = (): PropertyDecorator =>
  decorated(
    ValidateBy(
      {
        name: 'isUuid',
        constraints: [UUID],
        validator: { validate: (value) => typeof value === 'string' && isUuidLike(value) },
      },
      { message: FIELD_RULES.uuid },
    ),
    Transform(({ value }: { value: unknown }) => canonical(value)),
  );

/** A list of uuids. */
export const IsUuids = (maxItems: number, minItems = 0): PropertyDecorator =>
  decorated(
    MatchesSchema({ type: 'array', items: UUID, minItems, maxItems }, canonical),
    Transform(({ value }: { value: unknown }) => canonical(value)),
  );

export const IsCount = (min = 0, max = MAX_COUNT): PropertyDecorator => decorated(IsInt(), Min(min), Max(max));

const listOf = (items: SchemaNode, maxItems: number): SchemaNode => ({ type: 'array', items, maxItems });
const TEXT: SchemaNode = { type: 'string', maxLength: MAX_TEXT, pattern: PRINTABLE.source };

export const IsTexts = (maxSize: number): PropertyDecorator => MatchesSchema(listOf(TEXT, maxSize));

export const IsFilledTexts = (maxSize: number): PropertyDecorator =>
  MatchesSchema(listOf({ ...TEXT, minLength: 1 }, maxSize));

export const IsNames = (maxSize: number): PropertyDecorator =>
  MatchesSchema(listOf({ ...TEXT, pattern: TYPED_NAME.source }, maxSize));

/** A list of lists of texts. */
export const IsListOfTexts = (maxSize: number, maxEach: number): PropertyDecorator =>
  MatchesSchema(listOf(listOf(TEXT, maxEach), maxSize));

const CPUS_MAX = 4_096;
/** Unique CPU numbers. */
const CPUS = { ...listOf({ type: 'integer', minimum: 0, maximum: MAX_INT }, CPUS_MAX), uniqueItems: true };

export const IsCpus = (): PropertyDecorator => MatchesSchema(CPUS);

export const IsCpuSets = (): PropertyDecorator => MatchesSchema(listOf(CPUS, CPUS_MAX));

export const IsTextOrObject = (): PropertyDecorator => MatchesSchema({ type: ['string', 'object'] });

interface MapRules {
  /** Null is allowed and removes the key, for merges. */
  readonly nulls?: boolean;
  readonly valueMax?: number;
  readonly keysMax?: number;
}

/** A flat object of texts, numbers and booleans. */
export const IsScalarMap = ({
  nulls = false,
  valueMax = MAX_TEXT,
  keysMax = SCHEDULER_LIMITS.keysPerDocument,
}: MapRules = {}): PropertyDecorator =>
  MatchesSchema({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: MAX_TEXT, pattern: PRINTABLE.source },
    maxProperties: keysMax,
    additionalProperties: { type: ['string', 'number', 'boolean', ...(nulls ? ['null'] : [])], maxLength: valueMax },
  });

/** Tags of a device. Hosts report some of them as booleans. */
const TAGS: SchemaNode = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: { type: ['string', 'boolean'], maxLength: MAX_TEXT },
};

/** Properties that a device must have; null: it must not have the property. */
const TAG_CONDITIONS: SchemaNode = {
  ...TAGS,
  additionalProperties: { type: ['string', 'boolean', 'null'], maxLength: MAX_TEXT },
};

export const IsTags = (): PropertyDecorator => MatchesSchema(TAGS);

export const IsListOfTagConditions = (maxSize: number): PropertyDecorator =>
  MatchesSchema(listOf(TAG_CONDITIONS, maxSize));

export type ScalarMap = Readonly<Record<string, string | number | boolean>>;
export type MergeMap = Readonly<Record<string, string | number | boolean | null>>;

export const textsOf = (values: ScalarMap): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));

/** Applies the changes to the map; null removes a key. */
export function merged(before: Readonly<Record<string, string>>, changes: MergeMap): Readonly<Record<string, string>> {
  const after = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) after.delete(key);
    else after.set(key, String(value));
  }
  return Object.fromEntries(after);
}
