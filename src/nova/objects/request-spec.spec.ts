import type { Json } from './captured.fixture';
import {
  bootSpec,
  CELL,
  imageMeta,
  novaObject,
  PCI_REQUESTS,
  REBUILD,
  RESIZE_DESTINATION,
  SERVER_GROUP,
} from './captured.fixture';
import type { NovaRequestSpec } from './request-spec';
import { requestSpecOf } from './request-spec';
import { readObject } from './versioned-object';

const specOf = (data?: Json): NovaRequestSpec => requestSpecOf(readObject(bootSpec(data), 'RequestSpec'));

it('reads the spec of a boot', () => {
  expect(specOf()).toEqual({
    projectId: 'c66dcb910cd6459ca5bd1b23d344d735',
    userId: '69a07054ea30488ab619d44e1599790e',
    flavor: {
      name: 'm1',
      vcpus: 1,
      memoryMb: 256,
      rootGb: 1,
      ephemeralGb: 0,
      swapMb: 0,
      extraSpecs: { 'trait:HW_CPU_X86_AVX': 'required' },
    },
    image: {
      id: '545fff69-5a4d-4cae-974e-92a37a3a5967',
      name: 'raw',
      diskFormat: 'raw',
      properties: {},
    },
    isBfv: false,
    availabilityZone: null,
    ignoreHosts: [],
    forceHosts: [],
    forceNodes: [],
    schedulerHints: {},
    checkType: null,
    requestedDestination: null,
    retry: null,
    instanceGroup: null,
    numaTopology: null,
    pciRequests: [],
    requestedResources: [],
    shared: [],
    requestLevelParams: { root_required: [], root_forbidden: [], same_subtree: [] },
    requestedNetworks: [],
    networkMetadata: null,
    unknownFields: [],
  });
});

it('has defaults for fields that are not set', () => {
  const flavor = novaObject('Flavor', '1.2', { vcpus: 2, memory_mb: 64 });
  const spec = requestSpecOf(readObject(novaObject('RequestSpec', '1.14', { flavor }), 'RequestSpec'));
  expect(spec).toMatchObject({ projectId: null, userId: null, image: null, isBfv: false, forceHosts: [], retry: null });
  expect(spec.flavor).toEqual({ ...specOf().flavor, name: null, vcpus: 2, memoryMb: 64, rootGb: 0, extraSpecs: {} });
});

describe('the image', () => {
  const propertiesOf = (properties: Json): object | undefined =>
    specOf({ image: imageMeta(properties) }).image?.properties;

  it.each([
    ['text', { hw_architecture: 'x86_64' }, { hw_architecture: 'x86_64' }],
    ['number', { hw_cpu_cores: 2 }, { hw_cpu_cores: '2' }],
    ['boolean', { hw_qemu_guest_agent: false }, { hw_qemu_guest_agent: 'false' }],
    ['null', { os_type: null }, {}],
    ['traits', { traits_required: ['A', 'B'] }, { 'trait:A': 'required', 'trait:B': 'required' }],
    [
      'NUMA cpus',
      {
        hw_numa_cpus: [
          [1, 0],
          [10, 2],
        ],
      },
      { 'hw_numa_cpus.0': '0,1', 'hw_numa_cpus.1': '2,10' },
    ],
    ['NUMA memory', { hw_numa_mem: [1024, 512] }, { 'hw_numa_mem.0': '1024', 'hw_numa_mem.1': '512' }],
    ['list', { img_mappings: [{ virtual: 'ami' }] }, { img_mappings: '[{"virtual":"ami"}]' }],
  ])('has the texts of the Image service: %s', (_, properties, texts) => {
    expect(propertiesOf(properties)).toEqual(texts);
  });

  it('of a volume lacks an id', () => {
    const properties = novaObject('ImageMetaProps', '1.34', {});
    const image = novaObject('ImageMeta', '1.8', { min_ram: 1, min_disk: 2, disk_format: '', properties });
    expect(specOf({ image, is_bfv: true }).image).toEqual({
      id: null,
      name: null,
      diskFormat: null,
      properties: {},
    });
  });
});

