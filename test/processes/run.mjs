// `node test/processes/run.mjs [NAME…]`, after a build: checks that need whole processes. A stop always ends, whichever
// process forwards the signal and even if no process reads the log. Workers that die are replaced; each worker reports
// the numbers of all. Certificates are replaced while several workers serve.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { startService } from '../support/built-service.mjs';
import { Client, statusOf } from './client.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Generous, because the machine can be busy. No result depends on it. */
const PATIENCE_MS = 120_000;

const CHECKS = {
  'npm start ends by SIGTERM to npm': () => npmStartEnds('SIGTERM'),
  'npm start ends by SIGINT to npm': () => npmStartEnds('SIGINT'),
  'a log that nobody reads does not hold the end beyond the grace time': unreadLog,
  'SIGTERM to the first process of two ends all': workersEnd,
  'a worker that is killed under load takes its own requests along and nothing else, and is replaced': killedWorker,
  'a worker that stands still is told of by /readyz': heldWorker,
  'the numbers that any worker shows are those of all': sharedNumbers,
  'SIGHUP to the first process exchanges the certificates of all workers': renewal,
  'SIGHUP while the workers start ends none of them': earlyHangup,
};

let folder;
let failures = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  if (process.argv.length > 2 && !process.argv.slice(2).some((word) => name.includes(word))) continue;
  folder = mkdtempSync(join(tmpdir(), 'berth-processes-'));
  const problem = await check().catch((error) => error.stack);
  console.log(`${problem === undefined ? 'ok' : 'FAILED'}: ${name}${problem === undefined ? '' : `\n  ${problem}`}`);
  if (problem !== undefined) failures += 1;
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function settings(env = {}) {
  return { cwd: folder, env: { BERTH_BERTH__SQLITE_SYNCHRONOUS: 'normal', ...env } };
}

function databaseUrl() {
  return `sqlite:///${join(folder, 'berth.db')}`;
}

async function npmStartEnds(signal) {
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: databaseUrl(), PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [npm.stdout, npm.stderr]) stream.resume();
  try {
    await until(async () => (await statusAt(port)) === 200);
    process.kill(npm.pid, signal);
    await until(async () => (await statusAt(port)) === undefined);
    await until(() => groupIsGone(npm.pid));
  } finally {
    if (!groupIsGone(npm.pid)) process.kill(-npm.pid, 'SIGKILL');
  }
}

async function unreadLog() {
  const port = await freePort();
  const graceSeconds = 3;
  const service = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl(),
      PORT: String(port),
      LOG_LEVEL: 'debug',
      BERTH_BERTH__SHUTDOWN_GRACE_SECONDS: String(graceSeconds),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await until(async () => (await statusAt(port)) === 200);
  // More log output than a pipe buffers.
  for (let asked = 0; asked < 600; asked += 1) await statusAt(port);
  const began = performance.now();
  service.kill('SIGTERM');
  const ended = once(service, 'exit');
  await Promise.race([ended, pause(PATIENCE_MS)]);
  const tookMs = performance.now() - began;
  const { exitCode } = service;
  service.kill('SIGKILL');
  // Two extra seconds, because a busy machine can be slow to begin the stop.
  if (exitCode !== 0 || tookMs > (graceSeconds + 2) * 1_000) return `exit ${exitCode} after ${Math.round(tookMs)} ms`;
}

async function workersEnd() {
  const service = await startService(databaseUrl(), settings({ BERTH_WORKERS: '2' }));
  await bothReady(service);
  const workers = childrenOf(service.pid);
  const code = await service.stop();
  if (code !== 0 || workers.some(isAlive)) return `exit ${code}, workers alive: ${workers.filter(isAlive)}`;
}

async function killedWorker() {
  const service = await startService(databaseUrl(), settings({ BERTH_WORKERS: '2' }));
  try {
    await bothReady(service);
    const [victim] = childrenOf(service.pid);
    const clients = Array.from({ length: 20 }, () => new Client(service.url));
    let isOver = false;
    const working = clients.map(async (client) => {
      while (!isOver) await client.ask();
    });
    await until(() => clients.every((client) => client.answered > 5));
    process.kill(victim, 'SIGKILL');
    await until(() => childrenOf(service.pid).length === 2 && !childrenOf(service.pid).includes(victim));
    await bothReady(service);
    isOver = true;
    await Promise.all(working);
    const errors = clients.flatMap((client) => client.errors);
    const odd = errors.filter((error) => error !== 'ECONNRESET');
    const hit = clients.filter((client) => client.errors.length > 0).length;
    if (odd.length > 0 || clients.some((client) => client.errors.length > 1) || hit === clients.length) {
      return `of ${clients.length} connections ${hit} had errors: ${errors.join(', ')}`;
    }
    console.log(`  ${clients.length} connections, ${hit} of the killed worker failed once, ${sum(clients)} answers`);
  } finally {
    await service.stop();
  }
}

