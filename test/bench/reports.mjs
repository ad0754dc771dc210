// `node test/bench/reports.mjs [--hosts 10000] [--database mysql|sqlite] [--world flat|nested] [--only TEXT] [--random]`: measures
// reports in a cloud with 300 host aggregates, 30 flavors and ten consumers on each host; half of the hosts send
// reports. Hosts have one of 20 sets of 40 traits; with `--random` each flat host has a set of its own. Each view is requested repeatedly, and a host changes before each request, as in a cloud in use. The CPU is
// that of the service; the hold is the longest of the event loop (waits-holds.mjs).
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLoaded } from './loaded-service.mjs';
import { Client, cpuMs, median, rssMib } from './meter.mjs';
import { world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    database: { type: 'string', default: 'mysql' },
    world: { type: 'string', default: 'flat' },
    rounds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    random: { type: 'boolean', default: false },
  },
});
const HOSTS = Number(options.hosts);
const ROUNDS = Number(options.rounds);
const AGGREGATES = 300;
const FLAVORS = 30;
/** Flavors that fit on no host, whose cause is found. */
const unfit = Array.from({ length: 5 }, (_, at) => `unfit-${at}`);
const CONSUMERS_PER_HOST = 10;
const PROFILES = 20;
/** Each change adds or removes the trait: writing an existing value would change nothing. */
const TOGGLED = 'HW_CPU_X86_SGX';

const made = world(options.world, HOSTS, CONSUMERS_PER_HOST);
// Hosts of one model have the same traits.
const profiles = new Map();
for (const [id, trait] of made.traits) if (id <= PROFILES) profiles.set(id, [...(profiles.get(id) ?? []), trait]);
if (options.world === 'flat' && !options.random) {
  made.traits = made.providers.flatMap(({ id }) => profiles.get((id % PROFILES) + 1).map((trait) => [id, trait]));
}
const roots = made.providers.filter(({ parent }) => parent === undefined || parent === null);
const env = { BERTH_DEFAULT__SERVICE_DOWN_TIME: '3600' };
const nodeArgs = ['--import', new URL('./waits-holds.mjs', import.meta.url).href];
const settingsOf = () => ({ nodeArgs, channel: true });
const { service, end } = await startLoaded(options.database, made, { env, settingsOf });
const client = new Client(service.url, { connections: 4 });
try {
  await describe();
  console.log(
    `${HOSTS} hosts, ${made.providers.length} providers, ${made.consumers.length} consumers, ` +
      `${options.database}, ${rssMib(service.pid).toFixed(0)} MiB`,
  );
  const some = roots[Math.floor(HOSTS / 2)].uuid;
  await measure('nothing (GET /healthz)', '/healthz');
  // The first request computes the stranded amounts of every host, and how many of each flavor fit.
  await measure('flavors', '/reports/flavors');
  await measure('capacity, total', '/reports/capacity');
  await measure('capacity by zone', '/reports/capacity?group_by=availability_zone');
  await measure('capacity by host aggregate', '/reports/capacity?group_by=host_aggregate');
  await measure('capacity by placement aggregate', '/reports/capacity?group_by=placement_aggregate');
  await measure('capacity by trait', '/reports/capacity?group_by=trait');
  await measure('hosts, a page of 50', '/reports/hosts?limit=50');
  await measure('hosts, a page of 1000', '/reports/hosts');
  await measure('hosts by name', '/reports/hosts?name=77&limit=50');
  await measure('hosts by use of VCPU', '/reports/hosts?sort=-use:VCPU&limit=50');
  await measure('hosts by instances', '/reports/hosts?sort=-instances&limit=50');
  await measure('hosts with room for a flavor', '/reports/hosts?flavor=flavor-3&limit=50');
  await measure('map by status', '/reports/map');
  await measure('map by use of VCPU', '/reports/map?resource_class=VCPU');
  await measure('map by flavor', '/reports/map?flavor=flavor-3');
  await measure('one host', `/reports/hosts/${some}`);
  await registerUnfit();
  await measure('flavors that fit nowhere', `/reports/flavors?${unfit.map((id) => `flavor=${id}`).join('&')}`);
  console.log(`afterwards ${rssMib(service.pid).toFixed(0)} MiB`);
} finally {
  client.close();
  await end();
}

