// Measures the cost of decisions in a cloud with 300 host aggregates and ten instances on each host, with the default
// filters and weighers. Needs a build.
//
//   node test/bench/scheduler.mjs [--hosts 10000] [--database mysql|sqlite] [--reported] [--children 0|2|9]
//     [--classes 1] [--reports-per-second 0] [--nova]
//
// Prints medians, the 99th percentile and the CPU of the service for each request: dry runs of known request classes, first and
// second questions of a class, requests that ask every host, claims one by one, by 8 clients, and in batches of a thousand; then
// the memory. `--reported`: every host reports its instances first; otherwise hosts are known by their inventories.
// `--children`: each host has two NUMA nodes as child providers, or these and seven GPUs. `--classes N`: N different flavors in turn.
// `--reports-per-second N`: hosts report in the background; their CPU counts. `--nova`: also the time of nova's own
// filters and weighers for as many hosts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startLoaded } from './loaded-service.mjs';
import { Client, cpuMs, median, rssMib } from './meter.mjs';
import { world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    database: { type: 'string', default: 'mysql' },
    reported: { type: 'boolean', default: false },
    children: { type: 'string', default: '0' },
    classes: { type: 'string', default: '1' },
    'reports-per-second': { type: 'string', default: '0' },
    nova: { type: 'boolean', default: false },
  },
});
const [HOSTS, CLASSES, REPORTS] = ['hosts', 'classes', 'reports-per-second'].map((name) => Number(options[name]));
const AGGREGATES = 300;
const INSTANCES_PER_HOST = 10;
const CLIENTS = 8;
/** Each number is a flavor of its own, and so a request class. */
const flavor = (number) => ({ name: `flavor-${number}`, vcpus: 2, memory_mb: 2048 + number, root_gb: 10 });
const request = (number) => ({
  flavor: flavor(number),
  project_id: 'bench',
  user_id: 'bench',
  num_instances: 1,
  explain: 'none',
});
const inTurn = (at) => request(1 + (at % CLASSES));

const WORLDS = { 0: 'flat', 2: 'numa', 9: 'devices' };
const made = world(WORLDS[options.children], HOSTS, options.reported ? 0 : INSTANCES_PER_HOST);
const roots = made.providers.filter(({ parent }) => parent === null);
const nameOf = (host) => roots[host % HOSTS].name;
const { service, readySeconds, end } = await startLoaded(options.database, made);
const client = new Client(service.url, { connections: CLIENTS });
const reporter = new Client(service.url, { connections: CLIENTS });
try {
  const cloud = `${HOSTS} hosts with ${options.children} child providers each, ${made.consumers.length} consumers`;
  console.log(`${cloud}, ${options.database}: ready after ${readySeconds.toFixed(1)} s, ${memory()}`);
  console.log(`${CLASSES} request classes in turn, ${REPORTS} reports per second`);
  await aggregate();
  if (options.reported) await reportAll();
  const first = await spending(() => select({ ...request(0), dry_run: true }));
  console.log(`  first decision after ${(first.spent / 1000).toFixed(1)} s`);
  await decisions();
} finally {
  client.close();
  reporter.close();
  await end();
}
if (options.nova) {
  const script = fileURLToPath(new URL('nova-scheduler-code.py', import.meta.url));
  process.exitCode = spawnSync('/usr/bin/python3', [script, String(HOSTS)], { stdio: 'inherit' }).status;
}

async function decisions() {
  const dry = { dry_run: true };
  await questions(CLASSES > 1 ? CLASSES : 20);
  const { uuid: group } = await json('POST', '/scheduler/server_groups', { name: 'bench', policy: 'anti-affinity' });
  const background = reportInBackground();
  await measure('known class, dry', 200, (at) => ({ ...inTurn(at), ...dry }));
  await measure('known class, dry, explain first', 100, (at) => ({ ...inTurn(at), ...dry, explain: 'first' }));
  await measure('every host asked (server group), dry', 40, () => ({ ...request(0), ...dry, instance_group: group }));
  await measure('one instance, claimed', 200, inTurn);
  await clients(400);
  for (let run = 0; run < 3; run += 1) await batch(1000);
  await background();
  console.log(`afterwards ${memory()}; ${await classes()}`);
}

async function aggregate() {
  const size = Math.ceil(HOSTS / AGGREGATES);
  for (let number = 0; number < AGGREGATES; number += 1) {
    const hosts = Array.from({ length: size }, (_, at) => nameOf(number * size + at));
    const metadata = number < 3 ? { availability_zone: `zone-${number}` } : { [`key-${number}`]: 'value' };
    await client.ask('POST', '/scheduler/host_aggregates', {
      name: `aggregate-${number}`,
      metadata,
      hosts: [...new Set(hosts)],
    });
  }
}

