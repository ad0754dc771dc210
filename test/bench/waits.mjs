// `node test/bench/waits.mjs [--database sqlite,mysql] [--worlds flat,wide] [--cases text,text] [--dist dist] [--profile]
// [--authenticated]`: measures how long other clients wait while one client sends the worst request. These are always
// two users; with `--authenticated` the service requires static tokens. It loads worlds, starts the built service on
// each and sends every kind of request at its worst (waits-cases.mjs, waits-reports.mjs).
// It prints the longest wait of `GET /healthz` and of a claim every 20 ms; the longest hold of the event loop by the
// CPU time of its thread (`hold`) and by the clock (`loop`, waits-holds.mjs); CPU and memory of the service; status and
// size of the answer. A claim can wait longer only for a lock of the database or for SQLite's single writer. The line
// `nothing` is the wait that the machine itself causes. `--profile` names the functions that held the loop and makes
// them slower. A Markdown table for each database comes last.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startLoaded } from './loaded-service.mjs';
import { Client, cpuMs } from './meter.mjs';
import { WAITS } from './waits-cases.mjs';
import { REPORT_WAITS } from './waits-reports.mjs';
import { world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,mysql' },
    worlds: { type: 'string', default: '' },
    cases: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
    authenticated: { type: 'boolean', default: false },
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) },
  },
});
const dist = resolve(options.dist);
const SETTLE_MS = 500;
const GIVE_UP_MS = 120_000;
const PROFILED_MS = 15;
const LOADED = ['./waits-holds.mjs', './waits-statuses.mjs'].map((file) => new URL(file, import.meta.url).href);
const COLUMNS = [
  'hold ms',
  'loop ms',
  'healthz ms',
  'claim ms',
  'took ms',
  'CPU ms',
  'peak MiB',
  'status',
  'bytes',
  'refused meanwhile',
];

for (const database of options.database.split(',')) {
  const rows = [];
  for (const each of [...WAITS, ...REPORT_WAITS]) {
    const isMeant = options.worlds === '' || options.worlds.split(',').includes(each.world);
    const chosen = each.cases.filter(([name]) => options.cases.split(',').some((text) => name.includes(text)));
    if (isMeant && chosen.length > 0) rows.push(...(await measureWorld({ ...each, chosen }, database)));
  }
  console.log(`\n${tableOf(database, rows)}`);
}

/** The figures as a Markdown table. */
function tableOf(database, rows) {
  const head = ['hold', 'longest `/healthz`', 'longest claim', 'took', 'CPU', 'peak', 'answer'];
  const units = ['ms', 'ms', 'ms', 'ms', 'ms', 'MiB', ''];
  const line = (cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |');
  return [
    line([database, ...head]),
    line(['', ...head].map(() => '---')),
    line(['', ...units]),
    ...rows.map((row) =>
      line([row.name, ...row.figures.map((figure) => figure.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ' ')), row.answer]),
    ),
  ].join('\n');
}

/** The size of the answer, its status if it is not 200, and the refusals of other requests meanwhile. */
function answerOf({ status = '-', bytes = 0 } = {}, refused = '') {
  const size =
    bytes >= 1e6
      ? `${(bytes / 1e6).toFixed(bytes >= 1e7 ? 0 : 1)} MB`
      : bytes >= 1e3
        ? `${(bytes / 1e3).toFixed(0)} kB`
        : '';
  return [status === 200 || status === 204 ? '' : status, size, refused].filter((text) => text !== '').join(', ');
}

async function measureWorld({ world: kind, hosts, prepare, chosen }, databaseKind) {
  const made = world(kind, hosts);
  const claimOn = made.provider('claims');
  made.inventory(claimOn, 'VCPU', 1_000_000);
  const users = {};
  const { service, databaseUrl, end } = await startLoaded(databaseKind, made, {
    dist,
    env: {
      ...(options.profile && { BERTH_HOLD_PROFILE: '1' }),
      ...(options.authenticated && { BERTH_API__AUTH_STRATEGY: 'static' }),
    },
    settingsOf: (folder, url) => {
      for (const name of ['worst', 'quiet']) users[name] = userOf(name, url, folder);
      const nodeArgs = LOADED.flatMap((file) => ['--import', file]);
      return { entry: join(dist, 'main.js'), nodeArgs, channel: true };
    },
  });
  const probe = new Worker(new URL('./waits-probe.mjs', import.meta.url), {
    workerData: { url: service.url, pid: service.pid, claimOn: claimOn.uuid, headers: users.quiet },
  });
  console.log(
    `\n${kind}, ${hosts} hosts, ${databaseKind}\n${' '.repeat(46)}${COLUMNS.map((name) => name.padStart(10)).join('  ')}`,
  );
  try {
    // The first requests would include compilation.
    await pause(2_000);
    const tell = (message) => service.process.send(message);
    const world = { made, url: databaseUrl, service: service.url, users, tell };
    await prepare?.(world);
    const rows = [];
    for (const [name, ask] of [['nothing', () => pause(2_000)], ...chosen]) {
      rows.push(await measure(name, ask, service, probe, world));
    }
    return rows;
  } finally {
    probe.postMessage('stop');
    await end();
  }
}

/** The headers of a user with all rights. */
function userOf(name, databaseUrl, cwd) {
  if (!options.authenticated) return { 'x-auth-token': `${name}:bench`, 'x-roles': 'admin,service' };
  const args = ['token', 'create', name, '--user', name, '--project', 'bench', '--role', 'admin', '--role', 'service'];
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const token = execFileSync(process.execPath, [join(dist, 'cli.js'), ...args], { env, cwd, encoding: 'utf8' });
  return { 'x-auth-token': token.trim() };
}

async function measure(name, ask, service, probe, world) {
  const client = new Client(service.url, { keepAlive: false, headers: world.users.worst });
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
  // Waits until the clients that waited for the loop have their answers.
  await pause(SETTLE_MS);
  probe.postMessage('end');
  const [seen] = await once(probe, 'message');
  service.process.send('end');
  const [hold] = await once(service.process, 'message');
  client.close();
  const reported = [seen.healthMs, seen.claimMs, took, spent, seen.peakMib];
  const figures = [hold.cpuMs, hold.clockMs, ...reported].map((figure) => figure.toFixed(0));
  const refused = Object.entries(seen.refused).map(([status, count]) => `${count} × ${status}`);
  const row = [...figures, answer?.status ?? '-', answer?.bytes ?? 0, refused.join(', ') || '-'];
  console.log(`  ${name.padEnd(44)}${row.map((text) => String(text).padStart(10)).join('  ')}`);
  if (options.profile && hold.cpuMs > PROFILED_MS) console.log(`      ${hold.by}`);
  return { name, figures: [hold.cpuMs, ...reported], answer: answerOf(answer, refused.join(', ')) };
}
