// Generates the hosts of a cloud: the figures that nova-compute saves, and what it reports to Placement.
import type { Dice } from './dice';

export interface NumaCell {
  readonly id: number;
  readonly cpuset: readonly number[];
  readonly pcpuset: readonly number[];
  readonly memory: number;
  readonly cpu_usage: number;
  readonly memory_usage: number;
  readonly pinned_cpus: readonly number[];
  readonly siblings: readonly (readonly number[])[];
  readonly mempages: readonly { readonly size_kb: number; readonly total: number; readonly used: number }[];
  readonly socket: number;
  readonly physnets: readonly string[];
}

export interface PciPool {
  readonly vendor_id: string;
  readonly product_id: string;
  readonly numa_node: number | null;
  readonly count: number;
  readonly tags: Readonly<Record<string, string>>;
}

export interface Host {
  readonly name: string;
  readonly uuid: string;
  readonly cell: 0 | 1;
  readonly numa: readonly NumaCell[] | null;
  readonly pools: readonly PciPool[];
  /** Columns of `compute_nodes`. */
  readonly node: Readonly<Record<string, string | number | null>>;
  /** Columns of `services`. */
  readonly service: {
    readonly uuid: string;
    readonly disabled: 0 | 1;
    readonly forced_down: 0 | 1;
    readonly isSilent: boolean;
  };
  readonly inventories: Readonly<Record<string, object>>;
  readonly traits: readonly string[];
  /** Virtual GPUs in a child provider. */
  readonly gpu: { readonly uuid: string; readonly total: number } | null;
  /** Bandwidth of the physical network, in a child provider. */
  readonly nic: { readonly uuid: string; readonly kilobits: number } | null;
  /** Disk comes from a sharing provider. */
  readonly sharesDisk: boolean;
}

export const PMEM_CLASS = 'CUSTOM_PMEM_NAMESPACE_6GB';
export const PHYSNET_TRAIT = 'CUSTOM_PHYSNET_ONE';

const VF = { vendor_id: '8086', product_id: '1515' };
const GPU = { vendor_id: '10de', product_id: '1eb8' };

const ARCHITECTURES = {
  x86: {
    arch: 'x86_64',
    supported: [
      ['x86_64', 'kvm', 'hvm'],
      ['i686', 'kvm', 'hvm'],
      ['x86_64', 'qemu', 'hvm'],
    ],
  },
  arm: {
    arch: 'aarch64',
    supported: [
      ['aarch64', 'kvm', 'hvm'],
      ['aarch64', 'qemu', 'hvm'],
    ],
  },
} as const;

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

export function generateHosts(dice: Dice, count: number): Host[] {
  const hosts: Host[] = [];
  for (const at of range(0, count)) {
    const host = generateHost(dice, at);
    // Hosts with equal figures have equal weights.
    const twin = at % 8 === 7 ? hosts[at - 1] : undefined;
    const own = { name: host.name, uuid: host.uuid, service: host.service, gpu: null, nic: null };
    hosts.push(twin === undefined ? host : { ...twin, ...own });
  }
  return hosts;
}

