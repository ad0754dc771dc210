// A real Keystone for one suite: SQLite in a folder, one process, a free port. Undefined if Keystone is not installed.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Sqlite } from '../../src/platform/database/sqlite-driver';

const run = promisify(execFile);
const PROGRAMS = ['/usr/bin/keystone-manage', '/usr/bin/keystone-wsgi-public'];
const TRIES = 600;
const WRITES_TRIED = 8;
/** Characters of its log in an error message. */
const LOG_SHOWN = 4_000;

export const hasKeystone = (): boolean => PROGRAMS.every((path) => existsSync(path));

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await new Promise<void>((closed) => void server.close(() => closed()));
  return port;
};

interface Login {
  readonly token: string;
  readonly document: { readonly token: Readonly<Record<string, any>> };
}

export class Keystone {
  private readonly processes: ChildProcess[] = [];
  /** Token of the administrator that the bootstrap creates. */
  private admin = '';

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<Keystone> {
    const folder = mkdtempSync(join(tmpdir(), 'berth-keystone-'));
    const keystone = new Keystone(folder, await freePort());
    try {
      await keystone.prepare();
      await keystone.serve(join(folder, 'keystone.conf'));
      keystone.admin = (await keystone.login('admin', { project: 'admin' })).token;
    } catch (error) {
      await keystone.stop();
      throw error;
    }
    return keystone;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Ends the processes and keeps the database. */
  async end(): Promise<void> {
    for (const running of this.processes) {
      if (running.exitCode !== null || running.signalCode !== null) continue;
      const ended = new Promise((resume) => running.once('exit', resume));
      running.kill('SIGKILL');
      await ended;
    }
  }

  /**
   * Starts a second process on the same database and keys, whose tokens live for `seconds`. While it runs, writes of
   * the first process can fail.
   */
  async brief(seconds: number): Promise<Keystone> {
    const brief = new Keystone(this.folder, await freePort());
    const file = join(this.folder, 'brief.conf');
    writeFileSync(file, `[token]\nexpiration = ${seconds}\n`);
    await brief.serve(join(this.folder, 'keystone.conf'), file);
    this.processes.push(...brief.processes);
    return brief;
  }

  /** Calls the API as the administrator. */
  async call(method: string, path: string, body?: object): Promise<any> {
    const { status, document } = await this.send(method, path, { 'x-auth-token': this.admin }, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(document)}`);
    return document;
  }

  /** Creates a user of the default domain whose password is its name; returns the id. */
  async user(name: string): Promise<string> {
    const user = { name, password: name, domain_id: 'default' };
    return (await this.call('POST', '/v3/users', { user })).user.id;
  }

  async project(name: string): Promise<string> {
    return (await this.call('POST', '/v3/projects', { project: { name, domain_id: 'default' } })).project.id;
  }

  /** Returns the id of a role, and creates the role if it is missing. */
  async role(name: string): Promise<string> {
    const found = (await this.call('GET', `/v3/roles?name=${name}`)).roles[0];
    return found?.id ?? (await this.call('POST', '/v3/roles', { role: { name } })).role.id;
  }

  /** Logs in with the password that `user` sets. */
  login(name: string, scope: { readonly project?: string; readonly isSystem?: boolean }): Promise<Login> {
    const password = name === 'admin' ? ADMIN_PASSWORD : name;
    const domain = { id: 'default' };
    return this.authenticate({
      identity: { methods: ['password'], password: { user: { name, domain, password } } },
      scope:
        scope.isSystem === true
          ? { system: { all: true } }
          : scope.project === undefined
            ? 'unscoped'
            : { project: { name: scope.project, domain } },
    });
  }

  async authenticate(auth: object): Promise<Login> {
    const { status, document, token } = await this.send('POST', '/v3/auth/tokens', {}, { auth });
    if (status !== 201 || token === null) throw new Error(`login: ${status} ${JSON.stringify(document)}`);
    return { token, document };
  }

  async revoke(token: string): Promise<void> {
    await this.send('DELETE', '/v3/auth/tokens', { 'x-auth-token': this.admin, 'x-subject-token': token });
  }

  /** Sends a request with these headers, and repeats it while the answer is a server error. */
  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<{ readonly status: number; readonly document: any; readonly token: string | null }> {
    const ask = (): Promise<Response> =>
      fetch(`${this.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    let answer = await ask();
    // SQLite refuses a write while another long write is in progress.
    for (let tries = 1; answer.status >= 500 && tries < WRITES_TRIED; tries += 1) {
      await new Promise((resume) => setTimeout(resume, 500 * tries));
      answer = await ask();
    }
    const text = await answer.text();
    if (answer.status >= 500) {
      throw new Error(`Keystone: ${method} ${path}: ${answer.status} ${text}\n${this.lastLog()}`);
    }
    const document: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, document, token: answer.headers.get('x-subject-token') };
  }

  private lastLog(): string {
    const tailOf = (name: string): string => {
      const path = join(this.folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8').slice(-LOG_SHOWN) : '';
    };
    return `${tailOf('keystone.log')}\n${tailOf('output')}`;
  }

  private async prepare(): Promise<void> {
    const file = join(this.folder, 'keystone.conf');
    for (const name of ['fernet', 'credentials']) {
      mkdirSync(join(this.folder, name), { mode: 0o700 });
      // As `keystone-manage fernet_setup` makes them: the next key and the one in use.
      for (const key of ['0', '1']) writeFileSync(join(this.folder, name, key), fernetKey(), { mode: 0o600 });
    }
    writeFileSync(
      file,
      [
        '[DEFAULT]',
        `log_file = ${join(this.folder, 'keystone.log')}`,
        '[database]',
        `connection = sqlite:///${join(this.folder, 'keystone.db')}`,
        // The least that bcrypt accepts: each login checks a password.
        '[identity]',
        'password_hash_rounds = 4',
        '[token]',
        'provider = fernet',
        'expiration = 3600',
        // By default, receipts of second factors have their keys in /etc, where a new machine has none.
        ...['[fernet_tokens]', '[fernet_receipts]'].flatMap((group) => [
          group,
          `key_repository = ${join(this.folder, 'fernet')}`,
        ]),
        '[credential]',
        `key_repository = ${join(this.folder, 'credentials')}`,
        '',
      ].join('\n'),
    );
    const manage = (...words: readonly string[]) => run('/usr/bin/keystone-manage', ['--config-file', file, ...words]);
    await manage('db_sync');
    readersHoldNoWriters(join(this.folder, 'keystone.db'));
    await manage(
      ...['bootstrap', '--bootstrap-password', ADMIN_PASSWORD, '--bootstrap-region-id', 'RegionOne'],
      ...['admin', 'internal', 'public'].flatMap((name) => [`--bootstrap-${name}-url`, `${this.url}/v3`]),
    );
  }

  private async serve(...files: readonly string[]): Promise<void> {
    const output = openSync(join(this.folder, 'output'), 'w');
    const server = spawn('/usr/bin/keystone-wsgi-public', ['--host', '127.0.0.1', '--port', String(this.port)], {
      stdio: ['ignore', output, output],
      env: { ...process.env, OS_KEYSTONE_CONFIG_DIR: this.folder, OS_KEYSTONE_CONFIG_FILES: files.join(';') },
    });
    this.processes.push(server);
    for (let tries = 0; tries < TRIES && server.exitCode === null; tries += 1) {
      const isThere = await fetch(`${this.url}/v3`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isThere) return;
      await new Promise((resume) => setTimeout(resume, 100));
    }
    throw new Error(`Keystone does not start: ${readFileSync(join(this.folder, 'output'), 'utf8')}`);
  }
}

/** Keystone can leave a read transaction open. Without WAL, such a transaction blocks all commits. */
function readersHoldNoWriters(path: string): void {
  const db = new Sqlite(path);
  db.pragma('journal_mode = WAL');
  db.close();
}

/** 32 bytes in base64 for URLs, padded. */
const fernetKey = (): string => `${randomBytes(32).toString('base64url')}=`;

const ADMIN_PASSWORD = 'S3CRET-admin';
