// `berth import` and `berth export`: from and to the schema of OpenStack Placement, and JSON Lines.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { ExportOptions } from '../transfer/export-command';
import { exportCommand } from '../transfer/export-command';
import type { ImportOptions } from '../transfer/import-command';
import { importCommand } from '../transfer/import-command';
import { BarProgress } from '../transfer/progress';
import type { CommandContext } from './command-context';
import { runs } from './command-context';
import type { PasswordFlags } from './password';
import { passwordOf, takesPassword } from './password';

const STOPS = ['SIGINT', 'SIGTERM'] as const;

export function addTransferCommands(program: Command, context: CommandContext): void {
  takesPassword(
    program
      .command('import')
      .description("bring in OpenStack Placement's database, or a JSON Lines file, and verify it")
      .requiredOption('--from <source>', 'mysql://…, sqlite:///…, or a file of JSON Lines')
      .addOption(
        new Option('--merge', 'what is there stays; the source counts where both know it').conflicts('replace'),
      )
      .option('--replace', 'delete what the source does not have')
      .option('--follow', 'follow a source that is still in use, until interrupted')
      .option('--report <file>', 'a file that gets every finding, one JSON document a line'),
  ).action(runs(context, (options: ImportOptions & PasswordFlags) => runImport(context, options)));
  takesPassword(
    program
      .command('export')
      .description("write OpenStack Placement's schema, or a JSON Lines file")
      .requiredOption('--to <target>', 'mysql://…, sqlite:///…, or a file for JSON Lines')
      .option('--revision <revision>', "which of the schema's revisions")
      .option('--replace', 'delete the content of the target'),
  ).action(
    runs(context, async (options: ExportOptions & PasswordFlags) =>
      exportCommand({ ...options, password: await passwordOf(context, options) }, await surroundingsOf(context)),
    ),
  );
}

async function surroundingsOf({ loadConfig, cwd, stdout }: CommandContext) {
  const { config } = await loadConfig();
  const print = (text: string): void => stdout(`${text}\n`);
  return { config, cwd, print, progress: new BarProgress(process.stderr) };
}

async function runImport(context: CommandContext, flags: ImportOptions & PasswordFlags): Promise<number> {
  const options = { ...flags, password: await passwordOf(context, flags) };
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  // The first signal ends following. A second one ends the process, as any signal does without --follow.
  if (options.follow === true) for (const signal of STOPS) process.once(signal, stop);
  try {
    return await importCommand(options, { ...(await surroundingsOf(context)), stop: stopping.signal });
  } finally {
    for (const signal of STOPS) process.off(signal, stop);
  }
}