async function heldWorker() {
  const service = await startService(databaseUrl(), settings({ BERTH_WORKERS: '2' }));
  const [held] = await bothReady(service).then(() => childrenOf(service.pid));
  try {
    process.kill(held, 'SIGSTOP');
    // Every second request goes to the stopped worker and gets no answer.
    const heard = () => Promise.race([readiness(service), pause(4_000)]);
    await until(async () => (await heard())?.status === 503);
    process.kill(held, 'SIGCONT');
    await bothReady(service);
  } finally {
    process.kill(held, 'SIGCONT');
    await service.stop();
  }
}

async function sharedNumbers() {
  const asked = 8;
  const service = await startService(databaseUrl(), settings({ BERTH_WORKERS: '2' }));
  const ask = (path) => fetch(service.url + path, { headers: { connection: 'close' } });
  const shown = async () => {
    const lines = (await (await ask('/metrics')).text()).split('\n');
    return lines.find((line) => line.startsWith('berth_http_requests_total') && line.includes('route="/traits"'));
  };
  try {
    await bothReady(service);
    for (let at = 0; at < asked; at += 1) await ask('/traits');
    await until(async () => (await shown())?.endsWith(` ${asked}`));
    // Connections go to the workers in turn, so both are asked.
    for (let at = 0; at < 4; at += 1) {
      const line = await shown();
      if (!line?.endsWith(` ${asked}`)) return `${asked} requests are shown as ${line}`;
    }
  } finally {
    await service.stop();
  }
}

async function renewal() {
  for (const name of ['first', 'second']) {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      `${folder}/${name}.key`,
    ];
    const words = ['req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '2', '-out', `${folder}/${name}.crt`];
    execFileSync('openssl', words, { stdio: 'ignore' });
  }
  const use = (name) => {
    for (const end of ['crt', 'key']) copyFileSync(`${folder}/${name}.${end}`, `${folder}/used.${end}`);
  };
  use('first');
  const tls = { BERTH_BERTH__TLS_CERT: `${folder}/used.crt`, BERTH_BERTH__TLS_KEY: `${folder}/used.key` };
  const service = await startService(databaseUrl(), settings({ BERTH_WORKERS: '2', ...tls }));
  try {
    if (!service.url.startsWith('https://')) return `it says that it listens at ${service.url}`;
    const shown = async () => new Set([await nameShown(service.url), await nameShown(service.url)]);
    await until(async () => [...(await shown())].join() === 'first');
    use('second');
    service.process.kill('SIGHUP');
    await until(async () => [...(await shown())].join() === 'second');
    return childrenOf(service.pid).length === 2 ? undefined : 'a worker ended by it';
  } finally {
    await service.stop();
  }
}

async function earlyHangup() {
  const port = await freePort();
  const { cwd, env } = settings({ DATABASE_URL: databaseUrl(), PORT: String(port), BERTH_WORKERS: '2' });
  const words = [join(ROOT, 'dist/main.js')];
  const service = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  try {
    await until(() => childrenOf(service.pid).length === 2);
    const workers = childrenOf(service.pid).join();
    service.kill('SIGHUP');
    await until(async () => service.exitCode !== null || (await statusAt(port)) === 200);
    if (service.exitCode !== null) return `the service ended with ${service.exitCode}`;
    return childrenOf(service.pid).join() === workers ? undefined : 'a worker ended by it';
  } finally {
    const ended = once(service, 'exit');
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await ended;
    }
  }
}

async function nameShown(url) {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const name = socket.getPeerCertificate().subject.CN;
  socket.destroy();
  return name;
}

function sum(clients) {
  return clients.reduce((total, client) => total + client.answered, 0);
}

/** Undefined if no service answers. */
function statusAt(port) {
  return statusOf(`http://127.0.0.1:${port}/healthz`, { agent: false }).catch(() => undefined);
}

async function readiness(service) {
  const response = await fetch(`${service.url}/readyz`, { headers: { connection: 'close' } }).catch(() => undefined);
  return response && { ...(await response.json()), status: response.status };
}

async function bothReady(service) {
  await until(async () => {
    const said = await Promise.race([readiness(service), pause(4_000)]);
    return said?.status === 200 && said.workers?.ready === 2;
  });
}

function childrenOf(pid) {
  const found = spawnText('ps', ['-o', 'pid=', '--ppid', String(pid)]);
  return found.split('\n').filter(Boolean).map(Number);
}

function groupIsGone(group) {
  return spawnText('ps', ['-eo', 'pgid=,stat='])
    .split('\n')
    .every((line) => {
      const [id, state = ''] = line.trim().split(/\s+/);
      return Number(id) !== group || state.startsWith('Z');
    });
}

function spawnText(command, words) {
  try {
    return execFileSync(command, words, { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

function pause(ms) {
  return new Promise((resume) => setTimeout(resume, ms));
}

async function until(isSo) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not come to that in time');
    await pause(50);
  }
}
