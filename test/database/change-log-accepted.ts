// Accepted writes of every route that the change log covers, and the kinds of log rows after each.
import type { TestRequest } from '../support/service';
import type { World } from './change-log-world';
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
} from './change-log-world';

export interface Accepted {
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

export const ACCEPTED: readonly Accepted[] = [
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
