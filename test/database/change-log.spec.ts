// The change log, route by route: a reader with the graph before a write gets the graph after it from the new log rows.
// Unchanged parts write no rows, and a refused write changes nothing.
//
//   small tree:  host ─┬─ child (VCPU, DISK_GB, CUSTOM_GOLD; used by "vm")      another tree: other (VCPU, CUSTOM_GOLD)
//                      └─ leaf  (nothing)
import type { ProviderGraph } from '../../src/placement/candidate-search';
import { dumpGraph, graphEquals } from '../../src/placement/candidate-search';
import { CHANGE_LOG_LIMITS } from '../../src/platform/config/limits';
import type { ChangeRow } from '../../src/platform/database/change-log';
import { TREE_CHANGE, USAGE_CHANGE } from '../../src/platform/database/change-log';
import { ChangeLogMaintenance } from '../../src/platform/database/change-log-maintenance';
import { testDatabaseKinds } from '../support/databases';
import { GraphFollower, loadedGraph, readChangeLog } from '../support/graph-follower';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { dumpTables } from '../support/table-dump';

/** The small cloud of one case, with unique names. */
interface World {
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

const UNKNOWN_UUID = 'ffffffff-0000-4000-8000-000000000000';
const OWNER = { project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE' };

function worldOf(number: number): World {
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

type Ask = (request: TestRequest) => Promise<TestResponse>;

async function build(world: World, ok: Ask): Promise<void> {
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
const CHILD_GENERATION = 4;

const putInventories = (uuid: string, generation: number, inventories: object): TestRequest => ({
  method: 'PUT',
  path: `/resource_providers/${uuid}/inventories`,
  body: { resource_provider_generation: generation, inventories },
});
const putTraits = (uuid: string, generation: number, traits: readonly string[]): TestRequest => ({
  method: 'PUT',
  path: `/resource_providers/${uuid}/traits`,
  body: { resource_provider_generation: generation, traits },
});
const putAggregates = (uuid: string, generation: number, aggregates: readonly string[]): TestRequest => ({
  method: 'PUT',
  path: `/resource_providers/${uuid}/aggregates`,
  body: { resource_provider_generation: generation, aggregates },
});

type Amounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const consumerBody = (generation: number | null, amounts: Amounts): object => ({
  ...OWNER,
  consumer_generation: generation,
  allocations: Object.fromEntries(Object.entries(amounts).map(([uuid, resources]) => [uuid, { resources }])),
});
const putAllocations = (consumer: string, generation: number | null, amounts: Amounts): TestRequest => ({
  method: 'PUT',
  path: `/allocations/${consumer}`,
  body: consumerBody(generation, amounts),
});
const postAllocations = (sets: Readonly<Record<string, object>>): TestRequest => ({
  method: 'POST',
  path: '/allocations',
  body: sets,
});
const reshape = (
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
const scheduling = (project: string): object => ({
  flavor: { vcpus: 1, memory_mb: 64, root_gb: 0 },
  project_id: project,
  user_id: 'u',
});

interface Accepted {
  readonly route: string;
  readonly name: string;
  /** The kinds of log rows after the write. */
  readonly leaves: 'trees' | 'usage' | 'both' | 'nothing';
  readonly before?: (world: World) => readonly TestRequest[];
  readonly request: (world: World) => TestRequest;
}

const accepted = (
  route: string,
  name: string,
  leaves: Accepted['leaves'],
  request: Accepted['request'],
  before?: Accepted['before'],
): Accepted => ({ route, name, leaves, request, ...(before !== undefined && { before }) });

const PROVIDERS = '/resource_providers';
const ONE = '/resource_providers/:uuid';
const at = (uuid: string, rest = ''): string => `${PROVIDERS}/${uuid}${rest}`;
const FULL_SET = (world: World): object => ({
  VCPU: { total: 8 },
  DISK_GB: { total: 100, min_unit: 5, step_size: 5 },
  [world.gold]: { total: 3 },
});

const ACCEPTED: readonly Accepted[] = [
  accepted(`POST ${PROVIDERS}`, 'a root', 'trees', () => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: 'a new root' },
  })),
  accepted(`POST ${PROVIDERS}`, 'a grandchild', 'trees', (w) => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: `grandchild ${w.number}`, parent_provider_uuid: w.child },
  })),
  accepted(`PUT ${ONE}`, 'a new name', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.child),
    body: { name: `renamed ${w.number}` },
  })),
  accepted(`PUT ${ONE}`, 'a parent for a root with its subtree', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.host),
    body: { name: `moved ${w.number}`, parent_provider_uuid: w.other },
  })),
  accepted(`PUT ${ONE}`, 'another tree for a child', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.child),
    body: { name: `moved ${w.number}`, parent_provider_uuid: w.other },
  })),
  accepted(`PUT ${ONE}`, 'another parent in the same tree', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.child),
    body: { name: `moved ${w.number}`, parent_provider_uuid: w.leaf },
  })),
  accepted(`PUT ${ONE}`, 'no parent for a child', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.child),
    body: { name: `free ${w.number}`, parent_provider_uuid: null },
  })),
  accepted(
    `PUT ${ONE}`,
    'no parent for a child that has a subtree of its own',
    'trees',
    (w) => ({ method: 'PUT', path: at(w.child), body: { name: `free ${w.number}`, parent_provider_uuid: null } }),
    (w) => [{ method: 'PUT', path: at(w.leaf), body: { name: `leaf ${w.number}`, parent_provider_uuid: w.child } }],
  ),
  accepted(`DELETE ${ONE}`, 'a child with nothing', 'trees', (w) => ({ method: 'DELETE', path: at(w.leaf) })),
  accepted(
    `DELETE ${ONE}`,
    'a root with inventory, traits and aggregates',
    'trees',
    (w) => ({ method: 'DELETE', path: at(w.other) }),
    (w) => [putTraits(w.other, 1, [w.trait]), putAggregates(w.other, 2, [w.aggregate])],
  ),
  accepted(`POST ${ONE}/inventories`, 'a class the provider lacked', 'trees', (w) => ({
    method: 'POST',
    path: at(w.other, '/inventories'),
    body: { resource_class: 'MEMORY_MB', total: 100 },
  })),
  accepted(`PUT ${ONE}/inventories`, 'one class changed, one added, one removed', 'trees', (w) =>
    putInventories(w.child, CHILD_GENERATION, { VCPU: { total: 16 }, DISK_GB: { total: 100 }, VGPU: { total: 1 } }),
  ),
  accepted(`PUT ${ONE}/inventories`, 'less than is used', 'trees', (w) =>
    putInventories(w.child, CHILD_GENERATION, { VCPU: { total: 1 }, DISK_GB: { total: 100 } }),
  ),
  accepted(`PUT ${ONE}/inventories`, 'the same set', 'trees', (w) =>
    putInventories(w.child, CHILD_GENERATION, FULL_SET(w)),
  ),
  accepted(
    `PUT ${ONE}/inventories`,
    'a class that was removed before: another record',
    'trees',
    (w) => putInventories(w.other, 2, { VCPU: { total: 4 }, [w.gold]: { total: 3 } }),
    (w) => [putInventories(w.other, 1, {})],
  ),
  accepted(`PUT ${ONE}/inventories/:resource_class`, 'one record', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.child, '/inventories/VCPU'),
    body: { resource_provider_generation: CHILD_GENERATION, total: 20, reserved: 1 },
  })),
  accepted(`DELETE ${ONE}/inventories/:resource_class`, 'one record', 'trees', (w) => ({
    method: 'DELETE',
    path: at(w.child, `/inventories/${w.gold}`),
  })),
  accepted(`DELETE ${ONE}/inventories`, 'all records', 'trees', (w) => ({
    method: 'DELETE',
    path: at(w.other, '/inventories'),
  })),
  accepted(`PUT ${ONE}/aggregates`, 'other aggregates', 'trees', (w) => putAggregates(w.child, 4, [UNKNOWN_UUID])),
  accepted(`PUT ${ONE}/aggregates`, 'other aggregates, without a generation', 'trees', (w) => ({
    method: 'PUT',
    path: at(w.child, '/aggregates'),
    version: '1.18',
    body: [UNKNOWN_UUID, w.aggregate],
  })),
  accepted(`PUT ${ONE}/aggregates`, 'the same aggregates', 'nothing', (w) => putAggregates(w.child, 4, [w.aggregate])),
  accepted(`PUT ${ONE}/traits`, 'other traits', 'trees', (w) => putTraits(w.child, 4, [w.unusedTrait])),
  accepted(`PUT ${ONE}/traits`, 'the trait that makes it share', 'trees', (w) =>
    putTraits(w.child, 4, ['MISC_SHARES_VIA_AGGREGATE']),
  ),
  accepted(`PUT ${ONE}/traits`, 'the same traits', 'nothing', (w) =>
    putTraits(w.child, 4, ['HW_CPU_X86_AVX', w.trait, w.trait]),
  ),
  accepted(`DELETE ${ONE}/traits`, 'all traits', 'trees', (w) => ({ method: 'DELETE', path: at(w.child, '/traits') })),
  accepted(`DELETE ${ONE}/traits`, 'none', 'nothing', (w) => ({ method: 'DELETE', path: at(w.leaf, '/traits') })),
  accepted('POST /resource_classes', 'a class', 'nothing', (w) => ({
    method: 'POST',
    path: '/resource_classes',
    body: { name: `CUSTOM_NEW_${w.number}` },
  })),
  accepted('PUT /resource_classes/:name', 'a class', 'nothing', (w) => ({
    method: 'PUT',
    path: `/resource_classes/CUSTOM_PUT_${w.number}`,
  })),
  accepted('PUT /resource_classes/:name', 'a class that exists', 'nothing', (w) => ({
    method: 'PUT',
    path: `/resource_classes/${w.gold}`,
  })),
  accepted('PUT /resource_classes/:name', 'a new name for a class that two providers have', 'trees', (w) => ({
    method: 'PUT',
    path: `/resource_classes/${w.gold}`,
    version: '1.6',
    body: { name: `CUSTOM_SILVER_${w.number}` },
  })),
  accepted('PUT /resource_classes/:name', 'a new name for a class that nobody has', 'nothing', (w) => ({
    method: 'PUT',
    path: `/resource_classes/${w.unusedClass}`,
    version: '1.2',
    body: { name: `CUSTOM_STILL_UNUSED_${w.number}` },
  })),
  accepted('DELETE /resource_classes/:name', 'a class', 'nothing', (w) => ({
    method: 'DELETE',
    path: `/resource_classes/${w.unusedClass}`,
  })),
  accepted('PUT /traits/:name', 'a trait', 'nothing', (w) => ({ method: 'PUT', path: `/traits/CUSTOM_T_${w.number}` })),
  accepted('DELETE /traits/:name', 'a trait', 'nothing', (w) => ({
    method: 'DELETE',
    path: `/traits/${w.unusedTrait}`,
  })),
  accepted('PUT /allocations/:consumer_uuid', 'a first claim on two providers', 'usage', (w) =>
    putAllocations(w.newcomer, null, { [w.child]: { VCPU: 1 }, [w.other]: { VCPU: 1, [w.gold]: 1 } }),
  ),
  accepted('PUT /allocations/:consumer_uuid', 'more of the same', 'usage', (w) =>
    putAllocations(w.vm, 1, { [w.child]: { VCPU: 3, DISK_GB: 10 } }),
  ),
  accepted('PUT /allocations/:consumer_uuid', 'the same again', 'usage', (w) =>
    putAllocations(w.vm, 1, { [w.child]: { VCPU: 2, DISK_GB: 10 } }),
  ),
  accepted('PUT /allocations/:consumer_uuid', 'another provider', 'usage', (w) =>
    putAllocations(w.vm, 1, { [w.other]: { VCPU: 2 } }),
  ),
  accepted('PUT /allocations/:consumer_uuid', 'nothing any more', 'usage', (w) => putAllocations(w.vm, 1, {})),
  accepted('PUT /allocations/:consumer_uuid', 'nothing, for nobody', 'nothing', (w) =>
    putAllocations(w.newcomer, null, {}),
  ),
  accepted('PUT /allocations/:consumer_uuid', 'a list, in the first version', 'usage', (w) => ({
    method: 'PUT',
    path: `/allocations/${w.newcomer}`,
    version: null,
    body: { allocations: [{ resource_provider: { uuid: w.child }, resources: { VCPU: 1 } }] },
  })),
  accepted('POST /allocations', 'a swap', 'usage', (w) =>
    postAllocations({
      [w.vm]: consumerBody(1, {}),
      [w.newcomer]: consumerBody(null, { [w.child]: { VCPU: 2, DISK_GB: 10 } }),
    }),
  ),
  accepted('POST /allocations', 'a swap with a move', 'usage', (w) =>
    postAllocations({
      [w.vm]: consumerBody(1, { [w.other]: { VCPU: 2 } }),
      [w.newcomer]: consumerBody(null, { [w.child]: { VCPU: 2, DISK_GB: 10 } }),
    }),
  ),
  accepted('POST /allocations', 'two newcomers', 'usage', (w) =>
    postAllocations({
      [w.newcomer]: consumerBody(null, { [w.child]: { VCPU: 1 } }),
      [w.second]: consumerBody(null, { [w.child]: { VCPU: 1 }, [w.other]: { VCPU: 1 } }),
    }),
  ),
  accepted('DELETE /allocations/:consumer_uuid', 'a release', 'usage', (w) => ({
    method: 'DELETE',
    path: `/allocations/${w.vm}`,
  })),
  accepted('POST /reshaper', 'inventory and allocations from one provider to a new one', 'both', (w) =>
    reshape(
      { [w.child]: [CHILD_GENERATION, { DISK_GB: { total: 100 } }], [w.leaf]: [0, { VCPU: { total: 8 } }] },
      {
        [w.vm]: consumerBody(1, { [w.leaf]: { VCPU: 2 }, [w.child]: { DISK_GB: 10 } }),
        [w.newcomer]: consumerBody(null, { [w.other]: { VCPU: 1 } }),
      },
    ),
  ),
  accepted('POST /reshaper', 'inventory alone', 'trees', (w) => reshape({ [w.leaf]: [0, { VGPU: { total: 2 } }] })),
  accepted(
    'POST /scheduler/select_destinations',
    'a claim',
    'usage',
    (w) => ({
      method: 'POST',
      path: '/scheduler/select_destinations',
      body: { ...scheduling(`p${w.number}`), instances: [w.newcomer] },
    }),
    (w) => [putInventories(w.other, 1, { VCPU: { total: 4 }, MEMORY_MB: { total: 1024 }, DISK_GB: { total: 10 } })],
  ),
  accepted('POST /scheduler/explain', 'a question', 'nothing', (w) => ({
    method: 'POST',
    path: '/scheduler/explain',
    body: scheduling(`p${w.number}`),
  })),
  accepted('POST /scheduler/capacity', 'a count', 'nothing', (w) => ({
    method: 'POST',
    path: '/scheduler/capacity',
    body: scheduling(`p${w.number}`),
  })),
  accepted('POST /scheduler/simulate', 'another cloud', 'nothing', (w) => ({
    method: 'POST',
    path: '/scheduler/simulate',
    body: { hosts: [{ host: 'h' }], request: { ...scheduling(`p${w.number}`), num_instances: 1 } },
  })),
];

