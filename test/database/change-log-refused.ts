// Refused writes of every route that the change log covers.
import type { TestRequest } from '../support/service';
import { ACCEPTED } from './change-log-accepted';
import type { Amounts, World } from './change-log-world';
import {
  at,
  CHILD_GENERATION,
  consumerBody,
  FULL_SET,
  ONE,
  postAllocations,
  PROVIDERS,
  putAggregates,
  putAllocations,
  putInventories,
  putTraits,
  reshape,
  scheduling,
  UNKNOWN_UUID,
  worldOf,
} from './change-log-world';

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

export const REFUSED: readonly Refused[] = [
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
