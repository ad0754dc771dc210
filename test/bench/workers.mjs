// `npm run bench:workers -- [--workers 1,2] [--hosts 1000] [--seconds 5] [--rounds 3]`
//
// Measures claims and searches per second of the built service on MariaDB or MySQL (BERTH_TEST_MYSQL_URL) by its number
// of workers. Each number has a separate service and database. They are measured in turns, so a machine that slows down
// affects all. It prints the median of the rounds, its ratio to the first number, and the CPU time of service, database
// and client. These three share the machine, which limits the rate.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../races/campaign.mjs';
import { migrate, startService } from '../support/built-service.mjs';
import { loadIntoBerth } from './loaders.mjs';
import { BurstClient, cpuMs, median } from './meter.mjs';
import { CASES, dice, world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    hosts: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
});
const CONNECTIONS = 32;
const WARM_UP_MS = 3_000;
const READY_TRIES = 240;
const READY_EVERY_MS = 250;

const made = world('flat', Number(options.hosts));
const search = (name) => {
  const { query } = CASES.find((each) => each.name === name);
  return (client, random) => client.send('GET', `/allocation_candidates?${query(random)}`);
};
const KINDS = [
  { name: 'claims', status: 204, ask: claim },
  { name: 'searches, limit=1', status: 200, ask: search('flat, limit 1') },
  { name: 'searches, limit=1000', status: 200, ask: search('flat, limit 1000') },
];

const folder = mkdtempSync(join(tmpdir(), 'berth-workers-'));
const sides = [];
try {
  for (const workers of options.workers.split(',').map(Number)) await open(workers);
  console.log(`${options.hosts} hosts, ${CONNECTIONS} requests at once, ${availableParallelism()} cores\n`);
  for (const kind of KINDS) await compare(kind);
} finally {
  for (const side of sides) await side.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Registers the database and the service for closing, even if a later step fails. */
async function open(workers) {
  const database = await openDatabase('mysql', folder);
  const side = { workers, close: () => database.close() };
  sides.push(side);
  migrate(database.url, folder);
  await loadIntoBerth(database.url, made);
  const env = { BERTH_WORKERS: String(workers), BERTH_DEFAULT__LOG_OPTIONS: 'false' };
  const service = await startService(database.url, { cwd: folder, env });
  side.close = async () => {
    await service.stop();
    await database.close();
  };
  await untilReady(service.url, workers);
  Object.assign(side, { url: new URL(service.url), pids: [service.pid, ...childrenOf(service.pid)] });
}

/** The service listens once one worker does; the benchmark needs all of them. */
async function untilReady(url, workers) {
  for (let tries = 0; tries < READY_TRIES; tries += 1) {
    const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } });
    const { workers: of } = await answer.json();
    if (answer.status === 200 && (workers === 1 || of?.ready === workers)) return;
    await new Promise((resume) => setTimeout(resume, READY_EVERY_MS));
  }
  throw new Error(`${workers} workers were not ready in time`);
}

async function compare(kind) {
  const rates = sides.map(() => []);
  const spent = sides.map(() => []);
  for (const side of sides) await perSecond(side, kind, WARM_UP_MS);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [at, side] of sides.entries()) {
      const { rate, cores } = await perSecond(side, kind, Number(options.seconds) * 1_000);
      rates[at].push(rate);
      spent[at].push(cores);
    }
  }
  const first = median(rates[0]);
  for (const [at, { workers }] of sides.entries()) {
    const rate = median(rates[at]);
    const shares = ['service', 'database', 'client'].map(
      (who) => `${who} ${median(spent[at].map((cores) => cores[who])).toFixed(2)}`,
    );
    console.log(
      `${kind.name.padEnd(22)} workers ${workers}  ${String(Math.round(rate)).padStart(6)} per second  ` +
        `ratio ${(rate / first).toFixed(2)}  cores: ${shares.join(', ')}`,
    );
  }
}

/** Answers of the expected status per second, and the cores that service, database and client used. */
async function perSecond({ url, pids }, { ask, status }, ms) {
  const clients = Array.from({ length: CONNECTIONS }, () => new BurstClient(url));
  const groups = { service: pids, database: databasePids(), client: [process.pid] };
  const before = Object.fromEntries(Object.entries(groups).map(([who, ids]) => [who, cpuMs(ids)]));
  const random = dice(Date.now());
  const began = performance.now();
  let done = 0;
  const keepAsking = async (client) => {
    while (performance.now() - began < ms) {
      const answer = await ask(client, random);
      if (answer.status === status) done += 1;
      else if (answer.status !== 409) throw new Error(`answered ${answer.status}`);
    }
    client.close();
  };
  await Promise.all(clients.map(keepAsking));
  const took = performance.now() - began;
  const cores = Object.fromEntries(
    Object.entries(groups).map(([who, ids]) => [who, (cpuMs(ids) - before[who]) / took]),
  );
  return { rate: (done * 1_000) / took, cores };
}

function claim(client, random) {
  const host = made.providers[Math.floor(random() * made.providers.length)];
  return client.send('PUT', `/allocations/${randomUUID()}`, {
    allocations: { [host.uuid]: { resources: { VCPU: 1, MEMORY_MB: 64, DISK_GB: 1 } } },
    project_id: 'bench',
    user_id: 'bench',
    consumer_generation: null,
  });
}

function childrenOf(pid) {
  return pidsBy('-P', String(pid));
}

function databasePids() {
  return [...pidsBy('-x', 'mariadbd'), ...pidsBy('-x', 'mysqld')];
}

function pidsBy(...args) {
  try {
    return execFileSync('pgrep', args).toString().trim().split('\n').map(Number);
  } catch {
    return [];
  }
}
