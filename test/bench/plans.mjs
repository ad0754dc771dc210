// `node test/bench/plans.mjs [--hosts 1000] [--instances 20] [--drain 40]`: measures plans after a build, in this process
// on SQLite: the snapshot of the cloud and how long it holds the event loop, the copy in memory, questions to it, and plans
// of each goal in a worker thread.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000' },
    instances: { type: 'string', default: '20' },
    drain: { type: 'string', default: '40' },
  },
});
const [HOSTS, PER_HOST, DRAINED] = [options.hosts, options.instances, options.drain].map(Number);
/** Of a host, so that it holds its instances. */
const SIZE = Math.max(1, Math.ceil(PER_HOST / 40));
const PLACEMENT = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
const [ROUNDS, MEMBERS] = [200, 20];
const BATCH = 1_000;
const FLAVORS = [1, 2, 4, 8].map((vcpus) => ({ name: `g${vcpus}`, vcpus, memory_mb: vcpus * 2_048, root_gb: 10 }));

const LARGE = { name: 'large', vcpus: 32, memory_mb: 131_072, root_gb: 100 };

const DIST = fileURLToPath(new URL('../../dist/src/', import.meta.url));
const require = createRequire(import.meta.url);
require('reflect-metadata');
require(join(DIST, 'platform/process-settings.js'));
const { createApplication } = require(join(DIST, 'application.js'));
const { OPTION_TABLE } = require(join(DIST, 'options.js'));
const { loadConfigWithPlugins } = require(join(DIST, 'scheduler/assemble/configured-scheduler.js'));
const { createAccessLog } = require(join(DIST, 'platform/logging/access-log.js'));
const { createLogger } = require(join(DIST, 'platform/logging/logger.js'));
const { cloudOf } = require(join(DIST, 'scheduler/plans/build-cloud.js'));
const { SnapshotReader } = require(join(DIST, 'scheduler/plans/snapshot-reader.js'));
const { PLANNING } = require(join(DIST, 'scheduler/plans/planning.js'));

const folder = mkdtempSync(join(tmpdir(), 'berth-plans-'));
const env = { DATABASE_URL: `sqlite:///${join(folder, 'berth.db')}`, BERTH_DEFAULT__SERVICE_DOWN_TIME: '36000' };
const loaded = await loadConfigWithPlugins(OPTION_TABLE, { env, cwd: folder });
const nowhere = { level: 'silent', destination: { write: () => true } };
const application = await createApplication(loaded, createLogger(nowhere), createAccessLog(nowhere));
await application.app.init();
const server = application.app.getHttpAdapter().getInstance();
await server.ready();

async function ask(method, url, payload) {
  const answer = await server.inject({ method, url, headers: PLACEMENT, ...(payload && { payload }) });
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
  return answer.body === '' ? undefined : answer.json();
}

async function timed(name, work) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const [began, usage] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const spent = performance.now() - began;
  const { user, system } = process.cpuUsage(usage);
  delays.disable();
  console.log(
    `  ${name.padEnd(50)} ${spent.toFixed(0)} ms, ${((user + system) / 1_000).toFixed(0)} ms of CPU, event loop held ${(delays.max / 1e6).toFixed(1)} ms`,
  );
  return result;
}

const nameOf = (at) => `host-${String(at).padStart(5, '0')}`;
const reportOf = (instances = null) => ({
  service_version: 70,
  hypervisor: { type: 'QEMU', version: 6_002_000, cpu_info: { arch: 'x86_64' } },
  supported_instances: [['x86_64', 'kvm', 'hvm']],
  vcpus_total: 64 * SIZE,
  memory_mb: 262_144 * SIZE,
  local_gb: 2_000 * SIZE,
  report_providers: true,
  ...(instances && { instances }),
});

async function fill() {
  for (let at = 0; at < HOSTS; at += 1) await ask('PUT', `/scheduler/hosts/${nameOf(at)}/${nameOf(at)}`, reportOf());
  for (let zone = 0; zone < 3; zone += 1) {
    const hosts = Array.from({ length: HOSTS }, (_, at) => nameOf(at)).filter((_, at) => at % 3 === zone);
    await ask('POST', '/scheduler/host_aggregates', {
      name: `z${zone}`,
      metadata: { availability_zone: `z${zone}` },
      hosts,
    });
  }
  const on = new Map();
  let left = HOSTS * PER_HOST;
  for (let batch = 0; left > 0; batch += 1) {
    const count = Math.min(BATCH, left);
    const flavor = FLAVORS[batch % FLAVORS.length];
    const zone = batch % 5 === 4 ? `z${batch % 3}` : null;
    const body = { flavor, num_instances: count, project_id: `p${batch % 7}`, user_id: 'u', availability_zone: zone };
    const { selections } = await ask('POST', '/scheduler/select_destinations', { ...body, explain: 'none' });
    for (const { instance, instance_uuid: uuid = instance, selected } of selections) {
      const known = on.get(selected.host) ?? [];
      on.set(selected.host, [...known, { uuid, flavor: flavor.name, project_id: body.project_id }]);
    }
    left -= count;
  }
  const group = await ask('POST', '/scheduler/server_groups', { name: 'bench', policy: 'anti-affinity' });
  await ask('POST', '/scheduler/select_destinations', {
    flavor: FLAVORS[0],
    num_instances: MEMBERS,
    project_id: 'p0',
    user_id: 'u',
    explain: 'none',
    scheduler_hints: { group: group.uuid },
  });
  for (const [host, instances] of on) await ask('PUT', `/scheduler/hosts/${host}/${host}`, reportOf(instances));
}

