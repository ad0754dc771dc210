// Typed options that filters, weighers and prefilters declare. A declaration is data: it gives the value its type, the
// operator its documentation and the configuration its row. Values come in from outside; nothing here reads a file.

import type { HostState } from '../host-state/host-state';

interface Declared<Kind extends string, Value> {
  readonly kind: Kind;
  readonly default: Value;
  /** Configuration group; `filter_scheduler` unless given. */
  readonly group?: string;
  readonly help?: string;
}

interface Bounded {
  readonly min?: number;
  readonly max?: number;
  /** Metadata key of host aggregates that overrides the value for their hosts. The bounds do not apply to it. */
  readonly aggregateKey?: string;
}

export type IntegerOption = Declared<'integer', number> & Bounded;
export type NumberOption = Declared<'number', number> & Bounded;
export type BooleanOption = Declared<'boolean', boolean>;
export type TextOption = Declared<'text', string | null>;
export type ListOption = Declared<'list', readonly string[]>;
export type OptionDeclaration = IntegerOption | NumberOption | BooleanOption | TextOption | ListOption;
export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

/** The values that belong to a set of declarations. */
export type OptionValues<Declarations extends OptionDeclarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name]['kind'] extends 'integer' | 'number'
    ? number
    : Declarations[Name]['kind'] extends 'boolean'
      ? boolean
      : Declarations[Name]['kind'] extends 'text'
        ? string | null
        : readonly string[];
};

type Given<Option extends OptionDeclaration> = Omit<Option, 'kind'>;

/** Declares an option of each kind. */
export const option = {
  integer: (given: Given<IntegerOption>): IntegerOption => Object.freeze({ kind: 'integer', ...given }),
  number: (given: Given<NumberOption>): NumberOption => Object.freeze({ kind: 'number', ...given }),
  boolean: (given: Given<BooleanOption>): BooleanOption => Object.freeze({ kind: 'boolean', ...given }),
  text: (given: Given<TextOption>): TextOption => Object.freeze({ kind: 'text', ...given }),
  list: (given: Given<ListOption>): ListOption => Object.freeze({ kind: 'list', ...given }),
};

export const DEFAULT_OPTION_GROUP = 'filter_scheduler';

/** Configured values by group and name. An absent one means the default. */
export type ConfiguredValues = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** An option value that breaks its declaration. The boot stops with it. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption';
}

/** The value in force of each declared option; a value of the wrong kind or out of bounds throws. */
export function resolveOptions<D extends OptionDeclarations>(declared: D, values: ConfiguredValues): OptionValues<D> {
  const resolved = Object.entries(declared).map(([name, declaration]) => {
    const group = declaration.group ?? DEFAULT_OPTION_GROUP;
    const value = values[group]?.[name] ?? declaration.default;
    const problem = problemOf(declaration, value);
    if (problem !== null) throw new InvalidOption(`[${group}] ${name}: ${problem}`);
    return [name, value];
  });
  return Object.freeze(Object.fromEntries(resolved)) as OptionValues<D>;
}

/** What is wrong with a value, or null. */
export function problemOf(declaration: OptionDeclaration, value: unknown): string | null {
  switch (declaration.kind) {
    case 'integer':
    case 'number':
      return numberProblem(declaration, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'text':
      return value === null || typeof value === 'string' ? null : 'must be a text';
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? null : 'must be a list of texts';
  }
}

function numberProblem(declaration: IntegerOption | NumberOption, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (declaration.kind === 'integer' && !Number.isInteger(value)) return 'must be an integer';
  if (declaration.min !== undefined && value < declaration.min) return `must be at least ${declaration.min}`;
  if (declaration.max !== undefined && value > declaration.max) return `must be at most ${declaration.max}`;
  return null;
}

/** The values for one host: options with an aggregate key give way to the metadata of the host's aggregates. */
export function optionsForHost<D extends OptionDeclarations>(
  declared: D,
  values: OptionValues<D>,
  host: Pick<HostState, 'aggregates'>,
): OptionValues<D> {
  const { aggregates } = host;
  if (aggregates.length === 0) return values;
  const overridable = overridableOf(declared);
  if (overridable.length === 0) return values;
  let known = MERGED.get(values);
  if (known === undefined) MERGED.set(values, (known = new WeakMap()));
  let merged = known.get(aggregates);
  if (merged === undefined) known.set(aggregates, (merged = mergedValues(overridable, values, aggregates)));
  return merged as OptionValues<D>;
}

type NumericOption = IntegerOption | NumberOption;
type Overridable = readonly (readonly [name: string, declaration: NumericOption, key: string])[];
type Aggregates = HostState['aggregates'];

/** This runs for every host and part: what follows from declarations and from a list of aggregates is kept. */
const OVERRIDABLE = new WeakMap<OptionDeclarations, Overridable>();
const MERGED = new WeakMap<object, WeakMap<Aggregates, object>>();

function overridableOf(declared: OptionDeclarations): Overridable {
  let found = OVERRIDABLE.get(declared);
  if (found === undefined) {
    found = Object.entries(declared).flatMap(([name, declaration]) => {
      if (declaration.kind !== 'integer' && declaration.kind !== 'number') return [];
      return declaration.aggregateKey === undefined ? [] : [[name, declaration, declaration.aggregateKey] as const];
    });
    OVERRIDABLE.set(declared, found);
  }
  return found;
}

function mergedValues(overridable: Overridable, values: object, aggregates: Aggregates): object {
  const overridden = overridable.flatMap(([name, { kind }, key]) => {
    const value = numericOverride(aggregates, key, kind);
    return value === null ? [] : [[name, value] as const];
  });
  return overridden.length === 0 ? values : Object.freeze({ ...values, ...Object.fromEntries(overridden) });
}

/**
 * The smallest value that the host aggregates have for a key; null when there is none, or when any one of them is no
 * number of that kind. Values are not split on commas.
 */
export function numericOverride(aggregates: Aggregates, key: string, kind: NumericOption['kind']): number | null {
  const texts = aggregates.flatMap(({ metadata }) => (Object.hasOwn(metadata, key) ? [metadata[key] ?? ''] : []));
  if (texts.length === 0) return null;
  const numbers = texts.map((text) => (kind === 'integer' ? integerOf(text) : floatOf(text)));
  return numbers.every(Number.isFinite) ? Math.min(...numbers) : null;
}

/** Most numbers; worth a short way, as comparisons are made for every host. */
const PLAIN_DIGITS = /^\d+$/;
const INTEGER_TEXT = /^\s*[+-]?\d+(_\d+)*\s*$/;
const FLOAT_TEXT = /^\s*[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?\s*$/i;
const SPECIAL_TEXT = /^\s*([+-]?)(nan|inf|infinity)\s*$/i;

/** The integer a text says, blanks around it allowed; NaN for anything else, `5.0` included. */
export const integerOf = (text: string): number =>
  INTEGER_TEXT.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;

/** The number a text says, `1e2` and ` -3 ` included; NaN for anything else. The names of infinity are numbers. */
export function floatOf(text: string): number {
  if (PLAIN_DIGITS.test(text)) return Number(text);
  if (FLOAT_TEXT.test(text)) return Number(text.replaceAll('_', ''));
  const [, sign, name] = SPECIAL_TEXT.exec(text) ?? [];
  if (name === undefined || name.toLowerCase() === 'nan') return Number.NaN;
  return sign === '-' ? -Infinity : Infinity;
}

/** True for `nan` in any spelling: a number by name that compares with nothing. */
export const isNanText = (text: string): boolean => SPECIAL_TEXT.exec(text)?.[2]?.toLowerCase() === 'nan';
