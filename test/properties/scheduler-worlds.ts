import { capacityOf } from '../../src/placement/domain/inventory';
// Random small clouds and requests for the scheduler: simulation documents, scheduler options, and claims that count
// against capacity.
import { addTo } from '../../src/platform/values/lists-by-key';
import { DEFAULT_SCHEDULER_OPTIONS } from '../../src/scheduler/assemble/default-options.fixture';
import type { SchedulerOptions } from '../../src/scheduler/assemble/scheduler-options';
import type { AlternatesOffer, ClaimBatch, ClaimRefusal, ClaimRequest, Claims } from '../../src/scheduler/ports';
import type { SelectDestinationsDto } from '../../src/scheduler/request/request.schema';
import type {
  SimulatedAggregateDto,
  SimulatedGroupDto,
  SimulatedHostDto,
  SimulatedProviderDto,
  SimulationDto,
} from '../../src/scheduler/simulate/simulation.schema';
import { Dice } from './candidates-worlds';

const TRAITS = ['CUSTOM_A', 'CUSTOM_B'] as const;
const SHARING = 'MISC_SHARES_VIA_AGGREGATE';
const NOW = '2030-01-01T00:00:00Z';
const POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;
const FILTERS = [
  'ComputeFilter',
  'ComputeCapabilitiesFilter',
  'ImagePropertiesFilter',
  'ServerGroupAntiAffinityFilter',
  'ServerGroupAffinityFilter',
  'DifferentHostFilter',
  'SameHostFilter',
  'NumInstancesFilter',
  'IoOpsFilter',
  'NUMATopologyFilter',
  'AggregateInstanceExtraSpecsFilter',
  'JsonFilter',
  'RamFilter',
  'CoreFilter',
];

/** One case: a cloud, a request, and the scheduler's options. */
export interface SchedulerCase {
  readonly seed: number;
  readonly document: SimulationDto;
  readonly body: SelectDestinationsDto;
  readonly options: SchedulerOptions;
  readonly returnAlternates: boolean;
}

/** Uuids by name, the same in every run. */
const uuidOf = (kind: number, at: number): string => `0000000${kind}-0000-4000-8000-${String(at).padStart(12, '0')}`;
const instanceUuid = (at: number): string => uuidOf(1, at);

export function drawCase(seed: number): SchedulerCase {
  const dice = new Dice(seed);
  const count = dice.between(1, 7);
  const names = Array.from({ length: count }, (_, at) => `h${dice.between(0, 9)}${at}`);
  const pool = uuidOf(4, 1);
  const providers = names.flatMap((name, at) => drawProviders(dice, name, at, pool));
  const isShared = dice.chance(0.4);
  const aggregates = drawAggregates(dice, names);
  const groups = drawGroups(dice);
  const body = drawRequest(dice, { names, aggregates, groups });
  const document = {
    hosts: names.flatMap((name, at) => (dice.chance(0.6) ? [drawHost(dice, name, at)] : [])),
    host_aggregates: aggregates,
    server_groups: groups,
    providers: isShared
      ? [
          ...providers,
          {
            uuid: uuidOf(5, 1),
            name: 'pool',
            traits: [SHARING],
            aggregates: [pool],
            inventories: { DISK_GB: { total: 90 } },
          },
        ]
      : providers,
    now: NOW,
    request: body,
  } as SimulationDto;
  return { seed, document, body, options: drawOptions(dice), returnAlternates: dice.chance(0.6) };
}