it.each<[string, Json, Partial<NovaRequestSpec>]>([
  [
    'resize',
    { requested_destination: RESIZE_DESTINATION, ignore_hosts: ['compute1'] },
    {
      ignoreHosts: ['compute1'],
      requestedDestination: {
        host: null,
        node: null,
        cell: CELL,
        allowCrossCellMove: false,
        aggregates: [],
        forbiddenAggregates: [],
      },
    },
  ],
  ['rebuild', REBUILD, { checkType: 'rebuild', schedulerHints: {}, forceHosts: ['compute2'] }],
  ['hints', { scheduler_hints: { group: ['g'], query: 'q' } }, { schedulerHints: { group: ['g'], query: ['q'] } }],
  [
    'destination with aggregates',
    {
      requested_destination: novaObject('Destination', '1.4', {
        host: 'h',
        node: 'n',
        aggregates: ['a,b', 'c'],
        forbidden_aggregates: ['z', 'y'],
      }),
    },
    {
      requestedDestination: {
        host: 'h',
        node: 'n',
        cell: null,
        allowCrossCellMove: false,
        aggregates: [['a', 'b'], ['c']],
        forbiddenAggregates: ['y', 'z'],
      },
    },
  ],
  [
    'retry',
    {
      retry: novaObject('SchedulerRetries', '1.1', {
        num_attempts: 2,
        hosts: novaObject('ComputeNodeList', '1.17', {
          objects: [novaObject('ComputeNode', '1.19', { host: 'h', hypervisor_hostname: 'n' })],
        }),
      }),
    },
    { retry: { numAttempts: 2, hosts: [['h', 'n']] } },
  ],
  ['empty retry', { retry: novaObject('SchedulerRetries', '1.1', {}) }, { retry: { numAttempts: 0, hosts: [] } }],
  [
    'PCI alias',
    { pci_requests: PCI_REQUESTS },
    {
      pciRequests: [
        {
          count: 1,
          spec: [{ vendor_id: '8086', product_id: '10ca', dev_type: 'type-VF' }],
          alias_name: 'test-vf',
          request_id: '878298ee-31e0-4d62-8505-269591e10cfd',
          numa_policy: 'legacy',
        },
      ],
    },
  ],
  [
    'NUMA topology',
    {
      numa_topology: novaObject('InstanceNUMATopology', '1.3', {
        emulator_threads_policy: 'isolate',
        cells: [
          novaObject('InstanceNUMACell', '1.6', {
            id: 0,
            cpuset: [2, 10, 1],
            pcpuset: [],
            memory: 1024,
            pagesize: -2,
            cpu_topology: novaObject('VirtCPUTopology', '1.0', { sockets: 1 }),
            cpu_policy: 'dedicated',
            cpu_thread_policy: null,
          }),
        ],
      }),
    },
    {
      numaTopology: {
        emulator_threads_policy: 'isolate',
        cells: [
          {
            id: 0,
            cpuset: [],
            pcpuset: [1, 2, 10],
            memory: 1024,
            pagesize: 'large',
            cpu_policy: 'dedicated',
            cpu_thread_policy: null,
          },
        ],
      },
    },
  ],
  [
    'port with bandwidth',
    {
      requested_resources: [
        novaObject('RequestGroup', '1.3', {
          requester_id: 'port',
          resources: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 },
          required_traits: ['CUSTOM_B', 'CUSTOM_A'],
          aggregates: [['a', 'b']],
          use_same_provider: false,
          provider_uuids: ['x'],
        }),
      ],
      request_level_params: novaObject('RequestLevelParams', '1.1', {
        root_required: ['T'],
        same_subtree: [['port', '_1']],
      }),
      network_metadata: novaObject('NetworkMetadata', '1.0', { physnets: ['b', 'a'], tunneled: true }),
    },
    {
      requestedResources: [
        {
          requester_id: 'port',
          resources: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 },
          required_traits: ['CUSTOM_A', 'CUSTOM_B'],
          forbidden_traits: [],
          aggregates: [['a', 'b']],
          forbidden_aggregates: [],
          in_tree: null,
        },
      ],
      shared: [0],
      requestLevelParams: { root_required: ['T'], root_forbidden: [], same_subtree: [['port', '_1']] },
      networkMetadata: { physnets: ['a', 'b'], tunneled: true },
    },
  ],
])('reads %s', (_, data, expected) => expect(specOf(data)).toMatchObject({ ...expected, unknownFields: [] }));

describe('a server group', () => {
  const groupOf = (data: Json): unknown => {
    const group = { ...(SERVER_GROUP['nova_object.data'] as Json), ...data };
    return specOf({ instance_group: novaObject('InstanceGroup', '1.11', group) }).instanceGroup;
  };

  it('has policy, members and hosts', () => {
    expect(groupOf({})).toEqual({
      uuid: '99d2de0c-023f-46ae-a163-4a854b8accbd',
      name: 'grp-anti',
      policy: 'anti-affinity',
      maxServerPerHost: null,
      members: ['015de55e-2fad-4c13-86ab-391c59f92abf', 'deb77dfc-b28e-49cd-86ef-ba9620a69d17'],
      hosts: ['compute1'],
    });
  });

  it('has its rule as a number', () => {
    expect(groupOf({ _rules: { max_server_per_host: '2' } })).toMatchObject({ maxServerPerHost: 2 });
    expect(() => groupOf({ _rules: { max_server_per_host: 'two' } })).toThrow('max_server_per_host');
  });

  it('of an old release has its policy in a list', () => {
    expect(groupOf({ policy: null, policies: ['affinity'] })).toMatchObject({ policy: 'affinity' });
  });
});

describe('fields of newer versions', () => {
  it('are named with their paths', () => {
    const network = novaObject('NetworkRequest', '1.4', { network_id: 'auto', speed: 10 });
    const networks = novaObject('NetworkRequestList', '1.1', { objects: [network] });
    const spec = specOf({ colour: 'blue', shade: null, requested_networks: networks });
    expect(spec.unknownFields).toEqual(['spec_obj.colour', 'spec_obj.requested_networks[0].speed']);
  });
});

it.each([
  ['a text for a number', { flavor: novaObject('Flavor', '1.2', { vcpus: '1' }) }, 'spec_obj.flavor.vcpus'],
  ['no flavor', { flavor: null }, 'spec_obj.flavor is required'],
  ['a text for a list', { force_hosts: 'a' }, 'spec_obj.force_hosts'],
  ['numbers in a list of texts', { force_hosts: [1] }, 'spec_obj.force_hosts'],
  ['a dictionary for an object', { image: {} }, 'spec_obj.image'],
])('refuses %s and names the field', (_, data, message) => expect(() => specOf(data)).toThrow(message));
