// A MariaDB server for one suite, which the suite can pause, kill or make read-only. Undefined if the programs are not
// installed.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';

const PROGRAMS = {
  install: ['/usr/bin/mariadb-install-db', '/usr/local/bin/mariadb-install-db', '/usr/bin/mysql_install_db'],
  server: ['/usr/sbin/mariadbd', '/usr/bin/mariadbd', '/usr/local/bin/mariadbd', '/usr/sbin/mysqld'],
};

export const hasMariadb = (): boolean =>
  Object.values(PROGRAMS).every((paths) => paths.some((path) => existsSync(path)));

export class PrivateMariadb {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(): Promise<PrivateMariadb> {
    const folder = mkdtempSync(join(tmpdir(), 'berth-mariadb-'));
    mkdirSync(join(folder, 'tmp'));
    execFileSync(
      programOf('install'),
      [
        '--no-defaults',
        `--user=${userInfo().username}`,
        `--datadir=${join(folder, 'data')}`,
        '--auth-root-authentication-method=normal',
      ],
      { stdio: 'ignore' },
    );
    const server = new PrivateMariadb(folder, await freePort());
    await server.run();
    return server;
  }

  /** Connects as root, who has rights that the service lacks. */
  connect(): Promise<Connection> {
    return createConnection({ host: '127.0.0.1', port: this.port, user: 'root', multipleStatements: true });
  }

  /**
   * Stops the server in the middle of its work: its connections stay open and it does not answer. Resolves when all of
   * its threads are stopped. Until one thread has run to take the signal, the others go on.
   */
  async pause(): Promise<void> {
    const { process: running } = this;
    if (running?.pid === undefined) throw new Error('the server does not run');
    running.kill('SIGSTOP');
    while (!isStopped(running.pid)) await new Promise((resume) => setTimeout(resume, 10));
  }

  resume(): void {
    this.process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const { process: running } = this;
    if (running === undefined) return;
    this.process = undefined;
    const ended = new Promise((resume) => running.once('exit', resume));
    running.kill('SIGKILL');
    await ended;
  }

  /** Starts the server, also after a kill; resolves when it answers. */
  async run(): Promise<void> {
    const started = spawn(
      programOf('server'),
      [
        '--no-defaults',
        `--user=${userInfo().username}`,
        `--datadir=${join(this.folder, 'data')}`,
        // A server that starts removes temporary tables from this folder, including those of other servers.
        `--tmpdir=${join(this.folder, 'tmp')}`,
        `--socket=${join(this.folder, 'socket')}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        `--port=${this.port}`,
        `--pid-file=${join(this.folder, 'pid')}`,
      ],
      { stdio: 'ignore' },
    );
    this.process = started;
    for (;;) {
      try {
        await (await this.connect()).end();
        return;
      } catch (error) {
        if (started.exitCode !== null) throw error;
        await new Promise((resume) => setTimeout(resume, 100));
      }
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether every thread is stopped. The state follows the thread name, which is in brackets. */
function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => / T \d+ [^)]*$/.test(readFileSync(join(tasks, task, 'stat'), 'utf8')));
}

function programOf(name: keyof typeof PROGRAMS): string {
  const found = PROGRAMS[name].find((path) => existsSync(path));
  if (found === undefined) throw new Error(`none of ${PROGRAMS[name].join(', ')} is installed`);
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise<void>((closed) => void server.close(() => closed()));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
