// `node test/transfer/run.mjs [--allocations 300000] [--hosts 250] [--consumers 2500]`
// Writes a cloud through the API of a real OpenStack Placement, imports it, exports it again and serves the export with
// the reference. All answers must be equal each time. Then it measures the rate and the memory of a large import. Run
// it by hand after a build; it says if the reference is not installed. BERTH_TEST_MYSQL_URL names the server.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { startService } from '../support/built-service.mjs';
import { answersOf, differences } from './answers.mjs';
import { fillReference } from './many-rows.mjs';
import { startReference, whyNoReference } from './reference-service.mjs';
import { makeWorld, writeWorld } from './world.mjs';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '250' },
    consumers: { type: 'string', default: '2500' },
    allocations: { type: 'string', default: '300000' },
  },
});
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const reason = existsSync(CLI) ? whyNoReference() : 'dist/ is missing: run "npm run build" first';
if (reason !== undefined) {
  console.error(`transfer: nothing was checked. ${reason}`);
  process.exit(2);
}

const mysql = new URL(process.env.BERTH_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306');
const tag = randomBytes(4).toString('hex');
const folder = mkdtempSync(join(tmpdir(), 'berth-transfer-'));
const made = [];
let isWell = true;

const admin = await createConnection({ uri: mysql.toString() });
async function database(name, charset) {
  const full = `berth_transfer_${tag}_${name}`;
  await admin.query(`CREATE DATABASE ${full} CHARACTER SET ${charset}`);
  made.push(full);
  const url = new URL(mysql);
  url.pathname = `/${full}`;
  return { name: full, url: url.toString() };
}

/** Runs the command; returns its output, its duration in seconds and its peak memory. */
function berth(databaseUrl, ...args) {
  const began = performance.now();
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const ran = spawnSync(process.execPath, [...peak(), CLI, ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const seconds = (performance.now() - began) / 1000;
  if (ran.status !== 0) throw new Error(`berth ${args.join(' ')} answered ${ran.status}\n${ran.stdout}\n${ran.stderr}`);
  return { text: ran.stdout, seconds, peakMib: Number(readFileSync(join(folder, 'peak'), 'utf8')) };
}

/** Node arguments that make the process write its maximum resident size when it exits. */
function peak() {
  const code =
    "process.on('exit',()=>require('node:fs').writeFileSync(" +
    `${JSON.stringify(join(folder, 'peak'))},String(Math.round(process.resourceUsage().maxRSS/1024))))`;
  return [
    '--import',
    `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('/');${code}`,
  ];
}

function judge(what, before, after) {
  const paths = differences(before, after);
  console.log(`${what}: ${before.size - paths.length} of ${before.size} answers are equal`);
  for (const path of paths.slice(0, 5)) {
    console.log(`  ${path}\n    before ${short(before.get(path))}\n    after  ${short(after.get(path))}`);
  }
  if (paths.length > 0) isWell = false;
}
const short = (value) => JSON.stringify(value)?.slice(0, 400);

async function answersOfBerth(databaseUrl, world) {
  const service = await startService(databaseUrl, { cwd: folder, env: { LOG_LEVEL: 'info' } });
  try {
    return await answersOf(service.url, world);
  } finally {
    await service.stop();
  }
}

async function answersOfReference(name, world, write) {
  const service = await startReference(mysql, name);
  try {
    if (write) await writeWorld(service.url, world);
    return await answersOf(service.url, world);
  } finally {
    await service.stop();
  }
}

try {
  const world = makeWorld({ hosts: Number(values.hosts), consumers: Number(values.consumers) });
  const source = await database('reference', 'utf8');
  const amounts = world.consumers.length * 4;
  console.log(`writing ${world.providers.length} providers and ${amounts} allocations through the reference's API …`);
  const before = await answersOfReference(source.name, world, true);

  for (const kind of ['mysql', 'sqlite']) {
    const ours =
      kind === 'mysql' ? (await database('berth', 'utf8mb4')).url : `sqlite:///${join(folder, 'berth.sqlite')}`;
    const imported = berth(ours, 'import', '--from', source.url);
    console.log(`${kind}: ${imported.text.trim().split('\n').slice(-2).join('; ')}`);
    judge(`${kind}: imported`, before, await answersOfBerth(ours, world));

    const back = await database(`back_${kind}`, 'utf8');
    console.log(`${kind}: ${berth(ours, 'export', '--to', back.url, '--revision', '422ece571366').text.trim()}`);
    judge(`${kind}: exported, under the reference`, before, await answersOfReference(back.name, world, false));

    const file = join(folder, `${kind}.jsonl`);
    berth(ours, 'export', '--to', file);
    const again = `sqlite:///${join(folder, `${kind}-again.sqlite`)}`;
    berth(again, 'import', '--from', file);
    berth(again, 'export', '--to', `${file}.again`);
    const isSame = readFileSync(file, 'utf8') === readFileSync(`${file}.again`, 'utf8');
    console.log(`${kind}: JSON Lines, there and back: ${isSame ? 'the same file' : 'ANOTHER FILE'}`);
    if (!isSame) isWell = false;
  }

  const allocations = Math.ceil(Number(values.allocations) / 3) * 3;
  const large = await database('large', 'utf8');
  await (await startReference(mysql, large.name)).stop();
  const filling = await createConnection({ uri: large.url });
  await fillReference(filling, { providers: 10_000, allocations });
  await filling.end();
  for (const kind of ['mysql', 'sqlite']) {
    const ours =
      kind === 'mysql' ? (await database('large_berth', 'utf8mb4')).url : `sqlite:///${join(folder, 'large.sqlite')}`;
    const { seconds, peakMib } = berth(ours, 'import', '--from', large.url);
    const rate = Math.round((allocations / seconds) * 60);
    console.log(
      `${kind}: 10 000 providers and ${allocations} allocations imported and verified in ${seconds.toFixed(1)} s, ` +
        `${rate} allocations a minute, ${peakMib} MiB at most`,
    );
    if (rate < 100_000) isWell = false;
    const once = berth(ours, 'import', '--from', large.url, '--replace');
    console.log(`${kind}: the same again, nothing to write: ${once.seconds.toFixed(1)} s`);
  }
} finally {
  for (const name of made) await admin.query(`DROP DATABASE IF EXISTS ${name}`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
}
console.log(isWell ? 'transfer: all is well' : 'transfer: NOT all is well');
process.exit(isWell ? 0 : 1);
