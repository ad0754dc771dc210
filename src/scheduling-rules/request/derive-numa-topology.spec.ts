import { CPU_NUMBER_MAX } from '../numa/cpu-list';
import { instanceTopology, numbers } from '../numa/numa.fixture';
import type { InstanceNumaTopology } from '../request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../request-spec/numa-topology';
import type { Flavor, Image } from '../request-spec/request-spec';
import { deriveNumaTopology } from './derive-numa-topology';

type Texts = Readonly<Record<string, string>>;

const flavorOf = (extraSpecs: Texts, given: Partial<Flavor> = {}): Flavor => ({
  name: null,
  vcpus: 4,
  memoryMb: 4096,
  rootGb: 0,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs,
  ...given,
});
const imageOf = (properties: Texts): Image => ({ id: null, name: null, diskFormat: null, properties });

/** The topology, null, or the error message. */
function derived(
  extraSpecs: Texts,
  properties: Texts = {},
  given: Partial<Flavor> = {},
): InstanceNumaTopology | string | null {
  try {
    return deriveNumaTopology(flavorOf(extraSpecs, given), imageOf(properties));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** One cell with all vCPUs and memory. */
const whole = { cpus: numbers(4), memoryMb: 4096 };
const half = (at: number): { readonly cpus: readonly number[]; readonly memoryMb: number } => ({
  cpus: [2 * at, 2 * at + 1],
  memoryMb: 2048,
});

describe('a topology is requested', () => {
  it.each<[string, Texts, Texts, InstanceNumaTopology | null]>([
    ['by nothing', {}, {}, null],
    ['not by a shared policy', { 'hw:cpu_policy': 'shared' }, {}, null],
    ['not by an amount of VCPU', { 'resources:VCPU': '4' }, {}, null],
    ['by NUMA nodes', { 'hw:numa_nodes': '1' }, {}, instanceTopology(whole)],
    ['by NUMA nodes of the image', {}, { hw_numa_nodes: '2' }, instanceTopology(half(0), half(1))],
    ['by a page size', { 'hw:mem_page_size': 'large' }, {}, instanceTopology({ ...whole, pageSize: 'large' })],
    ['by persistent memory', { 'hw:pmem': '4GB' }, {}, instanceTopology(whole)],
    ['not by persistent memory without a label', { 'hw:pmem': ' , ' }, {}, null],
    [
      'not by shares of cells alone',
      { 'hw:numa_cpus.0': '0-3', 'hw:numa_mem.1': '1' },
      { 'hw_numa_cpus.0': '9' },
      null,
    ],
    [
      'by dedicated CPUs',
      { 'hw:cpu_policy': 'dedicated' },
      {},
      instanceTopology({ ...whole, cpus: [], pcpus: numbers(4), cpuPolicy: 'dedicated' }),
    ],
    [
      'by an amount of PCPU, with its thread policy by a trait',
      { 'resources:PCPU': '4', 'trait:HW_CPU_HYPERTHREADING': 'forbidden' },
      {},
      instanceTopology({ ...whole, cpus: [], pcpus: numbers(4), cpuPolicy: 'dedicated', cpuThreadPolicy: 'isolate' }),
    ],
    [
      'by dedicated CPUs of the image',
      {},
      { hw_cpu_policy: 'dedicated', hw_cpu_thread_policy: 'isolate' },
      instanceTopology({ ...whole, cpus: [], pcpus: numbers(4), cpuPolicy: 'dedicated', cpuThreadPolicy: 'isolate' }),
    ],
    [
      'by mixed CPUs, cell by cell',
      {
        'hw:numa_nodes': '2',
        'hw:cpu_policy': 'mixed',
        'hw:cpu_dedicated_mask': '1-3',
        'hw:cpu_thread_policy': 'require',
      },
      {},
      instanceTopology(
        { cpus: [0], pcpus: [1], memoryMb: 2048, cpuPolicy: 'mixed', cpuThreadPolicy: 'require' },
        { cpus: [], pcpus: [2, 3], memoryMb: 2048, cpuPolicy: 'mixed', cpuThreadPolicy: 'require' },
      ),
    ],
    [
      'by dedicated realtime CPUs',
      { 'hw:cpu_policy': 'dedicated', 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '^0' },
      {},
      instanceTopology({ ...whole, cpus: [], pcpus: numbers(4), cpuPolicy: 'dedicated' }),
    ],
    [
      'by mixed realtime CPUs',
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '^0' },
      {},
      instanceTopology({ ...whole, cpus: [0], pcpus: [1, 2, 3], cpuPolicy: 'mixed' }),
    ],
    [
      'with an emulator of its own CPU',
      { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' },
      {},
      {
        ...instanceTopology({ ...whole, cpus: [], pcpus: numbers(4), cpuPolicy: 'dedicated' }),
        emulatorThreadsIsolated: true,
      },
    ],
  ])('%s', (_, specs, properties, expected) => expect(derived(specs, properties)).toEqual(expected));
});

describe('NUMA nodes', () => {
  it.each<[string, Texts, Texts, Partial<Flavor>, unknown]>([
    ['divide CPUs and memory', { 'hw:numa_nodes': '2' }, {}, {}, instanceTopology(half(0), half(1))],
    [
      'must divide the CPUs',
      { 'hw:numa_nodes': '2' },
      {},
      { vcpus: 3 },
      "'flavor.extra_specs.hw:numa_nodes' does not divide 3 vCPUs and 4096 MiB evenly by 2 NUMA nodes; set hw:numa_cpus.N and hw:numa_mem.N.",
    ],
    [
      'must divide the memory',
      { 'hw:numa_nodes': '2' },
      {},
      { memoryMb: 4095 },
      "'flavor.extra_specs.hw:numa_nodes' does not divide 4 vCPUs and 4095 MiB evenly by 2 NUMA nodes; set hw:numa_cpus.N and hw:numa_mem.N.",
    ],
    [
      'are not named by flavor and image both',
      { 'hw:numa_nodes': '1' },
      { hw_numa_nodes: '1' },
      {},
      "'image.properties.hw_numa_nodes' cannot be given together with the flavor's hw:numa_nodes.",
    ],
    [
      'are no fewer than 1',
      { 'hw:numa_nodes': '0' },
      {},
      {},
      `'flavor.extra_specs.hw:numa_nodes' must be an integer from 1 to ${NUMA_CELLS_MAX}, not '0'.`,
    ],
    [
      'are bounded',
      { 'hw:numa_nodes': `${NUMA_CELLS_MAX + 1}` },
      {},
      {},
      `'flavor.extra_specs.hw:numa_nodes' must be an integer from 1 to ${NUMA_CELLS_MAX}, not '${NUMA_CELLS_MAX + 1}'.`,
    ],
    [
      'are integers',
      { 'hw:numa_nodes': 'two' },
      {},
      {},
      `'flavor.extra_specs.hw:numa_nodes' must be an integer from 1 to ${NUMA_CELLS_MAX}, not 'two'.`,
    ],
    [
      'are laid out for a bounded number of CPUs',
      { 'hw:numa_nodes': '1' },
      {},
      { vcpus: CPU_NUMBER_MAX + 1 },
      `'flavor.vcpus' must be <= ${CPU_NUMBER_MAX} where NUMA cells are laid out, not ${CPU_NUMBER_MAX + 1}.`,
    ],
  ])('%s', (_, specs, properties, given, expected) => expect(derived(specs, properties, given)).toEqual(expected));

  it('hold as many as are allowed', () => {
    const count = NUMA_CELLS_MAX;
    const topology = derived({ 'hw:numa_nodes': `${count}` }, {}, { vcpus: count, memoryMb: count });
    expect(topology).toMatchObject({ cells: { length: count } });
  });
});

describe('nodes shared out by hand', () => {
  const BY_HAND = {
    'hw:numa_nodes': '2',
    'hw:numa_cpus.0': '0,2-3',
    'hw:numa_mem.0': '1024',
    'hw:numa_cpus.1': '1',
    'hw:numa_mem.1': '3072',
  };
  const spec = (name: string): string => `flavor.extra_specs.hw:${name}`;
  const but = (changes: Readonly<Record<string, string | undefined>>): Texts =>
    Object.fromEntries(Object.entries({ ...BY_HAND, ...changes }).filter(([, value]) => value !== undefined));
  const SHARED_OUT = instanceTopology({ cpus: [0, 2, 3], memoryMb: 1024 }, { cpus: [1], memoryMb: 3072 });

  it.each<[string, Texts, Texts, unknown]>([
    ['get what they are given', BY_HAND, {}, SHARED_OUT],
    [
      'may be shared out by the image',
      { 'hw:numa_nodes': '2' },
      { 'hw_numa_cpus.0': '0,2-3', 'hw_numa_mem.0': '1024', 'hw_numa_cpus.1': '1', 'hw_numa_mem.1': '3072' },
      SHARED_OUT,
    ],
    [
      'are not named by flavor and image both',
      BY_HAND,
      { 'hw_numa_mem.1': '3072' },
      "'image.properties.hw_numa_mem.1' cannot be given together with the flavor's hw:numa_mem.N.",
    ],
    [
      'are not shared between flavor and image node by node',
      but({ 'hw:numa_cpus.1': undefined }),
      { 'hw_numa_cpus.1': '1' },
      "'image.properties.hw_numa_cpus.1' cannot be given together with the flavor's hw:numa_cpus.N.",
    ],
    [
      'are one without a number of nodes, if anything asks for cells',
      { 'hw:mem_page_size': 'small', 'hw:numa_cpus.0': '0-3', 'hw:numa_mem.0': '4096' },
      {},
      instanceTopology({ ...whole, pageSize: 'small' }),
    ],
    [
      'are no more than one without a number of nodes',
      { ...but({ 'hw:numa_nodes': undefined }), 'hw:mem_page_size': 'small' },
      {},
      `'${spec('numa_cpus.1')}' names node 1 of 1; the first is 0.`,
    ],
    [
      'are among the nodes',
      but({ 'hw:numa_cpus.2': '1' }),
      {},
      `'${spec('numa_cpus.2')}' names node 2 of 2; the first is 0.`,
    ],
    [
      'are numbered',
      but({ 'hw:numa_cpus.x': '1' }),
      {},
      `'${spec('numa_cpus.x')}' must end in the number of a node, not in 'x'.`,
    ],
    [
      'all have CPUs',
      but({ 'hw:numa_cpus.1': undefined }),
      {},
      `'${spec('numa_cpus.1')}' is missing: every node needs one.`,
    ],
    [
      'all have memory',
      but({ 'hw:numa_mem.1': undefined }),
      {},
      `'${spec('numa_mem.1')}' is missing: every node needs one.`,
    ],
    [
      'have CPUs of the flavor',
      but({ 'hw:numa_cpus.1': '1,4' }),
      {},
      `'${spec('numa_cpus.1')}' names CPU 4 of a flavor with 4 vCPUs.`,
    ],
    ['have some CPU', but({ 'hw:numa_cpus.1': '^1' }), {}, `'${spec('numa_cpus.1')}' names no CPU.`],
    [
      'have lists of CPUs',
      but({ 'hw:numa_cpus.1': 'x' }),
      {},
      `'${spec('numa_cpus.1')}' names 'x', which is no CPU and no range of CPUs.`,
    ],
    [
      'have each CPU once',
      but({ 'hw:numa_cpus.1': '1-2' }),
      {},
      `'${spec('numa_cpus.1')}' names CPU 2, which node 0 has already.`,
    ],
    [
      'leave no CPU',
      but({ 'hw:numa_cpus.0': '0,3' }),
      {},
      `'${spec('numa_cpus.0')}' must, with those of the other nodes, name the CPUs 2 too.`,
    ],
    [
      'leave no memory',
      but({ 'hw:numa_mem.1': '3071' }),
      {},
      `'${spec('numa_mem.0')}' must, with those of the other nodes, be 4096 MiB as the flavor is, not 4095.`,
    ],
    [
      'have some memory',
      but({ 'hw:numa_mem.1': '0' }),
      {},
      `'${spec('numa_mem.1')}' must be a number of MiB above 0, not '0'.`,
    ],
  ])('%s', (_, specs, properties, expected) => expect(derived(specs, properties)).toEqual(expected));
});

describe('the page size', () => {
  const refused = (size: string | null): string => {
    const given = size === null ? 'does not set one' : `says '${size}'`;
    return `'image.properties.hw_mem_page_size' may be set where the flavor's hw:mem_page_size is large or any; this one ${given}.`;
  };
  const RULE = 'must be small, large, any, or a size such as 2048, 2MB or 1GB';

  it.each<[string | null, string | null, unknown]>([
    ['small', null, 'small'],
    ['any', null, 'any'],
    ['2048', null, 2048],
    ['4KB', null, 4],
    ['2MB', null, 2048],
    ['2MiB', null, 2048],
    ['2M', null, 2048],
    ['1GB', null, 1_048_576],
    ['1gb', null, 1_048_576],
    ['0', null, `'flavor.extra_specs.hw:mem_page_size' ${RULE}, not '0'.`],
    ['huge', null, `'flavor.extra_specs.hw:mem_page_size' ${RULE}, not 'huge'.`],
    ['2.5MB', null, `'flavor.extra_specs.hw:mem_page_size' ${RULE}, not '2.5MB'.`],
    ['large', '2MB', 2048],
    ['any', 'small', 'small'],
    ['small', 'small', refused('small')],
    ['2048', '2048', refused('2048')],
    [null, 'large', refused(null)],
    ['any', 'huge', `'image.properties.hw_mem_page_size' ${RULE}, not 'huge'.`],
  ])('of flavor %j and image %j', (flavor, image, expected) => {
    const specs: Texts = flavor === null ? {} : { 'hw:mem_page_size': flavor };
    const answer = derived(specs, image === null ? {} : { hw_mem_page_size: image });
    expect(typeof answer === 'string' ? answer : answer?.cells[0]?.pageSize).toEqual(expected);
  });
});

it('settings without an effect are refused', () =>
  expect(derived({ 'hw:emulator_threads_policy': 'isolate' })).toContain('needs the CPU policy dedicated or mixed'));

it('contradicting policies are refused', () =>
  expect(derived({ 'hw:cpu_policy': 'shared' }, { hw_cpu_policy: 'dedicated' })).toContain('contradicts the flavor'));

describe('locked memory', () => {
  const LOCKED = { 'hw:locked_memory': 'yes' };
  const PAGES = { 'hw:mem_page_size': 'small' };

  it.each<[string, Texts, Texts, string | null]>([
    ['needs a page size', { ...LOCKED }, {}, "'flavor.extra_specs.hw:locked_memory' needs hw:mem_page_size."],
    [
      'of the image needs one too',
      { 'hw:numa_nodes': '1' },
      { hw_locked_memory: 'true' },
      "'image.properties.hw_locked_memory' needs hw:mem_page_size.",
    ],
    [
      'is not refused to one and asked for by the other',
      { ...LOCKED, ...PAGES },
      { hw_locked_memory: 'false' },
      "'image.properties.hw_locked_memory' is 'false', which contradicts the flavor: its hw:locked_memory is 'true'.",
    ],
    ['that is not asked for needs nothing', { 'hw:locked_memory': 'no' }, { hw_locked_memory: 'false' }, null],
  ])('%s', (_, specs, properties, expected) => expect(derived(specs, properties)).toEqual(expected));

  it('with a page size is accepted', () =>
    expect(derived({ ...LOCKED, ...PAGES }, { hw_locked_memory: 'true' })).toEqual(
      instanceTopology({ ...whole, pageSize: 'small' }),
    ));
});
