// The cloud of the console's suites: three zones, one nearly full; Windows hosts, with neighbours that have no system
// metadata and can receive Windows instances; trees of NUMA cells, network devices and GPUs; a shared disk pool; hosts
// that are disabled, forced down, silent, or smaller than their usage by unreported consumers; instances, and requests
// without a valid host.
import { createHash } from 'node:crypto';
import type { Client } from '../../client/src';
import { NoValidHost } from '../../client/src';

export const PROJECT = 'pier-9';
const OWNER = { project_id: PROJECT, user_id: 'harbour-master' };

/** The same name has the same uuid in every run, so screenshots stay the same. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`console/${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${String(at + 1).padStart(2, '0')}`);

const HARBOUR = [...numbered('tug', 10), ...numbered('mary-celeste', 2)];
/** Has GPUs: two with virtual GPUs, one for passthrough. */
const WITH_GPUS = 'lantern-01';
/** Has less capacity than usage. */
const OVER_FULL = 'raft-01';
/** Reported once, and never again. */
const SILENT = 'flying-dutchman';
const LAGOON = [...numbered('ferry', 6), ...numbered('titanic', 2), WITH_GPUS, OVER_FULL, SILENT];
const DOCK = numbered('barge', 4);
/** Reports, but is in no zone. */
const STRAY = 'driftwood-01';
const HOSTS = [...HARBOUR, ...LAGOON, ...DOCK, STRAY];

interface Size {
  readonly vcpus_total: number;
  readonly memory_mb: number;
  readonly local_gb: number;
}

function sizeOf(host: string): Size {
  // The Windows hosts are small, so weighers prefer others.
  if (host.startsWith('barge') || host.startsWith('mary')) return { vcpus_total: 8, memory_mb: 32_768, local_gb: 500 };
  if (host.startsWith('titanic')) return { vcpus_total: 64, memory_mb: 262_144, local_gb: 2_000 };
  if (host === WITH_GPUS) return { vcpus_total: 32, memory_mb: 98_304, local_gb: 1_000 };
  if (host === OVER_FULL) return { vcpus_total: 8, memory_mb: 16_384, local_gb: 200 };
  return { vcpus_total: 16, memory_mb: 65_536, local_gb: 1_000 };
}

const FLAVORS = [
  { name: 'dinghy', vcpus: 1, memory_mb: 2_048, root_gb: 10 },
  { name: 'cutter', vcpus: 4, memory_mb: 8_192, root_gb: 40 },
  { name: 'schooner', vcpus: 8, memory_mb: 32_768, root_gb: 100 },
  { name: 'galleon', vcpus: 32, memory_mb: 131_072, root_gb: 500 },
  {
    name: 'fast-crossing',
    vcpus: 2,
    memory_mb: 4_096,
    root_gb: 20,
    extra_specs: { 'resources:SRIOV_NET_VF': '1', 'trait:HW_NIC_SRIOV_MULTIQUEUE': 'required' },
  },
  {
    name: 'lookout',
    vcpus: 4,
    memory_mb: 8_192,
    root_gb: 40,
    extra_specs: { 'resources:VGPU': '2', 'trait:CUSTOM_GPU_A40': 'required' },
  },
];

const IMAGES = [
  { name: 'debian', disk_format: 'qcow2', properties: { os_type: 'linux' } },
  { name: 'windows', disk_format: 'qcow2', properties: { os_type: 'windows' } },
];

/** Filters of a cloud that separates systems by metadata of host aggregates. */
export const CONFIGURATION = `[filter_scheduler]
enabled_filters = ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,AggregateImagePropertiesIsolation
`;

/** Request ids of the decisions that tests use, and the id of a plan. */
export interface HarbourDecisions {
  readonly windows: string;
  readonly nowhere: string;
  readonly plan: string;
}

