// `node test/restore/run.mjs [--rounds 3] [--rate 100]`, after a build
//
// Runs the commands of docs/backup-and-restore.md on MariaDB while claims run at a steady rate. It restores the backup
// into another database, in which `berth verify` must find no fault, every claim acknowledged before the backup must be
// complete, and a service must work. Needs MariaDB's client programs (Debian package `mariadb-client`) and a MariaDB
// server (BERTH_TEST_MYSQL_URL); the exit code is 2 if one of them is missing.
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { commandBlocksOf, commandsIn } from '../../scripts/command-blocks.mjs';
import { reachableMysql } from '../../scripts/test-database.mjs';
import { loadIntoBerth } from '../bench/loaders.mjs';
import { world } from '../bench/worlds.mjs';
import { HEADERS, Load, pause } from '../rolling/load.mjs';
import { migrate, startService } from '../support/built-service.mjs';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, rate: { type: 'string', default: '100' } },
});
const GUIDE = 'docs/backup-and-restore.md';
const SUITE = 'test/restore/run.mjs';
const HOSTS = 500;
/** Enough for a backup that lasts a while, with claims during it. */
const INSTANCES_EACH = 40;
/** Number of acknowledged claims before each backup, and after it. */
const CLAIMS_BETWEEN = 50;
const COMMAND_MINUTES_MAX = 5;
const CLAIMS_MINUTES_MAX = 3;
const LOOK_EVERY_MS = 50;

const server = await reachableMysql();
const missing = server === undefined ? 'no MariaDB or MySQL server is reachable' : lacking();
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'berth-restore-'));
const database = `berth_drill_${process.pid}`;
const restored = `${database}_restored`;
const admin = await mysql.createConnection(server.url);
const programs = commandsIn(folder);
let service;
let load;
let failures = 0;
try {
  await admin.query(`CREATE DATABASE ${database}`);
  migrate(urlOf(database), folder);
  const made = world('flat', HOSTS, INSTANCES_EACH);
  await loadIntoBerth(urlOf(database), made);
  writeClientOptions();
  service = await startService(urlOf(database), { cwd: folder });
  const hosts = made.providers.map(({ uuid }) => uuid);
  load = new Load(service.url, hosts, Number(options.rate));
  load.begin();
  for (let round = 1; round <= Number(options.rounds); round += 1) await drill(round, hosts);
} finally {
  await load?.end();
  await service?.stop();
  for (const name of [database, restored]) await admin.query(`DROP DATABASE IF EXISTS ${name}`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${load.asked} requests in ${load.seconds.toFixed(0)} s beside it, ${load.failures.length} failed; ` +
    `${load.acknowledged.length} claims acknowledged`,
);
for (const failure of load.failures.slice(0, 10)) console.log(`  ${failure}`);
process.exit(failures === 0 ? 0 : 1);

function lacking() {
  try {
    for (const program of ['mariadb-dump', 'mariadb']) execFileSync(program, ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return "MariaDB's client programs are not installed (Debian package mariadb-client)";
  }
}

function urlOf(name) {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.toString();
}

/** Writes the client options as in the guide: user and address. */
function writeClientOptions() {
  const { hostname, port, username, password } = new URL(server.url);
  const lines = [`host=${hostname}`, `port=${port || 3306}`, `user=${decodeURIComponent(username)}`];
  const file = join(folder, 'backup.cnf');
  writeFileSync(file, `[client]\n${lines.join('\n')}\npassword=${decodeURIComponent(password)}\n`);
  chmodSync(file, 0o600);
}

async function drill(round, hosts) {
  await claimsSince(load.acknowledged.length);
  const before = [...load.acknowledged];
  await guide('back up');
  const during = load.acknowledged.length - before.length;
  await claimsSince(load.acknowledged.length);
  await guide('restore');
  const bytes = statSync(join(folder, 'berth.sql.gz')).size;
  console.log(
    `round ${round}: ${before.length} claims before the backup, ${during} while it ran, ${Math.ceil(bytes / 1024)} KiB`,
  );
  check('berth verify finds nothing in what was restored', await succeeds(() => guide('verify')));
  const held = await wholeConsumers();
  const lost = before.filter((consumer) => !held.has(consumer));
  check(`every claim acknowledged before the backup is whole (${lost.length} are not)`, lost.length === 0);
  check('a service goes on with what was restored', await goesOn(hosts[0]));
  check('and leaves nothing wrong', await succeeds(() => guide('verify')));
  await admin.query(`DROP DATABASE ${restored}`);
}

/** Waits until this number of further claims was acknowledged. */
async function claimsSince(count) {
  const end = performance.now() + CLAIMS_MINUTES_MAX * 60_000;
  while (load.acknowledged.length < count + CLAIMS_BETWEEN) {
    if (performance.now() > end) throw new Error(`no claims are granted: ${load.failures.slice(-3).join('\n')}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Runs the named part of the guide while the load continues. */
async function guide(part) {
  const block = commandBlocksOf(GUIDE).find((each) => each.suite === SUITE && each.part === part);
  if (block === undefined) throw new Error(`${GUIDE} has no block "run by ${SUITE}: ${part}"`);
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block.text], {
    cwd: folder,
    timeout: COMMAND_MINUTES_MAX * 60_000,
    env: {
      ...process.env,
      PATH: `${programs}:${process.env.PATH}`,
      LOG_LEVEL: 'error',
      CLIENT: join(folder, 'backup.cnf'),
      DATABASE: database,
      DATABASE_URL: urlOf(restored),
    },
  });
}

async function succeeds(work) {
  try {
    await work();
    return true;
  } catch (error) {
    console.log(`${error.message}\n${error.stdout}`);
    return false;
  }
}

/** Consumers with exactly the allocations of one claim. */
async function wholeConsumers() {
  const [rows] = await admin.query(
    `SELECT c.uuid FROM ${restored}.consumers c JOIN ${restored}.allocations a ON a.consumer_id = c.id
     GROUP BY c.uuid HAVING SUM(a.used) = 1`,
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

async function goesOn(host) {
  const next = await startService(urlOf(restored), { cwd: folder });
  try {
    const answer = await fetch(`${next.url}/allocations/${randomUUID()}`, {
      method: 'PUT',
      headers: HEADERS,
      body: JSON.stringify({
        allocations: { [host]: { resources: { VCPU: 1 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      }),
    });
    if (answer.status !== 204) console.log(`${answer.status}: ${await answer.text()}`);
    return answer.status === 204;
  } finally {
    await next.stop();
  }
}

function check(what, isRight) {
  console.log(`${isRight ? 'ok' : 'FAILED'}: ${what}`);
  if (!isRight) failures += 1;
}
