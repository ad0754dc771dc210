// The process of nova's own scheduler.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ComparedRequest } from './requests';

const PYTHON = '/usr/bin/python3';
/** Characters of its log in an error message. */
const LOG_SHOWN = 3_000;

export interface ReferenceAnswer {
  /** The request spec, as the conductor sends it. */
  readonly sent: any;
  /** Hosts with their weights, best first, of each time that hosts were weighed. */
  readonly passes: readonly (readonly (readonly [string, number])[])[];
  /** For each instance: the chosen host, then alternates. */
  readonly selections?: readonly (readonly any[])[];
  /** Name of the exception. */
  readonly error?: string;
  readonly text?: string;
}

export function hasNova(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import nova.scheduler.manager'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export class Reference {
  private readonly waiting: ((line: string) => void)[] = [];
  private readonly ended: Promise<void>;
  private log = '';

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    createInterface({ input: child.stdout }).on('line', (line) => this.waiting.shift()?.(line));
    child.stderr.on('data', (data: Buffer) => (this.log = `${this.log}${data.toString()}`.slice(-LOG_SHOWN)));
    this.ended = new Promise((resume) => child.once('close', () => resume()));
    // The process that has ended is reported by the next answer.
    child.stdin.on('error', () => undefined);
  }

  static start(novaConf: string, placementUrl: string): Reference {
    return new Reference(spawn(PYTHON, [join(__dirname, 'reference.py'), novaConf, placementUrl]));
  }

  columns(
    numa: unknown,
    pools: unknown,
  ): Promise<{ readonly numa_topology: string | null; readonly pci_stats: string }> {
    return this.ask({ do: 'columns', numa, pools });
  }

  select({ kind: _kind, moved: _moved, ...step }: ComparedRequest): Promise<ReferenceAnswer> {
    return this.ask({ do: 'select', ...step });
  }

  private async ask<Answer>(step: object): Promise<Answer> {
    const answer = new Promise<string>((resolve) => this.waiting.push(resolve));
    this.child.stdin.write(`${JSON.stringify(step)}\n`);
    const line = await Promise.race([answer, this.ended.then(() => '')]);
    if (line === '') throw new Error(`the scheduler of nova ended: ${this.log}`);
    return JSON.parse(line) as Answer;
  }

  async stop(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }
}