interface Refused {
  readonly route: string;
  readonly name: string;
  readonly status: number;
  readonly request: (world: World) => TestRequest;
}

const refused = (route: string, status: number, name: string, request: Refused['request']): Refused => ({
  route,
  name,
  status,
  request,
});

const NO_TOKEN = { 'x-auth-token': null, 'x-roles': null };
const NO_ROLE = { 'x-roles': 'member' };

/** For every route: without a token, without a right and, if it takes a body, with an invalid body. */
function everywhere(): readonly Refused[] {
  const samples = new Map(ACCEPTED.map((each) => [each.route, each]));
  return [...samples.values()].flatMap(({ route, request }) => [
    refused(route, 401, 'without a token', (w) => ({ ...request(w), headers: NO_TOKEN })),
    refused(route, 403, 'without the role', (w) => ({ ...request(w), headers: NO_ROLE })),
    ...(request(worldOf(0)).body === undefined
      ? []
      : [
          refused(route, 400, 'with half a document', (w) => ({ ...request(w), body: '{"' })),
          refused(route, 400, 'with an unknown property', (w) => ({ ...request(w), body: { surprise: 1 } })),
        ]),
  ]);
}

const REFUSED: readonly Refused[] = [
  ...everywhere(),
  refused(`POST ${PROVIDERS}`, 415, 'a body of another type', () => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: 'typed' },
    headers: { 'content-type': 'text/plain' },
  })),
  refused(`POST ${PROVIDERS}`, 400, 'a parent nobody knows', () => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: 'orphan', parent_provider_uuid: UNKNOWN_UUID },
  })),
  refused(`POST ${PROVIDERS}`, 400, 'itself as parent', () => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: 'loop', uuid: UNKNOWN_UUID, parent_provider_uuid: UNKNOWN_UUID },
  })),
  refused(`POST ${PROVIDERS}`, 409, 'a name that is taken', (w) => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: `${w.host} of world` },
  })),
  refused(`POST ${PROVIDERS}`, 409, 'a uuid that is taken', (w) => ({
    method: 'POST',
    path: PROVIDERS,
    body: { name: 'another', uuid: w.host, parent_provider_uuid: w.other },
  })),
  refused(`PUT ${ONE}`, 404, 'nobody', () => ({ method: 'PUT', path: at(UNKNOWN_UUID), body: { name: 'x' } })),
  refused(`PUT ${ONE}`, 400, 'a loop', (w) => ({
    method: 'PUT',
    path: at(w.host),
    body: { name: 'x', parent_provider_uuid: w.child },
  })),
  refused(`PUT ${ONE}`, 400, 'itself as parent', (w) => ({
    method: 'PUT',
    path: at(w.host),
    body: { name: 'x', parent_provider_uuid: w.host },
  })),
  refused(`PUT ${ONE}`, 400, 'a parent nobody knows', (w) => ({
    method: 'PUT',
    path: at(w.host),
    body: { name: 'x', parent_provider_uuid: UNKNOWN_UUID },
  })),
  refused(`PUT ${ONE}`, 400, 'another parent, too early', (w) => ({
    method: 'PUT',
    path: at(w.child),
    version: '1.36',
    body: { name: 'x', parent_provider_uuid: w.other },
  })),
  refused(`PUT ${ONE}`, 400, 'no parent, too early', (w) => ({
    method: 'PUT',
    path: at(w.child),
    version: '1.36',
    body: { name: 'x', parent_provider_uuid: null },
  })),
  refused(`PUT ${ONE}`, 409, 'a name that is taken, with a move', (w) => ({
    method: 'PUT',
    path: at(w.child),
    body: { name: `${w.other} of world`, parent_provider_uuid: w.other },
  })),
  refused(`DELETE ${ONE}`, 404, 'nobody', () => ({ method: 'DELETE', path: at(UNKNOWN_UUID) })),
  refused(`DELETE ${ONE}`, 409, 'a parent', (w) => ({ method: 'DELETE', path: at(w.host) })),
  refused(`DELETE ${ONE}`, 409, 'a provider with allocations', (w) => ({ method: 'DELETE', path: at(w.child) })),
  refused(`POST ${ONE}/inventories`, 404, 'nobody', () => ({
    method: 'POST',
    path: at(UNKNOWN_UUID, '/inventories'),
    body: { resource_class: 'VGPU', total: 1 },
  })),
  refused(`POST ${ONE}/inventories`, 400, 'more reserved than there is', (w) => ({
    method: 'POST',
    path: at(w.child, '/inventories'),
    body: { resource_class: 'VGPU', total: 1, reserved: 2 },
  })),
  refused(`POST ${ONE}/inventories`, 400, 'a class nobody knows', (w) => ({
    method: 'POST',
    path: at(w.child, '/inventories'),
    body: { resource_class: 'CUSTOM_NOPE', total: 1 },
  })),
  refused(`POST ${ONE}/inventories`, 409, 'a record that exists', (w) => ({
    method: 'POST',
    path: at(w.child, '/inventories'),
    body: { resource_class: 'VCPU', total: 1 },
  })),
  refused(`PUT ${ONE}/inventories`, 404, 'nobody', () => putInventories(UNKNOWN_UUID, 0, {})),
  refused(`PUT ${ONE}/inventories`, 409, 'another generation', (w) => putInventories(w.child, 3, FULL_SET(w))),
  refused(`PUT ${ONE}/inventories`, 400, 'a negative capacity', (w) =>
    putInventories(w.child, CHILD_GENERATION, { ...FULL_SET(w), VGPU: { total: 1, allocation_ratio: -1 } }),
  ),
  refused(`PUT ${ONE}/inventories`, 400, 'no capacity, too early', (w) => ({
    ...putInventories(w.child, CHILD_GENERATION, { ...FULL_SET(w), VGPU: { total: 1, reserved: 1 } }),
    version: '1.25',
  })),
  refused(`PUT ${ONE}/inventories`, 400, 'a class nobody knows', (w) =>
    putInventories(w.child, CHILD_GENERATION, { ...FULL_SET(w), CUSTOM_NOPE: { total: 1 } }),
  ),
  refused(`PUT ${ONE}/inventories`, 409, 'a class in use removed', (w) =>
    putInventories(w.child, CHILD_GENERATION, { DISK_GB: { total: 1 }, VGPU: { total: 1 } }),
  ),
  refused(`DELETE ${ONE}/inventories`, 404, 'nobody', () => ({
    method: 'DELETE',
    path: at(UNKNOWN_UUID, '/inventories'),
  })),
  refused(`DELETE ${ONE}/inventories`, 405, 'too early', (w) => ({
    method: 'DELETE',
    path: at(w.other, '/inventories'),
    version: '1.4',
  })),
  refused(`DELETE ${ONE}/inventories`, 409, 'in use', (w) => ({ method: 'DELETE', path: at(w.child, '/inventories') })),
  ...(
    [
      [404, 'nobody', UNKNOWN_UUID, 'VCPU', { total: 1 }, 0],
      [404, 'a class nobody knows', null, 'CUSTOM_NOPE', { total: 1 }, CHILD_GENERATION],
      [400, 'no such record', null, 'VGPU', { total: 1 }, CHILD_GENERATION],
      [409, 'another generation', null, 'VCPU', { total: 1 }, 0],
      [400, 'more reserved than there is', null, 'VCPU', { total: 1, reserved: 2 }, CHILD_GENERATION],
    ] as const
  ).map(([status, name, uuid, resourceClass, record, generation]) =>
    refused(`PUT ${ONE}/inventories/:resource_class`, status, name, (w) => ({
      method: 'PUT',
      path: at(uuid ?? w.child, `/inventories/${resourceClass}`),
      body: { ...record, resource_provider_generation: generation },
    })),
  ),
  ...(
    [
      [404, 'nobody', UNKNOWN_UUID, 'VCPU'],
      [404, 'a class nobody knows', null, 'CUSTOM_NOPE'],
      [404, 'no such record', null, 'VGPU'],
      [409, 'in use', null, 'VCPU'],
    ] as const
  ).map(([status, name, uuid, resourceClass]) =>
    refused(`DELETE ${ONE}/inventories/:resource_class`, status, name, (w) => ({
      method: 'DELETE',
      path: at(uuid ?? w.child, `/inventories/${resourceClass}`),
    })),
  ),
  refused(`PUT ${ONE}/aggregates`, 404, 'nobody', () => putAggregates(UNKNOWN_UUID, 0, [])),
  refused(`PUT ${ONE}/aggregates`, 404, 'too early', (w) => ({ ...putAggregates(w.child, 4, []), version: '1.0' })),
  refused(`PUT ${ONE}/aggregates`, 409, 'another generation', (w) => putAggregates(w.child, 3, [UNKNOWN_UUID])),
  refused(`PUT ${ONE}/aggregates`, 400, 'one twice', (w) =>
    putAggregates(w.child, 4, [w.aggregate, w.aggregate.toUpperCase()]),
  ),
  refused(`PUT ${ONE}/traits`, 404, 'nobody', () => putTraits(UNKNOWN_UUID, 0, [])),
  refused(`PUT ${ONE}/traits`, 404, 'too early', (w) => ({ ...putTraits(w.child, 4, []), version: '1.5' })),
  refused(`PUT ${ONE}/traits`, 409, 'another generation', (w) => putTraits(w.child, 3, [])),
  refused(`PUT ${ONE}/traits`, 400, 'a trait nobody knows', (w) => putTraits(w.child, 4, ['CUSTOM_NOPE'])),
  refused(`DELETE ${ONE}/traits`, 404, 'nobody', () => ({ method: 'DELETE', path: at(UNKNOWN_UUID, '/traits') })),
  refused(`DELETE ${ONE}/traits`, 404, 'too early', (w) => ({
    method: 'DELETE',
    path: at(w.child, '/traits'),
    version: '1.5',
  })),
  ...(['VCPU', 'GOLD', 'CUSTOM_', `CUSTOM_${'X'.repeat(249)}`] as const).map((name) =>
    refused('POST /resource_classes', 400, `the name ${name.slice(0, 12)}`, () => ({
      method: 'POST',
      path: '/resource_classes',
      body: { name },
    })),
  ),
  refused('POST /resource_classes', 409, 'a class that exists', (w) => ({
    method: 'POST',
    path: '/resource_classes',
    body: { name: w.gold },
  })),
  refused('POST /resource_classes', 404, 'too early', () => ({
    method: 'POST',
    path: '/resource_classes',
    version: '1.1',
    body: { name: 'CUSTOM_EARLY' },
  })),
  refused('PUT /resource_classes/:name', 400, 'a standard name', () => ({
    method: 'PUT',
    path: '/resource_classes/VCPU',
  })),
  refused('PUT /resource_classes/:name', 404, 'a new name for nothing', () => ({
    method: 'PUT',
    path: '/resource_classes/CUSTOM_NOPE',
    version: '1.6',
    body: { name: 'CUSTOM_YES' },
  })),
  refused('PUT /resource_classes/:name', 400, 'a new name for a standard class', () => ({
    method: 'PUT',
    path: '/resource_classes/VCPU',
    version: '1.6',
    body: { name: 'CUSTOM_YES' },
  })),
  refused('PUT /resource_classes/:name', 409, 'a new name that is taken', (w) => ({
    method: 'PUT',
    path: `/resource_classes/${w.gold}`,
    version: '1.6',
    body: { name: w.unusedClass },
  })),
  refused('DELETE /resource_classes/:name', 404, 'a class nobody knows', () => ({
    method: 'DELETE',
    path: '/resource_classes/CUSTOM_NOPE',
  })),
  refused('DELETE /resource_classes/:name', 400, 'a standard class', () => ({
    method: 'DELETE',
    path: '/resource_classes/VCPU',
  })),
  refused('DELETE /resource_classes/:name', 409, 'a class in use', (w) => ({
    method: 'DELETE',
    path: `/resource_classes/${w.gold}`,
  })),
  refused('PUT /traits/:name', 400, 'a standard name', () => ({ method: 'PUT', path: '/traits/HW_NEW' })),
  refused('DELETE /traits/:name', 404, 'a trait nobody knows', () => ({
    method: 'DELETE',
    path: '/traits/CUSTOM_NOPE',
  })),
  refused('DELETE /traits/:name', 400, 'a standard trait', () => ({
    method: 'DELETE',
    path: '/traits/HW_CPU_X86_AVX',
  })),
  refused('DELETE /traits/:name', 409, 'a trait in use', (w) => ({ method: 'DELETE', path: `/traits/${w.trait}` })),
  refused('PUT /allocations/:consumer_uuid', 400, 'a path that is no uuid', (w) => ({
    ...putAllocations(w.newcomer, null, { [w.child]: { VCPU: 1 } }),
    path: '/allocations/somebody',
  })),
  refused('POST /allocations', 404, 'too early', (w) => ({
    ...postAllocations({ [w.newcomer]: consumerBody(null, { [w.child]: { VCPU: 1 } }) }),
    version: '1.12',
  })),
  refused('DELETE /allocations/:consumer_uuid', 404, 'who has none', (w) => ({
    method: 'DELETE',
    path: `/allocations/${w.newcomer}`,
  })),
  refused('DELETE /allocations/:consumer_uuid', 404, 'what is no uuid', () => ({
    method: 'DELETE',
    path: '/allocations/somebody',
  })),
  // Refusals of one consumer's set, by each route that writes sets.
  ...(
    [
      [409, 'null for a consumer that exists', null, 'vm', { VCPU: 1 }],
      [409, 'another consumer generation', 7, 'vm', { VCPU: 1 }],
      [409, 'a generation for a newcomer', 0, 'newcomer', { VCPU: 1 }],
      [400, 'a class nobody knows', null, 'newcomer', { VCPU: 1, CUSTOM_NOPE: 1 }],
      [409, 'a class without inventory', null, 'newcomer', { VCPU: 1, VGPU: 1 }],
      [409, 'less than min_unit', null, 'newcomer', { DISK_GB: 1 }],
      [409, 'no multiple of step_size', null, 'newcomer', { DISK_GB: 12 }],
      [409, 'more than max_unit', null, 'newcomer', { DISK_GB: 2_147_483_647 }],
      [409, 'more than the room left', null, 'newcomer', { VCPU: 7, DISK_GB: 5 }],
      [409, 'more than any inventory can give', null, 'newcomer', { VCPU: 2_147_483_648 }],
      [400, 'a provider nobody knows', null, 'newcomer', null],
    ] as const
  ).flatMap(([status, name, generation, who, amounts]): readonly Refused[] => {
    const set = (w: World): Amounts => ({
      [w.other]: { VCPU: 1 },
      [amounts === null ? UNKNOWN_UUID : w.child]: amounts ?? { VCPU: 1 },
    });
    return [
      refused('PUT /allocations/:consumer_uuid', status, name, (w) => putAllocations(w[who], generation, set(w))),
      refused('POST /allocations', status, name, (w) =>
        postAllocations({
          [w.second]: consumerBody(null, { [w.other]: { VCPU: 1 } }),
          [w[who]]: consumerBody(generation, set(w)),
        }),
      ),
      refused('POST /reshaper', status, name, (w) =>
        reshape(
          { [w.leaf]: [0, { VGPU: { total: 1 } }] },
          { [w.second]: consumerBody(null, {}), [w[who]]: consumerBody(generation, set(w)) },
        ),
      ),
    ];
  }),
  refused('POST /reshaper', 404, 'too early', (w) => ({ ...reshape({ [w.leaf]: [0, {}] }), version: '1.29' })),
  refused('POST /reshaper', 400, 'a provider nobody knows', (w) =>
    reshape({ [w.leaf]: [0, {}], [UNKNOWN_UUID]: [0, {}] }),
  ),
  refused('POST /reshaper', 409, 'another generation', (w) => reshape({ [w.leaf]: [0, {}], [w.other]: [7, {}] })),
  refused('POST /reshaper', 400, 'a class nobody knows', (w) =>
    reshape({ [w.leaf]: [0, { CUSTOM_NOPE: { total: 1 } }] }),
  ),
  refused('POST /reshaper', 400, 'more reserved than there is', (w) =>
    reshape({ [w.leaf]: [0, { VCPU: { total: 1, reserved: 2 } }] }),
  ),
  refused('POST /reshaper', 409, 'a class that somebody still uses', (w) =>
    reshape(
      { [w.leaf]: [0, { VCPU: { total: 1 } }], [w.child]: [CHILD_GENERATION, { DISK_GB: { total: 100 } }] },
      { [w.newcomer]: consumerBody(null, { [w.other]: { VCPU: 1 } }) },
    ),
  ),
  refused('POST /scheduler/select_destinations', 409, 'more than any host has', (w) => ({
    method: 'POST',
    path: '/scheduler/select_destinations',
    body: { ...scheduling('p'), flavor: { vcpus: 1_000, memory_mb: 1_000, root_gb: 1_000 }, instances: [w.newcomer] },
  })),
  refused('POST /scheduler/explain', 400, 'no flavor', () => ({
    method: 'POST',
    path: '/scheduler/explain',
    body: { project_id: 'p', user_id: 'u' },
  })),
  refused('POST /scheduler/capacity', 400, 'no flavor', () => ({
    method: 'POST',
    path: '/scheduler/capacity',
    body: {},
  })),
  refused('POST /scheduler/simulate', 400, 'an unknown option', () => ({
    method: 'POST',
    path: '/scheduler/simulate',
    body: { config: { unknownUuid: {} }, request: scheduling('p') },
  })),
];

