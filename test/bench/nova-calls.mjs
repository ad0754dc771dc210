// Calls of nova-conductor to Berth and to nova-scheduler, on the same databases, the same broker and the same Placement.
// Needs a build, MariaDB, RabbitMQ and python3-nova.
//
//   node test/bench/nova-calls.mjs [--nodes 1000] [--calls 100] [--seconds 60] [--warm 100] [--parallel 8]
//     [--only berth|nova] [--keep NAME]
//
// Prints, for each scheduler, one at a time and in parallel: calls per second, latency, CPU for each call, memory, and the
// load average before. A phase ends after `--calls` calls or `--seconds`, the warm-up after `--warm` calls or 10 s:
// nova-scheduler needs seconds for a call.
// `--keep NAME` creates the databases NAME_api, NAME_cell1, … once and uses them again; without it they are dropped.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from 'amqplib';
import mysql from 'mysql2/promise';
import { Conductor } from './nova-conductor.mjs';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    warm: { type: 'string', default: '100' },
    parallel: { type: 'string', default: '8' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});
const [NODES, CALLS, SECONDS, WARM, PARALLEL] = ['nodes', 'calls', 'seconds', 'warm', 'parallel'].map((option) =>
  Number(values[option]),
);
const WARM_SECONDS = 10;
const server = new URL(process.env.BERTH_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306');
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const name = values.keep ?? `nova_calls_${process.pid}`;
const placement = `${name}_placement`;
const folder = mkdtempSync(join(tmpdir(), 'berth-calls-'));
const base = 20_000 + (process.pid % 20_000);
const ports = { rabbit: base, dist: base + 1, epmd: base + 2, berth: base + 3, scheduler: base + 4 };
const PLACEMENT_URL = `http://127.0.0.1:${ports.berth}`;
const running = [];

const sleep = (ms) => new Promise((resume) => setTimeout(resume, ms));
const urlOf = (database, scheme = 'mysql') =>
  `${scheme}://${server.username}${server.password && `:${server.password}`}@${server.hostname}:${server.port || 3306}/${database}`;

const connectAdmin = () =>
  mysql.createConnection({
    host: server.hostname,
    port: Number(server.port || 3306),
    user: server.username,
    password: decodeURIComponent(server.password),
  });

async function until(what, ask, seconds = 180) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) {
    const found = await Promise.resolve()
      .then(ask)
      .catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`${what}: not within ${seconds} s; the logs are in ${folder}`);
}

function start(title, command, args, env = {}) {
  const output = openSync(join(folder, `${title}.log`), 'a');
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    // A broker that is ended during its start writes a dump.
    cwd: folder,
    env: { ...process.env, ...env },
    detached: true,
  });
  running.push(child);
  return child;
}

async function end(child) {
  const ended = new Promise((resume) => child.once('exit', resume));
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGTERM');
  await Promise.race([ended, sleep(10_000)]);
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
}

/** CPU of a process and its children, in ms. */
function cpuOf({ pid }) {
  let sum = 0;
  const pids = execFileSync('ps', ['-o', 'pid=', '-g', String(pid)])
    .toString()
    .trim()
    .split(/\s+/);
  for (const each of pids) {
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ').at(-1).split(' ');
    sum += (Number(fields[11]) + Number(fields[12])) * 10;
  }
  return sum;
}

