// What every command is given: where it prints, the world it reads, and how its exit code is told.
import type { Command } from 'commander';
import { loadConfigWithPlugins } from '../scheduler/assemble/configured-scheduler';
import type { LoadedConfig } from '../scheduler/assemble/configured-scheduler';

/** Exit codes of all commands; `berth status` has those of the reference's upgrade check. */
export const EXIT = {
  done: 0,
  /** The thing asked about is wrong, refused, or out of reach. */
  failed: 1,
  /** The command line says nothing meaningful; nothing was run. */
  usage: 2,
} as const;

/** A command that cannot do what it was told; its message is for the terminal, and the exit code is 1. */
export class CommandFailed extends Error {}

export interface CommandStreams {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

export interface CommandContext extends CommandStreams {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The configuration as the service would read it. */
  readonly loadConfig: () => Promise<LoadedConfig>;
  /** Set by the command that ran. */
  exitCode: number;
}

export function contextOf(streams: CommandStreams, env: NodeJS.ProcessEnv, cwd: string): CommandContext {
  return { ...streams, env, cwd, exitCode: EXIT.done, loadConfig: () => loadConfigWithPlugins({ env, cwd }) };
}

/** Makes the action of a command: what it answers is the exit code, where it answers one. */
export function runs<Args extends unknown[]>(
  context: CommandContext,
  action: (...args: Args) => Promise<number | void> | number | void,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    context.exitCode = (await action(...args)) ?? EXIT.done;
  };
}

/** One that only has commands below it: without one it prints its usage and runs nothing. */
export const addGroup = (program: Command, name: string, summary: string): Command =>
  program.command(name).description(summary).usage('COMMAND');

/** For whatever is listed. */
export const JSON_OPTION = ['--json', 'print JSON instead of a table'] as const;
