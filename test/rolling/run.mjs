// `node test/rolling/run.mjs [--rate 300] [--restarts 10] [--drain 2]`
//
// Three built processes on one MariaDB behind HAProxy receive claims and reads at a steady rate, while they are
// restarted one after the other, ten times in a row. Every request must succeed, and every acknowledged claim must exist
// at the end. Needs HAProxy (Debian package `haproxy`) and a MariaDB or MySQL server (BERTH_TEST_MYSQL_URL); the exit
// code is 2 if one of them is missing.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import { migrate, startService } from '../support/built-service.mjs';
import { HEADERS, Load, pause } from './load.mjs';

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '300' },
    restarts: { type: 'string', default: '10' },
    drain: { type: 'string', default: '2' },
  },
});
const PROCESSES = 3;
const PROVIDERS = 40;
const SETTLE_MS = 1_500;
const SERVER = process.env.BERTH_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306';

const missing = lacking();
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'berth-rolling-'));
const database = `berth_rolling_${process.pid}`;
const databaseUrl = `${SERVER.replace(/\/$/, '')}/${database}`;
const admin = await mysql.createConnection(SERVER);
const services = [];
let proxy;
let isRight;
try {
  await admin.query(`CREATE DATABASE ${database}`);
  migrate(databaseUrl, folder);
  const ports = await freePorts(PROCESSES + 1);
  for (let at = 0; at < PROCESSES; at += 1) services.push(await start(ports[at]));
  proxy = startProxy(ports);
  isRight = await campaign(`http://127.0.0.1:${ports[PROCESSES]}`, ports);
} finally {
  proxy?.kill('SIGTERM');
  await Promise.all(services.map((service) => service.stop()));
  await admin.query(`DROP DATABASE IF EXISTS ${database}`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isRight ? 0 : 1);

function lacking() {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'HAProxy is not installed (Debian package haproxy)';
  }
}

function start(port) {
  const env = { PORT: String(port), BERTH_BERTH__SHUTDOWN_DRAIN_SECONDS: options.drain, LOG_LEVEL: 'info' };
  return startService(databaseUrl, { cwd: folder, env });
}

/** As in the operator's configuration: requests go to processes with /readyz 200, and are never repeated. */
function startProxy(ports) {
  const file = join(folder, 'haproxy.cfg');
  const servers = ports.slice(0, PROCESSES).map((port, at) => `  server berth${at} 127.0.0.1:${port}`);
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 70s
  timeout server 65s
  retries 2
  option redispatch
listen placement
  bind 127.0.0.1:${ports[PROCESSES]}
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 250ms fall 1 rise 1
${servers.join('\n')}
`,
  );
  return spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] });
}

async function campaign(url, ports) {
  const providers = await prepare(url);
  const load = new Load(url, providers, Number(options.rate));
  load.begin();
  await pause(SETTLE_MS);
  const began = performance.now();
  for (let round = 0; round < Number(options.restarts); round += 1) {
    const at = round % PROCESSES;
    const code = await services[at].stop();
    if (code !== 0) console.log(`process ${at} ended with ${code}:\n${services[at].log().slice(-2000)}`);
    services[at] = await start(ports[at]);
    await pause(SETTLE_MS);
  }
  const seconds = (performance.now() - began) / 1000;
  await load.end();
  const { asked, heldBack, acknowledged, failures, slowestMs } = load;
  const held = await heldConsumers();
  const lost = acknowledged.filter((consumer) => !held.has(consumer)).length;
  console.log(
    `${options.restarts} restarts in ${seconds.toFixed(0)} s: ${asked} requests (${Math.round(asked / load.seconds)}/s, ${heldBack} held back), ` +
      `${failures.length} failed, slowest ${Math.round(slowestMs)} ms; ` +
      `${acknowledged.length} claims acknowledged, ${lost} of them lost`,
  );
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
  return failures.length === 0 && lost === 0 && acknowledged.length > 0;
}

/** Consumers with exactly their claimed allocations. */
async function heldConsumers() {
  const [rows] = await admin.query(
    `SELECT c.uuid FROM ${database}.consumers c JOIN ${database}.allocations a ON a.consumer_id = c.id
     GROUP BY c.uuid HAVING SUM(a.used) = 1`,
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

async function prepare(url) {
  const providers = Array.from({ length: PROVIDERS }, () => randomUUID());
  for (const uuid of providers) {
    await must(url, 'POST', '/resource_providers', { uuid, name: uuid });
    const body = { resource_provider_generation: 0, inventories: { VCPU: { total: 1_000_000 } } };
    await must(url, 'PUT', `/resource_providers/${uuid}/inventories`, body);
  }
  return providers;
}

async function must(url, method, path, body) {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(`${url}${path}`, { method, headers: HEADERS, body: JSON.stringify(body) }).catch(
      () => {},
    );
    if (response?.ok) return;
    // The load balancer possibly has not checked any process yet.
    if (attempt === 20) throw new Error(`${method} ${path}: ${response?.status} ${await response?.text()}`);
    await pause(250);
  }
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
