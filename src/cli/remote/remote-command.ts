// A command that calls a running service: its address, its token and its form of output, and options that several of
// them share.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { printableLines } from '../../platform/values/printable';
import type { CommandContext, CommandStreams } from '../command-context';
import { CommandFailed, runs } from '../command-context';
import type { Action, Printing } from './printing';
import { outputOption } from './printing';
import { ServiceClient } from './service-client';

interface Where {
  readonly url: string;
  readonly token?: string;
  readonly json?: true;
  readonly timeout: number;
  readonly watch?: true;
}

/** Time to wait for an answer by default, and at most. */
const TIMEOUT_S = 60;
const TIMEOUT_S_MAX = 3_600;
const WATCH_MS = 3_000;
const CLEAR = '\u001b[H\u001b[2J';

/** Its options take precedence over the environment. `examples` are command lines without the name of the program. */
export function remote(
  program: Command,
  { env }: CommandContext,
  name: string,
  summary: string,
  examples: readonly string[],
): Command {
  return program
    .command(name)
    .description(summary)
    .option('--url <url>', 'where the service listens (BERTH_URL)', env['BERTH_URL'] ?? 'http://127.0.0.1:8778')
    .option('--token <token>', 'what is sent as X-Auth-Token (BERTH_TOKEN; without either "admin", for noauth2)')
    .option('--timeout <seconds>', 'how long to wait for an answer', countUpTo(TIMEOUT_S_MAX), TIMEOUT_S)
    .addOption(outputOption())
    .option('--json', 'the same as -o json')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  berth ${example}\n`).join('')}`);
}

/** Commander passes each argument separately (variadic ones as a list), then the options, then the command. */
export function asks<Options extends Printing>(
  context: CommandContext,
  action: Action<Options>,
): (...given: unknown[]) => Promise<void> {
  return runs(context, (...given: unknown[]) => {
    const args = given.slice(0, -2).flat() as string[];
    const { json, timeout, watch, url, token: stated, ...options } = given.at(-2) as Options & Where;
    const token = stated ?? context.env['BERTH_TOKEN'] ?? 'admin';
    const output = json ? 'json' : options.output;
    const isText = output !== 'json' && output !== 'yaml';
    const client = new ServiceClient({ url: addressOf(url), token, isText, timeoutMs: timeout * 1_000 });
    const print = (streams: CommandStreams): Promise<number | void> =>
      action(client, streams, { ...options, output } as unknown as Options, args);
    return watch ? watched(context, print) : print(context);
  });
}

/** For commands whose result changes by itself. */
export const watchOption = (): Option =>
  new Option('--watch', `print it again every ${WATCH_MS / 1_000} s until Ctrl + C`);

/** Prints a result again and again in place. A service that does not answer is asked again. */
async function watched(streams: CommandStreams, print: (streams: CommandStreams) => Promise<unknown>): Promise<never> {
  const { terminal } = streams;
  if (terminal === undefined) throw new CommandFailed('--watch needs a terminal.');
  for (;;) {
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    const add = (part: string): void => write(printableLines(part));
    await print({ ...streams, stdout: add, stderr: add, terminal: { ...terminal, write } }).catch((error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      add(`berth: ${error.message}\n`);
    });
    terminal.write(`${CLEAR}${text}`);
    await sleep(WATCH_MS);
  }
}

/** `127.0.0.1:8778` is an address without its scheme. */
function addressOf(given: string): string {
  const url = (given.includes('://') ? given : `http://${given}`).replace(/\/+$/, '');
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new CommandFailed(`'${given}' is not an address. Give http://HOST:PORT with --url or BERTH_URL.`);
}

export const many = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Parser of an option that is a number from 1 to `max`. */
export const countUpTo =
  (max: number) =>
  (text: string): number => {
    const count = Number(text);
    if (/^\d{1,10}$/.test(text) && count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`It must be a number from 1 to ${max}.`);
  };
