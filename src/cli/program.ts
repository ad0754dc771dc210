// The `berth` command with all subcommands. Printing usage runs no command. An unknown command gets a suggestion.
import { Command, CommanderError } from 'commander';
import { nearestName } from '../platform/values/nearest-name';
import { VERSION } from '../platform/version';
import { addAudit } from './audit-command';
import type { CommandContext, CommandStreams } from './command-context';
import { CommandFailed, contextOf, EXIT } from './command-context';
import { addCompletion } from './completion';
import { addConfigCommands } from './config-commands';
import { addDatabaseCommands } from './database-commands';
import { addDemo } from './demo-command';
import { addOpenrc } from './openrc-command';
import { addPolicyCommands } from './policy-commands';
import { addRemoteCommands } from './remote/remote-commands';
import { addSchedulerCommands } from './scheduler-commands';
import { addServe } from './serve-command';
import { addSimulate } from './simulate-command';
import { addStatus } from './status-command';
import { addTokenCommands } from './token-commands';
import { addTransferCommands } from './transfer-commands';

const EXIT_CODES = `
Exit codes: 0 success, 1 a check or the command failed, 2 the command line is invalid and nothing was run.
Run "berth COMMAND --help" for details.
`;

export function berthProgram(context: CommandContext): Command {
  const program = new Command('berth')
    .description('A placement service and scheduler for clouds.')
    .usage('[--config FILE] COMMAND')
    .version(VERSION, '--version', 'print the version')
    .option('--config <file>', 'the configuration file, instead of BERTH_CONFIG or ./berth.conf')
    .helpOption('-h, --help', 'print this')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .hook('preAction', (top) => {
      const { config } = top.opts<{ config?: string }>();
      if (config !== undefined) context.env['BERTH_CONFIG'] = config;
    });
  addServe(program, context);
  addSchedulerCommands(program, context);
  addDatabaseCommands(program, context);
  addAudit(program, context);
  addConfigCommands(program, context);
  addPolicyCommands(program, context);
  addTokenCommands(program, context);
  addStatus(program, context);
  addTransferCommands(program, context);
  addSimulate(program, context);
  addRemoteCommands(program, context);
  addOpenrc(program, context);
  addDemo(program, context);
  addCompletion(program, context);
  return program;
}

/** Runs a command line, given without the program name. Returns the exit code. */
export async function runCli(
  args: readonly string[],
  streams: CommandStreams = PROCESS_STREAMS,
  world: { readonly env: NodeJS.ProcessEnv; readonly cwd: string } = { env: process.env, cwd: process.cwd() },
): Promise<number> {
  const context = contextOf(streams, world.env, world.cwd);
  const program = berthProgram(context);
  try {
    const stray = strayCommand(program, args);
    if (stray !== null) {
      streams.stderr(`${stray}\n`);
      return EXIT.usage;
    }
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof CommandFailed)) throw error;
    streams.stderr(`${error.message}\n`);
    return EXIT.failed;
  }
}

/** The error for an unknown command, or null. Options before the command are left to the parser. */
function strayCommand(program: Command, args: readonly string[]): string | null {
  let at = program;
  for (const arg of args) {
    if (at.commands.length === 0 || arg.startsWith('-')) return null;
    const next = at.commands.find((command) => command.name() === arg || command.aliases().includes(arg));
    if (next === undefined) return arg === 'help' ? null : noCommand(at, arg);
    at = next;
  }
  return null;
}

function noCommand(group: Command, given: string): string {
  const names = group.commands.map((command) => command.name());
  const nearest = nearestName(given, names);
  const path = pathOf(group);
  const hint = nearest === undefined ? `"${path} --help" lists them` : `did you mean "${path} ${nearest}"?`;
  return `${path}: no command "${given}"; ${hint}`;
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Writes to a stream; the result of `write` must not become an exit code. */
const writerOf =
  (stream: NodeJS.WriteStream) =>
  (text: string): void => {
    stream.write(text);
  };

const toStderr = writerOf(process.stderr);

const PROCESS_STREAMS: CommandStreams = {
  stdout: writerOf(process.stdout),
  stderr: toStderr,
  progress: process.stderr.isTTY ? (text) => toStderr(`\r\u001b[K${text}`) : undefined,
};