/** A tree: a root, and child slots of one device each. */
function drawProviders(dice: Dice, name: string, at: number, pool: string): SimulatedProviderDto[] {
  const uuid = uuidOf(2, at);
  const vcpus = dice.between(1, 8);
  const memory = 512 * dice.between(1, 8);
  const hasDisk = dice.chance(0.6);
  const disk = dice.between(10, 60);
  const ratio = dice.pick([1, 1, 2, 1.5]);
  const root: SimulatedProviderDto = {
    uuid,
    name,
    aggregates: dice.chance(0.6) ? [pool] : [],
    traits: [...dice.some(TRAITS, 0.5), ...(dice.chance(0.08) ? ['COMPUTE_STATUS_DISABLED'] : [])],
    inventories: {
      VCPU: { total: vcpus, allocation_ratio: ratio },
      MEMORY_MB: { total: memory, reserved: dice.pick([0, 0, 128]) },
      ...(hasDisk && { DISK_GB: { total: disk } }),
      ...(dice.chance(0.4) && { PCPU: { total: dice.between(1, 4) } }),
    },
    used: {
      VCPU: dice.chance(0.5) ? dice.between(0, vcpus) : 0,
      MEMORY_MB: dice.chance(0.5) ? dice.between(0, memory - 128) : 0,
      ...(hasDisk && { DISK_GB: dice.between(0, disk) }),
    },
  };
  const slots = dice.chance(0.5) ? dice.between(1, 3) : 0;
  const children = Array.from({ length: slots }, (_, slot): SimulatedProviderDto => ({
    uuid: uuidOf(3, at * 10 + slot),
    name: `${name}.${slot}`,
    parent_uuid: uuid,
    inventories: { CUSTOM_SLOT: { total: dice.between(1, 2) } },
  }));
  return [root, ...children];
}

function drawHost(dice: Dice, host: string, at: number): SimulatedHostDto {
  const seen = Date.parse(NOW) - 1000 * dice.pick([0, 10, 60, 61, 600]);
  const cpus = Array.from({ length: 4 }, (_, cpu) => cpu);
  return {
    host,
    uuid: uuidOf(2, at),
    cell: dice.pick(['one', 'two', null]),
    last_seen_up: new Date(seen).toISOString(),
    ...(dice.chance(0.1) && { status: 'disabled' as const }),
    ...(dice.chance(0.1) && { forced_down: true }),
    ...(dice.chance(0.5) && {
      vcpus_total: 8,
      vcpus_used: dice.between(0, 8),
      cpu_allocation_ratio: dice.pick([0, 2]),
    }),
    ...(dice.chance(0.5) && { memory_mb: 4096, free_ram_mb: dice.between(-100, 4096) }),
    ...(dice.chance(0.5) && {
      local_gb: 60,
      free_disk_gb: dice.between(0, 60),
      disk_available_least: dice.pick([null, 5]),
    }),
    ...(dice.chance(0.3) && { stats: { num_instances: dice.between(0, 3), io_workload: dice.between(0, 9) } }),
    ...(dice.chance(0.3) && { failed_builds: dice.between(0, 3) }),
    ...(dice.chance(0.5) && {
      hypervisor: { type: 'QEMU', version: dice.pick([7_000_000, 8_000_000]) },
      supported_instances: [['x86_64', 'kvm', 'hvm']],
    }),
    ...(dice.chance(0.4) && {
      numa_topology: {
        cells: [
          { id: 0, cpuset: cpus, pcpuset: [4, 5], memory: 2048 },
          { id: 1, cpuset: [6], memory: 512 },
        ],
      },
    }),
    instances: dice.some([80, 81, 82, 83], 0.3).map((number) => ({
      uuid: instanceUuid(number),
      vm_state: dice.pick(['active', 'building']),
    })),
  };
}

/** A host is in at most one zone. */
function drawAggregates(dice: Dice, names: readonly string[]): SimulatedAggregateDto[] {
  const [one, other] = [dice.some(names, 0.5), dice.some(names, 0.5)];
  const inOne = new Set(one);
  return [
    { uuid: uuidOf(6, 1), name: 'az1', availability_zone: 'az1', hosts: one },
    { uuid: uuidOf(6, 2), name: 'az2', availability_zone: 'az2', hosts: other.filter((name) => !inOne.has(name)) },
    {
      uuid: uuidOf(6, 3),
      name: 'tuned',
      hosts: dice.some(names, 0.5),
      metadata: { ram_weight_multiplier: String(dice.pick([-1, 0, 3])), ssd: dice.pick(['true', 'false']) },
    },
  ] as SimulatedAggregateDto[];
}

