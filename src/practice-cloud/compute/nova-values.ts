// Values that nova's schemas accept in several forms: an integer as text, a boolean as a word, an id as a number.
import 'reflect-metadata';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { MAX_TEXT } from '../../compute/registry-schema';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { FIELD_RULES } from '../../platform/values/field-fault';

interface Form {
  readonly name: string;
  /** Describes all forms of the value. */
  readonly schema: SchemaNode;
  /** Returns any other value unchanged. */
  readonly converted: (value: unknown) => unknown;
  readonly isValid: (converted: unknown) => boolean;
  readonly rule: string;
}

function Converted({ name, schema, converted, isValid, rule }: Form): PropertyDecorator {
  const validator = { validate: isValid, defaultMessage: () => `$property ${rule}` };
  return (target, key) => {
    ValidateBy({ name, constraints: [schema], validator })(target, key);
    Transform(({ value }: { value: unknown }) => converted(value))(target, key);
  };
}

const inCases = (word: string): readonly string[] => [
  word,
  word.toUpperCase(),
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
];
const TRUE: readonly unknown[] = [true, '1', ...['true', 'on', 'yes'].flatMap(inCases)];
const FALSE: readonly unknown[] = [false, '0', ...['false', 'off', 'no'].flatMap(inCases)];

export const IsNovaBoolean = (): PropertyDecorator =>
  Converted({
    name: 'isNovaBoolean',
    schema: { enum: [...TRUE, ...FALSE] },
    converted: (value) => (TRUE.includes(value) ? true : FALSE.includes(value) ? false : value),
    isValid: (value) => typeof value === 'boolean',
    rule: FIELD_RULES.type('boolean'),
  });

export const IsNovaInteger = (minimum: number, maximum: number): PropertyDecorator =>
  Converted({
    name: 'isNovaInteger',
    schema: { type: ['integer', 'string'], pattern: '^-?[0-9]{1,15}$', minimum, maximum },
    converted: (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    isValid: (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
    rule: `must be an integer from ${minimum} to ${maximum}`,
  });

/** An id or a reference. It becomes a text. */
export const IsNovaId = (): PropertyDecorator =>
  Converted({
    name: 'isNovaId',
    schema: { type: ['string', 'integer'], minLength: 1, maxLength: MAX_TEXT },
    converted: (value) => (Number.isSafeInteger(value) ? String(value) : value),
    isValid: (value) => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT,
    rule: `must be a text of 1 to ${MAX_TEXT} characters`,
  });
