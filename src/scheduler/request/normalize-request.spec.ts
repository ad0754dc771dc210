import { validDocument } from '../../platform/http/dto-body.decorator';
import { canonicalUuid } from '../../platform/values/uuid';
import { parsePciAliases } from '../../scheduling-rules/pci/alias';
import { requestSpec } from '../../scheduling-rules/pipeline/pipeline.fixture';
import type { PciRequest } from '../../scheduling-rules/request-spec/pci-pool';
import type { InstanceGroup, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { membersToLocate } from './normalize-hints';
import type { NormalizedRequest, NormalizeEnvironment } from './normalize-request';
import { normalizeRequest, NOTHING_RESOLVED, referencesOf } from './normalize-request';
import { SelectDestinationsDto } from './request.schema';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const BODY: SelectDestinationsDto = {
  num_instances: 1,
  flavor: { vcpus: 4, memory_mb: 512 },
  project_id: 'p',
  user_id: 'u',
};
const normalize = (
  given: Partial<SelectDestinationsDto> = {},
  env: Partial<NormalizeEnvironment> = {},
): NormalizedRequest => {
  let uuids = 0;
  return normalizeRequest({ ...BODY, ...given }, { newUuid: () => uuid((uuids += 1)), reads: new Set(), ...env });
};
const specOf = (...args: Parameters<typeof normalize>): RequestSpec => normalize(...args).spec;
const withSpecs = (extra_specs: Readonly<Record<string, string>>): Partial<SelectDestinationsDto> => ({
  flavor: { vcpus: 4, memory_mb: 512, extra_specs },
});
const GROUP: InstanceGroup = {
  uuid: uuid(7),
  policy: 'affinity',
  maxServerPerHost: null,
  members: new Set(),
  hosts: new Set(['h']),
};

it('a plain body requires nothing but its flavor', () => {
  expect(normalize()).toEqual({
    spec: requestSpec({
      instanceUuid: uuid(1),
      instanceUuids: [uuid(1)],
      flavor: { name: null, vcpus: 4, memoryMb: 512, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs: {} },
    }),
    ignored: [],
  });
});

it('null in every field equals an absent field', () => {
  const nothing: Partial<SelectDestinationsDto> = {
    min_count: null,
    image: null,
    availability_zone: null,
    scheduler_hints: null,
    ignore_hosts: null,
    force_hosts: null,
    force_nodes: null,
    requested_destination: null,
    instance_group: null,
    requested_resources: null,
    request_level_params: null,
    requested_networks: null,
    network_metadata: null,
    numa_topology: null,
    pci_requests: null,
    retry: null,
  };
  const empty: Partial<SelectDestinationsDto> = {
    requested_destination: {},
    network_metadata: {},
    retry: {},
    scheduler_hints: {},
  };
  expect(specOf(nothing)).toEqual(specOf());
  expect(specOf(empty)).toEqual(specOf());
});

describe('instances', () => {
  it('are taken in lower case, or generated', async () => {
    const listed = 'AAAAAAAA-0000-4000-8000-000000000001';
    const body = await validDocument(SelectDestinationsDto, { ...BODY, instances: [listed] });
    expect(specOf(body).instanceUuids).toEqual([listed.toLowerCase()]);
    expect(specOf({ num_instances: 2 }).instanceUuids).toEqual([uuid(1), uuid(2)]);
  });

  it.each<[string, object]>([
    ['num_instances', { num_instances: 2, instances: [uuid(1)] }],
    ['instances', { num_instances: 2, instances: [uuid(1), uuid(1)] }],
    ['instances', { num_instances: 0 }],
    ['min_count', { num_instances: 2, min_count: 3 }],
  ])('are refused at %s', (field, given) => {
    expect(() => normalize(given)).toThrow(expect.objectContaining({ code: 'scheduler.invalid_request', field }));
  });

  it.each([
    [undefined, 3],
    [null, 3],
    [1, 1],
    [3, 3],
  ])('with min_count %s require %s of three', (min_count, expected) => {
    expect(specOf({ num_instances: 3, ...(min_count !== undefined && { min_count }) }).minCount).toBe(expected);
  });
});

describe('references', () => {
  it('are the names in the body', () => {
    expect(referencesOf(BODY)).toEqual({ flavor: null, image: null, group: null });
    const body = { ...BODY, flavor: 'm1', image: 'cirros', instance_group: 'web' };
    expect(referencesOf(body)).toEqual({ flavor: 'm1', image: 'cirros', group: 'web' });
    expect(referencesOf({ ...BODY, scheduler_hints: { group: ['web'] } }).group).toBe('web');
    expect(
      referencesOf({ ...BODY, scheduler_hints: { group: 'x' }, instance_group: { policy: 'affinity' } }).group,
    ).toBeNull();
  });

  it('are replaced by the objects that they name', () => {
    const { flavor } = requestSpec();
    const image = { id: 'i', name: null, diskFormat: 'raw', properties: { architecture: 'AMD64' } };
    const resolved = { flavor, image, group: GROUP };
    const spec = specOf({ flavor: 'm1', image: 'cirros', instance_group: 'web' }, { resolved });
    expect(spec.flavor).toBe(flavor);
    expect(spec.image).toEqual({ ...image, properties: { hw_architecture: 'x86_64' } });
    expect(spec.instanceGroup).toBe(GROUP);
  });

  it.each<[string, Partial<SelectDestinationsDto>]>([
    ['flavor', { flavor: 'm1' }],
    ['image', { image: 'cirros' }],
    ['instance_group', { instance_group: 'web' }],
    ['scheduler_hints.group', { scheduler_hints: { group: 'web' } }],
  ])('to unknown objects are refused at %s', (field, given) => {
    expect(() => normalize(given, { resolved: NOTHING_RESOLVED })).toThrow(
      expect.objectContaining({ code: 'scheduler.invalid_request', field }),
    );
  });
});

describe('the server group', () => {
  const inline = { uuid: uuid(7), policy: 'anti-affinity', members: [uuid(1)], hosts: ['h'] } as const;
  const resolved = { ...NOTHING_RESOLVED, group: GROUP };

  it('can be given with its rule', () => {
    expect(specOf({ instance_group: { ...inline, rules: { max_server_per_host: 2 } } }).instanceGroup).toEqual({
      uuid: uuid(7),
      policy: 'anti-affinity',
      maxServerPerHost: 2,
      members: new Set([uuid(1)]),
      hosts: new Set(['h']),
    });
  });

  it('has the hosts of its members if the request gives none', () => {
    const located = { ...NOTHING_RESOLVED, memberHosts: new Set(['where']) };
    const hostsOf = (hosts: string[] | undefined): unknown =>
      specOf(
        { instance_group: { policy: 'affinity', members: [uuid(1)], ...(hosts && { hosts }) } },
        { resolved: located },
      ).instanceGroup?.hosts;
    expect(hostsOf(undefined)).toEqual(new Set(['where']));
    expect(hostsOf(['h'])).toEqual(new Set(['h']));
    expect(hostsOf([])).toEqual(new Set());
  });

  it.each<[string, Partial<SelectDestinationsDto>, readonly string[]]>([
    [
      'of an affinity group without hosts',
      { instance_group: { policy: 'affinity', members: [uuid(1), uuid(2)] } },
      [uuid(2)],
    ],
    ['in any spelling', { instance_group: { policy: 'affinity', members: [uuid(2).replaceAll('-', '')] } }, [uuid(2)]],
    ['of a group with hosts', { instance_group: { policy: 'affinity', members: [uuid(2)], hosts: [] } }, []],
    ['of another policy', { instance_group: inline }, []],
    ['of a group by name', { instance_group: 'web' }, []],
    ['of no group', {}, []],
  ])('the members to locate are those %s', (_, given, expected) =>
    expect(membersToLocate({ ...BODY, ...given }, uuid(1))).toEqual(expected),
  );

  it.each<[string, Partial<SelectDestinationsDto>]>([
    ['the hint alone', { scheduler_hints: { group: uuid(7) } }],
    ['both with one name', { instance_group: 'web', scheduler_hints: { group: 'web' } }],
    ['a name and the uuid', { instance_group: 'web', scheduler_hints: { group: [uuid(7)] } }],
  ])('is named by %s', (_, given) => expect(specOf(given, { resolved }).instanceGroup).toBe(GROUP));

  it('can be given inline and named by its uuid in a hint', () => {
    expect(specOf({ instance_group: inline, scheduler_hints: { group: uuid(7) } }).instanceGroup?.uuid).toBe(uuid(7));
  });

  it.each<[string, Partial<SelectDestinationsDto>]>([
    ['another name', { instance_group: 'web', scheduler_hints: { group: 'db' } }],
    ['another uuid', { instance_group: inline, scheduler_hints: { group: uuid(8) } }],
    ['a group without uuid', { instance_group: { policy: 'affinity' }, scheduler_hints: { group: uuid(8) } }],
    ['two groups', { scheduler_hints: { group: [uuid(7), uuid(8)] } }],
  ])('is refused with a hint of %s', (_, given) => {
    expect(() => normalize(given, { resolved })).toThrow(expect.objectContaining({ field: 'scheduler_hints.group' }));
  });

  it.each(['affinity', 'soft-affinity', 'soft-anti-affinity'] as const)('has no rule with the policy %s', (policy) => {
    const instance_group = { policy, rules: { max_server_per_host: 1 } };
    expect(() => normalize({ instance_group })).toThrow(
      expect.objectContaining({ field: 'instance_group.rules.max_server_per_host' }),
    );
  });

  it.each([
    ['affinity', 'ServerGroupAffinityFilter'],
    ['anti-affinity', 'ServerGroupAntiAffinityFilter'],
    ['soft-affinity', 'ServerGroupSoftAffinityWeigher'],
    ['soft-anti-affinity', 'ServerGroupSoftAntiAffinityWeigher'],
  ] as const)('of policy %s needs %s', (policy, part) => {
    const given = { instance_group: { policy } };
    expect(() => normalize(given, { enabledParts: new Set([part]) })).not.toThrow();
    expect(() => normalize(given, { enabledParts: new Set(['ComputeFilter']) })).toThrow(
      `ServerGroup policy is not supported: ${part} not configured`,
    );
  });
});

describe('hints', () => {
  it('become lists of strings', () => {
    const scheduler_hints = { one: 'a', many: ['a', 2, true], none: null, empty: [] };
    expect(specOf({ scheduler_hints }).schedulerHints).toEqual({ one: ['a'], many: ['a', '2', 'true'], empty: [] });
  });

  it.each([[{ nested: { a: 1 } }], [{ nested: [['a']] }], [{ nested: [null] }]])(
    '%j are refused',
    (scheduler_hints) => {
      expect(() => normalize({ scheduler_hints })).toThrow(
        expect.objectContaining({ field: 'scheduler_hints.nested' }),
      );
    },
  );

  it.each<[unknown, RequestSpec['checkType']]>([
    [undefined, null],
    [[], null],
    ['rebuild', 'rebuild'],
    [['rebuild'], 'rebuild'],
  ])('the check type %j is %s', (value, expected) => {
    expect(specOf({ scheduler_hints: { _nova_check_type: value } }).checkType).toBe(expected);
  });

  it.each([['resize'], [['rebuild', 'rebuild']]])('the check type %j is refused', (value) => {
    expect(() => normalize({ scheduler_hints: { _nova_check_type: value } })).toThrow(
      expect.objectContaining({ field: 'scheduler_hints._nova_check_type' }),
    );
  });
});

describe('zone and targets', () => {
  it('the zone defaults to the configured one', () => {
    expect(specOf({}, { defaultScheduleZone: 'az1' }).availabilityZone).toBe('az1');
    expect(specOf({ availability_zone: 'az2' }, { defaultScheduleZone: 'az1' }).availabilityZone).toBe('az2');
  });

  it('forced and ignored hosts are kept unchanged', () => {
    const spec = specOf({ ignore_hosts: ['A'], force_hosts: ['b'], force_nodes: ['c'] });
    expect(spec).toMatchObject({ ignoreHosts: ['A'], forceHosts: ['b'], forceNodes: ['c'] });
  });

  it('a destination has its aggregates in canonical form', () => {
    const extended = 'AAAAAAAA000040008000000000000001';
    const requested_destination = { cell: 'c', aggregates: [[extended, uuid(2)]], forbidden_aggregates: [extended] };
    expect(specOf({ requested_destination }).requestedDestination).toEqual({
      host: null,
      node: null,
      cell: 'c',
      allowCrossCellMove: false,
      aggregates: [[canonicalUuid(extended), uuid(2)]],
      forbiddenAggregates: [canonicalUuid(extended)],
    });
  });

  it.each<[string, Partial<SelectDestinationsDto>]>([
    ['requested_destination.aggregates.1', { requested_destination: { aggregates: [[uuid(1)], []] } }],
    ['requested_destination.aggregates.0', { requested_destination: { aggregates: [['rack']] } }],
    ['requested_destination.forbidden_aggregates', { requested_destination: { forbidden_aggregates: ['rack'] } }],
    ['retry.hosts.0', { retry: { hosts: [['h']] } }],
    [
      'retry.hosts.1',
      {
        retry: {
          hosts: [
            ['h', 'n'],
            ['h', 'n', 'x'],
          ],
        },
      },
    ],
  ])('is refused at %s', (field, given) => {
    expect(() => normalize(given)).toThrow(expect.objectContaining({ code: 'scheduler.invalid_request', field }));
  });

  it('earlier attempts are kept', () => {
    const retry = { num_attempts: 2, hosts: [['h', 'n']] };
    expect(specOf({ retry }).retry).toEqual({ numAttempts: 2, hosts: [['h', 'n']] });
  });
});

describe('groups from outside the flavor, and networks', () => {
  const group = { requester_id: 'port-1', resources: { VGPU: 1 } };

  it('are complete', () => {
    const full = {
      ...group,
      required_traits: ['X'],
      forbidden_traits: ['Y'],
      aggregates: [[uuid(1)]],
      forbidden_aggregates: [uuid(2)],
      in_tree: uuid(3),
    };
    expect(specOf({ requested_resources: [full] }).requestedResources).toEqual([
      {
        suffix: 'port-1',
        resources: new Map([['VGPU', 1]]),
        requiredTraits: [['X']],
        forbiddenTraits: ['Y'],
        memberOf: [[uuid(1)]],
        forbiddenAggregates: [uuid(2)],
        inTree: uuid(3),
      },
    ]);
  });

  it.each<[string, Partial<typeof group> & object]>([
    ['requester_id', { requester_id: 'a b' }],
    ['requester_id', { requester_id: 'x'.repeat(65) }],
    ['resources', { resources: {} as typeof group.resources }],
    ['resources.NOPE', { resources: { NOPE: 1 } as unknown as typeof group.resources }],
    ['resources.VGPU', { resources: { VGPU: 0 } }],
    ['resources.VGPU', { resources: { VGPU: 1.5 } }],
    ['resources.VGPU', { resources: { VGPU: 2_147_483_648 } }],
  ])('are refused at %s', (field, given) => {
    expect(() => normalize({ requested_resources: [{ ...group, ...given }] })).toThrow(
      expect.objectContaining({ field: `requested_resources.0.${field}` }),
    );
  });

  it('networks distinguish a lookup without result from a network without segments', () => {
    const requested_networks = [
      { network_id: 'n', aggregates: null },
      { port_id: 'p', vnic_type: 'direct' },
    ];
    expect(specOf({ requested_networks }).requestedNetworks).toEqual([
      { networkId: 'n', portId: null, vnicType: null, aggregates: null },
      { networkId: null, portId: 'p', vnicType: 'direct', aggregates: undefined },
    ]);
  });

  it('NUMA affinity of networks is kept if there is any', () => {
    const network_metadata = { physnets: ['a', 'a'], tunneled: false };
    expect(specOf({ network_metadata }).networkMetadata).toEqual({ physnets: ['a'], tunneled: false });
    expect(specOf({ network_metadata: { tunneled: true } }).networkMetadata).toEqual({ physnets: [], tunneled: true });
  });
});

describe('NUMA and PCI requests', () => {
  const pciAliases = parsePciAliases(['{"name": "gpu", "vendor_id": "10de", "product_id": "1db4"}'], {
    inPlacement: false,
  });
  const alias = withSpecs({ 'pci_passthrough:alias': 'gpu:2' });

  it.each([undefined, 'auto'] as const)('are derived with %s', (value) => {
    const given = value === undefined ? {} : { numa_topology: value, pci_requests: value };
    expect(specOf({ ...given, ...withSpecs({ 'hw:numa_nodes': '2' }) }).numaTopology?.cells).toHaveLength(2);
    expect(specOf({ ...given, ...alias }, { pciAliases }).pciRequests).toMatchObject([{ aliasName: 'gpu', count: 2 }]);
  });

  it('are none with null', () => {
    expect(specOf({ numa_topology: null, ...withSpecs({ 'hw:numa_nodes': '2' }) }).numaTopology).toBeNull();
    expect(specOf({ pci_requests: null, ...alias }).pciRequests).toEqual([]);
  });

  it('can be given', () => {
    const numa_topology = { cells: [{ cpuset: [0, 1, 2, 3], memory: 512 }] };
    expect(specOf({ numa_topology }).numaTopology?.cells).toHaveLength(1);
    const pci_requests = [{ alias_name: 'gpu', count: 3 }];
    expect(specOf({ pci_requests }, { pciAliases }).pciRequests).toMatchObject([{ aliasName: 'gpu', count: 3 }]);
  });

  it('are request groups if PCI devices are in Placement', () => {
    const spec = specOf(alias, { pciAliases, pciInPlacement: true });
    const [{ requestId }] = spec.pciRequests as [PciRequest];
    expect(spec.requestedResources.map(({ suffix }) => suffix)).toEqual([`${requestId}-0`, `${requestId}-1`]);
    expect(specOf(alias, { pciAliases }).requestedResources).toEqual([]);
    const many = (count: number): RequestSpec =>
      specOf(withSpecs({ 'pci_passthrough:alias': `gpu:${count}` }), { pciAliases, pciInPlacement: true });
    expect(many(255).requestedResources).toHaveLength(255);
    expect(() => many(256)).toThrow("'pci_requests' asks for 256 request groups; Placement takes at most 255 of them");
  });

  it('are refused for an alias that is not configured', () =>
    expect(() => normalize(alias)).toThrow("names the alias 'gpu', which [pci] alias does not have"));
});

describe('fields without effect are reported', () => {
  const EVERYTHING: Partial<SelectDestinationsDto> = {
    ...withSpecs({
      rack: 'r1',
      'capabilities:x': '1',
      'aggregate_instance_extra_specs:y': '1',
      'hw:numa_nodes': '1',
      'quota:disk': '1',
      group_policy: 'none',
      'resources:VGPU': '1',
    }),
    image: { properties: { hw_disk_bus: 'ide', colour: 'blue', 'trait:X': 'required' } },
    scheduler_hints: { colour: 'blue', same_host: [uuid(1)] },
    retry: { num_attempts: 1 },
    network_metadata: { tunneled: true },
  };
  const FIELDS = [
    'image.properties.colour',
    'scheduler_hints.colour',
    'scheduler_hints.same_host',
    'flavor.extra_specs.rack',
    'flavor.extra_specs.capabilities:x',
    'flavor.extra_specs.aggregate_instance_extra_specs:y',
    'retry',
    'numa_topology',
    'network_metadata',
  ];

  it('field by field', () => expect(normalize(EVERYTHING).ignored.map(({ field }) => field)).toEqual(FIELDS));

  it.each(FIELDS)('except %s if an enabled part reads it', (field) => {
    const { ignored } = normalize(EVERYTHING, { reads: new Set([field]) });
    expect(ignored.map((entry) => entry.field)).toEqual(FIELDS.filter((other) => other !== field));
  });

  it('a part can read names by their prefix', () => {
    const { ignored } = normalize(EVERYTHING, { reads: new Set(['flavor.extra_specs.*', 'scheduler_hints.*']) });
    expect(ignored.map(({ field }) => field)).toEqual([
      'image.properties.colour',
      'retry',
      'numa_topology',
      'network_metadata',
    ]);
  });

  it('including shares of NUMA cells without hw:numa_nodes', () => {
    const shares = { 'hw:numa_cpus.0': '0', 'hw:numa_mem.0': '512' };
    const image = { properties: { 'hw_numa_mem.0': '512' } };
    const reads = new Set(['flavor.extra_specs.*', 'image.properties.*', 'numa_topology']);
    expect(normalize({ ...withSpecs(shares), image }, { reads }).ignored).toEqual(
      ['flavor.extra_specs.hw:numa_cpus.0', 'flavor.extra_specs.hw:numa_mem.0', 'image.properties.hw_numa_mem.0'].map(
        (field) => ({ field, why: 'no NUMA cells are asked for; hw:numa_nodes asks for them' }),
      ),
    );
    const asked = withSpecs({ ...shares, 'hw:numa_nodes': '1', 'hw:numa_cpus.0': '0-3' });
    expect(normalize(asked, { reads }).ignored).toEqual([]);
  });

  it('except hints that the scheduler itself reads', () => {
    const scheduler_hints = { group: 'web', _nova_check_type: 'rebuild' };
    expect(normalize({ scheduler_hints }, { resolved: { ...NOTHING_RESOLVED, group: GROUP } }).ignored).toEqual([]);
  });
});
