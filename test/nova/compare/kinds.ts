// The kinds of requests: what distinguishes a request of each from a plain one.
import type { Dice } from './dice';
import type { Host } from './hosts';
import type { Flavor, Group, RequestParts } from './requests';
import type { RunningInstance, World } from './world';
import { ISOLATED_IMAGE, LICENSED_TRAIT, TENANT } from './world';

export interface Tools {
  readonly dice: Dice;
  readonly world: World;
}

export type Kind = (tools: Tools) => RequestParts & { readonly batch?: number; readonly moved?: RunningInstance };

const nameOf = ({ dice, world }: Tools): string => dice.pick(world.hosts).name;
export const namesOf = ({ dice, world }: Tools, count: number): string[] =>
  dice.sample(world.hosts, count).map(({ name }) => name);
const specs = (extra_specs: Flavor['extra_specs'], flavor: Partial<Flavor> = {}): RequestParts => ({
  flavor: { ...flavor, extra_specs },
});
const properties = (of: Readonly<Record<string, string>>, flavor: Partial<Flavor> = {}): RequestParts => ({
  image: { properties: of },
  flavor,
});

function groupOf({ dice, world }: Tools, policy: string, size: number, rules: Group['rules'] = {}): Group {
  const members = dice.sample(world.instances, size);
  const hosts = [...new Set(members.map(({ host }) => host.name))];
  return { uuid: dice.uuid(), policy, rules, members: members.map(({ uuid }) => uuid), hosts };
}

function numa({ dice }: Tools): RequestParts {
  const nodes = dice.pick([1, 1, 2, 2, 4]);
  const flavor = { vcpus: nodes * dice.int(1, 3), memory_mb: nodes * 1024 * dice.int(1, 4) };
  const policy = dice.chance(0.3) ? { 'hw:cpu_policy': 'shared' } : {};
  return specs({ 'hw:numa_nodes': String(nodes), ...policy }, flavor);
}

function pinned({ dice }: Tools): RequestParts {
  const nodes = dice.pick([1, 1, 2]);
  const flavor = { vcpus: nodes * dice.int(1, 3), memory_mb: nodes * 1024 * dice.int(1, 2) };
  return specs(
    {
      'hw:cpu_policy': 'dedicated',
      ...(nodes > 1 && { 'hw:numa_nodes': String(nodes) }),
      ...(dice.chance(0.5) && { 'hw:cpu_thread_policy': dice.pick(['prefer', 'require', 'isolate']) }),
      ...(dice.chance(0.2) && { 'hw:emulator_threads_policy': dice.pick(['isolate', 'share']) }),
    },
    flavor,
  );
}

/** Cells of different sizes. */
function uneven({ dice }: Tools): RequestParts {
  const [small, large] = [1_024, 1_024 * dice.int(1, 4)];
  const policy = dice.chance(0.5) ? { 'hw:cpu_policy': 'dedicated' } : {};
  return specs(
    {
      'hw:numa_nodes': '2',
      'hw:numa_cpus.0': '0',
      'hw:numa_cpus.1': '1-2',
      'hw:numa_mem.0': String(small),
      'hw:numa_mem.1': String(large),
      ...policy,
    },
    { vcpus: 3, memory_mb: small + large },
  );
}

function realtime({ dice }: Tools): RequestParts {
  const policy = dice.pick(['dedicated', 'mixed']);
  return specs(
    { 'hw:cpu_policy': policy, 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '^0' },
    { vcpus: dice.int(2, 4), memory_mb: 1_024 },
  );
}

/** Pages of a size for pinned CPUs. */
function pinnedPages(tools: Tools): RequestParts {
  const { flavor } = pinned(tools);
  return {
    flavor: {
      ...flavor,
      extra_specs: { ...flavor?.extra_specs, 'hw:mem_page_size': tools.dice.pick(['2MB', 'small', 'any']) },
    },
  };
}

