// What is written: selections and failures.
import { BOOT_SELECTION, CELL, HOST, NO_VALID_HOST } from './captured.fixture';
import { allocationUpdateFailed, failureOf, noValidHost, runtimeError } from './failure';
import { selectionOf } from './selection';

type Json = Record<string, any>;

const SELECTION = {
  computeNodeUuid: HOST,
  serviceHost: 'compute1',
  nodename: 'compute1',
  cellUuid: CELL,
  limits: {},
  allocationRequest: {
    allocations: { [HOST]: { resources: { DISK_GB: 1, MEMORY_MB: 256, VCPU: 1 } } },
    mappings: { '': [HOST] },
  },
  allocationRequestVersion: '1.36',
  availabilityZone: 'nova',
};

/** The order of changes and the spaces of the inner JSON differ between senders. */
const comparable = (document: Json): unknown => {
  const data = document['nova_object.data'];
  const { limits } = data;
  return {
    ...document,
    'nova_object.changes': document['nova_object.changes'].toSorted(),
    'nova_object.data': {
      ...data,
      limits: { ...limits, 'nova_object.changes': limits['nova_object.changes'].toSorted() },
      allocation_request: JSON.parse(data.allocation_request),
    },
  };
};

describe('a selection', () => {
  it('is the captured one', () => {
    expect(comparable(selectionOf(SELECTION) as Json)).toEqual(comparable(BOOT_SELECTION));
  });

  it('of a check has the text null', () => {
    const check = selectionOf({ ...SELECTION, allocationRequest: null, allocationRequestVersion: null }) as Json;
    expect(check['nova_object.data']).toMatchObject({ allocation_request: 'null', allocation_request_version: null });
  });

  it('has NUMA limits with networks, and whole amounts', () => {
    const numa = {
      cpuAllocationRatio: 4,
      ramAllocationRatio: 1.5,
      network: { physnets: ['b', 'a'], tunneled: false },
    };
    const limits = { vcpu: 6.4, memoryMb: 2048, numa };
    const written = (selectionOf({ ...SELECTION, limits }) as Json)['nova_object.data'].limits['nova_object.data'];
    expect(written).toMatchObject({ vcpu: 6, memory_mb: 2048, disk_gb: null });
    const topology = written.numa_topology;
    expect(topology).toMatchObject({ 'nova_object.name': 'NUMATopologyLimits', 'nova_object.version': '1.1' });
    expect(topology['nova_object.data']).toMatchObject({ cpu_allocation_ratio: 4, ram_allocation_ratio: 1.5 });
    expect(topology['nova_object.data'].network_metadata['nova_object.data']).toEqual({
      physnets: ['a', 'b'],
      tunneled: false,
    });
  });
});

describe('a failure', () => {
  it('without hosts is the captured one', () => expect(JSON.parse(failureOf(noValidHost('')))).toEqual(NO_VALID_HOST));

  it.each([
    [
      'allocations changed',
      allocationUpdateFailed('u', 'generation'),
      { consumer_uuid: 'u', error: 'generation', code: 500 },
      'Failed to update allocations for consumer u. Error: generation',
    ],
    ['fault', runtimeError('Out of order.'), {}, 'Out of order.'],
  ])('of %s has its text as the only argument', (_, failure, kwargs, text) => {
    expect(JSON.parse(failureOf(failure))).toMatchObject({ args: [text], message: text, kwargs, tb: [] });
  });
});
