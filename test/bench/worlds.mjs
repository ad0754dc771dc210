// The clouds of the benchmarks, made from a seed: the same name and size give the same cloud, row by row.
//
//   flat      hosts with VCPU, MEMORY_MB, DISK_GB, 40 traits each and one of 20 aggregates
//   numa      hosts with DISK_GB and two NUMA nodes (VCPU, MEMORY_MB) below
//   devices   the same, and seven GPUs below
//   nested    hosts of three levels: root (DISK_GB) / two NUMA nodes (VCPU, MEMORY_MB) / a GPU under each
//   sharing   hosts without disk, fifty of them to a shared pool
//   wide      hosts with eight equal children
//   broad     hosts with three hundred equal children
//   siblings  hosts with a child, and three hundred equal grandchildren below it
//   bare      providers without anything
//   crowded   hosts with a hundred thousand instances each

const CLASS = { VCPU: 0, MEMORY_MB: 1, DISK_GB: 2, SRIOV_NET_VF: 4, PGPU: 17 };
const CLASS_NAME = Object.fromEntries(Object.entries(CLASS).map(([name, id]) => [id, name]));

/** Reproducible numbers in [0, 1). */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const uuidOf = (kind, number) =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
export const aggregateUuid = (number) => uuidOf(0xa, number);
export const providerUuid = (id) => uuidOf(0xb, id);

/** A trait of half of the hosts. */
export const HALF_TRAIT = 'CUSTOM_BENCH_HALF';
/** A trait of a tenth of the hosts. */
export const TENTH_TRAIT = 'CUSTOM_BENCH_TENTH';
export const BENCH_TRAITS = [HALF_TRAIT, TENTH_TRAIT, ...Array.from({ length: 60 }, (_, at) => `CUSTOM_BENCH_${at}`)];
export const AGGREGATES = Array.from({ length: 20 }, (_, at) => aggregateUuid(at + 1));

/** `instances` is the number on each flat host; without it each has a few at random. */
export function world(kind, hosts, instances) {
  const made = new World(hosts);
  made.instancesEach = instances;
  for (let host = 0; host < hosts; host += 1) HOSTS[kind](made, host);
  return made;
}

class World {
  providers = [];
  inventories = [];
  traits = [];
  aggregates = [];
  consumers = [];
  random;
  instancesEach;

  constructor(seed) {
    this.random = dice(seed);
  }

  provider(name, parent = null) {
    const id = this.providers.length + 1;
    const root = parent === null ? id : parent.root;
    const provider = { id, uuid: providerUuid(id), name, parent: parent?.id ?? null, root };
    this.providers.push(provider);
    return provider;
  }

  inventory(provider, name, total, { ratio = 1, reserved = 0, used = 0 } = {}) {
    const capacity = Math.floor((total - reserved) * ratio);
    this.inventories.push({
      provider: provider.id,
      classId: CLASS[name],
      name,
      total,
      reserved,
      ratio,
      capacity,
      used,
    });
  }

  /** Creates instances of one size; returns their total usage. */
  instances(provider, count, sizes) {
    for (let at = 0; at < count; at += 1) {
      const uuid = uuidOf(0xc, this.consumers.length + 1);
      const allocations = Object.entries(sizes).map(([name, amount]) => ({
        provider: provider.id,
        classId: CLASS[name],
        name,
        amount,
      }));
      this.consumers.push({ uuid, allocations });
    }
    return Object.fromEntries(Object.entries(sizes).map(([name, amount]) => [name, amount * count]));
  }
}

