// `npm run bench:waits [-- --database sqlite,mysql] [--worlds flat,wide] [--cases text] [--dist dist] [--profile]`: what
// everybody else waits for while one client asks for the worst. Loads worlds, starts the built service on each, asks
// every kind of request at its worst (waits-cases.mjs), and prints: the longest wait of `GET /healthz` and of a claim
// sent every 20 ms meanwhile, the longest hold of the event loop by the processor time of its thread (`hold`) and by the
// clock (`loop`, waits-holds.mjs), CPU and memory of the service, status and size of the answer. A claim may wait longer
// only for a lock of the database or for SQLite's one writer. The line `nothing` says what the machine itself makes them
// wait. `--profile` tells which functions held the loop, at the price of slower ones.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openDatabase } from '../races/campaign.mjs';
import { loadIntoBerth } from './loaders.mjs';
import { Client, cpuMs } from './meter.mjs';
import { WAITS } from './waits-cases.mjs';
import { world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,mysql' },
    worlds: { type: 'string', default: '' },
    cases: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) },
  },
});
const dist = resolve(options.dist);
const SETTLE_MS = 500;
const GIVE_UP_MS = 120_000;
const PROFILED_MS = 15;
const HOLDS = new URL('./waits-holds.mjs', import.meta.url);
const COLUMNS = [
  ...['hold ms', 'loop ms', 'healthz ms', 'claim ms', 'took ms', 'CPU ms', 'peak MiB'],
  ...['status', 'bytes', 'refused meanwhile'],
];

for (const database of options.database.split(',')) {
  for (const each of WAITS) {
    if (options.worlds === '' || options.worlds.split(',').includes(each.world)) await measureWorld(each, database);
  }
}

async function measureWorld({ world: kind, hosts, cases }, databaseKind) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-waits-'));
  const database = await openDatabase(databaseKind, folder);
  const made = world(kind, hosts);
  const claimOn = made.provider('claims');
  made.inventory(claimOn, 'VCPU', 1_000_000);
  execFileSync(process.execPath, [join(dist, 'cli.js'), 'migrate'], {
    ...{ env: { ...process.env, DATABASE_URL: database.url }, cwd: folder, stdio: 'ignore' },
  });
  await loadIntoBerth(database.url, made);
  const service = await start(database.url, folder);
  const probe = new Worker(new URL('./waits-probe.mjs', import.meta.url), {
    workerData: { url: service.url, pid: service.pid, claimOn: claimOn.uuid },
  });
  console.log(
    `\n${kind}, ${hosts} hosts, ${databaseKind}\n${' '.repeat(46)}${COLUMNS.map((name) => name.padStart(10)).join('  ')}`,
  );
  try {
    // What comes first pays for code that is compiled.
    await pause(2_000);
    const chosen = cases.filter(([name]) => name.includes(options.cases));
    const world = { made, url: database.url };
    for (const [name, ask] of [['nothing', () => pause(2_000)], ...chosen]) {
      await measure(name, ask, service, probe, world);
    }
  } finally {
    probe.postMessage('stop');
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(name, ask, service, probe, world) {
  const client = new Client(service.url, { keepAlive: false });
  await pause(SETTLE_MS);
  probe.postMessage('begin');
  service.process.send('begin');
  const [cpu, began] = [cpuMs([service.pid]), performance.now()];
  const answer = await Promise.race([
    ask(client, world).catch((error) => ({ status: error.code ?? error.message, bytes: 0 })),
    pause(GIVE_UP_MS, { status: 'given up', bytes: 0 }, { ref: false }),
  ]);
  const took = performance.now() - began;
  const spent = cpuMs([service.pid]) - cpu;
  // Whoever waited for the loop is answered now.
  await pause(SETTLE_MS);
  probe.postMessage('end');
  const [seen] = await once(probe, 'message');
  service.process.send('end');
  const [hold] = await once(service.process, 'message');
  client.close();
  const figures = [hold.cpuMs, hold.clockMs, seen.healthMs, seen.claimMs, took, spent, seen.peakMib].map((figure) =>
    figure.toFixed(0),
  );
  const refused = Object.entries(seen.refused).map(([status, count]) => `${count} × ${status}`);
  const row = [...figures, answer?.status ?? '-', answer?.bytes ?? 0, refused.join(', ') || '-'];
  console.log(`  ${name.padEnd(44)}${row.map((text) => String(text).padStart(10)).join('  ')}`);
  if (options.profile && hold.cpuMs > PROFILED_MS) console.log(`      ${hold.by}`);
}

async function start(databaseUrl, cwd) {
  const profile = options.profile ? { BERTH_HOLD_PROFILE: '1' } : {};
  const child = spawn(process.execPath, ['--import', HOLDS.href, join(dist, 'main.js')], {
    env: { ...process.env, ...profile, DATABASE_URL: databaseUrl, PORT: '0', BERTH_DEFAULT__LOG_OPTIONS: 'false' },
    ...{ cwd, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  });
  let log = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-20_000);
      const found = /"url":"(http[^"]+)"/.exec(log);
      if (found) resolve(found[1]);
    });
    child.on('exit', () => reject(new Error(`the service ended at start:\n${log}`)));
  });
  return { url, pid: child.pid, process: child };
}
