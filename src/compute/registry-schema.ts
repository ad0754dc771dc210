// What the documents of all registries have in common: names, ids, maps of texts, generations. A rule of our own has, as its
// constraint, the JSON Schema that says the same in the API document, or as much of it as one can say; a rule of documents,
// their class.
import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { SCHEDULER_LIMITS } from '../config/limits';
import { FIELD_RULES } from '../domain/field-fault';
import { MAX_INT } from '../domain/inventory';
import { isJsonObject } from '../domain/json-object';
import { canonicalUuid, isUuidLike } from '../domain/uuid';
import { LIST_OF_DOCUMENTS, noteList } from '../http/dto-lists';

export const MAX_TEXT = 255;
/** What a 64 bit column holds and JSON writes exactly. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** All of them; as on a field, the one named first has the first word in a refusal. */
const decorated =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of [...decorators].reverse()) decorate(target, key);
  };

/** The field may be left out. Null is no value of it, and is refused. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_document, value: unknown) => value !== undefined);

/** The field may be left out, and null has a meaning of its own. */
export const MayBeNull = (): PropertyDecorator => IsOptional();

/** The field may be left out; null says the same, and arrives as if it had been. */
export const NullIsAbsent = (): PropertyDecorator =>
  decorated(
    MayBeAbsent(),
    Transform(({ value }: { value: unknown }) => (value === null ? undefined : value)),
  );

type Document = new () => object;

/** A document inside the document. The library's own rule for nested ones takes lists as well, lists of lists included. */
export const IsDocument = (type: () => Document, message = FIELD_RULES.type('object')): PropertyDecorator =>
  decorated(
    ValidateBy({ name: 'isDocument', constraints: [type], validator: { validate: isJsonObject } }, { message }),
    ValidateNested({ message }),
    Type(type),
  );

/** A list of documents; a long one is judged in parts (http/dto-lists.ts). */
export const IsListOf = (type: () => Document, maxSize: number): PropertyDecorator =>
  decorated(
    noteList({ type, maxSize }),
    ValidateBy({
      name: LIST_OF_DOCUMENTS,
      constraints: [type],
      validator: { validate: (value) => Array.isArray(value) && value.every(isJsonObject) },
    }),
    ArrayMaxSize(maxSize),
    ValidateNested({ each: true }),
    Type(type),
  );

/** As the API document writes it, which knows no flags. */
export const TYPED_NAME = /^\S([\s\S]*\S)?$/u;
const TYPED_NAME_RULE = 'must not be empty, nor start or end with a blank';

/** A name that people type: some text, without blanks at its ends, which nobody would see. */
export const IsName = (): PropertyDecorator =>
  decorated(IsString(), Matches(TYPED_NAME, { message: TYPED_NAME_RULE }), MaxLength(MAX_TEXT));

export const IsText = (max = MAX_TEXT): PropertyDecorator => decorated(IsString(), MaxLength(max));

export const IsFilledText = (max = MAX_TEXT): PropertyDecorator => decorated(IsString(), IsNotEmpty(), MaxLength(max));

const canonical = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(canonical) : typeof value === 'string' ? (canonicalUuid(value) ?? value) : value;

/** A uuid in any spelling that the Placement API takes, or with `each` a list of them; they arrive canonical. */
export const IsUuid = ({ each = false } = {}): PropertyDecorator =>
  decorated(
    ValidateBy(
      {
        name: 'isUuid',
        constraints: [{ type: 'string', format: 'uuid-like' }],
        validator: { validate: (value) => typeof value === 'string' && isUuidLike(value) },
      },
      { each, message: FIELD_RULES.uuid },
    ),
    Transform(({ value }: { value: unknown }) => canonical(value)),
  );

export const IsCount = (min = 0, max = MAX_COUNT): PropertyDecorator => decorated(IsInt(), Min(min), Max(max));

export const IsTexts = (maxSize: number): PropertyDecorator =>
  decorated(IsArray(), ArrayMaxSize(maxSize), IsString({ each: true }), MaxLength(MAX_TEXT, { each: true }));

export const IsFilledTexts = (maxSize: number): PropertyDecorator =>
  decorated(IsTexts(maxSize), IsNotEmpty({ each: true }));

const CPUS_MAX = 4_096;

/** Numbers of CPUs, none of them twice. */
const areCpus = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= CPUS_MAX &&
  new Set(value).size === value.length &&
  value.every((cpu) => Number.isInteger(cpu) && cpu >= 0 && cpu <= MAX_INT);

const CPUS = {
  type: 'array',
  items: { type: 'integer', minimum: 0, maximum: MAX_INT },
  maxItems: CPUS_MAX,
  uniqueItems: true,
};

