// The small cloud of each case of the change log, and the requests that cases send.
//
//   small tree:  host ─┬─ child (VCPU, DISK_GB, CUSTOM_GOLD; used by "vm")      another tree: other (VCPU, CUSTOM_GOLD)
//                      └─ leaf  (nothing)
import type { TestRequest, TestResponse } from '../support/service';

/** The small cloud of one case, with unique names. */
export interface World {
  readonly number: number;
  readonly host: string;
  readonly child: string;
  readonly leaf: string;
  readonly other: string;
  /** Has allocations of 2 VCPU and 10 DISK_GB on `child`; its generation is 1. */
  readonly vm: string;
  readonly newcomer: string;
  readonly second: string;
  /** A custom class with inventories on `child` and `other`, and one without any. */
  readonly gold: string;
  readonly unusedClass: string;
  readonly trait: string;
  readonly unusedTrait: string;
  readonly aggregate: string;
}

export const UNKNOWN_UUID = 'ffffffff-0000-4000-8000-000000000000';
const OWNER = { project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE' };

export function worldOf(number: number): World {
  const uuid = (kind: string): string => `${kind.padEnd(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return {
    number,
    host: uuid('a1'),
    child: uuid('a2'),
    leaf: uuid('a3'),
    other: uuid('a4'),
    vm: uuid('c1'),
    newcomer: uuid('c2'),
    second: uuid('c3'),
    gold: `CUSTOM_GOLD_${number}`,
    unusedClass: `CUSTOM_UNUSED_${number}`,
    trait: `CUSTOM_TRAIT_${number}`,
    unusedTrait: `CUSTOM_UNUSED_TRAIT_${number}`,
    aggregate: uuid('e1'),
  };
}

export type Ask = (request: TestRequest) => Promise<TestResponse>;

export async function build(world: World, ok: Ask): Promise<void> {
  const { host, child, leaf, other, gold, trait, aggregate, vm } = world;
  const provider = (uuid: string, parent: string | null): TestRequest => ({
    method: 'POST',
    path: '/resource_providers',
    body: { uuid, name: `${uuid} of world`, parent_provider_uuid: parent },
  });
  for (const name of [gold, world.unusedClass]) await ok({ method: 'PUT', path: `/resource_classes/${name}` });
  for (const name of [trait, world.unusedTrait]) await ok({ method: 'PUT', path: `/traits/${name}` });
  await ok(provider(host, null));
  await ok(provider(child, host));
  await ok(provider(leaf, host));
  await ok(provider(other, null));
  const inventories = { VCPU: { total: 8 }, DISK_GB: { total: 100, min_unit: 5, step_size: 5 }, [gold]: { total: 3 } };
  await ok(putInventories(child, 0, inventories));
  await ok(putInventories(other, 0, { VCPU: { total: 4 }, [gold]: { total: 3 } }));
  await ok(putTraits(child, 1, [trait, 'HW_CPU_X86_AVX']));
  await ok(putAggregates(child, 2, [aggregate]));
  await ok(putAllocations(vm, null, { [child]: { VCPU: 2, DISK_GB: 10 } }));
}

/** The generation of `child` in a new world; that of `other` is 1. */
export const CHILD_GENERATION = 4;

export const putInventories = (uuid: string, generation: number, inventories: object): TestRequest => ({
  method: 'PUT',
  path: `/resource_providers/${uuid}/inventories`,
  body: { resource_provider_generation: generation, inventories },
});
export const putTraits = (uuid: string, generation: number, traits: readonly string[]): TestRequest => ({
  method: 'PUT',
  path: `/resource_providers/${uuid}/traits`,
  body: { resource_provider_generation: generation, traits },
});
export const putAggregates = (uuid: string, generation: number, aggregates: readonly string[]): TestRequest => ({
  method: 'PUT',
  path: `/resource_providers/${uuid}/aggregates`,
  body: { resource_provider_generation: generation, aggregates },
});

export type Amounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const consumerBody = (generation: number | null, amounts: Amounts): object => ({
  ...OWNER,
  consumer_generation: generation,
  allocations: Object.fromEntries(Object.entries(amounts).map(([uuid, resources]) => [uuid, { resources }])),
});
export const putAllocations = (consumer: string, generation: number | null, amounts: Amounts): TestRequest => ({
  method: 'PUT',
  path: `/allocations/${consumer}`,
  body: consumerBody(generation, amounts),
});
export const postAllocations = (sets: Readonly<Record<string, object>>): TestRequest => ({
  method: 'POST',
  path: '/allocations',
  body: sets,
});
export const reshape = (
  inventories: Readonly<Record<string, readonly [generation: number, inventories: object]>>,
  allocations: object = {},
): TestRequest => ({
  method: 'POST',
  path: '/reshaper',
  body: {
    inventories: Object.fromEntries(
      Object.entries(inventories).map(([uuid, [generation, set]]) => [
        uuid,
        { resource_provider_generation: generation, inventories: set },
      ]),
    ),
    allocations,
  },
});
export const scheduling = (project: string): object => ({
  flavor: { vcpus: 1, memory_mb: 64, root_gb: 0 },
  project_id: project,
  user_id: 'u',
});

export const PROVIDERS = '/resource_providers';
export const ONE = '/resource_providers/:uuid';
export const at = (uuid: string, rest = ''): string => `${PROVIDERS}/${uuid}${rest}`;
export const FULL_SET = (world: World): object => ({
  VCPU: { total: 8 },
  DISK_GB: { total: 100, min_unit: 5, step_size: 5 },
  [world.gold]: { total: 3 },
});
