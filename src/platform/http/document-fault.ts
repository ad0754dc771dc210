// Converts errors of class-validator into the field's path and the violated rule, in the wording of JSON Schema
// (domain/field-fault.ts). The message of a custom rule is already in that form, without the field's name.
import type { ValidationError } from 'class-validator';
import { getMetadataStorage } from 'class-validator';
import { FIELD_RULES } from '../values/field-fault';
import { isJsonObject } from '../values/json-object';
import { compiledRuleIn } from './dto-rules';
import { LIST_OF_DOCUMENTS } from './dto-schema';

export interface DocumentFault {
  readonly path: readonly string[];
  readonly rule: string;
}

const { bound, characters, entries, oneOf, type } = FIELD_RULES;

/** The wording of the library's rules by name; the function gets the rule's limit. */
const WORDS: Readonly<Record<string, (limit: never) => string>> = {
  isString: () => type('string'),
  isInt: () => type('integer'),
  isNumber: () => type('number'),
  isBoolean: () => type('boolean'),
  isArray: () => type('array'),
  isObject: () => type('object'),
  isNotEmpty: () => characters('least', 1),
  maxLength: (limit: number) => characters('most', limit),
  min: (limit: number) => bound('>=', limit),
  max: (limit: number) => bound('<=', limit),
  arrayMinSize: (limit: number) => entries('least', limit),
  arrayMaxSize: (limit: number) => entries('most', limit),
  isIn: (values: readonly unknown[]) => oneOf(values),
};

/** The first fault; undefined if the errors have none. */
export function firstFault(
  errors: readonly ValidationError[],
  path: readonly string[] = [],
): DocumentFault | undefined {
  for (const error of errors) {
    const fault = faultOf(error, path) ?? firstFault(error.children ?? [], [...path, error.property]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * A missing value violates every rule of its field. Of several violated rules, the one written first counts; decorators
 * register it last.
 */
function faultOf(error: ValidationError, path: readonly string[]): DocumentFault | undefined {
  const { property, constraints = {} } = error;
  const [name, message] = Object.entries(constraints).at(-1) ?? [];
  if (name === undefined || message === undefined) return undefined;
  if (name === 'whitelistValidation') return { path, rule: FIELD_RULES.unknown(property) };
  if (error.value === undefined) return { path, rule: FIELD_RULES.required(property) };
  if (name === LIST_OF_DOCUMENTS) return faultOfList([...path, property], error.value);
  const { limit, entry, inside } = brokenRule(error, name);
  if (inside !== undefined) return { path: [...path, property, ...inside.path], rule: inside.rule };
  const rule = WORDS[name]?.(limit as never) ?? withoutName(property, message);
  return { path: [...path, property, ...(entry === undefined ? [] : [String(entry)])], rule };
}

/** The value is not a list, or one of its entries is not an object. */
function faultOfList(path: readonly string[], value: unknown): DocumentFault {
  if (!Array.isArray(value)) return { path, rule: type('array') };
  const at = value.findIndex((entry) => !isJsonObject(entry));
  return { path: [...path, String(at)], rule: type('object') };
}

/** The library's messages begin with the field's name. */
const withoutName = (property: string, message: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;

interface BrokenRule {
  /** The constraint of the rule. */
  readonly limit: unknown;
  /** The index of the first entry that violates a rule for entries. */
  readonly entry?: number | undefined;
  /** The fault from a compiled schema. */
  readonly inside?: DocumentFault | undefined;
}

function brokenRule({ target, property, value }: ValidationError, name: string): BrokenRule {
  const rule = getMetadataStorage()
    .getTargetValidationMetadatas(target?.constructor ?? Object, '', false, false)
    .find((each) => each.propertyName === property && each.name === name);
  const constraints = (rule?.constraints ?? []) as unknown[];
  const compiled = compiledRuleIn(constraints);
  if (compiled !== undefined) return { limit: undefined, inside: compiled.faultIn(value) };
  if (rule?.each !== true || !Array.isArray(value)) return { limit: constraints[0] };
  const [judge] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  const about = { targetName: '', object: target ?? {}, property, constraints };
  const entry = value.findIndex((each: unknown) => judge?.instance.validate(each, { ...about, value: each }) === false);
  return { limit: constraints[0], entry };
}