function generateHost(dice: Dice, at: number): Host {
  const name = `h${String(at + 1).padStart(2, '0')}`;
  const architecture = ARCHITECTURES[at % 9 === 4 ? 'arm' : 'x86'];
  const vcpus = dice.pick([8, 16, 24, 32, 48]);
  const memory = dice.pick([16, 32, 48, 64, 128]) * 1024;
  const disk = dice.int(200, 2_000);
  const numa = at % 5 === 3 ? null : generateNuma(dice, vcpus, memory);
  const dedicated = numa === null ? 0 : numa.reduce((sum, { pcpuset }) => sum + pcpuset.length, 0);
  const sharesDisk = at % 13 === 6;
  const isDisabled = at % 12 === 10;
  const [vcpusUsed, memoryUsed, diskUsed] = [dice.int(0, vcpus), dice.int(512, memory / 2), dice.int(0, disk / 2)];
  const cpuRatio = dice.pick([1, 2, 4, 16]);
  return {
    name,
    uuid: dice.uuid(),
    cell: at % 10 < 7 ? 0 : 1,
    numa,
    pools: generatePools(dice, at, numa),
    node: {
      vcpus,
      memory_mb: memory,
      local_gb: disk,
      vcpus_used: vcpusUsed,
      memory_mb_used: memoryUsed,
      local_gb_used: diskUsed,
      hypervisor_type: 'QEMU',
      hypervisor_version: dice.pick([4_002_000, 6_002_000, 7_000_000]),
      cpu_info: JSON.stringify({
        arch: architecture.arch,
        model: dice.pick(['Penryn', 'Skylake']),
        vendor: 'Intel',
        topology: { cells: numa?.length ?? 1, sockets: 1, cores: vcpus / 2, threads: 2 },
        features: dice.sample(['aes', 'vmx', 'avx', 'avx2', 'ssse3'], 3),
      }),
      disk_available_least: dice.chance(0.3) ? dice.int(50, disk) : null,
      free_ram_mb: memory - memoryUsed,
      free_disk_gb: disk - diskUsed,
      running_vms: 0,
      current_workload: 0,
      host_ip: `10.0.${at % 4}.${at + 10}`,
      supported_instances: JSON.stringify(architecture.supported),
      metrics: JSON.stringify(generateMetrics(dice)),
      stats: JSON.stringify({
        num_instances: String(dice.int(0, 12)),
        io_workload: String(dice.pick([0, 0, 0, 1, 2, 4])),
        failed_builds: String(dice.pick([0, 0, 0, 0, 0, 1, 2])),
        rack: `r${at % 3}`,
        generation: String(at % 6),
      }),
      cpu_allocation_ratio: cpuRatio,
      ram_allocation_ratio: dice.pick([1, 1.5]),
      disk_allocation_ratio: 1,
    },
    service: {
      uuid: dice.uuid(),
      disabled: isDisabled ? 1 : 0,
      forced_down: at % 20 === 17 ? 1 : 0,
      isSilent: at % 20 === 8,
    },
    inventories: {
      ...(vcpus > dedicated && { VCPU: { total: vcpus - dedicated, allocation_ratio: cpuRatio, max_unit: vcpus } }),
      ...(dedicated > 0 && { PCPU: { total: dedicated, max_unit: dedicated } }),
      MEMORY_MB: { total: memory, reserved: 512, max_unit: memory, allocation_ratio: dice.pick([1, 1.5]) },
      ...(dice.chance(0.3) && { MEM_ENCRYPTION_CONTEXT: { total: dice.int(1, 8) } }),
      ...(dice.chance(0.3) && { [PMEM_CLASS]: { total: dice.int(1, 3) } }),
      ...(!sharesDisk && { DISK_GB: { total: disk, max_unit: disk } }),
    },
    traits: [
      'COMPUTE_IMAGE_TYPE_RAW',
      ...(dice.chance(0.7) ? ['COMPUTE_IMAGE_TYPE_QCOW2'] : []),
      ...(dice.chance(0.5) ? ['HW_CPU_X86_AVX2'] : []),
      ...(dice.chance(0.4) ? ['CUSTOM_RAID'] : []),
      ...(dice.chance(0.5) ? ['HW_CPU_HYPERTHREADING'] : []),
      ...(dice.chance(0.6) ? ['COMPUTE_GRAPHICS_MODEL_VIRTIO'] : []),
      ...(dice.chance(0.8) ? ['COMPUTE_STORAGE_BUS_VIRTIO'] : []),
      ...(dice.chance(0.5) ? ['COMPUTE_SOCKET_PCI_NUMA_AFFINITY'] : []),
      ...(dice.chance(0.4) ? ['COMPUTE_SECURITY_TPM_2_0'] : []),
      ...(dice.chance(0.4) ? ['COMPUTE_SECURITY_UEFI_SECURE_BOOT'] : []),
      // The compute of every second disabled service has reported its state.
      ...(isDisabled && at % 24 === 10 ? ['COMPUTE_STATUS_DISABLED'] : []),
    ],
    gpu: at % 6 === 1 ? { uuid: dice.uuid(), total: dice.int(1, 4) } : null,
    nic: at % 4 === 2 ? { uuid: dice.uuid(), kilobits: dice.int(1, 10) * 1_000 } : null,
    sharesDisk,
  };
}

