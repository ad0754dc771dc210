// `berth config show|check [FILE]…`: prints the effective configuration, or its errors.
import type { Command } from 'commander';
import { loadConfiguration } from '../load-configuration';
import { OPTION_TABLE } from '../options';
import { describeConfig } from '../platform/config/describe-config';
import { examineConfig } from '../platform/config/load-config';
import { StartRefused } from '../platform/values/start-refused';
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
        const { problems, sources, ...read } = await examined(context, files);
        // In the place of nova-scheduler, options come from nova.conf as well.
        const loaded =
          problems.length > 0 || !read.config.nova.enabled ? read : await refused(() => loadConfiguration(sources));
        const start = 'refusal' in loaded ? { warnings: [], problems: loaded.refusal } : checkStart(loaded);
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
  const named = await refused(() => withNamedPlugins(OPTION_TABLE, sources));
  const { table, plugins } = 'refusal' in named ? { table: OPTION_TABLE, plugins: [] } : named;
  const { config, problems } = examineConfig(table, sources);
  for (const warning of config.warnings) stderr(`warning: ${warning}\n`);
  return { table, plugins, config, sources, problems: ['refusal' in named ? named.refusal : [], problems].flat() };
}

/** The result of the work, or the lines of its refusal. */
async function refused<T extends object>(work: () => Promise<T>): Promise<T | { readonly refusal: readonly string[] }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartRefused) return { refusal: error.message.split('\n') };
    throw error;
  }
}

function complain(problems: readonly string[], stderr: CommandStreams['stderr']): number {
  for (const problem of problems) stderr(`berth: ${problem}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}