const CALLER = { requestId: 'bench', globalRequestId: null, principal: undefined, isGone: false };

async function measure(cloud, name, round) {
  const mark = cloud.mark();
  for (let at = 0; at < 20; at += 1) await round(at);
  const began = process.cpuUsage();
  for (let at = 20; at < 20 + ROUNDS; at += 1) await round(at);
  const { user, system } = process.cpuUsage(began);
  console.log(`  ${name.padEnd(50)} ${((user + system) / 1_000 / ROUNDS).toFixed(2)} ms of CPU each`);
  cloud.rollback(mark);
}

try {
  const began = performance.now();
  await fill();
  console.log(
    `${HOSTS} hosts, ${HOSTS * PER_HOST} instances, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  const reader = application.app.get(SnapshotReader, { strict: false });
  for (const name of ['first snapshot', 'second snapshot']) await timed(name, () => reader.read(CALLER));
  const snapshot = await timed('snapshot', () => reader.read(CALLER));
  const mib = snapshot.parts.reduce((sum, { byteLength }) => sum + byteLength, 0) / 1024 / 1024;
  console.log(`  ${snapshot.parts.length} parts, ${mib.toFixed(1)} MiB`);
  const cloud = await timed('copy in memory', () => cloudOf(snapshot, []));
  for (let host = 0; host < DRAINED; host += 1) cloud.close(host);
  await measure(cloud, 'targets', async (at) => {
    await cloud.targets(at);
  });
  const members = [...cloud.instances.keys()].filter((at) => cloud.instances[at].groupUuid !== null);
  await measure(cloud, 'targets of a member of a group', async (at) => {
    await cloud.targets(members[at % members.length]);
  });
  await measure(cloud, 'fits', async (at) => {
    await cloud.fits(at, cloud.hosts.length - 1 - at);
  });
  await measure(cloud, 'targets, claim and release', async (at) => {
    const { hosts, refusal } = await cloud.targets(at);
    if (refusal !== null || !(await cloud.claim(at, hosts[0]))) throw new Error(JSON.stringify(refusal));
    cloud.release(at);
  });
  const full = cloud.mark();
  for (let host = 0; host < HOSTS; host += 1) cloud.close(host);
  await timed('a refusal with its reasons', () => cloud.targets(0));
  cloud.rollback(full);
  const command = {
    goal: 'drain',
    hosts: Array.from({ length: DRAINED }, (_, at) => nameOf(at)),
    flavor: null,
    count: null,
    classes: [],
    over: 'hosts',
    stay: { instances: [], hosts: [], projects: [] },
    maxMoves: null,
    maxMovesPerHost: 2,
    minGain: 0,
    seed: 1,
    timeLimitMs: 30_000,
  };
  const planning = application.app.get(PLANNING, { strict: false });
  const goals = [
    ['the first plan', {}],
    ['a drain', {}],
    ['room for 10 large ones', { goal: 'room', hosts: [], flavor: LARGE, count: 10 }],
    ['balance, at most 500 moves', { goal: 'balance', hosts: [], classes: ['VCPU'], maxMoves: 500 }],
    ['pack, at most 500 moves', { goal: 'pack', hosts: [], maxMoves: 500 }],
    ['pack', { goal: 'pack', hosts: [] }],
  ];
  for (const [name, goal] of goals) {
    const { moves, unmovable, leastMoves, workedMs, decisions, isReached, isTimeUp, before, after } = await timed(
      name,
      () => planning.plan({ ...command, ...goal, timeLimitMs: 5_000 }, CALLER),
    );
    const figures = [before, after].map(
      ({ emptyHosts, spread, places }) => `${emptyHosts} empty, spread ${spread.toFixed(1)}, ${places} places`,
    );
    console.log(
      `    ${isReached ? 'reached' : 'not reached'}${isTimeUp ? ', time up' : ''}: ${moves.length} moves (at least ${leastMoves}), ` +
        `${unmovable.length} unmovable, ${decisions} decisions, ${workedMs} ms of planning; ${figures.join(' -> ')}`,
    );
  }
} finally {
  await application.app.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
