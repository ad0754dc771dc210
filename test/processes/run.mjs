// `node test/processes/run.mjs [NAME…]`, after a build: checks that need whole processes. A stop always ends, whichever
// process forwards the signal and even if no process reads the log. Certificates are replaced while the process serves.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { startService } from '../support/built-service.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Generous, because the machine can be busy. No result depends on it. */
const PATIENCE_MS = 120_000;

const CHECKS = {
  'npm start ends by SIGTERM to npm': () => npmStartEnds('SIGTERM'),
  'npm start ends by SIGINT to npm': () => npmStartEnds('SIGINT'),
  'a log that nobody reads does not hold the end beyond the grace time': unreadLog,
  'SIGHUP exchanges the certificates': renewal,
  'SIGHUP during the start does not end the process': earlyHangup,
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
  const service = await startService(databaseUrl(), settings(tls));
  try {
    if (!service.url.startsWith('https://')) return `it says that it listens at ${service.url}`;
    await until(async () => (await nameShown(service.url)) === 'first');
    use('second');
    service.process.kill('SIGHUP');
    await until(async () => (await nameShown(service.url)) === 'second');
  } finally {
    await service.stop();
  }
}

async function earlyHangup() {
  const port = await freePort();
  const { cwd, env } = settings({ DATABASE_URL: databaseUrl(), PORT: String(port) });
  const words = [join(ROOT, 'dist/main.js')];
  const service = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  try {
    // The handler is set once the configuration is read, long before the process listens.
    await until(() => existsSync(join(folder, 'berth.db')));
    service.kill('SIGHUP');
    await until(async () => service.exitCode !== null || (await statusAt(port)) === 200);
    if (service.exitCode !== null) return `the service ended with ${service.exitCode}`;
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

function statusOf(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

/** Undefined if no service answers. */
function statusAt(port) {
  return statusOf(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
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