function port({ dice }: Tools): RequestParts {
  const group = { requester_id: dice.uuid(), resources: { NET_BW_EGR_KILOBIT_PER_SEC: dice.int(1, 8) * 1_000 } };
  return { requested_resources: [{ ...group, required_traits: dice.chance(0.7) ? ['CUSTOM_PHYSNET_ONE'] : [] }] };
}

function pciPort(tools: Tools): RequestParts {
  const { dice } = tools;
  const physnet = dice.pick(['physnet1', 'physnet2']);
  const spec = [
    { physical_network: physnet, remote_managed: 'False', ...(dice.chance(0.3) && { dev_type: 'type-PF' }) },
  ];
  const pci_ports = [{ count: 1, spec, request_id: dice.uuid(), requester_id: dice.uuid() }];
  return { ...(dice.chance(0.4) && numa(tools)), pci_ports, ...(dice.chance(0.4) && { physnets: [physnet] }) };
}

function security({ dice }: Tools): RequestParts {
  return dice.pick<RequestParts>([
    specs({ 'os:secure_boot': 'required' }),
    properties({ os_secure_boot: 'required' }),
    specs({ 'hw:pmem': '6GB' }),
    specs({ 'hw:pmem': '6GB,6GB' }),
    { ...specs({ 'hw:mem_encryption': 'true' }), ...properties({ hw_firmware_type: 'uefi', hw_machine_type: 'q35' }) },
  ]);
}

function tpm({ dice }: Tools): RequestParts {
  return dice.pick<RequestParts>([
    specs({ 'hw:tpm_version': '2.0' }),
    properties({ hw_tpm_version: '2.0', hw_tpm_model: 'tpm-crb' }),
  ]);
}