function drawGroups(dice: Dice): SimulatedGroupDto[] {
  const policy = dice.pick(POLICIES);
  return [
    {
      uuid: uuidOf(7, 1),
      name: 'group',
      project_id: 'p',
      policy,
      ...(policy === 'anti-affinity' && dice.chance(0.4) && { rules: { max_server_per_host: 2 } }),
      members: dice.some([80, 81, 82], 0.4).map(instanceUuid),
    },
  ] as SimulatedGroupDto[];
}

function drawRequest(
  dice: Dice,
  {
    names,
    aggregates,
    groups,
  }: { names: readonly string[]; aggregates: readonly SimulatedAggregateDto[]; groups: readonly SimulatedGroupDto[] },
): SelectDestinationsDto {
  const count = dice.chance(0.5) ? 1 : dice.between(2, 6);
  const hints: Record<string, unknown> = {};
  if (dice.chance(0.2)) hints['different_host'] = dice.some([80, 81, 82, 83], 0.5).map(instanceUuid);
  if (dice.chance(0.1)) hints['same_host'] = [instanceUuid(dice.between(80, 83))];
  if (dice.chance(0.1)) hints['query'] = '[">=","$free_ram_mb",512]';
  const extra: Record<string, string> = {};
  if (dice.chance(0.3)) extra['resources_S:CUSTOM_SLOT'] = '1';
  if (dice.chance(0.2)) extra[`trait:${dice.pick(TRAITS)}`] = dice.pick(['required', 'forbidden']);
  if (dice.chance(0.2)) extra['hw:cpu_policy'] = 'dedicated';
  if (dice.chance(0.15)) extra['hw:numa_nodes'] = '1';
  if (dice.chance(0.15)) extra['ssd'] = 'true';
  return {
    instances: Array.from({ length: count }, (_, at) => instanceUuid(at + 1)),
    ...(count > 1 && dice.chance(0.4) && { min_count: dice.between(1, count) }),
    flavor: {
      name: 'f',
      vcpus: dice.between(1, 2),
      memory_mb: dice.pick([128, 256, 512, 1024]),
      root_gb: dice.pick([0, 0, 5]),
      swap: dice.pick([0, 0, 100]),
      extra_specs: extra,
    },
    ...(dice.chance(0.3) && { image: { properties: { hw_architecture: 'x86_64' } } }),
    ...(dice.chance(0.2) && { is_bfv: true }),
    project_id: 'p',
    user_id: 'u',
    scheduler_hints: hints,
    ...(dice.chance(0.2) && { ignore_hosts: dice.some(names, 0.4).map((name) => name.toUpperCase()) }),
    ...(dice.chance(0.12) && { force_hosts: [dice.pick(names)] }),
    ...(dice.chance(0.1) && { requested_destination: { host: dice.pick(names) } }),
    ...(dice.chance(0.1) && { requested_destination: { cell: 'one', allow_cross_cell_move: dice.chance(0.5) } }),
    ...(dice.chance(0.2) && {
      availability_zone: dice.pick([...aggregates.slice(0, 2).map(({ name }) => name), 'nova', 'no']),
    }),
    ...(dice.chance(0.35) && { instance_group: groups[0]?.uuid ?? null }),
    ...(dice.chance(0.1) && { numa_topology: null }),
  };
}

function drawOptions(dice: Dice): SchedulerOptions {
  return {
    ...DEFAULT_SCHEDULER_OPTIONS,
    ...(dice.chance(0.5) && {
      enabledFilters: [...DEFAULT_SCHEDULER_OPTIONS.enabledFilters, ...dice.some(FILTERS, 0.3)],
    }),
    ...(dice.chance(0.3) && { weightClasses: dice.pick([['RAMWeigher'], [], ['CPUWeigher', 'DiskWeigher']]) }),
    ...(dice.chance(0.25) && { hostSubsetSize: dice.between(2, 4) }),
    ...(dice.chance(0.25) && { shuffleBestSameWeighedHosts: true }),
    ...(dice.chance(0.2) && { novaCompat: true }),
    ...(dice.chance(0.15) && { maxPlacementResults: dice.between(1, 3) }),
    ...(dice.chance(0.3) && { candidatesPerHost: dice.between(1, 2) }),
    ...(dice.chance(0.1) && { driver: 'chance_scheduler' }),
    ...(dice.chance(0.2) && { packsNumaCells: true }),
    maxAttempts: dice.between(1, 4),
    values: { filter_scheduler: { max_instances_per_host: dice.between(1, 5), max_io_ops_per_host: 8 } },
  };
}