/** Loads the cloud through the API, except `forget`: it simulates a last report hours ago. */
export async function loadHarbour(client: Client, forget: (host: string) => Promise<void>): Promise<HarbourDecisions> {
  for (const host of HOSTS) await report(client, host, sizeOf(host));
  await loadTrees(client);
  await loadGpus(client);
  await loadAggregates(client);
  for (const flavor of FLAVORS) await client.flavors.put(uuidOf(flavor.name), flavor);
  for (const image of IMAGES) await client.images.put(uuidOf(image.name), image);
  await client.serverGroups.put(uuidOf('lighthouse'), {
    name: 'lighthouse',
    project_id: PROJECT,
    policy: 'anti-affinity',
  });
  await client.services.change('tug-10', { status: 'disabled', disabled_reason: 'waiting for new firmware' });
  await client.services.change('ferry-06', { forced_down: true });
  const decisions = await loadInstances(client);
  await overfill(client);
  await forget(SILENT);
  // A change by an operator makes the service reload the host's facts.
  await client.services.change(SILENT, { forced_down: true });
  await client.services.change(SILENT, { forced_down: false });
  return { ...decisions, plan: await loadPlan(client) };
}

/** Drains three hosts, one of which cannot be emptied. One move is done, and one has failed. */
async function loadPlan({ scheduler: { plans } }: Client): Promise<string> {
  const { id } = await plans.create({ goal: 'drain', hosts: ['titanic-01', OVER_FULL, 'barge-01'], time_limit: 30 });
  await plans.report(id, '1', { state: 'done' });
  await plans.report(id, '2', { state: 'failed', message: 'No valid host was found.' });
  return id;
}

async function report({ hosts }: Client, host: string, size: Size): Promise<void> {
  await hosts.report(host, host, {
    uuid: uuidOf(host),
    ...size,
    disk_allocation_ratio: 1,
    report_providers: true,
    hypervisor: { type: 'QEMU', version: 8_002_000 },
    supported_instances: [['x86_64', 'kvm', 'hvm']],
  });
}