const MUTATING = ['POST', 'PUT', 'DELETE', 'PATCH'];
/** Routes of the scheduler's registries are in registries-change-log.spec.ts. */
const REGISTRIES = /^\/scheduler\/(hosts|services|host_aggregates|server_groups|flavors|images|instances)\b/;
/** These write through the services of registries and scheduler; searches do not read their own tables. */
const FACADE = /^\/(compute|identity|image)\//;
/** Calls the Identity service, and writes nothing in the database. */
const LOGIN = '/console/login';

function kindsOf(rows: readonly ChangeRow[]): Accepted['leaves'] {
  const kinds = new Set(rows.map((row) => row.kind));
  if (kinds.size === 0) return 'nothing';
  if (kinds.size === 2) return 'both';
  return kinds.has(TREE_CHANGE) ? 'trees' : 'usage';
}

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  return items
    .map((item, index) => [(index * 7919 + seed * 104_729) % 101, item] as const)
    .sort(([first], [second]) => first - second)
    .map(([, item]) => item);
}

/** Compares the dumps only to show a difference, because that is slow. */
function expectSame(graph: ProviderGraph, loaded: ProviderGraph): void {
  if (!graphEquals(graph, loaded)) expect(dumpGraph(graph)).toEqual(dumpGraph(loaded));
}

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let worlds = 0;

  const ok: Ask = async (request) => {
    const response = await service.request(request);
    if (response.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.text}`);
    return response;
  };
  const freshWorld = async (): Promise<World> => {
    worlds += 1;
    const world = worldOf(worlds);
    await build(world, ok);
    return world;
  };

  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  it('has an accepted and a refused case for every writing route', () => {
    const routes = [...service.routes].flatMap(([path, methods]) =>
      REGISTRIES.test(path) || FACADE.test(path) || path === LOGIN
        ? []
        : methods.filter((method) => MUTATING.includes(method)).map((method) => `${method} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(20);
    expect([...new Set(ACCEPTED.map((each) => each.route))].sort()).toEqual([...routes].sort());
    expect([...new Set(REFUSED.map((each) => each.route))].sort()).toEqual([...routes].sort());
  });

  describe('a refused write changes nothing and writes no log rows', () => {
    let world: World;
    let before = '';
    let log: readonly ChangeRow[] = [];
    beforeAll(async () => {
      world = await freshWorld();
      before = await dumpTables(service.database);
      log = await readChangeLog(service.database);
    });

    it.each(REFUSED.map((each) => [each.route, each.name, each.status, each] as const))(
      '%s: %s (%d)',
      async (_route, _name, status, { request }) => {
        const response = await service.request(request(world));
        expect([response.status, response.text]).toEqual([status, expect.any(String)]);
        expect(await dumpTables(service.database)).toBe(before);
        expect(await readChangeLog(service.database)).toEqual(log);
      },
    );
  });

  describe('an accepted write gives readers all they need', () => {
    it.each(ACCEPTED.map((each) => [each.route, each.name, each.leaves, each] as const))(
      '%s: %s (%s)',
      async (_route, _name, leaves, { before, request }) => {
        const world = await freshWorld();
        for (const step of before?.(world) ?? []) await ok(step);
        const follower = await GraphFollower.start(service.database);
        const known = follower.graph;
        await ok(request(world));
        const rows = await follower.news();
        expect(kindsOf(rows)).toBe(leaves);
        expectSame(await follower.apply(rows), await loadedGraph(service.database));
        // The snapshot of running searches is unchanged.
        expect(follower.graph === known).toBe(leaves === 'nothing');
      },
    );
  });

  describe('the order of application does not matter', () => {
    const claims = async (world: World): Promise<void> => {
      await ok(putAllocations(world.newcomer, null, { [world.child]: { VCPU: 1, DISK_GB: 5 } }));
      await ok(putAllocations(world.second, null, { [world.child]: { VCPU: 2 }, [world.other]: { VCPU: 1 } }));
      await ok(putAllocations(world.newcomer, 1, { [world.child]: { VCPU: 3 } }));
      await ok({ method: 'DELETE', path: `/allocations/${world.vm}` });
      await ok(
        postAllocations({
          [world.second]: consumerBody(1, {}),
          [world.newcomer]: consumerBody(2, { [world.other]: { VCPU: 4 } }),
        }),
      );
    };

    it.each([1, 2, 3, 4])('of usage rows, in any order and repeated (%d)', async (seed) => {
      const world = await freshWorld();
      const follower = await GraphFollower.start(service.database);
      await claims(world);
      const rows = await follower.news();
      expect(new Set(rows.map((row) => row.kind))).toEqual(new Set([USAGE_CHANGE]));
      expect(rows.length).toBeGreaterThan(8);
      const loaded = await loadedGraph(service.database);
      const mixed = shuffled([...rows, ...shuffled(rows, seed + 1)], seed);
      expectSame(await follower.apply(mixed), loaded);
      // One at a time, the newest first, and then all of them again.
      for (const row of [...rows].reverse()) await follower.apply([row]);
      expectSame(follower.graph, loaded);
    });

    it('of usage rows and of trees reloaded in the meantime', async () => {
      const world = await freshWorld();
      const follower = await GraphFollower.start(service.database);
      await ok(putAllocations(world.newcomer, null, { [world.child]: { VCPU: 1 }, [world.other]: { VCPU: 1 } }));
      await ok(putInventories(world.other, 2, { VCPU: { total: 4 }, VGPU: { total: 1 } }));
      await ok(putAllocations(world.second, null, { [world.other]: { VCPU: 1, VGPU: 1 } }));
      // Deleted and created again: the record is new, and the usage of the old one must not apply to it.
      await ok({ method: 'DELETE', path: `/allocations/${world.second}` });
      await ok({ method: 'DELETE', path: at(world.other, '/inventories/VGPU') });
      await ok({ method: 'POST', path: at(world.other, '/inventories'), body: { resource_class: 'VGPU', total: 5 } });
      const rows = await follower.news();
      const loaded = await loadedGraph(service.database);
      for (const row of [...rows].reverse()) await follower.apply([row]);
      expectSame(follower.graph, loaded);
      expectSame(await follower.apply(shuffled(rows, 5)), loaded);
    });
  });

  it('a write and a concurrent move of the same provider reach every reader', async () => {
    const world = await freshWorld();
    const follower = await GraphFollower.start(service.database);
    const requests: TestRequest[] = [
      { method: 'PUT', path: at(world.child), body: { name: 'mover', parent_provider_uuid: world.other } },
      putAllocations(world.newcomer, null, { [world.child]: { VCPU: 1 } }),
      putAllocations(world.second, null, { [world.other]: { VCPU: 1 } }),
      { method: 'DELETE', path: `/allocations/${world.vm}` },
      { method: 'POST', path: at(world.other, '/inventories'), body: { resource_class: 'VGPU', total: 5 } },
      putAggregates(world.leaf, 0, [world.aggregate]),
    ];
    const responses = await Promise.all(requests.map((request) => service.request(request)));
    expect(responses.map((response) => response.status)).toEqual([200, 204, 204, 204, 201, 200]);
    expectSame(await follower.follow(), await loadedGraph(service.database));
  });
});

