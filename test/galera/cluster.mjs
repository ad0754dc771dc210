// A Galera cluster on the loopback interface, whose nodes can be killed, frozen, isolated, emptied and restarted. It
// needs MariaDB with the Galera provider and rsync (Debian: mariadb-server, galera-4, rsync). All its files are in a
// temporary folder, which `close` removes.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';

const run = promisify(execFile);

const PROVIDERS = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib/libgalera_smm.so',
];
const READY_WITHIN_MS = 120_000;
const GONE_WITHIN_MS = 60_000;
const ASK_WITHIN_MS = 4_000;

/** A message that names the missing programs of this machine; undefined if none is missing. */
export async function whatIsMissing() {
  const programs = ['mariadbd', 'mariadb-install-db', 'rsync'];
  const found = await Promise.all(programs.map(programPath));
  const missing = programs.filter((_, at) => found[at] === undefined);
  if (!PROVIDERS.some((path) => existsSync(path))) missing.push('libgalera_smm.so');
  if (missing.length === 0) return undefined;
  return `${missing.join(', ')} not found: install the Debian packages mariadb-server, galera-4 and rsync.`;
}

async function programPath(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Free ports. All are held until the last one is found, so they differ. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push(server.address().port);
  }
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

export class Cluster {
  /**
   * Starts the first node as a new cluster, then the others, which join by state transfer. Without replication it
   * starts a single server, for comparison.
   */
  static async start({ nodes = 3, isReplicated = true } = {}) {
    const missing = await whatIsMissing();
    if (missing !== undefined) throw new Error(missing);
    const folder = mkdtempSync(join(tmpdir(), 'berth-galera-'));
    // The server drops root privileges and must still reach its own files.
    chmodSync(folder, 0o755);
    const cluster = new Cluster(folder);
    process.on('exit', cluster.#abandon);
    try {
      for (let number = 1; number <= nodes; number += 1) {
        const [port, group, transfer, copy] = await freePorts(4);
        const place = { number, folder: join(folder, `n${number}`), isReplicated };
        cluster.nodes.push(new Node({ ...place, port, group, transfer, copy }));
      }
      for (const node of cluster.nodes) await cluster.up(node, { isFirst: node === cluster.nodes[0] });
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  nodes = [];

  constructor(folder) {
    this.folder = folder;
  }

  get peers() {
    return this.nodes.map((node) => `127.0.0.1:${node.group}`).join(',');
  }

  /** Starts a stopped node and waits until it is synced. */
  async up(node, { isFirst = false } = {}) {
    await node.start(`gcomm://${isFirst ? '' : this.peers}`);
    await node.synced();
  }

  /** Waits until every node counts all nodes and has applied all writes. */
  async whole() {
    for (const node of this.nodes) await node.synced(this.nodes.length);
  }

  async close() {
    process.off('exit', this.#abandon);
    for (const node of this.nodes) node.signal('SIGCONT');
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #abandon = () => {
    for (const node of this.nodes) node.signal('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  };
}

export class Node {
  #process;
  #connection;

  constructor(place) {
    Object.assign(this, place);
    this.name = `n${place.number}`;
  }

  get url() {
    return `mysql://root@127.0.0.1:${this.port}`;
  }

  get isUp() {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async start(address) {
    const server = await programPath('mariadbd');
    const user = userInfo().username;
    const owner = user === 'root' ? 'mysql' : user;
    const isNew = !existsSync(join(this.folder, 'data'));
    if (isNew) await this.#install(owner, address === 'gcomm://');
    const position = isNew ? [] : await this.#position(server, owner);
    const log = openSync(join(this.folder, 'log'), 'a');
    this.#process = spawn(server, [...this.#options(owner, address), ...position], {
      stdio: ['ignore', log, log],
    });
    closeSync(log);
  }

  /** Only the first node creates a database; the others receive theirs by state transfer. */
  async #install(owner, isFirst) {
    mkdirSync(join(this.folder, 'tmp'), { recursive: true });
    if (userInfo().username === 'root') await run('chown', ['-R', owner, this.folder]);
    if (!isFirst) {
      mkdirSync(join(this.folder, 'data'));
      if (userInfo().username === 'root') await run('chown', [owner, join(this.folder, 'data')]);
      return;
    }
    const data = join(this.folder, 'data');
    await run('mariadb-install-db', [
      '--no-defaults',
      `--user=${owner}`,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
    ]);
  }

  /** The position of a node that did not stop cleanly. With it the node receives only the writes that it missed. */
  async #position(server, owner) {
    const { stderr } = await run(server, [...this.#options(owner, 'gcomm://'), '--wsrep-recover']);
    const found = /Recovered position:\s*(\S+)/.exec(stderr);
    return found === null ? [] : [`--wsrep-start-position=${found[1]}`];
  }

  #options(owner, address) {
    return [
      '--no-defaults',
      ...(owner === 'mysql' ? ['--user=mysql'] : []),
      `--datadir=${join(this.folder, 'data')}`,
      // A server that starts removes temporary tables from this folder, including those of other servers.
      `--tmpdir=${join(this.folder, 'tmp')}`,
      `--socket=${join(this.folder, 'socket')}`,
      `--pid-file=${join(this.folder, 'pid')}`,
      '--bind-address=127.0.0.1',
      `--port=${this.port}`,
      '--max-connections=300',
      '--innodb-buffer-pool-size=128M',
      '--innodb-flush-log-at-trx-commit=1',
      '--innodb-autoinc-lock-mode=2',
      '--binlog-format=ROW',
      '--skip-log-bin',
      ...(this.isReplicated ? this.#replication(address) : []),
    ];
  }

  #replication(address) {
    const provider = [
      `gmcast.listen_addr=tcp://127.0.0.1:${this.group}`,
      `ist.recv_addr=127.0.0.1:${this.transfer}`,
      'gcache.size=64M',
      'evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S',
      'evs.suspect_timeout=PT3S;evs.inactive_timeout=PT9S;evs.install_timeout=PT9S',
    ];
    return [
      '--wsrep-on=ON',
      `--wsrep-provider=${PROVIDERS.find((path) => existsSync(path))}`,
      `--wsrep-provider-options=${provider.join(';')}`,
      '--wsrep-cluster-name=berth',
      `--wsrep-cluster-address=${address}`,
      `--wsrep-node-name=${this.name}`,
      `--wsrep-node-address=127.0.0.1:${this.group}`,
      '--wsrep-sst-method=rsync',
      `--wsrep-sst-receive-address=127.0.0.1:${this.copy}`,
      '--wsrep-slave-threads=2',
    ];
  }

  /** Waits until the node accepts statements, counts `size` members and has caught up with them. */
  async synced(size = 1) {
    const until = Date.now() + READY_WITHIN_MS;
    for (;;) {
      if (!this.isUp) throw new Error(`node ${this.name} ended:\n${this.logTail()}`);
      const status = await this.status().catch(() => undefined);
      if (status !== undefined && !this.isReplicated) return;
      if (status?.ready === 'ON' && status.state === 'Synced' && status.size >= size) return;
      if (Date.now() > until) {
        throw new Error(`node ${this.name} did not catch up (${JSON.stringify(status)}):\n${this.logTail()}`);
      }
      await sleep(200);
    }
  }

  async status() {
    const rows = await this.query(
      "SHOW STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state_comment', 'wsrep_cluster_size')",
    );
    const values = Object.fromEntries(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]));
    return {
      ready: values.wsrep_ready,
      state: values.wsrep_local_state_comment,
      size: Number(values.wsrep_cluster_size),
    };
  }

  /** Queries this node, on a connection that stays open. */
  async query(sql, params = []) {
    this.#connection ??= mysql.createConnection({ uri: this.url, connectTimeout: ASK_WITHIN_MS });
    try {
      const connection = await this.#connection;
      const [rows] = await connection.query({ sql, values: params, timeout: ASK_WITHIN_MS });
      return rows;
    } catch (error) {
      const broken = this.#connection;
      this.#connection = undefined;
      void broken?.then((connection) => connection.destroy()).catch(() => undefined);
      throw error;
    }
  }

  /** Cuts the node off from the others until `heal`, like a network fault. */
  async isolate() {
    await this.query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
  }

  async heal() {
    await this.query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
  }

  freeze() {
    this.signal('SIGSTOP');
  }

  thaw() {
    this.signal('SIGCONT');
  }

  async kill() {
    this.signal('SIGKILL');
    await this.#gone();
  }

  async stop() {
    this.signal('SIGTERM');
    await this.#gone();
  }

  /** Removes the data of the node; at its next start it receives a full state transfer. */
  wipe() {
    rmSync(join(this.folder, 'data'), { recursive: true, force: true });
  }

  signal(name) {
    if (this.isUp) this.#process.kill(name);
  }

  logTail() {
    try {
      return readFileSync(join(this.folder, 'log'), 'utf8').split('\n').slice(-15).join('\n');
    } catch {
      return '';
    }
  }

  async #gone() {
    const connection = this.#connection;
    this.#connection = undefined;
    void connection?.then((open) => open.destroy()).catch(() => undefined);
    if (!this.isUp) return;
    const timer = setTimeout(() => this.signal('SIGKILL'), GONE_WITHIN_MS);
    await once(this.#process, 'exit');
    clearTimeout(timer);
  }
}
