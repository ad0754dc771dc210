import { naming } from '../../../test/support/naming';
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { SelectDestinationsDto } from './request.schema';

const FLAVOR = { vcpus: 1, memory_mb: 512 };
const REQUEST = { num_instances: 1, flavor: FLAVOR, project_id: 'p', user_id: 'u' };
const UUID = '0f5ca3f2-5b0c-4c4c-9c1d-6b9d2f1e7a11';
const GROUP = { requester_id: UUID, resources: { CUSTOM_NIC: 1 } };
const check = (body: object): Promise<SelectDestinationsDto> => validDocument(SelectDestinationsDto, body);
const many = (count: number, text = 'x'): string[] => Array.from({ length: count }, () => text);
const { namesPerGroup } = SEARCH_LIMITS;

describe('the request document', () => {
  it.each<[string, object]>([
    ['the least one can say', REQUEST],
    ['instances by uuid', { ...REQUEST, num_instances: undefined, instances: [UUID] }],
    ['an image', { ...REQUEST, image: { disk_format: 'raw', properties: { hw_x: 'y', n: 1 } } }],
    ['no image', { ...REQUEST, image: null }],
    ['extra specs', { ...REQUEST, flavor: { ...FLAVOR, extra_specs: { 'resources:VGPU': 1, 'trait:X': 'required' } } }],
    ['hints', { ...REQUEST, scheduler_hints: { different_host: [UUID], rack: 'r1' } }],
    ['a seed', { ...REQUEST, seed: 4294967295, explain: 'all', dry_run: true, return_alternates: false }],
    ['names', { ...REQUEST, flavor: 'm1.small', image: UUID, instance_group: 'web' }],
    ['a zone', { ...REQUEST, availability_zone: 'az1' }],
    ['forced hosts', { ...REQUEST, force_hosts: ['h'], force_nodes: [], ignore_hosts: null }],
    [
      'a destination',
      {
        ...REQUEST,
        requested_destination: {
          host: 'h',
          node: null,
          cell: 'c',
          allow_cross_cell_move: true,
          aggregates: [[UUID]],
          forbidden_aggregates: [UUID],
        },
      },
    ],
    [
      'a server group',
      {
        ...REQUEST,
        instance_group: {
          uuid: UUID,
          name: 'web',
          project_id: 'p',
          policy: 'anti-affinity',
          rules: { max_server_per_host: 1 },
          members: [UUID],
          hosts: ['h'],
        },
      },
    ],
    [
      'outside groups',
      {
        ...REQUEST,
        requested_resources: [
          {
            ...GROUP,
            required_traits: ['X'],
            forbidden_traits: [],
            aggregates: [[UUID]],
            forbidden_aggregates: [],
            in_tree: UUID,
          },
        ],
      },
    ],
    [
      'networks',
      {
        ...REQUEST,
        requested_networks: [
          { network_id: UUID, aggregates: null },
          { port_id: UUID, vnic_type: 'direct' },
        ],
        network_metadata: { physnets: ['a'], tunneled: true },
      },
    ],
    ['derived NUMA and PCI requests', { ...REQUEST, numa_topology: 'auto', pci_requests: 'auto' }],
    ['NUMA and PCI documents', { ...REQUEST, numa_topology: { cells: [] }, pci_requests: [{}] }],
    ['neither', { ...REQUEST, numa_topology: null, pci_requests: null }],
    ['attempts made', { ...REQUEST, retry: { num_attempts: 1, hosts: [['h', 'n']] } }],
    ['a least number', { ...REQUEST, min_count: 1 }],
    ['as many outside groups as a query holds', { ...REQUEST, requested_resources: Array(255).fill(GROUP) }],
    ['as many ignored hosts as allowed', { ...REQUEST, ignore_hosts: many(SCHEDULER_LIMITS.hostsNamed) }],
  ])('can hold %s', async (_, body) => expect(await check(body)).toBeInstanceOf(SelectDestinationsDto));

  it('distinguishes an absent list of aggregates from null', async () => {
    const { requested_networks: networks } = await check({
      ...REQUEST,
      requested_networks: [{ aggregates: null }, {}],
    });
    expect(networks?.map(({ aggregates }) => aggregates)).toEqual([null, undefined]);
  });

  it.each<[string, object]>([
    ['colour', { colour: 'blue' }],
    ['flavor.colour', { flavor: { ...FLAVOR, colour: 'blue' } }],
    ['image.colour', { image: { colour: 'blue' } }],
    ['request_level_params.colour', { request_level_params: { colour: [] } }],
    ['requested_destination.colour', { requested_destination: { colour: 1 } }],
    ['instance_group.colour', { instance_group: { policy: 'affinity', colour: 1 } }],
    ['instance_group.rules.colour', { instance_group: { policy: 'affinity', rules: { colour: 1 } } }],
    ['requested_resources.1.colour', { requested_resources: [GROUP, { ...GROUP, colour: 1 }] }],
    ['requested_networks.0.colour', { requested_networks: [{ colour: 1 }] }],
    ['network_metadata.colour', { network_metadata: { colour: 1 } }],
    ['retry.colour', { retry: { colour: 1 } }],
    ['flavor', { flavor: undefined }],
    ['flavor', { flavor: null }],
    ['flavor', { flavor: [] }],
    ['flavor', { flavor: '' }],
    ['flavor', { flavor: 'x'.repeat(256) }],
    ['flavor.vcpus', { flavor: { memory_mb: 1 } }],
    ['flavor.vcpus', { flavor: { ...FLAVOR, vcpus: -1 } }],
    ['flavor.memory_mb', { flavor: { ...FLAVOR, memory_mb: 1.5 } }],
    ['flavor.extra_specs.a', { flavor: { ...FLAVOR, extra_specs: { a: ['b'] } } }],
    ['image', { image: 7 }],
    ['image', { image: '' }],
    ['image.properties.a', { image: { properties: { a: null } } }],
    ['project_id', { project_id: undefined }],
    ['user_id', { user_id: '' }],
    ['num_instances', { num_instances: 0 }],
    ['num_instances', { num_instances: 10_001 }],
    ['min_count', { min_count: 0 }],
    ['instances', { instances: [] }],
    ['instances', { instances: ['not-a-uuid'] }],
    ['availability_zone', { availability_zone: '' }],
    ['availability_zone', { availability_zone: 3 }],
    ['scheduler_hints', { scheduler_hints: ['group'] }],
    ['scheduler_hints.different_host', { scheduler_hints: { different_host: many(10_001) } }],
    ['ignore_hosts', { ignore_hosts: [1] }],
    ['ignore_hosts', { ignore_hosts: many(SCHEDULER_LIMITS.hostsNamed + 1) }],
    ['force_hosts', { force_hosts: 'h' }],
    ['force_nodes', { force_nodes: ['x'.repeat(256)] }],
    ['requested_destination', { requested_destination: 'h' }],
    ['requested_destination.host', { requested_destination: { host: '' } }],
    ['requested_destination.aggregates', { requested_destination: { aggregates: ['a,b'] } }],
    ['requested_destination.aggregates', { requested_destination: { aggregates: [many(namesPerGroup + 1)] } }],
    ['instance_group', { instance_group: 3 }],
    ['instance_group.policy', { instance_group: {} }],
    ['instance_group.policy', { instance_group: { policy: 'near' } }],
    [
      'instance_group.rules.max_server_per_host',
      { instance_group: { policy: 'affinity', rules: { max_server_per_host: 0 } } },
    ],
    ['requested_resources', { requested_resources: {} }],
    ['requested_resources', { requested_resources: Array(256).fill(GROUP) }],
    ['requested_resources.0.requester_id', { requested_resources: [{ resources: {} }] }],
    ['requested_resources.0.resources', { requested_resources: [{ requester_id: 'a' }] }],
    ['requested_resources.0.resources.VGPU', { requested_resources: [{ ...GROUP, resources: { VGPU: '1' } }] }],
    ['requested_resources.0.in_tree', { requested_resources: [{ ...GROUP, in_tree: 'here' }] }],
    ['requested_networks.0.aggregates', { requested_networks: [{ aggregates: 'a' }] }],
    ['network_metadata.tunneled', { network_metadata: { tunneled: 'yes' } }],
    ['numa_topology', { numa_topology: 'none' }],
    ['numa_topology', { numa_topology: [] }],
    ['pci_requests', { pci_requests: {} }],
    ['retry.num_attempts', { retry: { num_attempts: -1 } }],
    ['retry.hosts', { retry: { hosts: ['h'] } }],
    ['request_level_params.same_subtree', { request_level_params: { same_subtree: ['a'] } }],
    ['explain', { explain: 'everything' }],
    ['seed', { seed: 4294967296 }],
    ['seed', { seed: -1 }],
  ])('is refused at %s', (path, given) =>
    expect(check({ ...REQUEST, ...given })).rejects.toThrow(naming(path, '^JSON does not validate: ')),
  );
});

it.each([UUID.toUpperCase(), UUID.replaceAll('-', ''), `urn:uuid:${UUID}`, `{${UUID}}`])(
  'accepts the uuid spellings of the Placement API and normalises them: %s',
  async (text) => {
    const body = { ...REQUEST, num_instances: undefined, instances: [text], instance_group: null };
    expect((await check(body)).instances).toEqual([UUID]);
    const resources = { ...GROUP, in_tree: text };
    const { requested_resources: groups } = await check({ ...REQUEST, requested_resources: [resources] });
    expect(groups?.[0]?.in_tree).toBe(UUID);
  },
);
