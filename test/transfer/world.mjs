// A cloud that is written through the API of a Placement service: trees of hosts, NUMA nodes and cards, with consumers.
import { randomUUID } from 'node:crypto';
import { atOnce, send } from './answers.mjs';

const TYPES = ['INSTANCE', 'MIGRATION', 'VOLUME'];

/** About four providers per host (the host, two NUMA nodes, a card) and four allocations per consumer. */
export function makeWorld({ hosts = 250, consumers = 2_500 } = {}) {
  const aggregates = Array.from({ length: 10 }, () => randomUUID());
  const customTraits = Array.from({ length: 8 }, (_, at) => `CUSTOM_TRAIT_${at}`);
  const trees = Array.from({ length: hosts }, (_, at) => {
    const provider = (name, parent) => ({ uuid: randomUUID(), name: `${name}.host-${at}.example`, parent });
    const host = provider('compute');
    const numa = [0, 1].map((node) => provider(`numa-${node}`, host.uuid));
    return { host, numa, card: provider('card', numa[0].uuid), at };
  });
  const projects = Array.from({ length: 20 }, (_, at) => `project-${at}-${randomUUID()}`);
  const users = Array.from({ length: 30 }, (_, at) => `user-${at}-${randomUUID()}`);
  return {
    trees,
    aggregates,
    customTraits,
    projects,
    users,
    providers: trees.flatMap(({ host, numa, card }) => [host, ...numa, card]),
    customClasses: ['CUSTOM_CARD', 'CUSTOM_GOLD_LICENCE', 'CUSTOM_UNUSED'],
    consumers: Array.from({ length: consumers }, (_, at) => ({
      uuid: randomUUID(),
      project_id: projects[at % projects.length],
      user_id: users[at % users.length],
      consumer_type: TYPES[at % TYPES.length],
      allocations: allocationsOn(trees[at % trees.length], at),
    })),
    searches: [
      'resources=VCPU:1,MEMORY_MB:1024&limit=5000',
      'resources=DISK_GB:10&required=CUSTOM_TRAIT_1&limit=5000',
      `resources=DISK_GB:1&member_of=${aggregates[3]}&limit=5000`,
      'resources=DISK_GB:5&resources_A=VCPU:2&resources_B=CUSTOM_CARD:1&group_policy=none&limit=5000',
    ],
  };
}

function allocationsOn({ host, numa, card }, at) {
  return {
    [host.uuid]: { resources: { DISK_GB: 1 + (at % 20) } },
    [numa[at % 2].uuid]: { resources: { VCPU: 1 + (at % 4), MEMORY_MB: 512 * (1 + (at % 3)) } },
    [card.uuid]: { resources: { CUSTOM_CARD: 1 } },
  };
}

export async function writeWorld(base, world) {
  for (const name of world.customClasses) await send(base, 'PUT', `/resource_classes/${name}`);
  for (const name of world.customTraits) await send(base, 'PUT', `/traits/${name}`);
  await atOnce(world.trees, (tree) => writeTree(base, world, tree));
  const batches = Array.from({ length: Math.ceil(world.consumers.length / 25) }, (_, at) =>
    world.consumers.slice(at * 25, at * 25 + 25),
  );
  // One after the other: the reference answers 409 if two writes meet on a provider.
  for (const batch of batches) {
    const body = batch.map(({ uuid, ...consumer }) => [uuid, { ...consumer, consumer_generation: null }]);
    await send(base, 'POST', '/allocations', Object.fromEntries(body));
  }
}

async function writeTree(base, world, { host, numa, card, at }) {
  for (const { uuid, name, parent } of [host, ...numa, card]) {
    await send(base, 'POST', '/resource_providers', { uuid, name, ...(parent && { parent_provider_uuid: parent }) });
  }
  const put = async ({ uuid }, inventories, traits, aggregates) => {
    const versioned = async (part, body) => {
      const { generation } = await send(base, 'GET', `/resource_providers/${uuid}`);
      await send(base, 'PUT', `/resource_providers/${uuid}/${part}`, {
        resource_provider_generation: generation,
        ...body,
      });
    };
    await versioned('inventories', { inventories });
    if (traits.length > 0) await versioned('traits', { traits });
    if (aggregates.length > 0) await versioned('aggregates', { aggregates });
  };
  const { aggregates, customTraits } = world;
  const disk = { total: 2_000 + at, reserved: at % 7, step_size: 1, max_unit: 1_000, allocation_ratio: 1.5 };
  await put(host, { DISK_GB: disk, CUSTOM_GOLD_LICENCE: { total: 10 } }, [customTraits[at % 8]], [aggregates[at % 10]]);
  for (const node of numa) {
    const inventories = {
      VCPU: { total: 32, allocation_ratio: [16.0, 4.0, 0.7, 1.1][at % 4] * (at % 4 > 1 ? 10 : 1) },
      MEMORY_MB: { total: 262_144, reserved: 512, allocation_ratio: 1.0 },
    };
    await put(node, inventories, ['HW_CPU_X86_AVX2', 'HW_NUMA_ROOT'], []);
  }
  await put(card, { CUSTOM_CARD: { total: 64 } }, ['HW_NIC_SRIOV'], [aggregates[(at + 1) % 10]]);
}
