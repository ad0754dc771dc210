// A RabbitMQ node for one suite, on free ports and in its own folder, which the suite can stop and start again. Undefined
// if RabbitMQ is not installed.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = '/usr/lib/rabbitmq/bin';
const TRIES = 600;
const TRY_MS = 100;
const PORT_MAPPER_TRIES = 50;
const NO_OUTPUT = { stdout: '' };
/** Characters of its output in an error message. */
const OUTPUT_SHOWN = 4_000;

/** With characters that an address must encode. oslo.messaging cannot log in with a slash. */
export const RABBIT_PASSWORD = 'p@ss:w+rd%';

export const hasRabbit = (): boolean => existsSync(join(PROGRAMS, 'rabbitmq-server'));

/** Files of the broker's certificate. */
interface BrokerCertificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export class Rabbit {
  private node: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly tlsPort: number,
    private readonly distributionPort: number,
    private readonly epmdPort: number,
  ) {}

  /** With a certificate, it accepts TLS as well. */
  static async start(certificate?: BrokerCertificate): Promise<Rabbit> {
    const folder = mkdtempSync(join(tmpdir(), 'berth-rabbit-'));
    const rabbit = new Rabbit(folder, await freePort(), await freePort(), await freePort(), await freePort());
    try {
      rabbit.prepare(certificate);
      await rabbit.run();
      await rabbit.control('add_user', 'nova', RABBIT_PASSWORD);
      await rabbit.control('set_permissions', 'nova', '.*', '.*', '.*');
    } catch (error) {
      await rabbit.remove();
      throw error;
    }
    return rabbit;
  }

  get transportUrl(): string {
    return this.urlOf(this.port);
  }

  get tlsTransportUrl(): string {
    return this.urlOf(this.tlsPort);
  }

  /** Runs a command of `rabbitmqctl` and returns its output. */
  async control(...words: readonly string[]): Promise<string> {
    const { stdout } = await run(join(PROGRAMS, 'rabbitmqctl'), ['--quiet', ...words], { env: this.environment() });
    return stdout;
  }

  /** Starts the node, also after a stop; resolves when it accepts connections. */
  async run(): Promise<void> {
    const output = openSync(join(this.folder, 'output'), 'w');
    const node = spawn(join(PROGRAMS, 'rabbitmq-server'), [], {
      env: this.environment(),
      stdio: ['ignore', output, output],
      // The node and its helpers end together.
      detached: true,
    });
    this.node = node;
    for (let tries = 0; tries < TRIES && node.exitCode === null; tries += 1) {
      await new Promise((resume) => setTimeout(resume, TRY_MS));
      if (/Starting broker\.\.\. completed/.test(readFileSync(join(this.folder, 'output'), 'utf8'))) return;
    }
    const shown = readFileSync(join(this.folder, 'output'), 'utf8').slice(-OUTPUT_SHOWN);
    throw new Error(`RabbitMQ does not start: ${shown}`);
  }

  /** Ends the node as a crash would. Durable queues survive, others do not. */
  async stop(): Promise<void> {
    const { node } = this;
    if (node?.pid === undefined) return;
    this.node = undefined;
    const ended = new Promise((resume) => node.once('exit', resume));
    process.kill(-node.pid, 'SIGKILL');
    await ended;
  }

  /** Stops the node in the middle of its work: its connections stay open and it does not answer. */
  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.endPortMapper();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private urlOf(port: number): string {
    return `rabbit://nova:${encodeURIComponent(RABBIT_PASSWORD)}@127.0.0.1:${port}/`;
  }

  private signal(name: NodeJS.Signals): void {
    if (this.node?.pid !== undefined) process.kill(-this.node.pid, name);
  }

  /** The port mapper is a daemon of its own. It refuses to end until it has noticed the end of the node. */
  private async endPortMapper(): Promise<void> {
    for (let tries = 0; tries < PORT_MAPPER_TRIES; tries += 1) {
      const { stdout } = await run('epmd', ['-kill'], { env: this.environment() }).catch(() => NO_OUTPUT);
      if (/Killed/.test(stdout)) return;
      await new Promise((resume) => setTimeout(resume, TRY_MS));
    }
  }

  private prepare(certificate: BrokerCertificate | undefined): void {
    for (const name of ['mnesia', 'log', 'home']) mkdirSync(join(this.folder, name));
    writeFileSync(join(this.folder, 'home/.erlang.cookie'), randomUUID(), { mode: 0o400 });
    writeFileSync(join(this.folder, 'enabled_plugins'), '[].');
    const lines = [`listeners.tcp.1 = 127.0.0.1:${this.port}`, 'log.console = false', 'disk_free_limit.absolute = 1MB'];
    if (certificate !== undefined) {
      lines.push(
        `listeners.ssl.1 = 127.0.0.1:${this.tlsPort}`,
        `ssl_options.cacertfile = ${certificate.authority}`,
        `ssl_options.certfile = ${certificate.certificate}`,
        `ssl_options.keyfile = ${certificate.key}`,
      );
    }
    writeFileSync(join(this.folder, 'rabbitmq.conf'), `${lines.join('\n')}\n`);
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: join(this.folder, 'home'),
      RABBITMQ_NODENAME: `berth${this.port}@localhost`,
      RABBITMQ_NODE_PORT: String(this.port),
      RABBITMQ_DIST_PORT: String(this.distributionPort),
      RABBITMQ_MNESIA_BASE: join(this.folder, 'mnesia'),
      RABBITMQ_LOG_BASE: join(this.folder, 'log'),
      RABBITMQ_CONFIG_FILE: join(this.folder, 'rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(this.folder, 'enabled_plugins'),
      RABBITMQ_CONF_ENV_FILE: join(this.folder, 'no-environment'),
      RABBITMQ_PID_FILE: join(this.folder, 'pid'),
      ERL_EPMD_PORT: String(this.epmdPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      // Two schedulers: the node has a suite as its only user.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 2:2',
    };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise<void>((closed) => void server.close(() => closed()));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