const residentOf = ({ pid }) =>
  execFileSync('ps', ['-o', 'rss=', '-g', String(pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .reduce((sum, kib) => sum + Number(kib) / 1024, 0);

async function startBroker() {
  const home = join(folder, 'rabbit');
  mkdirSync(home);
  writeFileSync(join(home, 'enabled_plugins'), '[].\n');
  writeFileSync(join(home, 'rabbitmq.conf'), `listeners.tcp.1 = 127.0.0.1:${ports.rabbit}\n`);
  start('rabbit', '/usr/lib/rabbitmq/bin/rabbitmq-server', [], {
    HOME: home,
    RABBITMQ_NODENAME: `bench${ports.rabbit}@localhost`,
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq.conf'),
    RABBITMQ_DIST_PORT: String(ports.dist),
    ERL_EPMD_PORT: String(ports.epmd),
    RABBITMQ_MNESIA_BASE: home,
    RABBITMQ_LOG_BASE: home,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
  });
  return until('RabbitMQ', () => connect(`amqp://guest:guest@127.0.0.1:${ports.rabbit}/%2F`, { noDelay: true }));
}

async function ask(method, path, body) {
  const answer = await fetch(`${PLACEMENT_URL}${path}`, {
    method,
    headers: { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Each element of the list, a few at a time. */
async function each(list, width, work) {
  const rest = list.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const amount = (total) => ({ total, reserved: 0, min_unit: 1, max_unit: total, step_size: 1, allocation_ratio: 4 });

/** nova-scheduler joins tables of a cell that Berth does not read. The index of migrations needs nova's lengths of keys. */
function createFurtherTables(url) {
  const script = `
import sys, sqlalchemy
from nova.db.main import models
migrations = models.BASE.metadata.tables['migrations']
migrations.indexes = {index for index in migrations.indexes if 'host_nodes' not in index.name}
models.BASE.metadata.create_all(sqlalchemy.create_engine(sys.argv[1]))`;
  execFileSync('/usr/bin/python3', ['-c', script, url]);
}

async function fillPlacement(admin) {
  const rows = [];
  for (const cell of ['cell1', 'cell2']) {
    const [found] = await admin.query(
      `SELECT uuid, hypervisor_hostname AS name FROM ${name}_${cell}.compute_nodes WHERE deleted = 0`,
    );
    rows.push(...found);
  }
  const { resource_providers: known } = await ask('GET', '/resource_providers');
  if (known.length === rows.length) return;
  await each(rows, 16, async ({ uuid, name: title }) => {
    const { generation } = await ask('POST', '/resource_providers', { uuid, name: title });
    const inventories = { VCPU: amount(128), MEMORY_MB: amount(524_288), DISK_GB: amount(4_000) };
    await ask('PUT', `/resource_providers/${uuid}/inventories`, {
      resource_provider_generation: generation,
      inventories,
    });
  });
}

const SCHEDULERS = {
  berth: () =>
    start('berth-scheduler', process.execPath, [join(DIST, 'cli.js'), 'scheduler'], {
      PORT: String(ports.scheduler),
      DATABASE_URL: urlOf(placement),
      LOG_LEVEL: 'warn',
      BERTH_NOVA__CONFIG_FILE: join(folder, 'nova.conf'),
      BERTH_NOVA__RELEASE: '26',
    }),
  nova: () =>
    start('nova-scheduler', '/usr/bin/python3', [
      '-c',
      'import sys; from nova.cmd.scheduler import main; sys.argv[0] = "nova-scheduler"; main()',
      '--config-file',
      join(folder, 'nova.conf'),
    ]),
};

function writeNovaConf() {
  writeFileSync(
    join(folder, 'nova.conf'),
    `[DEFAULT]
host = bench
transport_url = rabbit://guest:guest@127.0.0.1:${ports.rabbit}/
service_down_time = 1000000000
state_path = ${folder}
[api_database]
connection = ${urlOf(`${name}_api`, 'mysql+pymysql')}
[database]
connection = ${urlOf(`${name}_cell1`, 'mysql+pymysql')}
[scheduler]
workers = 1
[placement]
auth_type = admin_token
endpoint = ${PLACEMENT_URL}
token = admin
[oslo_concurrency]
lock_path = ${folder}
`,
  );
}

/** Without these messages nova-scheduler reads the instances of each host from its cell in each call. */
async function castAllInstances(admin, conductor) {
  const byHost = new Map();
  for (const cell of ['cell1', 'cell2']) {
    const [rows] = await admin.query(`SELECT uuid, host FROM ${name}_${cell}.instances WHERE deleted = 0`);
    for (const { uuid, host } of rows) byHost.set(host, [...(byHost.get(host) ?? []), uuid]);
  }
  // A scheduler that does not know the host yet takes the second message as the confirmation.
  for (let round = 0; round < 2; round += 1) {
    for (const [host, instances] of byHost) conductor.castInstances(host, instances);
    await ask('DELETE', `/allocations/${await conductor.select()}`);
  }
}

const middle = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** Calls until `calls` have begun or `seconds` have passed. */
async function phase(width, select, calls = CALLS, limit = SECONDS) {
  const times = [];
  const from = performance.now();
  await each(Array.from({ length: calls }), width, async () => {
    const began = performance.now();
    if (began - from > limit * 1000) return;
    await select();
    times.push(performance.now() - began);
  });
  const seconds = (performance.now() - from) / 1000;
  return { count: times.length, perSecond: times.length / seconds, sorted: times.sort((a, b) => a - b) };
}

async function measure(title, conductor, scheduler, placementService) {
  const made = [];
  const select = async () => made.push(await conductor.select());
  await phase(1, select, WARM, WARM_SECONDS);
  for (const width of [1, PARALLEL]) {
    const load = loadavg()[0].toFixed(1);
    const before = [cpuOf(scheduler), cpuOf(placementService)];
    const { count, perSecond, sorted } = await phase(width, select);
    const [own, placed] = [cpuOf(scheduler) - before[0], cpuOf(placementService) - before[1]];
    const figure = (value) => value.toFixed(1).padStart(8);
    console.log(
      `${title.padEnd(6)} ${width} at a time, ${count} calls: ${figure(perSecond)}/s, median ${figure(middle(sorted, 0.5))} ms, ` +
        `95 % ${figure(middle(sorted, 0.95))} ms; CPU of a call ${figure(own / count)} ms, ` +
        `of Placement ${figure(placed / count)} ms; memory ${figure(residentOf(scheduler))} MiB; load ${load}`,
    );
  }
  await each(made, 8, (uuid) => ask('DELETE', `/allocations/${uuid}`));
}

async function main() {
  const facts = fileURLToPath(new URL('nova-facts.mjs', import.meta.url));
  execFileSync(
    process.execPath,
    [facts, '--nodes', String(NODES), '--instances', String(NODES), '--keep', name, '--fill'],
    { stdio: 'inherit' },
  );
  const admin = await connectAdmin();
  await admin.query(`CREATE DATABASE IF NOT EXISTS ${placement} CHARACTER SET utf8mb4`);
  await admin.query(`CREATE DATABASE IF NOT EXISTS ${name}_cell0 CHARACTER SET utf8mb3`);
  // nova needs the name of its driver in the address.
  for (const cell of ['cell0', 'cell1', 'cell2']) {
    const change = `UPDATE ${name}_api.cell_mappings SET database_connection = ? WHERE name = ?`;
    await admin.query(change, [urlOf(`${name}_${cell}`, 'mysql+pymysql'), cell]);
    createFurtherTables(urlOf(`${name}_${cell}`, 'mysql+pymysql'));
    // A compute node writes its row every minute, each at another time.
    const spread = 'updated_at = created_at - INTERVAL (id % 60) SECOND';
    await admin.query(`UPDATE ${name}_${cell}.compute_nodes SET ${spread}`);
  }
  const model = await startBroker();
  const berth = start('berth', process.execPath, [join(DIST, 'main.js')], {
    PORT: String(ports.berth),
    DATABASE_URL: urlOf(placement),
    LOG_LEVEL: 'warn',
  });
  await until('Berth', () => fetch(PLACEMENT_URL).then(({ ok }) => ok));
  await fillPlacement(admin);
  writeNovaConf();
  for (const [title, run] of Object.entries(SCHEDULERS)) {
    if (values.only !== undefined && values.only !== title) continue;
    const from = performance.now();
    const child = run();
    const conductor = await Conductor.on(model);
    await until(title, () => conductor.consumers());
    console.log(
      `${title.padEnd(6)} consumes after ${((performance.now() - from) / 1000).toFixed(1)} s; load ${loadavg()[0].toFixed(1)}`,
    );
    await castAllInstances(admin, conductor);
    await measure(title, conductor, child, berth);
    await end(child);
  }
  await model.close();
  await admin.end();
}

/** Ends every process that this one started, the broker after its clients, and drops the databases. */
async function cleanUp() {
  while (running.length > 0) await end(running.pop());
  // The broker's port mapper is a daemon outside of its process group.
  spawnSync('epmd', ['-port', String(ports.epmd), '-kill']);
  if (values.keep !== undefined) return;
  const admin = await connectAdmin();
  for (const part of ['api', 'cell0', 'cell1', 'cell2', 'placement'])
    await admin.query(`DROP DATABASE IF EXISTS ${name}_${part}`);
  await admin.end();
}

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
try {
  await main();
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
} catch (error) {
  console.error(error);
  console.error(`The logs are in ${folder}.`);
  await cleanUp();
  process.exitCode = 1;
}
process.exit();
