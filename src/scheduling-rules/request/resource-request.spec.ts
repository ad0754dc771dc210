import type { RequestGroup } from '../../placement/candidate-search';
import { requestSpec } from '../pipeline/pipeline.fixture';
import type { MergedAdditions } from '../pipeline/run-prefilters';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import type { RequestedDestination, RequestSpec } from '../request-spec/request-spec';
import type { TargetNode } from '../request-spec/target-host';
import { NoSuchHost, wantedTarget } from '../request-spec/target-host';
import { queryString } from './query-string';
import type { BuiltResourceRequest, ResourceRequestOptions } from './resource-request';
import { buildFallbackRequest, buildResourceRequest, requiredTraitsOf } from './resource-request';

type Texts = Readonly<Record<string, string>>;

const plain = requestSpec();
const withSpecs = (extraSpecs: Texts, flavor: Partial<RequestSpec['flavor']> = {}): RequestSpec =>
  requestSpec({ flavor: { ...plain.flavor, ...flavor, extraSpecs } });
const withImage = (properties: Texts, spec: RequestSpec = plain): RequestSpec => ({
  ...spec,
  image: { id: null, name: null, diskFormat: null, properties },
});
const build = (
  spec: RequestSpec,
  added: Partial<MergedAdditions> = {},
  options: Partial<ResourceRequestOptions> = {},
): BuiltResourceRequest =>
  buildResourceRequest(spec, { ...NO_ADDITIONS, ...added }, { maxPlacementResults: 1000, ...options });
const query = (...args: Parameters<typeof build>): string => queryString(build(...args).request);
/** The query without its limit. */
const asked = (...args: Parameters<typeof build>): string => query(...args).replace('limit=1000&', '');
/** The second query for pinned CPUs. */
const fallback = (spec: RequestSpec, added: Partial<MergedAdditions> = {}): string | null => {
  const request = buildFallbackRequest(spec, { ...NO_ADDITIONS, ...added }, { maxPlacementResults: 1000 });
  return request && queryString(request);
};
const destination = (given: Partial<RequestedDestination>): RequestedDestination => ({
  host: null,
  node: null,
  cell: null,
  allowCrossCellMove: false,
  aggregates: [],
  forbiddenAggregates: [],
  ...given,
});
const outside = (suffix: string, given: Partial<RequestGroup> = {}): RequestGroup => ({
  suffix,
  resources: new Map([['CUSTOM_NIC', 1]]),
  requiredTraits: [],
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
  ...given,
});

const STATUS = { rootForbidden: ['COMPUTE_STATUS_DISABLED'] };
const PLAIN = 'resources=DISK_GB:27,MEMORY_MB:2048,VCPU:2';
const NO_DISK = { rootGb: 0, ephemeralGb: 0, swapMb: 0 };

