// `berth config show|check [FILE]…`: prints the effective configuration, or its errors.
import type { Command } from 'commander';
import { OPTION_TABLE } from '../options';
import { describeConfig } from '../platform/config/describe-config';
import { examineConfig } from '../platform/config/load-config';
import { withNamedPlugins } from '../scheduler/assemble/configured-scheduler';
import type { CommandContext, CommandStreams } from './command-context';
import { addGroup, EXIT, runs } from './command-context';
import { checkStart } from './start-check';

const FILES = ['[files...]', 'read these files instead of BERTH_CONFIG or ./berth.conf'] as const;

export function addConfigCommands(program: Command, context: CommandContext): void {
  const config = addGroup(program, 'config', 'show or check the configuration');
  config
    .command('show')
    .description('print every effective option and its source; secrets are masked')
    .argument(...FILES)
    .action(
      runs(context, async (files: readonly string[]) => {
        const { config: read, problems, table } = await examined(context, files);
        if (problems.length === 0) context.stdout(describeConfig(read, table));
        return complain(problems, context.stderr);
      }),
    );
  config
    .command('check')
    .description('only report the problems; exit code 1 if there are any')
    .argument(...FILES)
    .action(
      runs(context, async (files: readonly string[]) => {
        const { problems, ...read } = await examined(context, files);
        const start = checkStart(read);
        for (const warning of start.warnings) context.stderr(`warning: ${warning}\n`);
        const all = [...problems, ...start.problems];
        if (all.length === 0) context.stdout('The configuration is valid.\n');
        return complain(all, context.stderr);
      }),
    );
}

/** Prints the warnings. */
async function examined({ env, cwd, stderr }: CommandContext, files: readonly string[]) {
  const given = files.length > 0 && { BERTH_CONFIG: files.join(',') };
  const sources = { env: { ...env, ...given }, cwd };
  const named = await withNamedPlugins(OPTION_TABLE, sources);
  const { config, problems } = examineConfig(named.table, sources);
  for (const warning of config.warnings) stderr(`warning: ${warning}\n`);
  return { ...named, config, problems };
}

function complain(problems: readonly string[], stderr: CommandStreams['stderr']): number {
  for (const problem of problems) stderr(`error: ${problem}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}
