// The `berth` command with all subcommands. Printing usage runs no command. An unknown command gets a suggestion.
import { Command, CommanderError } from 'commander';
import { nearestName } from '../platform/values/nearest-name';
import { VERSION } from '../platform/version';
import type { CommandContext, CommandStreams } from './command-context';
import { CommandFailed, contextOf, EXIT, runs } from './command-context';
import { addCompletion } from './completion';
import { addDemo } from './demo-command';
import { addOpenrc } from './openrc-command';
import { addRemoteCommands } from './remote/remote-commands';

type Add = (program: Command, context: CommandContext) => void;

/** Commands whose modules take up to 1 s to load, by name. */
interface LateCommands {
  readonly names: readonly string[];
  readonly load: () => Promise<Add>;
}

/** In the order of the help. */
const COMMANDS: readonly (Add | LateCommands)[] = [
  addServe,
  { names: ['scheduler'], load: async () => (await import('./scheduler-commands.js')).addSchedulerCommands },
  {
    names: ['migrate', 'verify', 'graph'],
    load: async () => (await import('./database-commands.js')).addDatabaseCommands,
  },
  { names: ['audit'], load: async () => (await import('./audit-command.js')).addAudit },
  { names: ['config'], load: async () => (await import('./config-commands.js')).addConfigCommands },
  { names: ['policy'], load: async () => (await import('./policy-commands.js')).addPolicyCommands },
  { names: ['token'], load: async () => (await import('./token-commands.js')).addTokenCommands },
  { names: ['status'], load: async () => (await import('./status-command.js')).addStatus },
  { names: ['import', 'export'], load: async () => (await import('./transfer-commands.js')).addTransferCommands },
  { names: ['simulate'], load: async () => (await import('./simulate-command.js')).addSimulate },
  addRemoteCommands,
  addOpenrc,
  addDemo,
  addCompletion,
];

/** Runs the service in this process. */
function addServe(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service')
    .action(
      runs(context, async () => {
        await import('../main.js');
      }),
    );
}

const EXIT_CODES = `
Exit codes: 0 success, 1 a check or the command failed, 2 the command line is invalid and nothing was run.
Run "berth COMMAND --help" for details.
`;

/** The program with all commands. */
export async function berthProgram(context: CommandContext): Promise<Command> {
  const program = emptyProgram(context);
  for (const commands of COMMANDS) await add(commands, program, context);
  return program;
}

async function add(commands: Add | LateCommands, program: Command, context: CommandContext): Promise<void> {
  (typeof commands === 'function' ? commands : await commands.load())(program, context);
}

/** With the command that the arguments name, if there is one; otherwise with all, for help and suggestions. */
async function programFor(args: readonly string[], context: CommandContext): Promise<Command> {
  const word = commandWord(args);
  const named = COMMANDS.find((commands) => typeof commands !== 'function' && commands.names.includes(word ?? ''));
  const program = emptyProgram(context);
  if (named !== undefined) await add(named, program, context);
  else for (const commands of COMMANDS) if (typeof commands === 'function') commands(program, context);
  const isComplete = word === '--version' || program.commands.some((each) => each.name() === word);
  return isComplete && word !== 'completion' ? program : berthProgram(context);
}

/** The first word that is neither an option of the program nor its value. */
function commandWord(args: readonly string[]): string | undefined {
  let at = 0;
  while (args[at] === '--config' || args[at] === '--config-dir') at += 2;
  return args[at];
}

function emptyProgram(context: CommandContext): Command {
  const named: string[] = [];
  const add = (path: string): void => {
    named.push(path);
    context.env['BERTH_CONFIG'] = named.join(',');
  };
  return new Command('berth')
    .description('A placement service and scheduler for clouds.')
    .usage('[--config FILE]… COMMAND')
    .version(VERSION, '--version', 'print the version')
    .option('--config <file>', 'a configuration file, instead of BERTH_CONFIG or ./berth.conf; repeatable', add)
    .option('--config-dir <folder>', 'read the *.conf files of this folder in the order of their names', add)
    .helpOption('-h, --help', 'print this')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      writeOut: context.stdout,
      writeErr: context.stderr,
      outputError: (text, write) => write(text.replace(/^error: /, 'berth: ')),
    });
}

/** Runs a command line, given without the program name. Returns the exit code. */
export async function runCli(
  args: readonly string[],
  streams: CommandStreams = PROCESS_STREAMS,
  world: { readonly env: NodeJS.ProcessEnv; readonly cwd: string } = { env: process.env, cwd: process.cwd() },
): Promise<number> {
  const context = contextOf(streams, world.env, world.cwd);
  const program = await programFor(args, context);
  try {
    const stray = strayCommand(program, args);
    if (stray !== null) {
      context.stderr(`${stray}\n`);
      return EXIT.usage;
    }
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof CommandFailed)) throw error;
    context.stderr(`berth: ${error.message}\n`);
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
  const hint = nearest === undefined ? `"${path} --help" lists them.` : `Did you mean "${path} ${nearest}"?`;
  return `berth: There is no command "${path} ${given}". ${hint}`;
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
  terminal: process.stdout.isTTY
    ? { write: writerOf(process.stdout), hasColours: !process.env['NO_COLOR'] }
    : undefined,
  progress: process.stderr.isTTY ? (text) => toStderr(`\r\u001b[K${text}`) : undefined,
};
