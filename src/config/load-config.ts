// Loads the configuration: environment over file over defaults, everything checked before anything starts, all problems
// reported at once.

import type { BerthConfig } from './berth-config';
import type { OptionRow } from './option-types';
import type { OptionValues } from './options';

/** What the configuration is made from. Nothing else is looked at. */
export interface LoadConfigInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory that relative paths start from, and where `berth.conf` is looked for. */
  readonly cwd: string;
  /** Text of a file, or undefined where there is none. */
  readonly readFile?: (path: string) => string | undefined;
  /** Typed values that beat every source; for tests and commands. */
  readonly overrides?: { readonly [G in keyof OptionValues]?: Partial<OptionValues[G]> };
  /** Let groups and options of other services pass with a warning. */
  readonly lenient?: boolean;
  /** Options that plugins declare. */
  readonly extraOptions?: readonly OptionRow[];
}

/** Everything that is wrong with the configuration; `message` has one problem per line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Throws ConfigError. */
export const loadConfig = (_input: LoadConfigInput): BerthConfig => {
  throw new ConfigError(['not built yet']);
};