/** The effect of concurrent requests. */
export interface OtherWrites {
  /** The share of the free amounts that other requests take between the search and the claims. */
  readonly writeByOthers: number;
  /** How often a claim meets a concurrent writer. */
  readonly conflicts: number;
}

export const NO_OTHERS: OtherWrites = { writeByOthers: 0, conflicts: 0 };

interface Room {
  readonly capacity: number;
  used: number;
}

/** Claims that count: never above capacity, never twice for one consumer, all of a call or none. */
export class ClaimedRooms implements Claims {
  readonly claimed = new Map<string, ClaimRequest>();
  readonly offers: AlternatesOffer[] = [];
  private readonly rooms = new Map<string, Room>();
  private readonly ofBatch = new Map<string, ClaimRequest[]>();
  private readonly dice: Dice;

  constructor(
    { document, seed }: SchedulerCase,
    private readonly otherWrites: OtherWrites = NO_OTHERS,
  ) {
    this.dice = new Dice(seed + 1);
    for (const { uuid, inventories = {}, used = {} } of document.providers ?? []) {
      for (const [name, record] of Object.entries(inventories)) {
        const { total, reserved = 0, allocation_ratio: allocationRatio = 1 } = record;
        const capacity = capacityOf({ total, reserved, allocationRatio });
        const taken = used[name] ?? 0;
        const takenByOthers = this.dice.chance(otherWrites.writeByOthers)
          ? this.dice.between(0, Math.max(0, capacity - taken))
          : 0;
        this.rooms.set(`${uuid} ${name}`, { capacity, used: taken + takenByOthers });
      }
    }
  }

  async claim(requests: readonly ClaimRequest[], { uuid: batch }: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    if (this.dice.chance(this.otherWrites.conflicts)) return { outcome: 'conflict', message: 'met another writer' };
    const twice = requests.find(({ consumerUuid }) => this.claimed.has(consumerUuid));
    if (twice !== undefined) return { outcome: 'consumer_exists', message: `${twice.consumerUuid} is claimed` };
    const undo: (() => void)[] = [];
    for (const [room, amount] of requests.flatMap((request) => this.takesOf(request))) {
      room.used += amount;
      undo.push(() => (room.used -= amount));
      if (room.used <= room.capacity) continue;
      for (const step of undo) step();
      return { outcome: 'no_capacity', message: 'there is no room left' };
    }
    for (const request of requests) {
      this.claimed.set(request.consumerUuid, request);
      addTo(this.ofBatch, batch, request);
    }
    return 'claimed';
  }

  /** As if the instance had been placed twice by mistake. */
  held(): ReturnType<Claims['held']> {
    return Promise.resolve({ generation: 1, allocations: {}, placed: { host: 'elsewhere', isMoving: false } });
  }

  release({ uuid: batch }: ClaimBatch): Promise<void> {
    for (const request of this.ofBatch.get(batch) ?? []) {
      this.claimed.delete(request.consumerUuid);
      for (const [room, amount] of this.takesOf(request)) room.used -= amount;
    }
    return Promise.resolve();
  }

  open(batch: ClaimBatch): Promise<void> {
    if (this.claimed.size > 0) throw new Error('a batch is written down before its first claim');
    batch.isOpen = true;
    return Promise.resolve();
  }

  finish(offers: readonly AlternatesOffer[]): Promise<void> {
    this.offers.push(...offers);
    return Promise.resolve();
  }

  private takesOf({ allocations }: Pick<ClaimRequest, 'allocations'>): [Room, number][] {
    return Object.entries(allocations).flatMap(([uuid, { resources }]) =>
      Object.entries(resources).map(([name, amount]): [Room, number] => [
        this.rooms.get(`${uuid} ${name}`) ?? { capacity: 0, used: 0 },
        amount,
      ]),
    );
  }
}