describe.each(testDatabaseKinds())('maintenance on %s', (kind) => {
  const RETENTION_SECONDS = 1_000;
  const SILENT_SECONDS = RETENTION_SECONDS * CHANGE_LOG_LIMITS.transactionShareOfRetention;
  let open: OpenDatabase;
  let maintenance: ChangeLogMaintenance;
  let provider = 0;

  beforeEach(async () => {
    open = await openTestDatabase(kind);
    maintenance = new ChangeLogMaintenance(open.database, RETENTION_SECONDS, { warn: () => undefined });
    provider = await open.database.write(async (tx) => {
      const columns = 'uuid, name, created_at';
      const id = await tx.insert(`INSERT INTO resource_providers (${columns}) VALUES (?, 'p', 1)`, ['0'.repeat(36)]);
      await tx.run('UPDATE resource_providers SET root_provider_id = id');
      return id;
    });
  });
  afterEach(() => open.close());

  const touch = (): Promise<void> => open.database.write(async (tx) => tx.changes.tree(provider));
  const age = (table: 'change_log' | 'writer_lanes', seconds: number, where = '1 = 1'): Promise<number> => {
    const column = table === 'change_log' ? 'created_at' : 'renewed_at';
    return open.database.write((tx) => tx.run(`UPDATE ${table} SET ${column} = ${column} - ${seconds} WHERE ${where}`));
  };
  /** A lane of another process, which this one does not renew. */
  const foreignLane = async (rows: number): Promise<number> => {
    const lane = await open.database.write((tx) =>
      tx.insert(
        `INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES ('other', ${tx.dialect.nowSeconds}, ${tx.dialect.nowSeconds})`,
      ),
    );
    for (let seq = 1; seq <= rows; seq += 1) {
      await open.database.write((tx) =>
        tx.run(
          'INSERT INTO change_log (lane, seq, kind, ref_id, resource_provider_id, created_at) ' +
            `VALUES (?, ?, ${TREE_CHANGE}, ?, ?, ${tx.dialect.nowSeconds})`,
          [lane, seq, provider, provider],
        ),
      );
    }
    return lane;
  };
  const lanes = async (): Promise<readonly number[]> =>
    (await open.database.read((sql) => sql.query<{ id: number }>('SELECT id FROM writer_lanes ORDER BY id'))).map(
      (row) => row.id,
    );
  const sequence = async (lane: number): Promise<readonly number[]> =>
    (await readChangeLog(open.database)).filter((row) => row.lane === lane).map((row) => row.seq);

  it('trims rows older than the retention and keeps newer ones', async () => {
    const lane = await foreignLane(6);
    await age('change_log', RETENTION_SECONDS + 10, `lane = ${lane} AND seq <= 4`);
    await age('change_log', RETENTION_SECONDS - 10, `lane = ${lane} AND seq = 5`);
    expect(await maintenance.round()).toBe(4);
    expect(await sequence(lane)).toEqual([5, 6]);
    expect(await maintenance.round()).toBe(0);
  });

  it('trims whole prefixes of lanes, even after the clock was changed', async () => {
    const lane = await foreignLane(5);
    // Row 2 looks newer than row 4: a reader that has read row 1 must never find 3 without 2.
    await age('change_log', RETENTION_SECONDS + 10, `lane = ${lane} AND seq IN (1, 3, 4)`);
    await maintenance.round();
    const left = await sequence(lane);
    expect(left).toEqual([1, 2, 3, 4, 5].slice(5 - left.length));
  });

  it('retires a silent lane only after its rows are gone', async () => {
    const lane = await foreignLane(2);
    await age('writer_lanes', SILENT_SECONDS + 10, `id = ${lane}`);
    await maintenance.round();
    expect(await lanes()).toContain(lane);
    await age('change_log', RETENTION_SECONDS + 10, `lane = ${lane}`);
    await maintenance.round();
    expect(await sequence(lane)).toEqual([]);
    expect(await lanes()).not.toContain(lane);
  });

  it('keeps a recently renewed lane, even without rows', async () => {
    const lane = await foreignLane(0);
    await age('writer_lanes', SILENT_SECONDS - 10, `id = ${lane}`);
    await maintenance.round();
    expect(await lanes()).toContain(lane);
  });

  it('renews the lanes of this process, so they are never retired', async () => {
    await touch();
    const own = open.database.laneIds;
    expect(own.length).toBeGreaterThan(0);
    await age('change_log', RETENTION_SECONDS + 10);
    await age('writer_lanes', SILENT_SECONDS * 5);
    await maintenance.round();
    expect(await lanes()).toEqual(expect.arrayContaining([...own]));
    await touch();
    expect((await readChangeLog(open.database)).length).toBe(1);
  });

  it('a process whose lane was retired while it was suspended opens a new one, whose rows every reader finds', async () => {
    await touch();
    const follower = await GraphFollower.start(open.database);
    await open.database.write((tx) => tx.run('DELETE FROM change_log'));
    await open.database.write((tx) => tx.run('DELETE FROM writer_lanes'));
    await touch();
    const [row, ...others] = await follower.news();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ seq: 1, ref_id: provider });
    expect(await lanes()).toEqual([row?.lane]);
  });

  it('never reuses the number of a lane', async () => {
    const first = await foreignLane(0);
    await open.database.write((tx) => tx.run('DELETE FROM writer_lanes WHERE id = ?', [first]));
    expect(await foreignLane(0)).toBeGreaterThan(first);
  });
});
