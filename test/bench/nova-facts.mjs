// Cost of following nova's databases: 10 000 nodes and 200 000 instances in two cells. Needs a build and a MariaDB.
//
//   node test/bench/nova-facts.mjs [--nodes 10000] [--instances 200000] [--seconds 60] [--keep NAME [--fill]]
//
// `--keep NAME` creates the databases NAME_api, NAME_cell1, NAME_cell2 once and uses them again; `--fill` ends after that.
import { fork, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import { NODE_FLAGS } from '../../scripts/node-flags.mjs';

const require = createRequire(import.meta.url);
const DIST = process.env.BERTH_BENCH_DIST ?? fileURLToPath(new URL('../../dist/src', import.meta.url));
const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '10000' },
    instances: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '60' },
    keep: { type: 'string' },
    fill: { type: 'boolean', default: false },
  },
});
const [NODES, INSTANCES, SECONDS] = [options.nodes, options.instances, options.seconds].map(Number);
const server = new URL(process.env.BERTH_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306');
const name = process.env.TRAFFIC ?? options.keep ?? `nova_bench_${process.pid}`;
const CELLS = [`${name}_cell1`, `${name}_cell2`];
const ARCHITECTURES = ['x86_64', 'i686', 'aarch64', 'armv7l', 'ppc64', 'ppc64le', 's390x', 'mips'];
const SECOND_CELL = 'bbbbbbbb-0000-4000-8000-000000000002';

const connectAdmin = () =>
  mysql.createConnection({
    host: server.hostname,
    port: Number(server.port || 3306),
    user: server.username,
    password: decodeURIComponent(server.password),
    multipleStatements: true,
  });
const urlOf = (database) =>
  `mysql://${server.username}:${server.password}@${server.hostname}:${server.port || 3306}/${database}`;

const wrap = (objectName, version, data) => ({
  'nova_object.name': objectName,
  'nova_object.namespace': 'nova',
  'nova_object.version': version,
  'nova_object.data': data,
  'nova_object.changes': Object.keys(data),
});
const range = (from, count) => Array.from({ length: count }, (_, at) => from + at);

/** Two NUMA cells of 64 CPUs with two sizes of pages. */
const numaTopology = (used) =>
  wrap('NUMATopology', '1.2', {
    cells: [0, 1].map((id) =>
      wrap('NUMACell', '1.5', {
        id,
        cpuset: range(64 * id, 64),
        pcpuset: range(64 * id, 64),
        memory: 262_144,
        cpu_usage: used,
        memory_usage: used * 1024,
        pinned_cpus: [],
        siblings: range(0, 32).map((core) => [64 * id + core, 64 * id + 32 + core]),
        mempages: [
          wrap('NUMAPagesTopology', '1.1', { size_kb: 4, total: 67_108_864, used: 0, reserved: 0 }),
          wrap('NUMAPagesTopology', '1.1', { size_kb: 2048, total: 0, used: 0, reserved: 0 }),
        ],
        network_metadata: wrap('NetworkMetadata', '1.0', { physnets: [], tunneled: false }),
        socket: id,
      }),
    ),
  });
const pciStats = (host) =>
  wrap('PciDevicePoolList', '1.1', {
    objects: range(0, 4).map((pool) =>
      wrap('PciDevicePool', '1.1', {
        product_id: '1515',
        vendor_id: '8086',
        numa_node: pool % 2,
        count: 1 + ((host + pool) % 8),
        tags: { dev_type: 'type-VF', physical_network: `net${pool}`, remote_managed: 'false' },
      }),
    ),
  });
const cpuInfo = JSON.stringify({
  arch: 'x86_64',
  model: 'EPYC-Rome',
  vendor: 'AMD',
  topology: { cells: 2, sockets: 1, cores: 32, threads: 2 },
  features: range(0, 130).map((at) => `feature${at}`),
});
/** As Python writes it. */
const stats = (host) =>
  JSON.stringify({
    failed_builds: '0',
    num_instances: '20',
    num_vm_active: '20',
    num_task_None: '20',
    ...Object.fromEntries(
      range(0, 5).map((at) => [`num_proj_${createHash('md5').update(`${host}-${at}`).digest('hex')}`, '4']),
    ),
    io_workload: '0',
    uptime: ' 13:02:38 up 35 min,  0 user,  load average: 5.79, 7.76, 8.09\n',
  }).replaceAll(/([:,])"/g, '$1 "');

async function insert(admin, table, rows) {
  for (let at = 0; at < rows.length; at += 1_000) {
    const part = rows.slice(at, at + 1_000);
    await admin.query(`INSERT INTO ${table} (${Object.keys(part[0]).map((key) => `\`${key}\``)}) VALUES ?`, [
      part.map(Object.values),
    ]);
  }
}

async function fill(admin) {
  const [kept] = await admin.query('SHOW DATABASES LIKE ?', [`${name}_api`]);
  if (kept.length > 0) return;
  const fixture = readFileSync(new URL('../nova/nova-26.sql', import.meta.url), 'utf8');
  await admin.query(fixture.replaceAll('nova_api', `${name}_api`).replaceAll('nova_cell1', CELLS[0]));
  const api = `${name}_api`;
  await admin.query('SET FOREIGN_KEY_CHECKS = 0');
  for (const table of ['host_mappings', 'aggregate_hosts', 'aggregate_metadata', 'aggregates'])
    await admin.query(`DELETE FROM ${api}.${table}`);
  await admin.query(`CREATE DATABASE ${CELLS[1]} DEFAULT CHARACTER SET utf8mb3`);
  for (const table of ['services', 'compute_nodes', 'instances', 'alembic_version']) {
    await admin.query(`DELETE FROM ${CELLS[0]}.${table}`);
    await admin.query(`CREATE TABLE ${CELLS[1]}.${table} LIKE ${CELLS[0]}.${table}`);
  }
  await admin.query(`UPDATE ${api}.cell_mappings SET database_connection = ? WHERE id = 2`, [urlOf(CELLS[0])]);
  await insert(admin, `${api}.cell_mappings`, [
    {
      id: 3,
      uuid: SECOND_CELL,
      name: 'cell2',
      transport_url: 'rabbit://',
      database_connection: urlOf(CELLS[1]),
      disabled: 0,
    },
  ]);
  const stamp = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const perCell = NODES / CELLS.length;
  for (const [cell, database] of CELLS.entries()) {
    const hosts = range(0, perCell).map((at) => `compute-${cell}-${at}`);
    await insert(
      admin,
      `${api}.host_mappings`,
      hosts.map((host) => ({ cell_id: 2 + cell, host })),
    );
    await insert(
      admin,
      `${database}.services`,
      hosts.map((host) => ({
        created_at: stamp,
        host,
        binary: 'nova-compute',
        topic: 'compute',
        report_count: 1,
        disabled: 0,
        deleted: 0,
        last_seen_up: stamp,
        forced_down: 0,
        version: 64,
        uuid: randomUUID(),
        updated_at: stamp,
      })),
    );
    for (let at = 0; at < hosts.length; at += 500) {
      await insert(
        admin,
        `${database}.compute_nodes`,
        hosts.slice(at, at + 500).map((host, index) => ({
          created_at: stamp,
          updated_at: stamp,
          vcpus: 128,
          memory_mb: 524_288,
          local_gb: 4_000,
          vcpus_used: 40,
          memory_mb_used: 100_000,
          local_gb_used: 400,
          hypervisor_type: 'QEMU',
          hypervisor_version: 6_002_000,
          cpu_info: cpuInfo,
          disk_available_least: 3_600,
          free_ram_mb: 424_288,
          free_disk_gb: 3_600,
          current_workload: 0,
          running_vms: 20,
          hypervisor_hostname: host,
          deleted: 0,
          host_ip: '10.0.0.1',
          supported_instances: JSON.stringify(ARCHITECTURES.map((arch) => [arch, 'kvm', 'hvm'])),
          pci_stats: JSON.stringify(pciStats(at + index)),
          metrics: '[]',
          stats: stats(host),
          numa_topology: JSON.stringify(numaTopology((at + index) % 60)),
          host,
          ram_allocation_ratio: 1,
          cpu_allocation_ratio: 4,
          disk_allocation_ratio: 1,
          uuid: randomUUID(),
          mapped: 1,
        })),
      );
    }
    const [live, dead] = [INSTANCES / CELLS.length, INSTANCES / CELLS.length / 4];
    for (let at = 0; at < live + dead; at += 10_000) {
      const rows = range(at, Math.min(10_000, live + dead - at)).map((number) => ({
        id: number + 1,
        created_at: '2026-01-01 00:00:00',
        updated_at: '2026-01-02 00:00:00',
        uuid: randomUUID(),
        host: hosts[number % perCell],
        node: hosts[number % perCell],
        deleted: number < live ? 0 : number + 1,
        vm_state: 'active',
        cleaned: 0,
        hidden: 0,
        memory_mb: 4_096,
        vcpus: 2,
        project_id: createHash('md5')
          .update(`p${number % 1_000}`)
          .digest('hex'),
        display_name: `instance-${number}`,
      }));
      await insert(admin, `${database}.instances`, rows);
    }
    await admin.query(`ANALYZE TABLE ${database}.instances, ${database}.compute_nodes, ${database}.services`);
  }
}

/** What a cloud of this size writes: each node every 60 s, each service every 10 s, 20 instances a second. */
async function traffic() {
  process.on('disconnect', () => process.exit(0));
  const admin = await connectAdmin();
  await admin.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const share = (every) => Math.ceil(NODES / CELLS.length / every / 2);
  const at = [0, 0];
  for (;;) {
    const began = Date.now();
    for (const [cell, database] of CELLS.entries()) {
      const hosts = (count, offset) =>
        range(offset, count).map((number) => `compute-${cell}-${number % (NODES / CELLS.length)}`);
      await admin.query(
        `UPDATE ${database}.compute_nodes SET updated_at = UTC_TIMESTAMP(),
         stats = REGEXP_REPLACE(stats, '"uptime": "[^"]*"', ?) WHERE host IN (?) AND deleted = 0`,
        [`"uptime": "up ${Date.now()}"`, hosts(share(60), at[0])],
      );
      await admin.query(
        `UPDATE ${database}.services SET updated_at = UTC_TIMESTAMP(), last_seen_up = UTC_TIMESTAMP(),
         report_count = report_count + 1 WHERE host IN (?) AND deleted = 0`,
        [hosts(share(10), at[1])],
      );
      await admin.query(
        `UPDATE ${database}.instances SET updated_at = UTC_TIMESTAMP(), task_state = NULL WHERE id IN (?)`,
        [range(0, 5).map(() => 1 + Math.floor((Math.random() * INSTANCES) / CELLS.length))],
      );
    }
    at[0] += share(60);
    at[1] += share(10);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + 500 - Date.now())));
  }
}

const cpuOfServer = () => {
  const pid = Number(process.env.MARIADB_PID ?? 0);
  if (pid === 0) return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const mib = (bytes) => Math.round(bytes / 2 ** 20);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure() {
  const { PolledNovaFacts } = require(`${DIST}/nova/cells/polled-nova-facts.js`);
  const { novaDatabaseOf } = require(`${DIST}/nova/conf/database-url.js`);
  const { HostDirectory } = require(`${DIST}/scheduling-rules/host-state/host-directory.js`);
  const admin = await connectAdmin();
  const filling = performance.now();
  await fill(admin);
  console.log(`databases: ${Math.round((performance.now() - filling) / 1000)} s`);
  if (options.fill) return admin.end();
  const log = { info: console.log, warn: console.log, error: console.error };
  const facts = new PolledNovaFacts({
    apiDatabase: novaDatabaseOf(urlOf(`${name}_api`)).database,
    templateBase: null,
    ratios: { cpu: 4, ram: 1, disk: 1 },
    log,
  });
  globalThis.gc?.();
  const memory = process.memoryUsage();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await facts.start();
  const spent = process.cpuUsage(cpu);
  console.log(
    `start: ${((performance.now() - began) / 1000).toFixed(1)} s, CPU ${((spent.user + spent.system) / 1e6).toFixed(1)} s, ` +
      `longest hold of the event loop ${Math.round(delay.max / 1e6)} ms, services ${facts.status().services}`,
  );
  const directory = new HostDirectory();
  let version = 0;
  const follow = () => {
    const changes = facts.changesSince(version);
    ({ version } = changes);
    directory.replaceServices(changes.serviceIds, changes.services);
    for (const { id, lastSeenUpMs } of changes.heartbeats ?? []) directory.touch(id, lastSeenUpMs);
    directory.replaceAggregates(changes.aggregateIds, changes.aggregates);
    return changes.services.length;
  };
  follow();
  globalThis.gc?.();
  const now = process.memoryUsage();
  console.log(`memory: heap ${mib(now.heapUsed - memory.heapUsed)} MiB, resident ${mib(now.rss)} MiB`);

  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), { env: { ...process.env, TRAFFIC: name } });
  await pause(20_000);
  delay.reset();
  const from = { at: performance.now(), cpu: process.cpuUsage(), server: cpuOfServer() };
  let [changed, decisions] = [0, 0];
  while (performance.now() - from.at < SECONDS * 1000) {
    await facts.refresh();
    changed += follow();
    decisions += 1;
    await pause(100);
  }
  const seconds = (performance.now() - from.at) / 1000;
  const used = process.cpuUsage(from.cpu);
  console.log(
    `refreshing: ${(((used.user + used.system) / 1e6 / seconds) * 100).toFixed(1)} % of a core ` +
      `(the database ${((cpuOfServer() - from.server) / 10 / seconds).toFixed(0)} %, with the traffic), ` +
      `${Math.round(changed / seconds)} changed services/s, ${decisions} decisions, ` +
      `longest hold of the event loop ${Math.round(delay.max / 1e6)} ms`,
  );

  const waits = [];
  for (let at = 0; at < 40; at += 1) {
    const host = `compute-${at % 2}-${100 + at}`;
    const ram = Math.floor(Math.random() * 400_000);
    for (const end = performance.now() + Math.random() * 1_000; performance.now() < end;) {
      await pause(50);
      await facts.refresh();
      follow();
    }
    await admin.query(
      `UPDATE ${CELLS[at % 2]}.compute_nodes SET free_ram_mb = ?, updated_at = UTC_TIMESTAMP() WHERE host = ?`,
      [ram, host],
    );
    const committed = performance.now();
    let begunAt;
    do {
      await pause(5 + Math.random() * 90);
      begunAt = performance.now();
      await facts.refresh();
      follow();
    } while (directory.findService(host).hosts[0].report.freeRamMb !== ram);
    waits.push(begunAt - committed);
  }
  waits.sort((one, other) => one - other);
  console.log(
    `from commit to the start of the first decision that sees it: median ${Math.round(waits[20])} ms, longest ${Math.round(waits[39])} ms`,
  );
  const beats = [];
  for (let at = 0; at < 8; at += 1) {
    const host = `compute-0-${at}`;
    await admin.query(`UPDATE ${CELLS[0]}.services SET disabled = 1 - disabled WHERE host = ?`, [host]);
    const before = directory.findService(host).service.disabled;
    const committed = performance.now();
    let begunAt;
    do {
      await pause(20);
      begunAt = performance.now();
      await facts.refresh();
      follow();
    } while (directory.findService(host).service.disabled === before);
    beats.push(begunAt - committed);
  }
  console.log(`services: longest ${Math.round(Math.max(...beats))} ms`);
  globalThis.gc?.();
  console.log(
    `memory after: heap ${mib(process.memoryUsage().heapUsed)} MiB, resident ${mib(process.memoryUsage().rss)} MiB`,
  );
  console.log(JSON.stringify(facts.status().cells.map(({ state, nodes, instances }) => [state, nodes, instances])));
  child.kill();
  await facts.stop();
  if (options.keep === undefined)
    for (const database of [`${name}_api`, ...CELLS]) await admin.query(`DROP DATABASE ${database}`);
  await admin.end();
}

if (process.env.TRAFFIC !== undefined) await traffic();
else if (NODE_FLAGS.every((flag) => process.execArgv.includes(flag))) await measure();
else {
  // With the flags of the service.
  const words = [...NODE_FLAGS, ...process.argv.slice(1)];
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status;
}