function generateNuma(dice: Dice, vcpus: number, memory: number): NumaCell[] {
  const cells = dice.pick([1, 2, 2, 4]);
  const perCell = vcpus / cells;
  const dedicated = perCell % 2 === 0 ? 2 * dice.int(0, perCell / 2) : 0;
  const hasThreads = perCell % 2 === 0 && dice.chance(0.6);
  return range(0, cells).map((id) => {
    const cpus = range(id * perCell, perCell);
    const [shared, pinnable] = [cpus.slice(dedicated), cpus.slice(0, dedicated)];
    const cellMemory = memory / cells;
    const pinned = dice.sample(pinnable, dice.int(0, Math.floor(dedicated / 2))).sort((one, other) => one - other);
    const huge = dice.chance(0.7) ? dice.int(0, cellMemory / 8) : 0;
    const gigantic = dice.chance(0.3) ? dice.int(0, cellMemory / 4_096) : 0;
    const small = (cellMemory * 1024 - huge * 2_048 - gigantic * 1_048_576) / 4;
    const memoryUsage = dice.int(0, cellMemory);
    // At most what the memory leaves: nova limits pinned memory by both until release 29, and by pages alone since.
    const used = (kib: number, total: number, drawn: number): number =>
      Math.max(drawn, total - Math.floor(((cellMemory - memoryUsage) * 1024) / kib));
    return {
      id,
      cpuset: shared,
      pcpuset: pinnable,
      memory: cellMemory,
      cpu_usage: dice.int(0, shared.length) + pinned.length,
      memory_usage: memoryUsage,
      pinned_cpus: pinned,
      siblings: hasThreads ? threadPairs(cpus) : cpus.map((cpu) => [cpu]),
      mempages: [
        { size_kb: 4, total: small, used: used(4, small, 0) },
        ...(huge > 0 ? [{ size_kb: 2_048, total: huge, used: used(2_048, huge, dice.int(0, huge)) }] : []),
        ...(gigantic > 0
          ? [{ size_kb: 1_048_576, total: gigantic, used: used(1_048_576, gigantic, dice.int(0, gigantic)) }]
          : []),
      ],
      socket: Math.floor(id / 2),
      physnets: id === 0 ? ['physnet1'] : [],
    };
  });
}

const threadPairs = (cpus: readonly number[]): number[][] =>
  cpus.flatMap((cpu, at) => (at % 2 === 0 ? [[cpu, cpus[at + 1] ?? cpu]] : []));

function generatePools(dice: Dice, at: number, numa: readonly NumaCell[] | null): PciPool[] {
  const node = (): number | null => (numa === null || dice.chance(0.2) ? null : dice.int(0, numa.length - 1));
  const pools: PciPool[] = [];
  if (at % 3 === 0) {
    for (const physnet of dice.sample(['physnet1', 'physnet2'], dice.int(1, 2))) {
      const tags = { dev_type: 'type-VF', physical_network: physnet, remote_managed: 'false' };
      pools.push({ ...VF, numa_node: node(), count: dice.int(1, 6), tags });
    }
  }
  if (at % 4 === 1 || at % 3 === 0) {
    pools.push({ ...GPU, numa_node: node(), count: dice.int(1, 4), tags: { dev_type: 'type-PCI' } });
  }
  return pools;
}

const generateMetrics = (dice: Dice): object[] => [
  { name: 'cpu.percent', value: dice.int(0, 100) / 100, source: 'libvirt', timestamp: '2026-11-23T12:56:18.784280' },
  ...(dice.chance(0.8)
    ? [
        {
          name: 'cpu.frequency',
          value: dice.int(1_000, 4_000),
          source: 'libvirt',
          timestamp: '2026-11-23T12:56:18.784280',
        },
      ]
    : []),
];
