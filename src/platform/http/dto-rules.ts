// Rules for document fields that class-validator lacks: alternatives to the field's value, and JSON Schemas with a
// compiled validator.
import { getMetadataStorage, ValidateBy, ValidateIf } from 'class-validator';
import type { SchemaNode } from '../microversion/versioned-schema';
import { MAX_NAME_LENGTH } from '../values/names';
import { CompiledSchema } from './schema-validator';

/** Alternatives to the value that a field's rules describe. The API document lists them. */
export interface Alternatives {
  readonly absent?: true;
  readonly null?: true;
  /** A name instead of a document. */
  readonly name?: true;
  readonly words?: readonly string[];
}

export const AlsoAllows = (alternatives: Alternatives): PropertyDecorator =>
  ValidateIf((_document, value: unknown) => !isAlternative(value, alternatives), { context: alternatives });

function isAlternative(value: unknown, { absent, null: isNullable, name, words = [] }: Alternatives): boolean {
  if (value === undefined) return absent === true;
  if (value === null) return isNullable === true;
  if (typeof value !== 'string') return false;
  return words.includes(value) || (name === true && value !== '' && value.length <= MAX_NAME_LENGTH);
}

type DocumentClass = abstract new (...args: never[]) => object;

const rulesOf = (
  type: DocumentClass,
): ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']> =>
  getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);

/** The alternatives of each field that has any. */
export function alternativesOf(type: DocumentClass): ReadonlyMap<string, Alternatives> {
  const found = new Map<string, Alternatives>();
  for (const { propertyName, context } of rulesOf(type)) {
    if (context !== undefined) found.set(propertyName, { ...found.get(propertyName), ...(context as Alternatives) });
  }
  return found;
}

/** Replaces a value that was already validated. A primitive, because class-transformer copies all other values. */
export const JUDGED = Symbol('judged');

/** A schema with a compiled validator. */
export class CompiledRule extends CompiledSchema {
  constructor(
    schema: () => SchemaNode,
    /** Converts a valid value. */
    readonly read: (value: unknown) => unknown = (value) => value,
  ) {
    super(schema);
  }
}

/** `declared` is the source for the API document, by the name of the rule. */
export const IsCompiled = (name: string, declared: readonly unknown[], rule: CompiledRule): PropertyDecorator =>
  ValidateBy({
    name,
    constraints: [...declared, rule],
    validator: { validate: (value) => value === JUDGED || rule.faultIn(value) === undefined },
  });

/** The value must match the JSON Schema. */
export const MatchesSchema = (schema: SchemaNode, read?: (value: unknown) => unknown): PropertyDecorator =>
  IsCompiled('matchesSchema', [schema], new CompiledRule(() => schema, read));

/** The compiled rule among the constraints of a class-validator rule. */
export const compiledRuleIn = (constraints: readonly unknown[] | undefined): CompiledRule | undefined =>
  constraints?.find((each) => each instanceof CompiledRule);

/** The compiled rules of a class by field. */
export function compiledRulesOf(type: DocumentClass): ReadonlyMap<string, CompiledRule> {
  const found = rulesOf(type).map(
    ({ propertyName, constraints }) => [propertyName, compiledRuleIn(constraints)] as const,
  );
  return new Map(found.filter((each): each is readonly [string, CompiledRule] => each[1] !== undefined));
}