function mixed({ dice }: Tools): RequestParts {
  return specs(
    { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': dice.pick(['0', '0-1', '1']) },
    { vcpus: 3, memory_mb: 2_048 },
  );
}

function pages({ dice }: Tools): RequestParts {
  const size = dice.pick(['small', 'large', 'any', '2MB', '2048', '1GB']);
  return specs(
    { 'hw:mem_page_size': size, ...(dice.chance(0.3) && { 'hw:numa_nodes': '2' }) },
    { vcpus: 2, memory_mb: 4_096 },
  );
}

function pci({ dice }: Tools): RequestParts {
  const alias = dice.pick(['vf:1', 'vf:2', 'gpu:1', 'gpu:2', 'vf:1,gpu:1', 'vf:4']);
  return specs({ 'pci_passthrough:alias': alias });
}

function pciNuma(tools: Tools): RequestParts {
  const { dice } = tools;
  const alias = dice.pick(['vf:1', 'vf-near:1', 'vf-near:2', 'gpu:1', 'gpu:1,vf:1']);
  const policy = dice.chance(0.5)
    ? { 'hw:pci_numa_affinity_policy': dice.pick(['required', 'preferred', 'legacy', 'socket']) }
    : {};
  const { flavor } = dice.chance(0.5) ? numa(tools) : pinned(tools);
  return { flavor: { ...flavor, extra_specs: { ...flavor?.extra_specs, ...policy, 'pci_passthrough:alias': alias } } };
}

function image({ dice }: Tools): RequestParts {
  return properties(
    dice.pick<Readonly<Record<string, string>>>([
      { hw_architecture: 'aarch64' },
      { architecture: 'x86_64' },
      { img_hv_type: 'qemu' },
      { hypervisor_type: 'kvm', hw_vm_mode: 'hvm' },
      { hw_vm_mode: 'xen' },
      { img_hv_requested_version: '>=6.2.0' },
      { hypervisor_version_requires: '>=4.2.0,<7.0.0' },
      { hw_video_model: 'virtio' },
      { hw_disk_bus: 'virtio' },
      { hw_cpu_policy: 'dedicated' },
      { hw_numa_nodes: '2' },
    ]),
    // Divisible by the number of NUMA cells.
    { vcpus: 2, memory_mb: 2_048 },
  );
}

function capabilities({ dice }: Tools): RequestParts {
  return specs(
    dice.pick<Flavor['extra_specs']>([
      { 'capabilities:cpu_info:model': 'Skylake' },
      { 'capabilities:cpu_info:features': '<in> aes' },
      { 'capabilities:cpu_info:features': '<all-in> aes vmx' },
      { 'capabilities:hypervisor_version': '>= 6002000' },
      { 'capabilities:rack': '<or> r1 <or> r2' },
      { 'capabilities:generation': '>= 3' },
      { 'capabilities:generation': 's< 4' },
      { 'capabilities:free_ram_mb': '>= 20000' },
      { 'capabilities:cpu_info:topology:cores': '= 8' },
    ]),
  );
}

function aggregateSpecs({ dice }: Tools): RequestParts {
  return specs(
    dice.pick<Flavor['extra_specs']>([
      { 'aggregate_instance_extra_specs:ssd': 'true' },
      { 'aggregate_instance_extra_specs:ssd': '<or> false <or> true' },
      { 'aggregate_instance_extra_specs:tier': '>= 2' },
      { 'aggregate_instance_extra_specs:tier': '5' },
      { ssd: 'true' },
    ]),
  );
}

function placement({ dice }: Tools): RequestParts {
  return specs(
    dice.pick<Flavor['extra_specs']>([
      { 'resources:VGPU': '1' },
      { 'resources:VGPU': '2', 'trait:CUSTOM_RAID': 'required' },
      { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'none' },
      { 'trait:HW_CPU_X86_AVX2': 'required' },
      { 'trait:CUSTOM_RAID': 'forbidden' },
      { 'resources:DISK_GB': '0' },
      { 'resources:MEMORY_MB': '9000' },
      { [`trait:${LICENSED_TRAIT}`]: 'required' },
    ]),
  );
}

function hints(tools: Tools): RequestParts {
  const { dice, world } = tools;
  const one = dice.pick(world.instances).uuid;
  const other = dice.pick(world.instances).uuid;
  return {
    hints: dice.pick<NonNullable<RequestParts['hints']>>([
      { same_host: [one] },
      { same_host: [one, other] },
      { different_host: [one, other] },
      { build_near_host_ip: ['10.0.1.1'], cidr: ['/24'] },
      { query: ['[">=", "$free_ram_mb", 30000]'] },
      { query: ['["and", [">=", "$vcpus_total", 16], ["<", "$num_io_ops", 2]]'] },
      { query: ['["or", ["=", "$host", "h01"], ["not", ["<", "$free_disk_mb", 900000]]]'] },
    ]),
  };
}

const FORCED: readonly (keyof RequestParts)[] = ['force_hosts', 'force_nodes'];

function destination(tools: Tools): RequestParts {
  const { dice } = tools;
  const name = dice.chance(0.1) ? 'missing' : nameOf(tools);
  return { destination: { host: name, ...(dice.chance(0.5) && { node: name }) } };
}

function retry(tools: Tools): RequestParts {
  const tried = namesOf(tools, tools.dice.int(1, 4));
  return { retry: tried, ...(tools.dice.chance(0.7) && { ignore_hosts: tried }) };
}

function move(tools: Tools): ReturnType<Kind> {
  const moved = tools.dice.pick(tools.world.instances);
  return { moved, ignore_hosts: [moved.host.name, ...namesOf(tools, tools.dice.int(0, 30))] };
}

/** Kinds that Berth decides in another way, with the reason. Their differences are listed, and are no failure. */
export const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  [
    'uneven',
    'nova 26 remembers that a NUMA cell does not fit by an id that changes while it searches, so it misses assignments',
  ],
]);