describe('the query of a request', () => {
  it('requests the flavor: swap rounded up to GiB, the status trait on the root', () => {
    expect(query(plain, STATUS)).toBe(`limit=1000&${PLAIN}&root_required=!COMPUTE_STATUS_DISABLED`);
  });

  it('leaves the root disk of a volume-backed server out, and the limit with a hint that compares hosts', () => {
    const spec = requestSpec({ isBfv: true, schedulerHints: { same_host: ['x'] } });
    expect(query(spec, STATUS)).toBe(
      'resources=DISK_GB:7,MEMORY_MB:2048,VCPU:2&root_required=!COMPUTE_STATUS_DISABLED',
    );
  });

  it('requests dedicated CPUs, including that of the emulator; the second query requests shared ones', () => {
    const spec = withSpecs({
      'hw:cpu_policy': 'dedicated',
      'hw:emulator_threads_policy': 'isolate',
      'hw:cpu_thread_policy': 'isolate',
      'resources:DISK_GB': '0',
    });
    expect(asked(spec)).toBe('required=!HW_CPU_HYPERTHREADING&resources=MEMORY_MB:2048,PCPU:3');
    expect(fallback(spec)).toBe('limit=1000&resources=MEMORY_MB:2048,VCPU:2');
  });

  it('has no second query if all that is left without dedicated CPUs are conditions', () => {
    const zero = { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0' };
    for (const more of [{}, { 'trait:CUSTOM_X': 'required' }]) {
      const spec = withImage({ hw_cpu_policy: 'dedicated' }, withSpecs({ ...zero, ...more }, NO_DISK));
      expect(asked(spec)).toMatch(/resources=PCPU:2$/);
      expect([fallback(spec), fallback(spec, { memberOf: [['A']] })]).toEqual([null, null]);
    }
  });

  it('holds one member_of per set of aggregates, and one for those forbidden', () => {
    const added = { memberOf: [['B', 'A'], ['T']], forbiddenAggregates: ['X'] };
    expect(query(plain, added)).toBe(`limit=1000&member_of=!in:X&member_of=in:A,B&member_of=in:T&${PLAIN}`);
  });

  it.each<[string, RequestSpec, string]>([
    ['no disk at all', withSpecs({}, NO_DISK), 'resources=MEMORY_MB:2048,VCPU:2'],
    ['swap of 1024 MiB', withSpecs({}, { ...NO_DISK, swapMb: 1024 }), 'resources=DISK_GB:1,MEMORY_MB:2048,VCPU:2'],
    ['swap of 1025 MiB', withSpecs({}, { ...NO_DISK, swapMb: 1025 }), 'resources=DISK_GB:2,MEMORY_MB:2048,VCPU:2'],
    ['a class set to 0', withSpecs({ 'resources:DISK_GB': '0' }), 'resources=MEMORY_MB:2048,VCPU:2'],
    ['a class replaced', withSpecs({ 'resources:VCPU': '5' }), 'resources=DISK_GB:27,MEMORY_MB:2048,VCPU:5'],
    ['an amount with blanks and sign', withSpecs({ 'resources:VCPU': ' +5 ' }), PLAIN.replace('VCPU:2', 'VCPU:5')],
    ['PCPU instead of VCPU', withSpecs({ 'resources:PCPU': '2' }), 'resources=DISK_GB:27,MEMORY_MB:2048,PCPU:2'],
    ['VCPU 0 counts as present', withSpecs({ 'resources:VCPU': '0' }), 'resources=DISK_GB:27,MEMORY_MB:2048'],
    [
      'a class in a suffixed group',
      withSpecs({ 'resources1:MEMORY_MB': '64' }),
      'resources=DISK_GB:27,VCPU:2&resources1=MEMORY_MB:64',
    ],
    [
      'traits of the flavor, required before forbidden',
      withSpecs({ 'trait:HW_B': 'required', 'trait:HW_A': 'forbidden', 'trait:HW_0': 'required' }),
      `required=HW_0,HW_B,!HW_A&${PLAIN}`,
    ],
    [
      'a group with a free suffix',
      withSpecs({ 'resources_GPU:VGPU': '1', 'trait_GPU:CUSTOM_FAST': 'required' }),
      `required_GPU=CUSTOM_FAST&${PLAIN}&resources_GPU=VGPU:1`,
    ],
    [
      'two groups and their policy',
      withSpecs({ 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'isolate' }),
      `group_policy=isolate&${PLAIN}&resources1=VGPU:1&resources2=VGPU:1`,
    ],
    ['a policy is sent for one group too', withSpecs({ group_policy: 'none' }), `group_policy=none&${PLAIN}`],
    ['a trait the image requires', withImage({ 'trait:HW_X': 'required' }), `required=HW_X&${PLAIN}`],
    ['a trait the image forbids', withImage({ 'trait:HW_X': 'forbidden' }), `required=!HW_X&${PLAIN}`],
    ['keys that are not for placement', withSpecs({ 'quota:vif': '1', 'hw_rng:allowed': 'True' }), PLAIN],
    [
      'a group that asks for nothing is dropped',
      withSpecs({ 'resources1:VGPU': '0', 'resources2:VGPU': '1' }),
      `${PLAIN}&resources2=VGPU:1`,
    ],
  ])('%s', (_, spec, expected) => expect(asked(spec)).toBe(expected));

  it('keeps root traits of the request in addition to those of prefilters', () => {
    const spec = requestSpec({ rootRequired: ['B'], rootForbidden: ['D'] });
    expect(query(spec, { rootRequired: ['A', 'B'] })).toContain('root_required=A,B,!D');
  });

  it('gives a group the traits a prefilter requires of it', () => {
    const spec = withSpecs({ 'resources_GPU:VGPU': '1' });
    expect(query(spec, { groups: { _GPU: ['OWNER_NOVA'], _absent: ['X'] } })).toContain('required_GPU=OWNER_NOVA');
  });
});

describe('CPU policies', () => {
  const cpus = (extraSpecs: Texts, properties: Texts = {}): string =>
    asked(withImage(properties, withSpecs(extraSpecs, { ...NO_DISK, vcpus: 4 }))).replace('MEMORY_MB:2048,', '');
  const MIXED = { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3' };

  it.each<[string, Texts, Texts, string]>([
    ['shared is VCPU', { 'hw:cpu_policy': 'shared' }, {}, 'resources=VCPU:4'],
    ['dedicated is PCPU', { 'hw:cpu_policy': 'dedicated' }, {}, 'resources=PCPU:4'],
    ['the image may say dedicated', {}, { hw_cpu_policy: 'dedicated' }, 'resources=PCPU:4'],
    [
      'dedicated replaces an amount of PCPU',
      { 'hw:cpu_policy': 'dedicated', 'resources:PCPU': '9' },
      {},
      'resources=PCPU:4',
    ],
    ['mixed is both', MIXED, {}, 'resources=PCPU:2,VCPU:2'],
    [
      'the emulator takes a dedicated CPU more',
      { ...MIXED, 'hw:emulator_threads_policy': 'isolate' },
      {},
      'resources=PCPU:3,VCPU:2',
    ],
    ['and none when it shares', { ...MIXED, 'hw:emulator_threads_policy': 'share' }, {}, 'resources=PCPU:2,VCPU:2'],
    ['threads required', { 'hw:cpu_thread_policy': 'require' }, {}, 'required=HW_CPU_HYPERTHREADING&resources=VCPU:4'],
    [
      'threads refused by the image',
      {},
      { hw_cpu_thread_policy: 'isolate' },
      'required=!HW_CPU_HYPERTHREADING&resources=VCPU:4',
    ],
    [
      'prefer of the flavor wins',
      { 'hw:cpu_thread_policy': 'prefer' },
      { hw_cpu_thread_policy: 'require' },
      'resources=VCPU:4',
    ],
  ])('%s', (_, specs, properties, expected) => expect(cpus(specs, properties)).toBe(expected));

  it('contradict a trait that says the opposite', () => {
    const specs = { 'hw:cpu_thread_policy': 'isolate', 'trait:HW_CPU_HYPERTHREADING': 'required' };
    expect(() => cpus(specs)).toThrow(
      "'flavor.extra_specs.hw:cpu_thread_policy' names HW_CPU_HYPERTHREADING, which is both",
    );
  });
});

describe('outside groups', () => {
  const withGroups = (groups: readonly RequestGroup[], extraSpecs: Texts = {}): RequestSpec => ({
    ...withSpecs(extraSpecs),
    requestedResources: groups,
  });

  it('have the id of their requester as suffix, and all they ask for', () => {
    const group = outside('p1', {
      resources: new Map([['NET_BW_EGR_KILOBIT_PER_SEC', 10]]),
      requiredTraits: [['CUSTOM_PHYSNET'], ['CUSTOM_A']],
      forbiddenTraits: ['CUSTOM_B'],
      memberOf: [['B', 'A'], ['C']],
      forbiddenAggregates: ['X'],
      inTree: 'T',
    });
    expect(asked(withGroups([group]))).toBe(
      'in_treep1=T&member_ofp1=!in:X&member_ofp1=in:A,B&member_ofp1=in:C&required' +
        `p1=CUSTOM_A,CUSTOM_PHYSNET,!CUSTOM_B&${PLAIN}&resourcesp1=NET_BW_EGR_KILOBIT_PER_SEC:10`,
    );
  });

  it('that ask for a class of the flavor replace its amount', () => {
    expect(asked(withGroups([outside('p1', { resources: new Map([['VCPU', 1]]) })]))).toBe(
      'resources=DISK_GB:27,MEMORY_MB:2048&resourcesp1=VCPU:1',
    );
  });

  it.each<[string, readonly RequestGroup[], Texts]>([
    ['another outside group', [outside('a'), outside('a')], {}],
    ['a group of the flavor', [outside('x'), outside('a')], { 'resourcesa:VGPU': '1' }],
  ])('cannot have the suffix of %s', (_, groups, specs) => {
    expect(() => asked(withGroups(groups, specs))).toThrow(
      "'requested_resources.1.requester_id' is the suffix of another request group: 'a'",
    );
  });

  it.each<[string, readonly string[], Texts, string | null]>([
    ['one outside', ['a'], {}, null],
    ['two outside', ['a', 'b'], {}, 'none'],
    ['one of the flavor and one outside', ['a'], { 'resources1:VGPU': '1' }, 'none'],
    ['two groups and the flavor’s word', ['a', 'b'], { group_policy: 'isolate' }, 'isolate'],
  ])('%s: policy', (_, suffixes, specs, expected) => {
    expect(
      build(
        withGroups(
          suffixes.map((id) => outside(id)),
          specs,
        ),
      ).request.groupPolicy,
    ).toBe(expected);
  });

  it.each<[string, readonly string[], Texts]>([
    ['two of the flavor', [], { 'resources1:VGPU': '1', 'resources2:VGPU': '1' }],
    [
      'two of the flavor, of which one asks for nothing, and one outside',
      ['a'],
      { 'resources1:VGPU': '1', 'resources2:VGPU': '0' },
    ],
  ])('%s need a policy of the flavor', (_, suffixes, specs) => {
    expect(() =>
      build(
        withGroups(
          suffixes.map((id) => outside(id)),
          specs,
        ),
      ),
    ).toThrow(expect.objectContaining({ field: 'flavor.extra_specs.group_policy' }));
  });

  it('of a flavor without resources are refused, with and without aggregates and traits', () => {
    const zero = { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0' };
    const why = "'flavor' asks for no resources at all.";
    expect(() => build(withSpecs(zero, NO_DISK))).toThrow(why);
    expect(() => build(withSpecs(zero, NO_DISK), { memberOf: [['A']] })).toThrow(why);
    expect(() => build(withSpecs({ ...zero, 'trait:CUSTOM_X': 'required' }, NO_DISK))).toThrow(why);
  });

  it('without resources are refused at their place', () => {
    const group = outside('a', { resources: new Map(), requiredTraits: [['CUSTOM_X']] });
    expect(() => build(withGroups([group]))).toThrow(expect.objectContaining({ field: 'requested_resources.0' }));
  });
});

describe('destination and target host', () => {
  const node = (name: string): TargetNode => ({ host: 'h', node: name, uuid: `uuid-${name}` });
  const going = requestSpec({ requestedDestination: destination({ host: 'h' }) });

  it('aggregates of the destination are added to those of prefilters', () => {
    const spec = requestSpec({
      requestedDestination: destination({ aggregates: [['B', 'A']], forbiddenAggregates: ['Y'] }),
    });
    expect(asked(spec, { memberOf: [['T']], forbiddenAggregates: ['X', 'Y'] })).toBe(
      `member_of=!in:X,Y&member_of=in:A,B&member_of=in:T&${PLAIN}`,
    );
  });

  it('one matching node confines the query to its tree and completes the destination', () => {
    const built = build(going, {}, { targets: [node('n1')] });
    expect(queryString(built.request)).toBe(`in_tree=uuid-n1&limit=1000&${PLAIN}`);
    expect(built.destination).toEqual(destination({ host: 'h', node: 'n1' }));
  });

  it('several matching nodes lift the limit and confine nothing', () => {
    const built = build(going, {}, { targets: [node('n1'), node('n2')] });
    expect(queryString(built.request)).toBe(PLAIN);
    expect(built.destination).toEqual(going.requestedDestination);
  });

  it('a target without a known provider lifts the limit', () =>
    expect(query(going, {}, { targets: null })).toBe(PLAIN));

  it('targets are of no interest to a request without one', () =>
    expect(query(plain, {}, { targets: [] })).toBe(`limit=1000&${PLAIN}`));

  it('a forced host has no destination to complete', () => {
    const built = build(requestSpec({ forceHosts: ['h'] }), {}, { targets: [node('n1')] });
    expect(built.destination).toBeNull();
    expect(built.request.groups[0]?.inTree).toBe('uuid-n1');
  });

  it.each<[Partial<RequestSpec>, string]>([
    [{ requestedDestination: destination({ host: 'H', node: 'N' }) }, 'host: H node: N '],
    [{ requestedDestination: destination({ host: 'H' }) }, 'host: H node: None '],
    [{ forceNodes: ['N'] }, 'host: None node: N '],
    [{ forceHosts: ['H'], requestedDestination: destination({ node: 'N' }) }, 'host: H node: N '],
    [{ forceHosts: ['F'], requestedDestination: destination({ host: 'H' }) }, 'host: H node: None '],
  ])('%j that matches no node is refused', (given, words) => {
    const spec = requestSpec(given);
    expect(() => query(spec, {}, { targets: [] })).toThrow(NoSuchHost);
    expect(() => query(spec, {}, { targets: [] })).toThrow(`No such host - ${words}`);
  });

  it('a destination of a cell alone is no target', () =>
    expect(wantedTarget(requestSpec({ requestedDestination: destination({ cell: 'c' }) }))).toBeNull());

  it('conditions on the host move to the first suffixed group if no other resources are left', () => {
    const specs = { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0', 'resources1:CUSTOM_IRON': '1' };
    const spec = { ...withSpecs(specs, NO_DISK), requestedDestination: destination({ host: 'h' }) };
    expect(asked(spec, { memberOf: [['A']] }, { targets: [node('n1')] })).toBe(
      'in_tree1=uuid-n1&member_of1=in:A&resources1=CUSTOM_IRON:1',
    );
  });
});

describe('the limit', () => {
  it.each([
    ['group', null],
    ['same_host', null],
    ['different_host', null],
    ['query', 1000],
  ])('with the hint %s: %s', (hint, expected) => {
    expect(build(requestSpec({ schedulerHints: { [hint]: ['x'] } })).request.limit).toBe(expected);
    expect(build(requestSpec({ schedulerHints: { [hint]: [] } })).request.limit).toBe(1000);
  });

  it('is lifted by a server group however it was named', () => {
    const instanceGroup = {
      uuid: null,
      policy: 'affinity' as const,
      maxServerPerHost: null,
      members: new Set<string>(),
      hosts: new Set<string>(),
    };
    expect(build(requestSpec({ instanceGroup })).request.limit).toBeNull();
  });
});

describe('required traits before prefilters', () => {
  it('are those of all groups and translations; forbidden ones and root traits are not among them', () => {
    const spec: RequestSpec = {
      ...withImage(
        { 'trait:IMAGE': 'required', 'trait:NOT': 'forbidden' },
        withSpecs({
          'trait:FLAVOR': 'required',
          'trait:NEVER': 'forbidden',
          'resources1:VGPU': '1',
          'trait1:GROUP': 'required',
          'os:secure_boot': 'required',
          'hw:cpu_thread_policy': 'require',
        }),
      ),
      requestedResources: [outside('p', { requiredTraits: [['PORT']] })],
      rootRequired: ['ROOT'],
    };
    expect([...requiredTraitsOf(spec)].sort()).toEqual([
      'COMPUTE_SECURITY_UEFI_SECURE_BOOT',
      'FLAVOR',
      'GROUP',
      'HW_CPU_HYPERTHREADING',
      'IMAGE',
      'PORT',
    ]);
  });
});

describe('a request that cannot be asked is refused, with its field', () => {
  it.each<[string, RequestSpec]>([
    ['flavor.extra_specs.resources:NOPE', withSpecs({ 'resources:NOPE': '1' })],
    ['flavor.extra_specs.resources:CUSTOM_x', withSpecs({ 'resources:CUSTOM_x': '1' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': 'many' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': '-1' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': '1.5' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': '2147483648' })],
    ['flavor.extra_specs.resources.1:VGPU', withSpecs({ 'resources.1:VGPU': '1' })],
    [`flavor.extra_specs.resources${'x'.repeat(65)}:VGPU`, withSpecs({ [`resources${'x'.repeat(65)}:VGPU`]: '1' })],
    ['flavor.extra_specs.trait:HW_X', withSpecs({ 'trait:HW_X': 'maybe' })],
    ['flavor.extra_specs.trait:', withSpecs({ 'trait:': 'required' })],
    ['flavor.extra_specs.group_policy', withSpecs({ group_policy: 'any' })],
    // The typing error `traits:` is a trait of a group named s.
    ['flavor.extra_specs.traits', withSpecs({ 'traits:CUSTOM_X': 'required' })],
    ['image.properties.trait:HW_X', withImage({ 'trait:HW_X': 'perhaps' })],
    ['image.properties.trait:HW_X', withImage({ 'trait:HW_X': 'forbidden' }, withSpecs({ 'trait:HW_X': 'required' }))],
    ['flavor', withSpecs({}, { vcpus: 0, memoryMb: 0, ...NO_DISK })],
    ['flavor', withSpecs({ 'resources1:VGPU': '1', 'trait:X': 'required' }, { vcpus: 0, memoryMb: 0, ...NO_DISK })],
    ['request_level_params.same_subtree', requestSpec({ sameSubtree: [['_A']] })],
    ['request_level_params.root_required', requestSpec({ rootRequired: ['X'], rootForbidden: ['X'] })],
  ])('%s', (field, spec) => {
    expect(() => query(spec)).toThrow(expect.objectContaining({ code: 'scheduler.invalid_request', field }));
  });

  it('a root trait of the request that a prefilter forbids', () => {
    expect(() => query(requestSpec({ rootRequired: ['COMPUTE_STATUS_DISABLED'] }), STATUS)).toThrow(
      "'request_level_params.root_required' names COMPUTE_STATUS_DISABLED, which is both required and forbidden of the host",
    );
  });

  it('the largest amount and the longest suffix are accepted', () => {
    expect(query(withSpecs({ 'resources:VGPU': '2147483647' }))).toContain('VGPU:2147483647');
    const suffix = 'x'.repeat(64);
    expect(query(withSpecs({ [`resources${suffix}:VGPU`]: '1' }))).toContain(`resources${suffix}=VGPU:1`);
  });
});

describe('as nova does', () => {
  const COMPAT = { novaCompat: true };
  it.each<[string, RequestSpec]>([
    ['flavor.extra_specs.resources:NOPE', withSpecs({ 'resources:NOPE': '1' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': 'many' })],
    ['flavor.extra_specs.resources1:VGPU', withSpecs({ 'resources1:VGPU': '-1' })],
    ['flavor.extra_specs.trait:HW_X', withSpecs({ 'trait:HW_X': 'maybe' })],
    ['flavor.extra_specs.group_policy', withSpecs({ group_policy: 'any' })],
    ['flavor.extra_specs.resources.1:VGPU', withSpecs({ 'resources.1:VGPU': '1' })],
    ['image.properties.trait:HW_X', withImage({ 'trait:HW_X': 'perhaps' })],
    ['image.properties.trait:HW_X', withImage({ 'trait:HW_X': 'forbidden' })],
  ])('%s is dropped and reported', (field, spec) => {
    const built = build(spec, {}, COMPAT);
    expect(queryString(built.request)).toBe(`limit=1000&${PLAIN}`);
    expect(built.ignored.map((entry) => entry.field)).toEqual([field]);
  });

  it('a group of a dropped entry counts as one of the flavor', () => {
    const specs = { 'resources1:VGPU': 'many', 'resources2:VGPU': '1' };
    const spec = { ...withSpecs(specs), requestedResources: [outside('a')] };
    expect(() => build(spec, {}, COMPAT)).toThrow(
      expect.objectContaining({ field: 'flavor.extra_specs.group_policy' }),
    );
    const one = { ...withSpecs({ 'resources2:VGPU': '1' }), requestedResources: [outside('a')] };
    expect(build(one, {}, COMPAT).request.groupPolicy).toBe('none');
  });

  it.each<[string, RequestSpec]>([
    ['a group without resources', withSpecs({ 'traits:CUSTOM_X': 'required' })],
    ['a malformed custom class', withSpecs({ 'resources:CUSTOM_x': '1' })],
  ])('%s is refused all the same: the query would be', (_, spec) => {
    expect(() => build(spec, {}, COMPAT)).toThrow(expect.objectContaining({ code: 'scheduler.invalid_request' }));
  });
});