async function reportAll() {
  const began = performance.now();
  await sharedBy(CLIENTS, HOSTS, (host) => report(client, host));
  console.log(`${HOSTS} first reports in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

function report(by, host, usedNow = 0) {
  return by.ask('PUT', `/scheduler/hosts/${nameOf(host)}/${nameOf(host)}`, reportOf(host % HOSTS, usedNow));
}

function reportOf(host, usedNow) {
  const hex = host.toString(16).padStart(8, '0');
  const instances = Array.from({ length: INSTANCES_PER_HOST }, (_, at) => ({
    uuid: `${hex}-0000-4000-8000-${at.toString(16).padStart(12, '0')}`,
    flavor: 'm1.small',
    project_id: 'bench',
  }));
  return {
    uuid: roots[host].uuid,
    service_version: 70,
    hypervisor: { type: 'QEMU', version: 6_002_000, hostname: nameOf(host), cpu_info: { arch: 'x86_64' } },
    vcpus_total: 32,
    vcpus_used: (host + usedNow) % 20,
    memory_mb: 131_072,
    free_ram_mb: 100_000 - host - usedNow,
    local_gb: 2_000,
    free_disk_gb: 1_500,
    supported_instances: [['x86_64', 'kvm', 'hvm']],
    instances,
  };
}

/** One report after the other, each with other amounts; returns a function that ends them. */
function reportInBackground() {
  if (REPORTS === 0) return () => undefined;
  const began = performance.now();
  let sent = 0;
  const open = new Set();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * REPORTS) / 1000);
    for (; sent < due; sent += 1) {
      const each = report(reporter, sent, 1 + (sent % 7)).finally(() => open.delete(each));
      open.add(each);
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    await Promise.all(open);
    const seconds = (performance.now() - began) / 1000;
    console.log(`  ${(sent / seconds).toFixed(0)} reports per second were answered meanwhile`);
  };
}

function select(body) {
  return client.ask('POST', '/scheduler/select_destinations', body);
}

/** A class is kept from its second question within a minute on. */
async function questions(count) {
  const [first, second] = [[], []];
  for (let at = 0; at < count; at += 1)
    for (const spent of [first, second])
      spent.push(await spending(() => select({ ...request(1 + at), dry_run: true })));
  printTimes('first question of a class, dry', first);
  printTimes('second question of a class, dry', second);
}

async function measure(name, count, bodyOf) {
  const spent = [];
  for (let at = 0; at < count; at += 1) spent.push(await spending(() => select(bodyOf(at))));
  printTimes(name, spent);
}

function printTimes(name, all) {
  const times = all.map(({ spent }) => spent).sort((one, other) => one - other);
  const cpu = all.reduce((sum, each) => sum + each.cpu, 0) / all.length;
  const slow = times[Math.ceil(times.length * 0.99) - 1];
  print(name, `median ${median(times).toFixed(1)} ms  p99 ${slow.toFixed(1)} ms  cpu ${cpu.toFixed(1)} ms`);
}

async function clients(count) {
  const { spent, cpu } = await spending(() => sharedBy(CLIENTS, count, (at) => select(inTurn(at))));
  const each = `${Math.round((count * 1000) / spent)} per s  cpu ${(cpu / count).toFixed(1)} ms each`;
  print(`one instance each, ${CLIENTS} clients, claimed`, each);
}

async function batch(count) {
  const { spent, cpu } = await spending(() => select({ ...request(0), num_instances: count }));
  const each = `${Math.round((count * 1000) / spent)} per s  cpu ${(cpu / count).toFixed(2)} ms each`;
  print(`batch of ${count}, decided and claimed`, each);
}

async function spending(work) {
  const [before, began] = [cpuMs([service.pid]), performance.now()];
  await work();
  return { spent: performance.now() - began, cpu: cpuMs([service.pid]) - before };
}

async function sharedBy(workers, count, work) {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, run));
}

async function classes() {
  const text = (await client.ask('GET', '/metrics')).text();
  const of = (name) => Number(new RegExp(`^${name}(?:\\{\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  const mib = (of('berth_request_classes_bytes') / 2 ** 20).toFixed(0);
  return `${of('berth_request_classes')} request classes, about ${mib} MiB`;
}

async function json(method, path, body) {
  return JSON.parse((await client.ask(method, path, body)).text());
}

function memory() {
  return `${rssMib(service.pid).toFixed(0)} MiB`;
}

function print(name, figures) {
  console.log(`  ${name.padEnd(40)} ${figures}`);
}
