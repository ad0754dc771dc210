// `berth config show|check [--lenient] [FILE]`: prints the effective configuration, or its errors.
import type { Command } from 'commander';
import type { BerthConfig } from '../options';
import { OPTION_TABLE } from '../options';
import { checkPolicy } from '../platform/auth/load-policy';
import { describeConfig } from '../platform/config/describe-config';
import { ConfigError, loadConfig } from '../platform/config/load-config';
import { judgedOptions } from '../scheduler/assemble/configured-scheduler';
import type { CommandContext, CommandStreams } from './command-context';
import { addGroup, EXIT, runs } from './command-context';

interface Flags {
  readonly lenient?: true;
}

const LENIENT = ['--lenient', 'accept groups and options of other services (a nova.conf)'] as const;
const FILE = ['[file]', 'read this file instead of BERTH_CONFIG or ./berth.conf'] as const;

export function addConfigCommands(program: Command, context: CommandContext): void {
  const config = addGroup(program, 'config', 'show or check the configuration');
  config
    .command('show')
    .description('print every effective option and its source; secrets are masked')
    .argument(...FILE)
    .option(...LENIENT)
    .action(
      runs(context, (file: string | undefined, flags: Flags) =>
        readConfig(context, file, flags, ({ config: read, table }) => {
          context.stdout(describeConfig(read, table));
          return [];
        }),
      ),
    );
  config
    .command('check')
    .description('only report the problems; exit code 1 if there are any')
    .argument(...FILE)
    .option(...LENIENT)
    .action(
      runs(context, (file: string | undefined, flags: Flags) =>
        readConfig(context, file, flags, ({ config: read, judge }) => {
          const policy = checkPolicy(read);
          for (const warning of policy.warnings) context.stderr(`warning: ${warning}\n`);
          const problems = [...judge(read), ...policy.problems];
          if (problems.length === 0) context.stdout('The configuration is valid.\n');
          return problems;
        }),
      ),
    );
}

type Judged = Awaited<ReturnType<typeof judgedOptions>> & { readonly config: BerthConfig };

/** Prints warnings and problems. `use` returns further problems of a configuration that could be read. */
async function readConfig(
  { env, cwd, stderr }: CommandContext,
  file: string | undefined,
  { lenient }: Flags,
  use: (judged: Judged) => readonly string[],
): Promise<number> {
  const sources = { env: file === undefined ? env : { ...env, BERTH_CONFIG: file }, cwd };
  try {
    const judged = await judgedOptions(OPTION_TABLE, sources);
    const config = loadConfig(judged.table, { ...sources, ...(lenient && { lenient }) });
    for (const warning of config.warnings) stderr(`warning: ${warning}\n`);
    return complain(use({ ...judged, config }), stderr);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(error.problems, stderr);
  }
}

function complain(problems: readonly string[], stderr: CommandStreams['stderr']): number {
  for (const problem of problems) stderr(`error: ${problem}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}