/** Unreported consumers fill a host, which then reports less memory than they use. */
async function overfill(client: Client): Promise<void> {
  for (const name of ['stowaway-1', 'stowaway-2']) {
    const resources = { VCPU: 2, MEMORY_MB: 8_192, DISK_GB: 40 };
    await client.allocations.put(uuidOf(`instance/${name}`), {
      allocations: { [uuidOf(OVER_FULL)]: { resources } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    });
  }
  await report(client, OVER_FULL, { ...sizeOf(OVER_FULL), memory_mb: 12_288 });
}

/** Two cards with virtual GPUs, and one for passthrough. */
async function loadGpus({ providers, resourceClasses, traits }: Client): Promise<void> {
  await resourceClasses.create('CUSTOM_PCI_10DE_2235');
  await traits.create('CUSTOM_GPU_A40');
  const cards = [
    { name: `${WITH_GPUS}_gpu0`, inventories: { VGPU: { total: 8, max_unit: 4 } }, of: [] },
    { name: `${WITH_GPUS}_gpu1`, inventories: { VGPU: { total: 8, max_unit: 4 } }, of: [] },
    {
      name: `${WITH_GPUS}_0000:81:00.0`,
      inventories: { CUSTOM_PCI_10DE_2235: { total: 1 } },
      of: ['COMPUTE_MANAGED_PCI_DEVICE'],
    },
  ];
  for (const { name, inventories, of } of cards) {
    const uuid = uuidOf(name);
    await providers.create({ name, uuid, parent_provider_uuid: uuidOf(WITH_GPUS) });
    await providers.inventories.replace(uuid, { resource_provider_generation: 0, inventories });
    await providers.traits.replace(uuid, {
      resource_provider_generation: 1,
      traits: ['CUSTOM_GPU_A40', 'HW_GPU_API_VULKAN', ...of],
    });
  }
}

/** NUMA cells, network devices and a disk pool in addition to the reports. */
async function loadTrees({ providers, traits }: Client): Promise<void> {
  await traits.create('CUSTOM_LICENSED_WINDOWS');
  for (const host of LAGOON.filter((name) => name.startsWith('titanic'))) {
    for (const cell of [0, 1]) {
      const uuid = uuidOf(`${host}-numa${cell}`);
      await providers.create({ name: `${host}-numa${cell}`, uuid, parent_provider_uuid: uuidOf(host) });
      await providers.inventories.replace(uuid, {
        resource_provider_generation: 0,
        inventories: { PCPU: { total: 16 }, SRIOV_NET_VF: { total: 8 } },
      });
      await providers.traits.replace(uuid, {
        resource_provider_generation: 1,
        traits: ['HW_NUMA_ROOT', 'HW_NIC_SRIOV_MULTIQUEUE'],
      });
    }
  }
  const pool = uuidOf('locker');
  await providers.create({ name: 'locker', uuid: pool });
  await providers.inventories.replace(pool, {
    resource_provider_generation: 0,
    inventories: { DISK_GB: { total: 50_000, max_unit: 2_000 } },
  });
  await providers.traits.replace(pool, { resource_provider_generation: 1, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
  await providers.aggregates.replace(pool, { resource_provider_generation: 2, aggregates: [uuidOf('lagoon')] });
  for (const host of HARBOUR.filter((name) => name.startsWith('mary'))) {
    const { resource_provider_generation: generation, traits: has } = await providers.traits.list(uuidOf(host));
    await providers.traits.replace(uuidOf(host), {
      resource_provider_generation: generation,
      traits: [...has, 'CUSTOM_LICENSED_WINDOWS', 'HW_CPU_X86_AVX2'],
    });
  }
}

async function loadAggregates({ hostAggregates }: Client): Promise<void> {
  const zones = { harbour: HARBOUR, lagoon: LAGOON, dock: DOCK };
  for (const [name, hosts] of Object.entries(zones)) {
    await hostAggregates.put(uuidOf(name), { name, metadata: { availability_zone: name }, hosts });
  }
  const forWindows = HARBOUR.filter((name) => name.startsWith('mary'));
  await hostAggregates.put(uuidOf('windows'), { name: 'windows', metadata: { os_type: 'windows' }, hosts: forWindows });
  // The pitfall: these hosts are for Linux, but have no metadata that says so.
  const forLinux = HARBOUR.filter((name) => name.startsWith('tug'));
  await hostAggregates.put(uuidOf('linux'), { name: 'linux', metadata: {}, hosts: forLinux });
}

async function loadInstances({ scheduler }: Client): Promise<Omit<HarbourDecisions, 'plan'>> {
  const place = async (name: string, request: Readonly<Record<string, unknown>>): Promise<string> => {
    const instances = [uuidOf(`instance/${name}`)];
    try {
      const flavor = 'cutter';
      const answer = await scheduler.selectDestinations({
        flavor,
        image: uuidOf('debian'),
        ...OWNER,
        instances,
        instance_names: Object.fromEntries(instances.map((uuid) => [uuid, name])),
        ...request,
      });
      return answer.request_id;
    } catch (error) {
      if (!(error instanceof NoValidHost)) throw error;
      return error.requestId ?? '';
    }
  };
  for (let at = 1; at <= 12; at += 1) await place(`harbour-${at}`, { availability_zone: 'harbour' });
  for (let at = 1; at <= 6; at += 1) await place(`lagoon-${at}`, { availability_zone: 'lagoon', flavor: 'schooner' });
  for (let at = 1; at <= 3; at += 1) await place(`dock-${at}`, { availability_zone: 'dock', flavor: 'schooner' });
  for (let at = 1; at <= 3; at += 1)
    await place(`pilot-${at}`, { instance_group: uuidOf('lighthouse'), flavor: 'dinghy' });
  await place('fast', { flavor: 'fast-crossing' });
  await place('lookout', { flavor: 'lookout' });
  for (let at = 4; at <= 6; at += 1) await place(`dock-${at}`, { availability_zone: 'dock', flavor: 'schooner' });
  const windows = await place('windows', { image: uuidOf('windows'), availability_zone: 'harbour', flavor: 'dinghy' });
  const nowhere = await place('nowhere', { flavor: 'galleon', availability_zone: 'harbour' });
  return { windows, nowhere };
}
