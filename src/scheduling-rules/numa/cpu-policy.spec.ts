import type { Flavor, Image } from '../request-spec/request-spec';
import { dedicatedCpus, emulatorThreadsPolicy, namedCpuPolicy, namedThreadPolicy } from './cpu-policy';

type Texts = Readonly<Record<string, string>>;

const flavorOf = (extraSpecs: Texts, vcpus = 4): Flavor => ({
  name: null,
  vcpus,
  memoryMb: 1024,
  rootGb: 0,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs,
});
const imageOf = (properties: Texts): Image => ({ id: null, name: null, diskFormat: null, properties });

/** The value, or the error message. */
const outcome = <T>(read: () => T): T | string => {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const setting = (name: string, value: string | null): Texts => (value === null ? {} : { [name]: value });

const CPU_CONFLICT = (image: string, flavor: string): string =>
  `'image.properties.hw_cpu_policy' is '${image}', which contradicts the flavor: its hw:cpu_policy is '${flavor}'.`;

describe('the CPU policy', () => {
  it.each<[string | null, string | null, string | null]>([
    [null, null, null],
    [null, 'shared', 'shared'],
    [null, 'dedicated', 'dedicated'],
    [null, 'mixed', 'mixed'],
    ['shared', null, 'shared'],
    ['shared', 'shared', 'shared'],
    ['shared', 'dedicated', CPU_CONFLICT('dedicated', 'shared')],
    ['shared', 'mixed', CPU_CONFLICT('mixed', 'shared')],
    ['mixed', null, 'mixed'],
    ['mixed', 'shared', 'mixed'],
    ['mixed', 'mixed', 'mixed'],
    ['mixed', 'dedicated', CPU_CONFLICT('dedicated', 'mixed')],
    ['dedicated', null, 'dedicated'],
    ['dedicated', 'shared', 'dedicated'],
    ['dedicated', 'mixed', 'dedicated'],
    ['dedicated', 'dedicated', 'dedicated'],
    ['pinned', null, "'flavor.extra_specs.hw:cpu_policy' must be one of shared, dedicated, mixed, not 'pinned'."],
    [null, 'pinned', "'image.properties.hw_cpu_policy' must be one of shared, dedicated, mixed, not 'pinned'."],
    ['', 'dedicated', 'dedicated'],
  ])('of flavor %j and image %j', (flavor, image, expected) => {
    const read = (): string | null =>
      namedCpuPolicy(flavorOf(setting('hw:cpu_policy', flavor)), imageOf(setting('hw_cpu_policy', image)));
    expect(outcome(read)).toBe(expected);
  });

  it('of a flavor without an image is the flavor’s', () =>
    expect(namedCpuPolicy(flavorOf({ 'hw:cpu_policy': 'mixed' }), null)).toBe('mixed'));
});

const THREAD_CONFLICT = (image: string, flavor: string): string =>
  `'image.properties.hw_cpu_thread_policy' is '${image}', which contradicts the flavor: its hw:cpu_thread_policy is '${flavor}'.`;

describe('the thread policy', () => {
  it.each<[string | null, string | null, string | null]>([
    [null, null, null],
    [null, 'isolate', 'isolate'],
    [null, 'prefer', 'prefer'],
    ['prefer', null, 'prefer'],
    ['prefer', 'require', 'prefer'],
    ['prefer', 'isolate', 'prefer'],
    ['isolate', null, 'isolate'],
    ['isolate', 'isolate', 'isolate'],
    ['isolate', 'require', THREAD_CONFLICT('require', 'isolate')],
    ['isolate', 'prefer', THREAD_CONFLICT('prefer', 'isolate')],
    ['require', 'require', 'require'],
    ['require', 'prefer', THREAD_CONFLICT('prefer', 'require')],
    ['x', null, "'flavor.extra_specs.hw:cpu_thread_policy' must be one of prefer, isolate, require, not 'x'."],
  ])('of flavor %j and image %j', (flavor, image, expected) => {
    const read = (): string | null =>
      namedThreadPolicy(
        flavorOf(setting('hw:cpu_thread_policy', flavor)),
        imageOf(setting('hw_cpu_thread_policy', image)),
      );
    expect(outcome(read)).toBe(expected);
  });
});

const MASK = 'hw:cpu_dedicated_mask';
const REALTIME = { 'hw:cpu_realtime': 'yes' };
const MIXED = { 'hw:cpu_policy': 'mixed' };

describe('dedicated CPUs', () => {
  it.each<[string, Texts, Texts, readonly number[] | string]>([
    ['none', {}, {}, []],
    ['shared', { 'hw:cpu_policy': 'shared' }, {}, []],
    ['dedicated', { 'hw:cpu_policy': 'dedicated' }, {}, [0, 1, 2, 3]],
    ['dedicated by the image', {}, { hw_cpu_policy: 'dedicated' }, [0, 1, 2, 3]],
    ['mixed with a mask', { ...MIXED, [MASK]: '1,3' }, {}, [1, 3]],
    ['mixed with an exclusion', { ...MIXED, [MASK]: '^0' }, {}, [1, 2, 3]],
    ['mixed without a mask', MIXED, {}, `'flavor.extra_specs.${MASK}' must be given with the CPU policy 'mixed'.`],
    [
      'a mask of all CPUs',
      { ...MIXED, [MASK]: '0-3' },
      {},
      `'flavor.extra_specs.${MASK}' leaves no shared CPU, which the policy 'mixed' needs.`,
    ],
    ['a mask of all but one', { ...MIXED, [MASK]: '0-2' }, {}, [0, 1, 2]],
    ['a mask of none', { ...MIXED, [MASK]: '^0-3' }, {}, `'flavor.extra_specs.${MASK}' names no CPU.`],
    [
      'a mask beyond the flavor',
      { ...MIXED, [MASK]: '3-4' },
      {},
      `'flavor.extra_specs.${MASK}' names CPU 4 of a flavor with 4 vCPUs.`,
    ],
    [
      'no mask at all',
      { ...MIXED, [MASK]: 'two' },
      {},
      `'flavor.extra_specs.${MASK}' names 'two', which is no CPU and no range of CPUs.`,
    ],
    ['mixed and realtime', { ...MIXED, ...REALTIME, 'hw:cpu_realtime_mask': '2-3' }, {}, [2, 3]],
    [
      'the image’s mask first',
      { ...MIXED, ...REALTIME, 'hw:cpu_realtime_mask': '2-3' },
      { hw_cpu_realtime_mask: '1' },
      [1],
    ],
    [
      'a realtime mask without realtime',
      { ...MIXED, 'hw:cpu_realtime_mask': '2-3' },
      {},
      `'flavor.extra_specs.${MASK}' must be given with the CPU policy 'mixed'.`,
    ],
    [
      'all realtime CPUs with an emulator policy',
      { ...MIXED, ...REALTIME, 'hw:emulator_threads_policy': 'share' },
      {},
      [0, 1, 2, 3],
    ],
    [
      'realtime CPUs without a mask',
      { ...MIXED, ...REALTIME },
      {},
      "'flavor.extra_specs.hw:cpu_realtime' makes every vCPU realtime, which needs hw:emulator_threads_policy or a smaller mask.",
    ],
    [
      'both masks',
      { ...MIXED, ...REALTIME, 'hw:cpu_realtime_mask': '2-3', [MASK]: '2' },
      {},
      `'flavor.extra_specs.${MASK}' cannot be given together with realtime CPUs.`,
    ],
  ])('%s', (_, specs, properties, expected) => {
    const [flavor, image] = [flavorOf(specs), imageOf(properties)];
    expect(outcome(() => dedicatedCpus(flavor, image, namedCpuPolicy(flavor, image)))).toEqual(expected);
  });
});

it.each<[string | null, string | null]>([
  [null, null],
  ['share', 'share'],
  ['isolate', 'isolate'],
  ['x', "'flavor.extra_specs.hw:emulator_threads_policy' must be one of share, isolate, not 'x'."],
])('the emulator threads policy %j', (policy, expected) => {
  const flavor = flavorOf(setting('hw:emulator_threads_policy', policy));
  expect(outcome(() => emulatorThreadsPolicy(flavor))).toBe(expected);
});
