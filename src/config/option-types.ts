// What an option is: its type, default, rule and description, and builders that keep the TypeScript type of its value.
// Holds no options itself (options.ts does) and reads no configuration (load-config.ts does).

/** A value after conversion. `null` only where the option's default is null ("unset"). */
export type OptionValue = boolean | number | string | readonly string[] | null;

/** How the text of an option is read. `multi` gathers repeated keys, `ignored` is known but has no effect here. */
export type OptionType = 'boolean' | 'integer' | 'float' | 'string' | 'choice' | 'list' | 'multi' | 'ignored';

interface OptionFacts {
  readonly description: string;
  readonly secret?: boolean;
  /** Smallest number, or the least number of entries of a list. */
  readonly min?: number;
  readonly max?: number;
  /** A text must match it; `patternMeaning` says so in words. */
  readonly pattern?: RegExp;
  readonly patternMeaning?: string;
  /** Texts that stand for another text, e.g. `noauth` for `noauth2`. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Names it had before, `name` or `group.name`; still read, with a warning. */
  readonly formerly?: readonly string[];
}

/** One option without its place. `T` is the type of its value. */
export interface OptionDefinition<T extends OptionValue = OptionValue> extends OptionFacts {
  readonly type: OptionType;
  readonly default: T;
  readonly choices?: readonly string[];
  /** Why it has no effect; only where type is `ignored`. */
  readonly reason?: string;
}

/** One option in its place: what plugins hand to `loadConfig` as `extraOptions`. */
export interface OptionRow extends OptionDefinition {
  readonly group: string;
  readonly name: string;
}

/** An ignored option has no value and does not appear in the configuration's type. */
export interface IgnoredOption extends OptionDefinition<null> {
  readonly type: 'ignored';
}

type OrNull<D, T> = D extends null ? T | null : T;

export const boolean = (fallback: boolean, description: string): OptionDefinition<boolean> => ({
  type: 'boolean',
  default: fallback,
  description,
});

export const integer = <const D extends number | null>(
  fallback: D,
  description: string,
  facts: Omit<OptionFacts, 'description'> = {},
): OptionDefinition<OrNull<D, number>> => ({
  ...facts,
  type: 'integer',
  default: fallback as OrNull<D, number>,
  description,
});

export const float = (
  fallback: number,
  description: string,
  facts: Omit<OptionFacts, 'description'> = {},
): OptionDefinition<number> => ({ ...facts, type: 'float', default: fallback, description });

export const string = <const D extends string | null>(
  fallback: D,
  description: string,
  facts: Omit<OptionFacts, 'description'> = {},
): OptionDefinition<OrNull<D, string>> => ({
  ...facts,
  type: 'string',
  default: fallback as OrNull<D, string>,
  description,
});

export const choice = <const C extends string, const D extends C | null>(
  choices: readonly C[],
  fallback: D,
  description: string,
  facts: Omit<OptionFacts, 'description'> = {},
): OptionDefinition<OrNull<D, C>> => ({
  ...facts,
  type: 'choice',
  choices,
  default: fallback as OrNull<D, C>,
  description,
});

/** Comma-separated texts; blanks around them do not count, empty ones vanish. */
export const list = (
  fallback: readonly string[],
  description: string,
  facts: Omit<OptionFacts, 'description'> = {},
): OptionDefinition<readonly string[]> => ({ ...facts, type: 'list', default: fallback, description });

/** Repeatable: every occurrence of the key adds one text. In the environment, a JSON array or one text. */
export const multi = (
  fallback: readonly string[],
  description: string,
  facts: Omit<OptionFacts, 'description'> = {},
): OptionDefinition<readonly string[]> => ({ ...facts, type: 'multi', default: fallback, description });

/** Options of the reference without use here, all for the same reason. */
export const ignored = <const N extends string>(
  reason: string,
  names: readonly N[],
): Readonly<Record<N, IgnoredOption>> =>
  Object.fromEntries(
    names.map((name) => [name, { type: 'ignored', default: null, description: reason, reason }]),
  ) as unknown as Readonly<Record<N, IgnoredOption>>;

/** The options of one group, by name. */
export type OptionGroup = Readonly<Record<string, OptionDefinition>>;

/** The values of one group: what its options' defaults say about their types. */
export type GroupValues<G extends OptionGroup> = {
  readonly [K in keyof G as G[K] extends IgnoredOption ? never : K]: G[K] extends OptionDefinition<infer T> ? T : never;
};