/** Kinds in turns; those that must be frequent stand twice. */
export const KINDS: readonly (readonly [string, Kind])[] = [
  ['plain', () => ({})],
  ['numa', numa],
  ['numa', pinned],
  ['numa', mixed],
  ['uneven', uneven],
  ['numa', realtime],
  ['numa', (tools) => ({ ...numa(tools), physnets: ['physnet1'] })],
  ['hugepages', pages],
  ['hugepages', pinnedPages],
  ['pci', pci],
  ['pci', pciNuma],
  ['pci', pciPort],
  ['port', port],
  ['security', security],
  ['tpm', tpm],
  ['group', (tools) => ({ group: groupOf(tools, 'affinity', tools.dice.pick([0, 1, 1])) })],
  [
    'group',
    (tools) => {
      const rules = tools.dice.chance(0.4) ? { max_server_per_host: '2' } : {};
      return { group: groupOf(tools, 'anti-affinity', tools.dice.int(1, 40), rules) };
    },
  ],
  [
    'group',
    (tools) => ({
      group: groupOf(tools, tools.dice.pick(['soft-affinity', 'soft-anti-affinity']), tools.dice.int(2, 30)),
    }),
  ],
  ['retry', retry],
  ['retry', retry],
  ['retry', (tools) => ({ ...retry(tools), ...numa(tools) })],
  ['forced', (tools) => ({ [tools.dice.pick(FORCED)]: [tools.dice.chance(0.1) ? 'missing' : nameOf(tools)] })],
  ['forced', (tools) => ({ force_hosts: [nameOf(tools)], ...numa(tools) })],
  ['forced', (tools) => ({ force_hosts: [nameOf(tools)], ...pci(tools) })],
  ['destination', destination],
  [
    'destination',
    ({ dice, world }) => {
      const [one, other, third] = dice.sample(world.aggregates, 3).map(({ uuid }) => uuid);
      return {
        destination: dice.chance(0.5)
          ? { aggregates: [`${one},${other}`] }
          : { aggregates: [one], forbidden_aggregates: [third] },
      };
    },
  ],
  ['ignored', (tools) => ({ ignore_hosts: namesOf(tools, tools.dice.int(5, 30)).map((name) => name.toUpperCase()) })],
  ['image', image],
  ['image', ({ dice }) => ({ image: { disk_format: dice.pick(['raw', 'qcow2', 'vmdk']) } })],
  ['capabilities', capabilities],
  ['aggregates', aggregateSpecs],
  ['aggregates', ({ dice }) => properties({ os_distro: dice.pick(['windows', 'debian']) })],
  ['aggregates', ({ dice }) => (dice.chance(0.5) ? { project_id: TENANT } : { image: { id: ISOLATED_IMAGE } })],
  ['zone', ({ dice }) => ({ availability_zone: dice.pick(['dock', 'pier', 'harbour']) })],
  ['placement', placement],
  ['hints', hints],
  ['batch', ({ dice }) => ({ batch: dice.int(2, 5) })],
  [
    'batch',
    (tools) => ({
      batch: tools.dice.int(2, 4),
      group: groupOf(tools, tools.dice.pick(['affinity', 'anti-affinity', 'soft-anti-affinity']), 0),
    }),
  ],
  ['batch', (tools) => ({ batch: tools.dice.int(2, 3), ...tools.dice.pick([numa, pinned, pci])(tools) })],
  ['move', move],
  ['cell', ({ dice }) => ({ destination: { cell: dice.int(0, 1), allow_cross_cell_move: dice.chance(0.5) } })],
  [
    'refusal',
    ({ dice }) => ({
      flavor: dice.pick<Partial<Flavor>>([{ vcpus: 500 }, { memory_mb: 1_000_000 }, { root_gb: 5_000 }]),
    }),
  ],
  ['rebuild', (tools) => rebuild(tools)],
  ['volume', ({ dice }) => ({ is_bfv: true, flavor: { root_gb: 3_000, ephemeral_gb: dice.int(0, 5) } })],
];

function rebuild(tools: Tools): ReturnType<Kind> {
  const moved = tools.dice.pick(tools.world.instances);
  const where: Host = moved.host;
  return {
    ...image(tools),
    moved,
    hints: { _nova_check_type: ['rebuild'] },
    force_hosts: [where.name],
    force_nodes: [where.name],
  };
}
