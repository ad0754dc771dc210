// `node test/bench/scheduler.mjs [--hosts 10000] [--database mysql|sqlite] [--reported]`: measures the cost of a decision
// in a cloud with 300 host aggregates and ten instances on each host. It measures dry runs with the default filters and
// weighers, with and without a limit of hosts, and batches of a thousand instances that are decided and claimed. With
// --reported every host reports its instances; otherwise all hosts are known by their inventories. The CPU is that of
// the service.
import { parseArgs } from 'node:util';
import { startLoaded } from './loaded-service.mjs';
import { Client, cpuMs, median, rssMib } from './meter.mjs';
import { world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    database: { type: 'string', default: 'mysql' },
    reported: { type: 'boolean', default: false },
  },
});
const HOSTS = Number(options.hosts);
const AGGREGATES = 300;
const INSTANCES_PER_HOST = 10;
const FLAVOR = { name: 'm1.small', vcpus: 2, memory_mb: 2048, root_gb: 10 };
const nameOf = (host) => made.providers[host % HOSTS].name;
const REQUEST = { flavor: FLAVOR, project_id: 'bench', user_id: 'bench' };

const made = world('flat', HOSTS, options.reported ? 0 : INSTANCES_PER_HOST);
const { service, end } = await startLoaded(options.database, made);
const client = new Client(service.url, { connections: 8 });
try {
  console.log(
    `${HOSTS} hosts, ${made.consumers.length} consumers, ${options.database}, ${rssMib(service.pid).toFixed(0)} MiB`,
  );
  await aggregate();
  if (options.reported) await report();
  const named = await client.ask('POST', '/scheduler/server_groups', { name: 'bench', policy: 'anti-affinity' });
  const { uuid: group } = JSON.parse(named.text());
  const dry = { ...REQUEST, num_instances: 1, dry_run: true };
  await measure('dry run, default bound, explain none', 100, { ...dry, explain: 'none' });
  await measure('dry run, default bound, explain first', 100, dry);
  await measure('dry run, no bound (group), explain none', 40, { ...dry, explain: 'none', instance_group: group });
  await measure('dry run, no bound (group), explain first', 40, { ...dry, instance_group: group });
  await measure('one instance, claimed', 100, { ...REQUEST, num_instances: 1, explain: 'none' });
  for (let run = 0; run < 3; run += 1) await batch(1000);
  console.log(`afterwards ${rssMib(service.pid).toFixed(0)} MiB`);
} finally {
  client.close();
  await end();
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

async function report() {
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < HOSTS) {
        const host = next;
        next += 1;
        await client.ask('PUT', `/scheduler/hosts/${nameOf(host)}/${nameOf(host)}`, reportOf(host));
      }
    }),
  );
  console.log(`${HOSTS} first reports in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

function reportOf(host) {
  const hex = host.toString(16).padStart(8, '0');
  const instances = Array.from({ length: INSTANCES_PER_HOST }, (_, at) => ({
    uuid: `${hex}-0000-4000-8000-${at.toString(16).padStart(12, '0')}`,
    flavor: 'm1.small',
    project_id: 'bench',
  }));
  return {
    uuid: made.providers[host].uuid,
    service_version: 70,
    hypervisor: { type: 'QEMU', version: 6_002_000, hostname: nameOf(host), cpu_info: { arch: 'x86_64' } },
    vcpus_total: 32,
    vcpus_used: host % 20,
    memory_mb: 131_072,
    free_ram_mb: 100_000 - host,
    local_gb: 2_000,
    free_disk_gb: 1_500,
    supported_instances: [['x86_64', 'kvm', 'hvm']],
    instances,
  };
}

async function measure(name, count, body) {
  for (let warm = 0; warm < 20; warm += 1) await client.ask('POST', '/scheduler/select_destinations', body);
  const times = [];
  const before = cpuMs([service.pid]);
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    await client.ask('POST', '/scheduler/select_destinations', body);
    times.push(performance.now() - began);
  }
  const cpu = (cpuMs([service.pid]) - before) / count;
  console.log(`  ${name.padEnd(44)} median ${median(times).toFixed(1)} ms  cpu ${cpu.toFixed(1)} ms`);
}

async function batch(count) {
  const before = cpuMs([service.pid]);
  const began = performance.now();
  await client.ask('POST', '/scheduler/select_destinations', { ...REQUEST, num_instances: count, explain: 'none' });
  const spent = performance.now() - began;
  const cpu = cpuMs([service.pid]) - before;
  console.log(
    `  ${`batch of ${count}, decided and claimed`.padEnd(44)} ${Math.round((count * 1000) / spent)} per s  ` +
      `cpu ${(cpu / count).toFixed(2)} ms each`,
  );
}
