// `node test/upgrade/run.mjs`, after a build: checks that the previous release works next to this one on its schema, and can be
// restarted on it. Builds the commit named in the file `previous-release` and runs both releases on one database:
// SQLite, and MariaDB or MySQL if reachable (BERTH_TEST_MYSQL_URL). Reports that it was skipped if the history lacks
// the commit.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mysql from 'mysql2/promise';
import { reachableMysql } from '../../scripts/test-database.mjs';
import { startService } from '../support/built-service.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PREVIOUS = readFileSync(new URL('previous-release', import.meta.url), 'utf8').trim();
const HEADERS = {
  'x-auth-token': 'admin',
  'x-roles': 'admin,service',
  'content-type': 'application/json',
  'openstack-api-version': 'placement 1.39',
};
/** Claims by each of the two, one after the other. */
const ROUNDS = 20;

if (!isKnown(PREVIOUS)) {
  console.log(`skipped: the history has no commit ${PREVIOUS} to build the previous release of`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'berth-upgrade-'));
let failures = 0;
try {
  const previous = buildPrevious();
  await campaign('sqlite', `sqlite:///${join(folder, 'berth.db')}`, previous);
  const server = await reachableMysql();
  if (server === undefined) console.log('skipped: MySQL, of which none is reachable');
  else await onMysql(server.url, (url) => campaign('mysql', url, previous));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function isKnown(commit) {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Builds with the currently installed packages; returns the folder of the build. */
function buildPrevious() {
  const tree = join(folder, 'previous');
  mkdirSync(tree);
  const archive = join(folder, 'previous.tar');
  execFileSync('git', ['archive', '--output', archive, PREVIOUS], { cwd: ROOT });
  execFileSync('tar', ['-xf', archive, '-C', tree]);
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(tree, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: tree, stdio: 'inherit' });
  if (!existsSync(join(tree, 'dist/main.js'))) throw new Error('the previous release was not built');
  return join(tree, 'dist');
}

async function onMysql(server, use) {
  const name = `berth_upgrade_${process.pid}`;
  const admin = await mysql.createConnection(server);
  await admin.query(`CREATE DATABASE ${name}`);
  try {
    const url = new URL(server);
    url.pathname = `/${name}`;
    await use(url.toString());
  } finally {
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  }
}

async function campaign(kind, url, previous) {
  const check = (what, isRight) => {
    console.log(`${isRight ? 'ok' : 'FAILED'}: ${kind}: ${what}`);
    if (!isRight) failures += 1;
  };
  const start = (dist) => startService(url, { entry: `${dist}/main.js`, cwd: folder });
  const services = [];
  try {
    let old = await start(previous);
    services.push(old);
    const host = await provider(old);
    check('the previous release claims on its own schema', (await claim(old, host)).status === 204);
    const now = await start(join(ROOT, 'dist'));
    services.push(now);
    check('this one starts next to it', (await call(now, 'GET', '/readyz')).status === 200);
    check('both claim in turns, and each sees at once what the other did', await inTurns(old, now, host));
    check('each finds what the other made', (await finds(old, now)) && (await finds(now, old)));
    check('each schedules, and the other releases', (await schedules(old, now)) && (await schedules(now, old)));
    await old.stop();
    services.shift();
    old = await start(previous);
    services.push(old);
    check('the previous release starts again on the new schema', (await call(old, 'GET', '/readyz')).status === 200);
    check('and goes on', await inTurns(old, now, host));
    await Promise.all(services.splice(0).map((service) => service.stop()));
    for (const [who, dist] of Object.entries({ 'this release': join(ROOT, 'dist'), 'the previous one': previous })) {
      check(`${who} finds nothing wrong in the end`, isConsistent(dist, url));
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function call(service, method, path, body) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: HEADERS,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

async function provider(service) {
  const uuid = randomUUID();
  await call(service, 'POST', '/resource_providers', { uuid, name: uuid });
  const inventories = { VCPU: { total: 1_000 }, MEMORY_MB: { total: 1_000_000 } };
  await call(service, 'PUT', `/resource_providers/${uuid}/inventories`, {
    resource_provider_generation: 0,
    inventories,
  });
  return uuid;
}

async function claim(service, host, consumer = randomUUID()) {
  const { status } = await call(service, 'PUT', `/allocations/${consumer}`, {
    allocations: { [host]: { resources: { VCPU: 1 } } },
    project_id: 'p',
    user_id: 'u',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  });
  return { status, consumer };
}

async function used(service, host) {
  return (await call(service, 'GET', `/resource_providers/${host}/usages`)).json.usages.VCPU;
}

/** The provider of `host` in a search, which reads the graph in memory. */
async function usedBySearch(service, host) {
  const found = await call(service, 'GET', `/allocation_candidates?resources=VCPU:1&in_tree=${host}`);
  return found.json.provider_summaries[host]?.resources.VCPU.used;
}

async function inTurns(one, other, host) {
  const before = await used(one, host);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [by, second] = round % 2 === 0 ? [one, other] : [other, one];
    const { status, consumer } = await claim(by, host);
    if (status !== 204 || (await usedBySearch(second, host)) !== before + 1) return false;
    if ((await call(second, 'DELETE', `/allocations/${consumer}`)).status !== 204) return false;
    if ((await usedBySearch(by, host)) !== before) return false;
  }
  return true;
}

async function finds(maker, finder) {
  const host = await provider(maker);
  return (await usedBySearch(finder, host)) === 0;
}

async function schedules(one, other) {
  const instance = randomUUID();
  const placed = await call(one, 'POST', '/scheduler/select_destinations', {
    num_instances: 1,
    project_id: 'p',
    user_id: 'u',
    instances: [instance],
    flavor: { name: 'm', vcpus: 1, memory_mb: 512, root_gb: 0 },
  });
  if (placed.status !== 200) return false;
  const held = await call(other, 'GET', `/allocations/${instance}`);
  if (Object.keys(held.json.allocations).length !== 1) return false;
  return (await call(other, 'DELETE', `/allocations/${instance}`)).status === 204;
}

function isConsistent(dist, url) {
  try {
    execFileSync(process.execPath, [`${dist}/cli.js`, 'verify'], {
      env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'error' },
      cwd: folder,
      stdio: 'pipe',
    });
    return true;
  } catch (error) {
    console.log(`${error.stdout}${error.stderr}`);
    return false;
  }
}
