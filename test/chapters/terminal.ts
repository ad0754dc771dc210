// A shell that keeps its variables between commands, with both output streams combined. `berth …` runs in this process,
// so no build is needed.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { berth } from '../support/command-line';

export class Terminal {
  private readonly shell: ChildProcessWithoutNullStreams;
  private heard = '';
  private onHeard: () => void = () => undefined;
  private hasEnded = false;

  constructor(
    private readonly cwd: string,
    private env: Readonly<Record<string, string>>,
  ) {
    this.shell = spawn('bash', ['--norc', '--noprofile'], { cwd, env });
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.heard += text;
        this.onHeard();
      });
    }
    this.shell.on('close', () => {
      this.hasEnded = true;
      this.onHeard();
    });
  }

  /** Sets a variable to a value without quotes. */
  async export(name: string, value: string): Promise<void> {
    this.env = { ...this.env, [name]: value };
    await this.type(`export ${name}='${value}'`);
  }

  /** The output of a command. It gets no input. */
  async type(command: string): Promise<string> {
    if (/^berth\s/.test(command)) return this.berth(command);
    const end = `end-${randomUUID()}`;
    this.heard = '';
    this.shell.stdin.write(`{ ${command}\n} 2>&1 </dev/null\nprintf '\\n%s\\n' '${end}'\n`);
    while (!this.heard.includes(end)) {
      if (this.hasEnded) throw new Error(`the shell ended: ${this.heard}`);
      await new Promise<void>((resume) => (this.onHeard = resume));
    }
    return this.heard.slice(0, this.heard.indexOf(end));
  }

  /** Parses words, and an optional redirection to a file. */
  private async berth(command: string): Promise<string> {
    // The shell knows its variables.
    const typed = command.includes('$')
      ? (await this.type(`echo '${command.replace(/\$\w+/g, `'"$&"'`)}'`)).trim()
      : command;
    const [words = '', file] = typed.split(' > ');
    const { out, err } = await berth(this.env, words.trim().split(/\s+/).slice(1));
    if (file === undefined) return out + err;
    writeFileSync(join(this.cwd, file.trim()), out);
    return err;
  }

  close(): void {
    this.shell.stdin.end();
    this.shell.kill();
  }
}