export const IsCpus = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isCpus', constraints: [CPUS], validator: { validate: areCpus } },
    { message: `must be a list of at most ${CPUS_MAX} numbers of CPUs, each named once` },
  );

export const IsCpuSets = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isCpuSets',
      constraints: [{ type: 'array', items: CPUS, maxItems: CPUS_MAX }],
      validator: {
        validate: (value) => Array.isArray(value) && value.length <= CPUS_MAX && value.every(areCpus),
      },
    },
    { message: 'must be a list of lists of numbers of CPUs, each named once' },
  );

/** A list of names. */
export const IsNames = (maxSize: number): PropertyDecorator =>
  decorated(IsTexts(maxSize), Matches(TYPED_NAME, { each: true, message: TYPED_NAME_RULE }));

/** Lists of texts inside a list. */
export function IsListOfTexts(): PropertyDecorator {
  const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
  return ValidateBy({
    name: 'isListOfTexts',
    constraints: [
      { type: 'array', items: { type: 'array', items: { type: 'string' } }, maxItems: SCHEDULER_LIMITS.reportEntries },
    ],
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) && value.length <= SCHEDULER_LIMITS.reportEntries && value.every(isTexts),
      defaultMessage: () => 'must be a list of lists of texts',
    },
  });
}

export function IsTextOrObject(): PropertyDecorator {
  return ValidateBy({
    name: 'isTextOrObject',
    constraints: [{ type: ['string', 'object'] }],
    validator: {
      validate: (value: unknown) => typeof value === 'string' || isJsonObject(value),
      defaultMessage: () => 'must be a text or an object',
    },
  });
}

interface MapRules {
  /** Null removes the key: for merges. */
  readonly nulls?: boolean;
  readonly keyMax?: number;
  readonly valueMax?: number;
}

/** A flat object of texts, numbers and booleans. */
export function IsScalarMap({
  nulls = false,
  keyMax = MAX_TEXT,
  valueMax = MAX_TEXT,
}: MapRules = {}): PropertyDecorator {
  const isScalar = (value: unknown): boolean =>
    (typeof value === 'string' && value.length <= valueMax) ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (nulls && value === null);
  const isMap = (value: unknown): boolean => {
    if (!isJsonObject(value)) return false;
    const entries = Object.entries(value);
    const isKey = (key: string): boolean => key.length >= 1 && key.length <= keyMax;
    return (
      entries.length <= SCHEDULER_LIMITS.keysPerDocument && entries.every(([key, each]) => isKey(key) && isScalar(each))
    );
  };
  return ValidateBy({
    name: 'isScalarMap',
    constraints: [
      {
        type: 'object',
        propertyNames: { minLength: 1, maxLength: keyMax },
        maxProperties: SCHEDULER_LIMITS.keysPerDocument,
        additionalProperties: {
          type: ['string', 'number', 'boolean', ...(nulls ? ['null'] : [])],
          maxLength: valueMax,
        },
      },
    ],
    validator: {
      validate: isMap,
      defaultMessage: () =>
        `must be an object of at most ${SCHEDULER_LIMITS.keysPerDocument} texts, numbers or booleans` +
        `${nulls ? ' (null removes a key)' : ''}, keys of 1 to ${keyMax} and texts of at most ${valueMax} characters`,
    },
  });
}

const TAGS_MAX = 100;

const isTags = (value: unknown): boolean =>
  isJsonObject(value) &&
  Object.keys(value).length <= TAGS_MAX &&
  Object.values(value).every((tag) => typeof tag === 'boolean' || (typeof tag === 'string' && tag.length <= MAX_TEXT));

const TAGS = {
  type: 'object',
  maxProperties: TAGS_MAX,
  additionalProperties: { type: ['string', 'boolean'], maxLength: MAX_TEXT },
};

/** Properties of a device; hosts write some of them as true or false. */
export const IsTags = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isTags', constraints: [TAGS], validator: { validate: isTags } },
    { message: `must be an object of at most ${TAGS_MAX} texts or booleans` },
  );

export const IsListOfTags = (maxSize: number): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isListOfTags',
      constraints: [{ type: 'array', items: TAGS, maxItems: maxSize }],
      validator: { validate: (value) => Array.isArray(value) && value.length <= maxSize && value.every(isTags) },
    },
    { message: `must be a list of at most ${maxSize} objects of texts or booleans` },
  );

export type ScalarMap = Readonly<Record<string, string | number | boolean>>;
export type MergeMap = Readonly<Record<string, string | number | boolean | null>>;

export const textsOf = (values: ScalarMap): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));

/** The map with the changes made; null removes. */
export function merged(before: Readonly<Record<string, string>>, changes: MergeMap): Readonly<Record<string, string>> {
  const after = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) after.delete(key);
    else after.set(key, String(value));
  }
  return Object.fromEntries(after);
}
