// Reads a password that must not be on the command line, because every user of the machine can read the process list.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext } from './command-context';
import { CommandFailed } from './command-context';

export interface PasswordFlags {
  readonly passwordFile?: string;
  readonly askPassword?: true;
}

const PASSWORD_VARIABLE = 'BERTH_TRANSFER_PASSWORD';

const PASSWORD_HELP = `
Leave the password out of the address: every user of this machine can read it in the process list. Without the two options,
${PASSWORD_VARIABLE} of the environment is the password.
`;

export const takesPassword = (command: Command): Command =>
  command
    .option('--password-file <file>', 'a file with only the password of the database')
    .addOption(new Option('--ask-password', "ask for the database's password").conflicts('passwordFile'))
    .addHelpText('after', PASSWORD_HELP);

/** Undefined if no password is given. */
export async function passwordOf(
  { env, cwd }: CommandContext,
  { passwordFile, askPassword: isAsked }: PasswordFlags,
): Promise<string | undefined> {
  if (passwordFile !== undefined) return passwordIn(resolve(cwd, passwordFile));
  return isAsked ? askPassword('Password of the database: ') : env[PASSWORD_VARIABLE] || undefined;
}

function passwordIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandFailed(`The password file ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** Reads one line of input without echo. */
export function askPassword(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: input.isTTY === true });
  output.write(question);
  return new Promise<string>((answered, refuse) => {
    lines.once('line', answered);
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => refuse(new CommandFailed('No password was given.')));
  }).finally(() => {
    lines.close();
    output.write('\n');
  });
}
