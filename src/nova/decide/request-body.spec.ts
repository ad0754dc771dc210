import { validDocument } from '../../platform/http/dto-body.decorator';
import { normalizeRequest } from '../../scheduler/request/normalize-request';
import { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { Json } from '../objects/captured.fixture';
import {
  bootCall,
  bootSpec,
  CELL,
  imageMeta,
  INSTANCE,
  novaObject,
  PASSWORD,
  PCI_REQUESTS,
  REBUILD,
  RESIZE_DESTINATION,
  SERVER_GROUP,
  TOKEN,
} from '../objects/captured.fixture';
import { callArgumentsOf } from './call-arguments';
import type { RequestBody } from './request-body';
import { requestBody } from './request-body';

const OWNER = { userId: 'caller-user', projectId: 'caller-project' };

function bodyOf(data: Json = {}): RequestBody {
  const { spec, instances } = callArgumentsOf(bootCall(bootSpec(data))['args'] as Json);
  return requestBody(spec, instances, OWNER);
}

/** As the scheduler understands it. */
async function understood(data: Json = {}): Promise<RequestSpec> {
  const body = await validDocument(SelectDestinationsDto, bodyOf(data).body);
  return normalizeRequest(body, { newUuid: () => 'unused', reads: new Set() }).spec;
}

const cell = (data: Json): Json => novaObject('InstanceNUMACell', '1.6', { id: 0, cpuset: [], pcpuset: [], ...data });
const topology = (...cells: Json[]): Json => ({
  numa_topology: novaObject('InstanceNUMATopology', '1.3', { cells, emulator_threads_policy: null }),
});
const request = (data: Json): Json => novaObject('InstancePCIRequest', '1.4', { count: 1, spec: [], ...data });
const pci = (...requests: Json[]): Json => ({
  pci_requests: novaObject('InstancePCIRequests', '1.1', { requests }),
});

describe('the request of a call', () => {
  it('is valid and means what a boot asks for', async () => {
    expect(await understood()).toMatchObject({
      instanceUuid: INSTANCE,
      instanceUuids: [INSTANCE],
      minCount: 1,
      projectId: 'c66dcb910cd6459ca5bd1b23d344d735',
      userId: '69a07054ea30488ab619d44e1599790e',
      flavor: { name: 'm1', vcpus: 1, memoryMb: 256, rootGb: 1, extraSpecs: { 'trait:HW_CPU_X86_AVX': 'required' } },
      image: { diskFormat: 'raw' },
      checkType: null,
      requestedNetworks: null,
      requestedDestination: null,
      retry: null,
      instanceGroup: null,
    });
  });

  it.each<[string, Json, Partial<Record<keyof RequestSpec, unknown>>]>([
    ['the owner from the context', { project_id: null, user_id: null }, OWNER],
    ['a volume without an image', { image: null, is_bfv: true }, { image: null, isBfv: true }],
    [
      'image properties as texts',
      { image: imageMeta({ hw_cpu_cores: 2 }) },
      { image: { properties: { hw_cpu_cores: '2' } } },
    ],
    ['a rebuild', REBUILD, { checkType: 'rebuild', forceHosts: ['compute2'], requestedDestination: { cell: CELL } }],
    [
      'a resize',
      { requested_destination: RESIZE_DESTINATION, ignore_hosts: ['compute1'] },
      { ignoreHosts: ['compute1'], requestedDestination: { cell: CELL, allowCrossCellMove: false, host: null } },
    ],
    [
      'aggregates with alternatives',
      {
        requested_destination: novaObject('Destination', '1.4', {
          host: 'compute2',
          aggregates: [`${CELL},${INSTANCE}`, CELL],
          forbidden_aggregates: [INSTANCE],
        }),
      },
      {
        requestedDestination: {
          host: 'compute2',
          aggregates: [[CELL, INSTANCE], [CELL]],
          forbiddenAggregates: [INSTANCE],
        },
      },
    ],
    [
      'a server group',
      { instance_group: SERVER_GROUP, scheduler_hints: { group: ['99d2de0c-023f-46ae-a163-4a854b8accbd'] } },
      {
        instanceGroup: { policy: 'anti-affinity', maxServerPerHost: null, hosts: new Set(['compute1']) },
        schedulerHints: {},
      },
    ],
    [
      'hints of one and of several texts',
      { scheduler_hints: { different_host: [INSTANCE], cidr: '/24' } },
      { schedulerHints: { different_host: [INSTANCE], cidr: ['/24'] } },
    ],
    [
      'earlier attempts',
      {
        retry: novaObject('SchedulerRetries', '1.1', {
          num_attempts: 2,
          hosts: novaObject('ComputeNodeList', '1.17', {
            objects: [novaObject('ComputeNode', '1.19', { host: 'compute1', hypervisor_hostname: 'node1' })],
          }),
        }),
      },
      { retry: { numAttempts: 2, hosts: [['compute1', 'node1']] } },
    ],
    ['no earlier attempts', { retry: novaObject('SchedulerRetries', '1.1', {}) }, { retry: null }],
    [
      'a PCI device',
      { pci_requests: PCI_REQUESTS },
      {
        pciRequests: [{ aliasName: 'test-vf', count: 1, numaPolicy: 'legacy', alternatives: [{ product_id: '10ca' }] }],
      },
    ],
    [
      'a device that must not have a property',
      pci(request({ spec: [{ dev_type: 'type-VF', physical_network: null }] })),
      { pciRequests: [{ alternatives: [{ dev_type: 'type-VF', physical_network: null }] }] },
    ],
    [
      'large pages and shared CPUs',
      topology(cell({ cpuset: [0, 1], memory: 512, pagesize: -2, cpu_policy: 'shared' })),
      { numaTopology: { cells: [{ cpus: [0, 1], pcpus: [], memoryMb: 512, pageSize: 'large' }] } },
    ],
    [
      'dedicated CPUs of an instance from before release 22',
      topology(cell({ cpuset: [0, 1], memory: 512, pagesize: 2048, cpu_policy: 'dedicated' })),
      { numaTopology: { cells: [{ cpus: [], pcpus: [0, 1], pageSize: 2048, cpuPolicy: 'dedicated' }] } },
    ],
    [
      'groups of ports',
      {
        requested_resources: [
          novaObject('RequestGroup', '1.3', {
            requester_id: INSTANCE,
            resources: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 },
            required_traits: ['CUSTOM_PHYSNET'],
            aggregates: [],
            in_tree: null,
            use_same_provider: true,
          }),
        ],
      },
      {
        requestedResources: [
          {
            suffix: INSTANCE,
            resources: new Map([['NET_BW_EGR_KILOBIT_PER_SEC', 1000]]),
            requiredTraits: [['CUSTOM_PHYSNET']],
          },
        ],
      },
    ],
    [
      'networks by uuid',
      {
        requested_networks: novaObject('NetworkRequestList', '1.1', {
          objects: [novaObject('NetworkRequest', '1.3', { network_id: CELL, port_id: null })],
        }),
      },
      { requestedNetworks: [{ networkId: CELL, portId: null, aggregates: undefined }] },
    ],
  ])('has %s', async (_what, data, expected) => {
    expect(await understood(data)).toMatchObject(expected);
  });

  it.each<[string, Json, string]>([
    ['a field of a newer release', { share_trees: true }, 'spec_obj.share_trees'],
    ['a hint for a group that nova did not send', { scheduler_hints: { group: [CELL] } }, 'scheduler_hints.group'],
  ])('lists %s as ignored', (_what, data, field) => {
    expect(bodyOf(data).ignored.map((each) => each.field)).toEqual([field]);
  });

  it('has no secrets of the caller and of the cell', () => {
    const text = JSON.stringify(bodyOf({ ...REBUILD, requested_destination: RESIZE_DESTINATION }));
    expect(text).toContain(CELL);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(TOKEN);
  });
});

describe('the arguments of a call', () => {
  const args = bootCall()['args'] as Json;
  it.each<[string, Json, string]>([
    ['no instances', { instance_uuids: [] }, 'instance_uuids'],
    ['instances that are no uuids', { instance_uuids: ['a'] }, 'instance_uuids'],
    ['answers as dictionaries', { return_objects: false }, 'return_objects'],
    ['another object', { spec_obj: novaObject('Flavor', '1.2', {}) }, 'RequestSpec'],
  ])('are refused with %s', (_what, change, named) => {
    expect(() => callArgumentsOf({ ...args, ...change })).toThrow(named);
  });
});
