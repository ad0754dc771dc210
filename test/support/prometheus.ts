// A real Prometheus for one suite: data in a folder, a free port. Undefined if Prometheus is not installed.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = '/usr/bin/prometheus';
const TRIES = 600;
const PAUSE_MS = 100;

export const hasPrometheus = (): boolean => existsSync(PROGRAM);

interface QueryAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await new Promise<void>((closed) => void server.close(() => closed()));
  return port;
}

export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** Scrapes `target` (host and port) every second as the job `berth`, and evaluates the rules. */
  static async start(target: string, rules: string): Promise<Prometheus> {
    if (!hasPrometheus()) throw new Error('Prometheus is required here and not installed');
    const folder = mkdtempSync(join(tmpdir(), 'berth-prometheus-'));
    const configuration = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'berth', static_configs: [{ targets: [target] }] }],
    };
    // JSON is YAML.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      PROGRAM,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: 'ignore', cwd: folder },
    );
    const prometheus = new Prometheus(child, folder, `http://${address}`);
    await prometheus.until(async () => (await fetch(`${prometheus.url}/-/ready`)).ok);
    return prometheus;
  }

  /** Returns the values of an instant query. Throws the error of Prometheus. */
  async query(expression: string): Promise<readonly number[]> {
    const response = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, error, data } = (await response.json()) as QueryAnswer;
    if (status !== 'success') throw new Error(`${expression}: ${error}`);
    return (data?.result ?? []).map(({ value }) => Number(value[1]));
  }

  /** Waits until the condition holds and ignores failures meanwhile. Throws after one minute. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await isSo().catch(() => false)) return;
      await sleep(PAUSE_MS);
    }
    throw new Error('Prometheus did not get there in time');
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
