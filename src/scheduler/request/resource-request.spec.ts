import { requestSpec } from '../pipeline/pipeline.fixture';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import type { MergedAdditions } from '../pipeline/run-prefilters';
import { queryString } from './query-string';
import type { RequestSpec } from './request-spec';
import { buildResourceRequest } from './resource-request';

const plain = requestSpec();
const withSpecs = (
  extraSpecs: Readonly<Record<string, string>>,
  flavor: Partial<RequestSpec['flavor']> = {},
): RequestSpec => requestSpec({ flavor: { ...plain.flavor, ...flavor, extraSpecs } });
const withImage = (properties: Readonly<Record<string, string>>, spec: RequestSpec = plain): RequestSpec => ({
  ...spec,
  image: { id: null, name: null, diskFormat: null, properties },
});
const query = (spec: RequestSpec, added: Partial<MergedAdditions> = {}): string =>
  queryString(buildResourceRequest(spec, { ...NO_ADDITIONS, ...added }, { maxPlacementResults: 1000 }));

const STATUS = { rootForbidden: ['COMPUTE_STATUS_DISABLED'] };
const PLAIN = 'resources=DISK_GB:27,MEMORY_MB:2048,VCPU:2';

describe('the query of a request', () => {
  it('asks for the flavor: swap rounded up to GiB, the status trait on the root', () => {
    expect(query(plain, STATUS)).toBe(`limit=1000&${PLAIN}&root_required=!COMPUTE_STATUS_DISABLED`);
  });

  it('leaves the root disk of a volume-backed server out, and the limit with a hint that compares hosts', () => {
    const spec = requestSpec({ isBfv: true, schedulerHints: { same_host: ['x'] } });
    expect(query(spec, STATUS)).toBe(
      'resources=DISK_GB:7,MEMORY_MB:2048,VCPU:2&root_required=!COMPUTE_STATUS_DISABLED',
    );
  });

  it('holds one member_of per set of aggregates, and one for those forbidden', () => {
    const added = { memberOf: [['B', 'A'], ['T']], forbiddenAggregates: ['X'] };
    expect(query(plain, added)).toBe(`limit=1000&member_of=!in:X&member_of=in:A,B&member_of=in:T&${PLAIN}`);
  });

  it.each<[string, RequestSpec, string]>([
    ['no disk at all', withSpecs({}, { rootGb: 0, ephemeralGb: 0, swapMb: 0 }), 'resources=MEMORY_MB:2048,VCPU:2'],
    [
      'swap of 1024 MiB',
      withSpecs({}, { rootGb: 0, ephemeralGb: 0, swapMb: 1024 }),
      'resources=DISK_GB:1,MEMORY_MB:2048,VCPU:2',
    ],
    ['a class set to 0', withSpecs({ 'resources:DISK_GB': '0' }), 'resources=MEMORY_MB:2048,VCPU:2'],
    ['a class replaced', withSpecs({ 'resources:VCPU': '5' }), 'resources=DISK_GB:27,MEMORY_MB:2048,VCPU:5'],
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
      `${PLAIN}&resources1=VGPU:1&resources2=VGPU:1`,
    ],
    ['a trait the image requires', withImage({ 'trait:HW_X': 'required' }), `required=HW_X&${PLAIN}`],
    ['a trait the image forbids', withImage({ 'trait:HW_X': 'forbidden' }), `required=!HW_X&${PLAIN}`],
    ['keys that are not for placement', withSpecs({ 'quota:vif': '1', 'hw_rng:allowed': 'True' }), PLAIN],
  ])('%s', (_, spec, expected) => {
    const policy = spec.flavor.extraSpecs['group_policy'] === undefined ? '' : 'group_policy=isolate&';
    expect(query(spec)).toBe(`${policy}limit=1000&${expected}`);
  });

  it('keeps root traits of the request beside those of prefilters', () => {
    const spec = requestSpec({ rootRequired: ['B'], rootForbidden: ['D'] });
    expect(query(spec, { rootRequired: ['A', 'B'] })).toContain('root_required=A,B,!D');
  });

  it('gives a group the traits a prefilter requires of it', () => {
    const spec = withSpecs({ 'resources_GPU:VGPU': '1' });
    expect(query(spec, { groups: { _GPU: ['OWNER_NOVA'], _absent: ['X'] } })).toContain('required_GPU=OWNER_NOVA');
  });
});

describe('a request that cannot be asked is refused, with its field', () => {
  it.each<[string, RequestSpec]>([
    ['flavor.extra_specs.resources:NOPE', withSpecs({ 'resources:NOPE': '1' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': 'many' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': '-1' })],
    ['flavor.extra_specs.resources:VGPU', withSpecs({ 'resources:VGPU': '2147483648' })],
    ['flavor.extra_specs.trait:HW_X', withSpecs({ 'trait:HW_X': 'maybe' })],
    ['flavor.extra_specs.group_policy', withSpecs({ group_policy: 'any' })],
    ['flavor.extra_specs.group_policy', withSpecs({ 'resources1:VGPU': '1', 'resources2:VGPU': '1' })],
    // The typo `traits:` is a trait of a group named s.
    ['flavor.extra_specs.traits', withSpecs({ 'traits:CUSTOM_X': 'required' })],
    ['image.properties.trait:HW_X', withImage({ 'trait:HW_X': 'perhaps' })],
    ['image.properties.trait:HW_X', withImage({ 'trait:HW_X': 'forbidden' }, withSpecs({ 'trait:HW_X': 'required' }))],
    ['flavor', withSpecs({}, { vcpus: 0, memoryMb: 0, rootGb: 0, ephemeralGb: 0, swapMb: 0 })],
  ])('%s', (field, spec) => {
    expect(() => query(spec)).toThrow(expect.objectContaining({ code: 'scheduler.invalid_request', field }));
  });

  it('the largest amount is accepted', () => {
    expect(query(withSpecs({ 'resources:VGPU': '2147483647' }))).toContain('VGPU:2147483647');
  });
});