const HOSTS = {
  flat(made, host) {
    const provider = made.provider(`flat-${host}`);
    const used = made.instances(provider, made.instancesEach ?? Math.floor(made.random() * 4), {
      VCPU: 2,
      MEMORY_MB: 4096,
      DISK_GB: 20,
    });
    made.inventory(provider, 'VCPU', 32, { ratio: 4, used: used.VCPU });
    made.inventory(provider, 'MEMORY_MB', 131_072, { reserved: 512, used: used.MEMORY_MB });
    made.inventory(provider, 'DISK_GB', 2_000, { used: used.DISK_GB });
    const own = new Set();
    if (host % 2 === 0) own.add(HALF_TRAIT);
    if (host % 10 === 3) own.add(TENTH_TRAIT);
    while (own.size < 40) own.add(BENCH_TRAITS[2 + Math.floor(made.random() * 60)]);
    for (const trait of own) made.traits.push([provider.id, trait]);
    made.aggregates.push([provider.id, AGGREGATES[host % AGGREGATES.length]]);
  },
  numa(made, host) {
    const root = made.provider(`numa-${host}`);
    made.inventory(root, 'DISK_GB', 2_000);
    for (const side of [0, 1]) {
      const node = made.provider(`numa-${host}-node${side}`, root);
      const count = Math.floor(((made.instancesEach ?? 4) + side) / 2);
      const used = made.instances(node, count, { VCPU: 2, MEMORY_MB: 4096 });
      made.inventory(node, 'VCPU', 16, { ratio: 4, used: used.VCPU });
      made.inventory(node, 'MEMORY_MB', 65_536, { used: used.MEMORY_MB });
      made.traits.push([node.id, 'HW_NUMA_ROOT']);
    }
  },
  devices(made, host) {
    HOSTS.numa(made, host);
    const root = made.providers.findLast(({ parent }) => parent === null);
    for (let device = 0; device < 7; device += 1)
      made.inventory(made.provider(`numa-${host}-gpu${device}`, root), 'PGPU', 1);
  },
  nested(made, host) {
    const root = made.provider(`nested-${host}`);
    made.inventory(root, 'DISK_GB', 2_000);
    for (const side of [0, 1]) {
      const numa = made.provider(`nested-${host}-numa${side}`, root);
      made.inventory(numa, 'VCPU', 16, { ratio: 2 });
      made.inventory(numa, 'MEMORY_MB', 65_536);
      made.traits.push([numa.id, 'HW_NUMA_ROOT']);
      const gpu = made.provider(`nested-${host}-gpu${side}`, numa);
      made.inventory(gpu, 'PGPU', 4);
    }
  },
  sharing(made, host) {
    const aggregate = aggregateUuid(1_000 + Math.floor(host / 50));
    if (host % 50 === 0) {
      const pool = made.provider(`pool-${host / 50}`);
      made.inventory(pool, 'DISK_GB', 1_000_000);
      made.traits.push([pool.id, 'MISC_SHARES_VIA_AGGREGATE']);
      made.aggregates.push([pool.id, aggregate]);
    }
    const provider = made.provider(`sharing-${host}`);
    made.inventory(provider, 'VCPU', 32, { ratio: 4 });
    made.inventory(provider, 'MEMORY_MB', 131_072);
    made.aggregates.push([provider.id, aggregate]);
  },
  wide(made, host) {
    const root = made.provider(`wide-${host}`);
    made.inventory(root, 'VCPU', 64);
    for (let child = 0; child < 8; child += 1)
      made.inventory(made.provider(`wide-${host}-${child}`, root), 'SRIOV_NET_VF', 8);
  },
  broad(made, host) {
    const root = made.provider(`broad-${host}`);
    for (let child = 0; child < 300; child += 1)
      made.inventory(made.provider(`broad-${host}-${child}`, root), 'SRIOV_NET_VF', 8);
  },
  siblings(made, host) {
    const middle = made.provider(`siblings-${host}-0`, made.provider(`siblings-${host}`));
    for (let child = 0; child < 300; child += 1)
      made.inventory(made.provider(`siblings-${host}-0-${child}`, middle), 'SRIOV_NET_VF', 8);
  },
  crowded(made, host) {
    const provider = made.provider(`crowded-${host}`);
    const used = made.instances(provider, 100_000, { VCPU: 1, MEMORY_MB: 64 });
    made.inventory(provider, 'VCPU', 200_000, { used: used.VCPU });
    made.inventory(provider, 'MEMORY_MB', 100_000_000, { used: used.MEMORY_MB });
  },
  bare(made, host) {
    made.provider(`bare-${host}`);
  },
};

const amount = (random, most) => 1 + Math.floor(random() * most);
const flatResources = (random) =>
  `VCPU:${amount(random, 4)},MEMORY_MB:${256 * amount(random, 8)},DISK_GB:${10 * amount(random, 4)}`;
const six = (policy) =>
  `group_policy=${policy}&${[1, 2, 3, 4, 5, 6].map((group) => `resources${group}=SRIOV_NET_VF:1`).join('&')}`;

/** The requests to each world; amounts and names vary with every request. */
export const CASES = [
  { name: 'flat, limit 1000', world: 'flat', query: (random) => `resources=${flatResources(random)}&limit=1000` },
  { name: 'flat, limit 1', world: 'flat', query: (random) => `resources=${flatResources(random)}&limit=1` },
  {
    name: 'flat, traits and aggregates, limit 1000',
    world: 'flat',
    query: (random) => {
      const at = Math.floor(random() * 16);
      const aggregates = AGGREGATES.slice(at, at + 4).join(',');
      return `resources=${flatResources(random)}&required=${HALF_TRAIT},!${TENTH_TRAIT}&member_of=in:${aggregates}&limit=1000`;
    },
  },
  {
    name: 'nested, groups and same_subtree, limit 1000',
    world: 'nested',
    query: (random) =>
      `resources=DISK_GB:${10 * amount(random, 4)}&resources1=VCPU:${amount(random, 4)},MEMORY_MB:${256 * amount(random, 8)}` +
      '&required1=HW_NUMA_ROOT&resources2=PGPU:1&group_policy=none&same_subtree=1,2&limit=1000',
  },
  { name: 'sharing, limit 1000', world: 'sharing', query: (random) => `resources=${flatResources(random)}&limit=1000` },
  {
    name: 'wide, six groups, none, limit 1000',
    world: 'wide',
    hostsMax: 100,
    query: () => `${six('none')}&limit=1000`,
  },
  {
    name: 'wide, six groups, isolate, limit 1000',
    world: 'wide',
    hostsMax: 100,
    query: () => `${six('isolate')}&limit=1000`,
  },
];

export { CLASS_NAME };
