// What the documents of all registries have in common: names, ids, maps of texts, generations.
import 'reflect-metadata';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { SCHEDULER_LIMITS } from '../../config/limits';

export const MAX_TEXT = 255;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What a 64 bit column holds and JSON writes exactly. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

const decorated =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of [...decorators].reverse()) decorate(target, key);
  };

/** A name that people type: some text, without blanks at its ends, which nobody would see. */
export const IsName = (): PropertyDecorator =>
  decorated(
    Matches(/^\S(.*\S)?$/su, { message: '$property must not be empty, nor start or end with a blank' }),
    IsString(),
    MaxLength(MAX_TEXT),
  );

export const IsText = (max = MAX_TEXT): PropertyDecorator => decorated(IsString(), MaxLength(max));

export const IsFilledText = (max = MAX_TEXT): PropertyDecorator => decorated(IsString(), IsNotEmpty(), MaxLength(max));

export const IsUuid = (): PropertyDecorator => decorated(Matches(UUID, { message: '$property must be a uuid' }));

export const IsCount = (min = 0, max = MAX_COUNT): PropertyDecorator => decorated(IsInt(), Min(min), Max(max));

export const IsTexts = (maxSize: number): PropertyDecorator =>
  decorated(IsArray(), ArrayMaxSize(maxSize), IsString({ each: true }), MaxLength(MAX_TEXT, { each: true }));

/** A list of names. */
export const IsNames = (maxSize: number): PropertyDecorator =>
  decorated(
    IsTexts(maxSize),
    Matches(/^\S(.*\S)?$/su, {
      each: true,
      message: 'no value in $property may be empty, or start or end with a blank',
    }),
  );

/** Lists of texts inside a list. */
export function IsListOfTexts(): PropertyDecorator {
  const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
  return ValidateBy({
    name: 'isListOfTexts',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) && value.length <= SCHEDULER_LIMITS.reportEntries && value.every(isTexts),
      defaultMessage: () => '$property must be a list of lists of texts',
    },
  });
}

export function IsTextOrObject(): PropertyDecorator {
  return ValidateBy({
    name: 'isTextOrObject',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
      defaultMessage: () => '$property must be a text or an object',
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
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const entries = Object.entries(value);
    const isKey = (key: string): boolean => key.length >= 1 && key.length <= keyMax;
    return (
      entries.length <= SCHEDULER_LIMITS.keysPerDocument && entries.every(([key, each]) => isKey(key) && isScalar(each))
    );
  };
  return ValidateBy({
    name: 'isScalarMap',
    validator: {
      validate: isMap,
      defaultMessage: () =>
        `$property must be an object of at most ${SCHEDULER_LIMITS.keysPerDocument} texts, numbers or booleans` +
        `${nulls ? ' (null removes a key)' : ''}, keys of 1 to ${keyMax} and texts of at most ${valueMax} characters`,
    },
  });
}

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
