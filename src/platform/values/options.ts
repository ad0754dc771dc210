// Declaration and validation of an option. A declaration defines the value's type, the documentation and the row in the
// configuration. Parts of the scheduler and plug-ins declare options next to their code; the configuration's table has
// the others. This file reads no configuration.

import { StartRefused } from './start-refused';

/** A converted value. `null` occurs only if the option's default is null ("unset"). */
export type OptionValue = boolean | number | string | readonly string[] | null;

/** How the text of an option is read. `multi` collects repeated keys. */
export type OptionKind = 'boolean' | 'integer' | 'number' | 'text' | 'choice' | 'list' | 'multi';

interface OptionFacts {
  /** Group in the configuration; parts default to `filter_scheduler`. */
  readonly group?: string;
  readonly min?: number;
  readonly max?: number;
  /** Metadata key of host aggregates that overrides the number for their hosts. The limits do not apply to it. */
  readonly aggregateKey?: string;
  readonly secret?: boolean;
  /** A text must match it; `patternMeaning` describes it in messages. */
  readonly pattern?: RegExp;
  readonly patternMeaning?: string;
  /** Texts that stand for another text, e.g. `noauth` for `noauth2`. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Former names, `name` or `group.name`; still read, with a warning. */
  readonly formerly?: readonly string[];
  /** Why an entry of a list is dropped, or null; reported as a warning. */
  readonly entryProblem?: (entry: string) => string | null;
}

/** One option without its name. `T` is the type of its value. */
export interface OptionDeclaration<T extends OptionValue = OptionValue> extends OptionFacts {
  readonly kind: OptionKind;
  readonly default: T;
  readonly help?: string;
  readonly choices?: readonly string[];
}

/** One option with its group and name. */
export interface OptionRow extends OptionDeclaration {
  readonly group: string;
  readonly name: string;
  /** Names of the parts that declare it. */
  readonly readBy: readonly string[];
}

export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

/** The values of a set of declarations. */
export type OptionValues<D extends OptionDeclarations> = {
  readonly [K in keyof D]: D[K] extends OptionDeclaration<infer T> ? Widened<T> : never;
};

/** Options by group. */
export type OptionGroups = Readonly<Record<string, OptionDeclarations>>;

/** The values of options by group. */
export type GroupValues<G extends OptionGroups> = { readonly [N in keyof G]: OptionValues<G[N]> };

type Widened<T> = T extends number ? number : T extends boolean ? boolean : T;
type OrNull<D, T> = D extends null ? T | null : T;

export const boolean = <const D extends boolean | null>(
  fallback: D,
  help: string,
  facts: OptionFacts = {},
): OptionDeclaration<OrNull<D, boolean>> => ({
  ...facts,
  kind: 'boolean',
  default: fallback as OrNull<D, boolean>,
  help,
});

export const integer = <const D extends number | null>(
  fallback: D,
  help: string,
  facts: OptionFacts = {},
): OptionDeclaration<OrNull<D, number>> => ({
  ...facts,
  kind: 'integer',
  default: fallback as OrNull<D, number>,
  help,
});

export const number = (fallback: number, help: string, facts: OptionFacts = {}): OptionDeclaration<number> => ({
  ...facts,
  kind: 'number',
  default: fallback,
  help,
});

export const text = <const D extends string | null>(
  fallback: D,
  help: string,
  facts: OptionFacts = {},
): OptionDeclaration<OrNull<D, string>> => ({ ...facts, kind: 'text', default: fallback as OrNull<D, string>, help });

export const choice = <const C extends string, const D extends C | null>(
  choices: readonly C[],
  fallback: D,
  help: string,
  facts: OptionFacts = {},
): OptionDeclaration<OrNull<D, C>> => ({
  ...facts,
  kind: 'choice',
  choices,
  default: fallback as OrNull<D, C>,
  help,
});

/** Comma-separated texts; surrounding blanks are removed, empty texts dropped. */
export const list = (
  fallback: readonly string[],
  help: string,
  facts: OptionFacts = {},
): OptionDeclaration<readonly string[]> => ({ ...facts, kind: 'list', default: fallback, help });

/** Repeatable: every occurrence of the key adds one text. In the environment, a JSON array or one text. */
export const multi = (fallback: readonly string[], help: string): OptionDeclaration<readonly string[]> => ({
  kind: 'multi',
  default: fallback,
  help,
});

/** An invalid option value. Stops the start. */
export class InvalidOption extends StartRefused {
  override readonly name = 'InvalidOption';
}

/** The problem with a value, as the rest of a sentence; null if it is valid. */
export function problemOf(declaration: OptionDeclaration, value: unknown): string | null {
  if (value === null && declaration.default === null) return null;
  switch (declaration.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'integer':
      return Number.isInteger(value) ? boundProblem(declaration, Number(value)) : 'must be an integer';
    case 'number':
      return Number.isFinite(value) ? boundProblem(declaration, Number(value)) : 'must be a number';
    case 'text':
      return textProblem(declaration, value);
    case 'choice':
      return declaration.choices?.some((each) => each === value) === true
        ? null
        : `must be one of ${(declaration.choices ?? []).join(', ')}`;
    case 'list':
    case 'multi':
      if (!Array.isArray(value)) return 'must be a list';
      return value.every((entry) => typeof entry === 'string') ? null : 'must be texts';
  }
}

/** The nearest value within the bounds of a number that is outside of them; undefined for every other value. */
export function nearestInBounds({ kind, min, max }: OptionDeclaration, value: OptionValue): number | undefined {
  if (kind !== 'integer' && kind !== 'number') return undefined;
  if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) return undefined;
  if (min !== undefined && value < min) return min;
  return max !== undefined && value > max ? max : undefined;
}

function boundProblem({ min, max }: OptionDeclaration, value: number): string | null {
  if (min !== undefined && value < min) return `must be at least ${min}`;
  return max !== undefined && value > max ? `must be at most ${max}` : null;
}

function textProblem({ pattern, patternMeaning }: OptionDeclaration, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (pattern?.test(value) !== false) return null;
  return `must be ${patternMeaning ?? `of the form ${pattern.source}`}`;
}
