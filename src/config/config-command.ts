// `berth config show|check [--lenient] [FILE]`: what is in force, and what is wrong with it. Exit codes: 0 fine, 1 the
// configuration is faulty, 2 the command line is.

import type { BerthConfig } from './berth-config';
import { describeConfig } from './describe-config';
import { ConfigError, loadConfig } from './load-config';
import type { LoadConfigInput } from './load-config';

/** The world as a command sees it. */
export interface ConfigCommandIo extends Pick<LoadConfigInput, 'env' | 'cwd' | 'readFile' | 'extraOptions'> {
  /** What the start would say of a configuration that is valid in itself: names that nobody registered. */
  readonly judge?: (config: BerthConfig) => readonly string[];
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

export const CONFIG_USAGE = `usage: berth config show|check [--lenient] [FILE]

  show       print every option in force and where it comes from; secrets are masked
  check      only say what is wrong
  --lenient  let groups and options of other services pass (a nova.conf)
  FILE       read this file instead of BERTH_CONFIG or ./berth.conf
`;

interface Arguments {
  readonly action: 'show' | 'check';
  readonly lenient: boolean;
  readonly file: string | undefined;
}

const parseArguments = (args: readonly string[]): Arguments | undefined => {
  const [action, file, ...rest] = args.filter((argument) => argument !== '--lenient');
  if ((action !== 'show' && action !== 'check') || rest.length > 0 || file?.startsWith('-') === true) return undefined;
  return { action, file, lenient: args.includes('--lenient') };
};

/** The environment with the file that the command names. */
export const environmentOf = (args: readonly string[], env: LoadConfigInput['env']): LoadConfigInput['env'] => {
  const file = parseArguments(args)?.file;
  return file === undefined ? env : { ...env, BERTH_CONFIG: file };
};

/** Runs the command and answers its exit code. */
export const runConfigCommand = (args: readonly string[], io: ConfigCommandIo): number => {
  const parsed = parseArguments(args);
  if (parsed === undefined) {
    io.stderr(CONFIG_USAGE);
    return 2;
  }
  const { stdout, stderr, judge, ...sources } = io;
  const env = environmentOf(args, io.env);
  try {
    const config = loadConfig({ ...sources, env, ...(parsed.lenient && { lenient: true }) });
    for (const warning of config.warnings) stderr(`warning: ${warning}\n`);
    const problems = parsed.action === 'check' ? (judge?.(config) ?? []) : [];
    for (const problem of problems) stderr(`error: ${problem}\n`);
    if (problems.length > 0) return 1;
    stdout(parsed.action === 'show' ? describeConfig(config, io.extraOptions) : 'The configuration is valid.\n');
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) stderr(`error: ${problem}\n`);
    return 1;
  }
};
