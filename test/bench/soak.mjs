// `node test/bench/soak.mjs [--minutes 60] [--rate 100] [--hosts 1000] [--database mysql|sqlite] [--out folder]`: a mixed load
// at a steady rate, and the service's memory over time. Three of four requests are what compute services send
// continuously. The others claim and release, search, explain, decide, report hosts, change inventories and traits, and
// simulate with different configurations. The load releases as much as it claims, so any growth is the service's. It
// prints a line per minute, and at the end the memory by quarters, the answers by status, and a plot (soak.svg) with
// its figures (soak.csv).
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLoaded } from './loaded-service.mjs';
import { Client, cpuMs } from './meter.mjs';
import { plot } from './plot.mjs';
import { dice, world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '100' },
    hosts: { type: 'string', default: '1000' },
    database: { type: 'string', default: 'mysql' },
    out: { type: 'string', default: '.' },
  },
});
const MINUTES = Number(options.minutes);
const CONSUMERS_MAX = 2_000;
const INSTANCES_MAX = 300;
const TICK_MS = 50;
const OPEN_MAX = 200;

let memoryFile;
const made = world('flat', Number(options.hosts));
const { service, end } = await startLoaded(options.database, made, {
  settingsOf: (folder) => {
    memoryFile = join(folder, 'memory.csv');
    const probe = fileURLToPath(new URL('memory-probe.mjs', import.meta.url));
    return { nodeArgs: ['--import', probe], env: { BERTH_MEMORY_FILE: memoryFile } };
  },
});
const client = new Client(service.url, { connections: 32 });
const random = dice(20261122);
const live = [];
const instances = [];
const statuses = new Map();
let failures = 0;
let open = 0;
let skipped = 0;

const pick = (list) => list[Math.floor(random() * list.length)];
const takeOut = (list) => {
  const at = Math.floor(random() * list.length);
  const [one] = list.splice(at, 1, list.at(-1));
  list.pop();
  return one;
};
const host = () => pick(made.providers);
const flavor = () => ({ name: 'soak', vcpus: 1 + Math.floor(random() * 3), memory_mb: 512, root_gb: 1 });
const owner = { project_id: 'soak', user_id: 'soak' };
const resources = () => `VCPU:${1 + Math.floor(random() * 4)},MEMORY_MB:${256 * (1 + Math.floor(random() * 8))}`;
const read = (rest) => () => client.send('GET', `/resource_providers/${host().uuid}/${rest}`);

/** Weight, name and request. */
const MIX = [
  [30, 'provider allocations', read('allocations')],
  [8, 'provider inventories', read('inventories')],
  [8, 'provider traits', read('traits')],
  [6, 'provider aggregates', read('aggregates')],
  [6, 'in_tree', () => client.send('GET', `/resource_providers?in_tree=${host().uuid}`)],
  [10, 'search', () => client.send('GET', `/allocation_candidates?resources=${resources()}&limit=100`)],
  [1, 'search, no limit', () => client.send('GET', `/allocation_candidates?resources=${resources()}`)],
  [1, 'explain', () => client.send('GET', `/allocation_candidates/explain?resources=${resources()}&limit=10`)],
  [10, 'claim', claim],
  [10, 'release', release],
  [3, 'dry run', () => client.send('POST', '/scheduler/explain', { ...owner, num_instances: 1, flavor: flavor() })],
  [2, 'select', select],
  [2, 'instance released', releaseInstance],
  [1, 'host report', reportHost],
  [1, 'inventory', changeInventory],
  [1, 'simulate', simulate],
];
const WEIGHT = MIX.reduce((sum, [weight]) => sum + weight, 0);

try {
  const began = performance.now();
  const cpuBefore = cpuMs([service.pid]);
  const endMs = began + MINUTES * 60_000;
  let sent = 0;
  let minute = 1;
  while (performance.now() < endMs && service.process.exitCode === null) {
    const due = ((performance.now() - began) / 1000) * Number(options.rate);
    for (; sent < due; sent += 1) {
      if (open < OPEN_MAX) void ask();
      else skipped += 1;
    }
    if (performance.now() - began > minute * 60_000) {
      const [, rss, heap] = samples().at(-1) ?? [];
      console.log(`minute ${minute}: rss ${rss} MiB, heap ${heap} MiB, ${sent} sent, ${live.length} live`);
      minute += 1;
    }
    await new Promise((resume) => setTimeout(resume, TICK_MS));
    // Timers run before sockets. The client learns of connections that the service closed one turn later, or two turns
    // later if an answer precedes the end.
    for (let turn = 1; turn <= 2; turn += 1) await new Promise((resume) => setImmediate(resume));
  }
  while (open > 0) await new Promise((resume) => setTimeout(resume, TICK_MS));
  conclude(sent, cpuMs([service.pid]) - cpuBefore);
} finally {
  client.close();
  await end();
}