/** Creates host aggregates, flavors, and reports of every second host. */
async function describe() {
  const nameOf = (host) => roots[host % roots.length].name;
  const each = Math.floor(HOSTS / AGGREGATES);
  for (let number = 0; number < AGGREGATES; number += 1) {
    const hosts = Array.from({ length: each }, (_, at) => nameOf(number * each + at));
    await client.ask('POST', '/scheduler/host_aggregates', {
      name: `aggregate-${number}`,
      metadata: { availability_zone: `zone-${number % 3}` },
      hosts,
    });
  }
  for (let at = 0; at < FLAVORS; at += 1) {
    const size = { vcpus: 1 + (at % 8), memory_mb: 1024 * (1 + (at % 16)) };
    await client.ask('POST', '/scheduler/flavors', { id: `flavor-${at}`, name: `flavor-${at}`, ...size });
  }
  for (let host = 0; host < HOSTS; host += 2) {
    const { uuid, name } = roots[host];
    const instances = Array.from({ length: CONSUMERS_PER_HOST }, (_, at) => ({
      uuid: `${host.toString(16).padStart(8, '0')}-0000-4000-8000-${at.toString(16).padStart(12, '0')}`,
      flavor: 'flavor-1',
      project_id: 'bench',
    }));
    await client.ask('PUT', `/scheduler/hosts/${name}/${name}`, { uuid, vcpus_total: 32, instances });
  }
}

async function registerUnfit() {
  for (const [at, id] of unfit.entries()) {
    const flavor = {
      id,
      name: id,
      vcpus: 100_000 + at,
      memory_mb: 1024,
      extra_specs: { 'trait:HW_CPU_X86_AVX2': 'required' },
    };
    await client.ask('POST', '/scheduler/flavors', flavor);
  }
}

async function measure(name, path) {
  if (!name.includes(options.only)) return;
  service.process.send('begin');
  const cold = cpuMs([service.pid]);
  while ((await client.ask('GET', path)).text().includes('"state":"computing"')) await pause(20);
  const first = cpuMs([service.pid]) - cold;
  for (let warm = 0; warm < 5; warm += 1) await client.ask('GET', path);
  const times = [];
  let bytes = 0;
  let cpu = 0;
  for (let at = 0; at < ROUNDS; at += 1) {
    await change(at);
    await client.ask('GET', '/reports/hosts?limit=1');
    const before = cpuMs([service.pid]);
    const began = performance.now();
    const answer = await client.ask('GET', path);
    times.push(performance.now() - began);
    bytes = answer.text().length;
    cpu += cpuMs([service.pid]) - before;
  }
  service.process.send('end');
  const [hold] = await once(service.process, 'message');
  console.log(
    `  ${name.padEnd(34)} first ${first.toFixed(0).padStart(5)} ms  median ${median(times).toFixed(1).padStart(6)} ms  ` +
      `cpu ${(cpu / ROUNDS).toFixed(1).padStart(6)} ms  ${(bytes / 1024).toFixed(0).padStart(5)} KiB  ` +
      `hold ${hold.cpuMs.toFixed(1).padStart(5)} ms${hold.by === '' ? '' : `  ${hold.by}`}`,
  );
}

/** Changes one tree. */
async function change(at) {
  const { uuid } = roots[(at * 7919) % roots.length];
  const traits = await client.ask('GET', `/resource_providers/${uuid}/traits`);
  const { traits: names, resource_provider_generation: generation } = JSON.parse(traits.text());
  const others = names.filter((name) => name !== TOGGLED);
  const next = others.length < names.length ? others : [...names, TOGGLED];
  await client.ask('PUT', `/resource_providers/${uuid}/traits`, {
    traits: next,
    resource_provider_generation: generation,
  });
}
