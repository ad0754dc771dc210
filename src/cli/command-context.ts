// The context of every command: output streams, environment, configuration and exit code.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { LoadedConfiguration } from '../load-configuration';
import { loadConfiguration } from '../load-configuration';
import { NOT_A_PAST_TIME, pastTimeOf } from '../platform/values/past-time';
import { printableLines } from '../platform/values/printable';

/** Exit codes of all commands except `berth status`, which uses those of the reference's upgrade check. */
export const EXIT = {
  done: 0,
  /** The checked object is wrong, the request was refused, or the service is unreachable. */
  failed: 1,
  /** Invalid command line; no command was run. */
  usage: 2,
} as const;

/** A command failed with exit code 1; the message is printed on the terminal. */
export class CommandFailed extends Error {}

interface Terminal {
  readonly write: (text: string) => void;
  readonly hasColours: boolean;
}

export interface CommandStreams {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Replaces the last line of progress; undefined if stderr is not a terminal. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Standard output, if it is a terminal. `write` passes control characters on, so the text must be printable. */
  readonly terminal?: Terminal | undefined;
}

export interface CommandContext extends CommandStreams {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The configuration as the service reads it. */
  readonly loadConfig: () => Promise<LoadedConfiguration>;
  /** The command that ran sets it. */
  exitCode: number;
}

/** What commands print can contain text of others, so all of it is made printable. */
export function contextOf(streams: CommandStreams, env: NodeJS.ProcessEnv, cwd: string): CommandContext {
  const loadConfig = (): Promise<LoadedConfiguration> => loadConfiguration({ env, cwd });
  const stdout = (text: string): void => streams.stdout(printableLines(text));
  const stderr = (text: string): void => streams.stderr(printableLines(text));
  return { ...streams, stdout, stderr, env, cwd, exitCode: EXIT.done, loadConfig };
}

/** Creates the action of a command. Its return value, if any, is the exit code. */
export function runs<Args extends unknown[]>(
  context: CommandContext,
  action: (...args: Args) => Promise<number | void> | number | void,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    context.exitCode = (await action(...args)) ?? EXIT.done;
  };
}

/** A command with subcommands only. Without a subcommand it prints its usage. */
export const addGroup = (program: Command, name: string, summary: string): Command =>
  program.command(name).description(summary).usage('COMMAND');

/** Parser of `--since`: the time in ISO 8601. */
export function pastTime(text: string): string {
  const ms = pastTimeOf(text, Date.now());
  if (ms === undefined) throw new InvalidArgumentError(`It ${NOT_A_PAST_TIME}.`);
  return new Date(ms).toISOString();
}

/** For all commands that list data. */
export const JSON_OPTION = ['--json', 'print JSON instead of a table'] as const;
