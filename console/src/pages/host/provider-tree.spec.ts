import type { HostConsumer, ProviderNode } from '../../service/reports';
import { consumerRows, providerNames, shortName, sortedTraits } from './provider-tree';

const node = (uuid: string, name: string, children: ProviderNode[] = []): ProviderNode => ({
  uuid,
  name,
  generation: 1,
  parent_uuid: null,
  traits: [],
  aggregates: [],
  resource_classes: {},
  consumers: 0,
  children,
});

const consumer = (
  uuid: string,
  flavor: string | null,
  allocations: Readonly<Record<string, Readonly<Record<string, number>>>>,
): HostConsumer => ({
  uuid,
  consumer_type: 'INSTANCE',
  project_id: `project of ${uuid}`,
  user_id: 'user',
  generation: 1,
  instance:
    flavor === null
      ? null
      : { name: null, flavor, image: null, availability_zone: null, server_group: null, decision: null },
  allocations,
});

const names = providerNames(
  node('r', 'cn1', [node('n0', 'cn1-numa0', [node('g', 'cn1-gpu')]), node('n1', 'cn1-numa1')]),
);
const rows = consumerRows(
  [
    consumer('c', 'small', { n0: { VCPU: 2, MEMORY_MB: 512 } }),
    consumer('a', null, { n0: { VCPU: 1 }, n1: { VCPU: 4 }, pool: { DISK_GB: 10 } }),
    consumer('b', 'large', { n1: { VCPU: 2, MEMORY_MB: 4096 } }),
  ],
  names,
);

describe('a provider tree', () => {
  it('names every provider from the root down', () => {
    expect([...names]).toEqual([
      ['r', 'cn1'],
      ['n0', 'cn1-numa0'],
      ['g', 'cn1-gpu'],
      ['n1', 'cn1-numa1'],
    ]);
  });

  it.each([
    ['cn1', 'root'],
    ['cn1-numa0', 'numa0'],
    ['cn1_numa0_gpu', 'numa0_gpu'],
    ['0000:81:00.0', '0000:81:00.0'],
    ['cn1-', 'cn1-'],
  ])('calls %s %s below the name of its root', (name, short) => {
    expect(shortName(name, 'cn1')).toBe(short);
  });

  it('lists distinguishing traits first', () => {
    expect(sortedTraits(['COMPUTE_NODE', 'HW_NUMA_ROOT', 'CUSTOM_B', 'CUSTOM_A', 'STORAGE_DISK_SSD'])).toEqual([
      'CUSTOM_A',
      'CUSTOM_B',
      'HW_NUMA_ROOT',
      'STORAGE_DISK_SSD',
      'COMPUTE_NODE',
    ]);
  });
});

describe('the consumers of a host', () => {
  it('have the sum over their providers, named where they are of the tree', () => {
    const [spread] = rows;
    expect(spread?.amounts).toEqual({ VCPU: 5, DISK_GB: 10 });
    expect(spread?.on).toEqual(['cn1-numa0', 'cn1-numa1', 'pool']);
  });

  it('are in the order of their uuids', () => {
    expect(rows.map(({ uuid }) => uuid)).toEqual(['a', 'b', 'c']);
  });
});