async function ask() {
  let drawn = random() * WEIGHT;
  const [, name, send] = MIX.find(([weight]) => (drawn -= weight) < 0) ?? MIX[0];
  open += 1;
  try {
    const { status } = await send();
    const key = `${name} ${status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  } catch (error) {
    failures += 1;
    const { code = '-', message } = error;
    console.log(`${new Date().toISOString()}  ${name} got no answer: ${code} ${message}`);
  } finally {
    open -= 1;
  }
}

async function claim() {
  if (live.length >= CONSUMERS_MAX) return release();
  const consumer = randomUUID();
  const answer = await client.send('PUT', `/allocations/${consumer}`, {
    allocations: { [host().uuid]: { resources: { VCPU: 1, MEMORY_MB: 64, DISK_GB: 1 } } },
    ...owner,
    consumer_generation: null,
  });
  if (answer.status === 204) live.push(consumer);
  return answer;
}

function release() {
  if (live.length === 0) return claim();
  return client.send('DELETE', `/allocations/${takeOut(live)}`);
}

async function select() {
  if (instances.length >= INSTANCES_MAX) return releaseInstance();
  const uuid = randomUUID();
  const body = { ...owner, num_instances: 1, instances: [uuid], flavor: flavor() };
  const answer = await client.send('POST', '/scheduler/select_destinations', body);
  if (answer.status === 200) instances.push(uuid);
  return answer;
}

function releaseInstance() {
  if (instances.length === 0) return select();
  return client.send('DELETE', `/scheduler/instances/${takeOut(instances)}`);
}

function reportHost() {
  const { name, uuid } = host();
  const hypervisor = { type: 'QEMU', version: 8_002_000 };
  const report = { uuid, hypervisor, vcpus_total: 32, memory_mb: 131_072, local_gb: 2_000 };
  return client.send('PUT', `/scheduler/hosts/${name}/${name}`, report);
}

async function changeInventory() {
  const path = `/resource_providers/${host().uuid}/inventories`;
  const shown = JSON.parse((await client.send('GET', path)).text());
  shown.inventories.DISK_GB.reserved = Math.floor(random() * 10);
  return client.send('PUT', path, shown);
}

function simulate() {
  return client.send('POST', '/scheduler/simulate', {
    config: { filter_scheduler: { ram_weight_multiplier: random() } },
    hosts: [{ host: 'c1', node: 'c1', memory_mb: 65_536, free_ram_mb: 32_768, status: 'enabled' }],
    request: { num_instances: 1, flavor: flavor(), ...owner },
  });
}

function samples() {
  if (!existsSync(memoryFile)) return [];
  const lines = readFileSync(memoryFile, 'utf8').trim().split('\n');
  return lines.map((line) => line.split(',').map(Number));
}

function conclude(sent, cpu) {
  const rows = samples();
  for (const [name, count] of [...statuses].sort()) console.log(`  ${name.padEnd(30)} ${count}`);
  console.log(`${sent} requests, ${failures} without an answer, ${skipped} not sent as ${OPEN_MAX} were open`);
  console.log(`CPU ${(cpu / sent).toFixed(2)} ms a request; memory by quarters, MiB (least, mean, most):`);
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const part = rows.slice(Math.floor((quarter * rows.length) / 4), Math.floor(((quarter + 1) * rows.length) / 4));
    console.log(`  ${quarter + 1}: rss ${levels(part, 1)}; heap ${levels(part, 2)}; outside ${levels(part, 3)}`);
  }
  const series = ['rss', 'heap used', 'outside the heap'].map((name, at) => ({
    name: `${name}, MiB`,
    points: rows.map((row) => [row[0], row[at + 1]]),
  }));
  const title = `Memory over ${MINUTES} minutes at ${options.rate} requests per second, ${options.hosts} hosts`;
  writeFileSync(join(options.out, 'soak.svg'), plot({ title, xLabel: 'minutes', yLabel: 'MiB', series }));
  const head = 'minutes,rss,heap_used,external,array_buffers\n';
  writeFileSync(join(options.out, 'soak.csv'), head + rows.map((row) => row.join()).join('\n') + '\n');
}

function levels(rows, at) {
  const values = rows.map((row) => row[at] ?? 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return [Math.min(...values), mean, Math.max(...values)].map((value) => value.toFixed(0)).join(' / ');
}
