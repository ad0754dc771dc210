// The host state for the next instance of a request after a placement.
import type { Candidate } from '../../placement/candidate-search';
import { hostTopology, instanceTopology } from '../numa/numa.fixture';
import { hostState, instancesOf, requestSpec } from '../pipeline/pipeline.fixture';
import type { Flavor, InstanceGroup, RequestSpec } from '../request-spec/request-spec';
import type { HostCharge } from './charge-host';
import { chargeHost } from './charge-host';
import { placeInstance } from './charge-instance';
import type { HostState } from './host-state';
import { provider } from './host-state.fixture';

const FLAVOR: Flavor = {
  name: 'm1',
  vcpus: 2,
  memoryMb: 2048,
  rootGb: 20,
  ephemeralGb: 5,
  swapMb: 1025,
  extraSpecs: {},
};
const GROUP: InstanceGroup = {
  uuid: 'g',
  policy: 'soft-affinity',
  maxServerPerHost: null,
  members: new Set(),
  hosts: new Set(),
};
const HOST = hostState({
  host: 'h',
  uuid: 'h',
  freeRamMb: 8000,
  vcpusUsed: 1,
  freeDiskMb: 100_000,
  numInstances: 3,
  numIoOps: 1,
  instances: instancesOf('old'),
  updatedAtMs: 7,
});
const candidate = (allocations: Readonly<Record<string, Readonly<Record<string, number>>>>): Candidate => ({
  rootUuid: 'h',
  allocations: Object.fromEntries(Object.entries(allocations).map(([uuid, resources]) => [uuid, { resources }])),
  mappings: {},
});
const OWN = candidate({ h: { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 27 } });
const SUMMARIES = new Map(
  Object.entries({
    h: provider('h', {}),
    child: provider('child', {}, { rootUuid: 'h', parentUuid: 'h' }),
    pool: provider('pool', {}),
  }),
);

function charged(given: Partial<HostCharge> & { readonly asks?: Partial<RequestSpec> } = {}, host = HOST): HostState {
  const { asks, ...charge } = given;
  const spec = requestSpec({ instanceUuid: 'new', flavor: FLAVOR, ...asks });
  const rest = { candidate: OWN, summaries: SUMMARIES, novaCompat: false, placement: null, nowMs: 99 };
  return chargeHost(host, { ...rest, spec, ...charge });
}
/** The host's decrease in memory, vCPUs, and disk in GiB. */
const lost = (state: HostState): number[] => [
  HOST.freeRamMb - state.freeRamMb,
  state.vcpusUsed - HOST.vcpusUsed,
  (HOST.freeDiskMb - state.freeDiskMb) / 1024,
];

it.each<[string, Candidate, number[]]>([
  ['what placement was asked for, swap included', OWN, [2048, 2, 27]],
  ['dedicated CPUs like shared ones', candidate({ h: { PCPU: 3, VCPU: 1, MEMORY_MB: 1 } }), [1, 4, 0]],
  ['children of the host', candidate({ h: { DISK_GB: 1 }, child: { PCPU: 2, MEMORY_MB: 512 } }), [512, 2, 1]],
  ['nothing that others share with it', candidate({ h: { VCPU: 1 }, pool: { DISK_GB: 50 } }), [0, 1, 0]],
  ['a provider no summary knows only if it is the host', candidate({ h: { VCPU: 1 }, x: { VCPU: 8 } }), [0, 1, 0]],
  ['nothing of other classes', candidate({ h: { CUSTOM_GPU: 1 } }), [0, 0, 0]],
])('charged is %s', (_, claimed, expected) => expect(lost(charged({ candidate: claimed }))).toEqual(expected));

describe('with nova_compat equals the amounts of the flavor', () => {
  it.each<[string, Partial<RequestSpec>, number[]]>([
    ['without swap', {}, [2048, 2, 25]],
    ['with the root disk of an instance that boots from a volume', { isBfv: true }, [2048, 2, 25]],
    ['whatever extra specs replace', { flavor: { ...FLAVOR, extraSpecs: { 'resources:VCPU': '0' } } }, [2048, 2, 25]],
  ])('%s', (_, asks, expected) =>
    expect(lost(charged({ asks, candidate: candidate({ h: { CUSTOM_X: 1 } }), novaCompat: true }))).toEqual(expected),
  );

  it.each<[boolean, InstanceGroup | null, string[]]>([
    [false, null, ['old', 'new']],
    [false, GROUP, ['old', 'new']],
    [true, null, ['old']],
    [true, GROUP, ['old', 'new']],
  ])('nova_compat %s, group %j: the host runs %j', (novaCompat, instanceGroup, expected) =>
    expect([...charged({ novaCompat, asks: { instanceGroup } }).instances.keys()]).toEqual(expected),
  );
});

it.each([false, true])('the instance counts, and is one I/O operation more (nova_compat %s)', (novaCompat) => {
  expect(charged({ novaCompat })).toMatchObject({ numInstances: 4, numIoOps: 2, updatedAtMs: 99 });
});

it('is listed as filters see it', () => {
  const image = { id: 'i', name: null, diskFormat: null, properties: { os_type: 'linux' } };
  const state = charged({ asks: { image, projectId: 'p1' } });
  expect(state.instances.get('new')).toEqual({
    uuid: 'new',
    projectId: 'p1',
    flavor: 'm1',
    imageProperties: { os_type: 'linux' },
  });
});

it('modifies neither the given state nor unrelated fields', () => {
  const before = { ...HOST };
  const state = charged();
  expect(HOST).toEqual(before);
  const { freeRamMb, vcpusUsed, freeDiskMb, numInstances, numIoOps, instances, updatedAtMs } = HOST;
  expect({ ...state, freeRamMb, vcpusUsed, freeDiskMb, numInstances, numIoOps, instances, updatedAtMs }).toEqual(HOST);
});

describe('cells', () => {
  const host = { ...HOST, numaTopology: hostTopology({}) };
  const asks = { numaTopology: instanceTopology({ cpus: [0, 1], memoryMb: 1024 }) };

  it('are charged with the usage of the instance', () => {
    const placement = placeInstance(host, requestSpec(asks), { mappings: {}, packing: false });
    const state = charged({ asks, placement }, host);
    expect(state.numaTopology?.cells).toMatchObject([{ cpuUsage: 2, memoryUsageMb: 1024 }]);
  });

  it('stay unchanged if the instance does not fit; the rest is charged', () => {
    const state = charged({ asks, placement: null }, host);
    expect(state.numaTopology).toBe(host.numaTopology);
    expect(lost(state)).toEqual([2048, 2, 27]);
  });
});
