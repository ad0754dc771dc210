import { NUMA_CELLS_MAX } from '../pipeline/limits';
import { instanceTopology, numbers } from './numa.fixture';
import { instanceTopologyDocument, readInstanceTopology } from './request-topology-document';

const SHARED = { cpuset: [0, 1], memory: 1024 };
const DEDICATED = {
  pcpuset: [2, 3],
  memory: 512,
  cpu_policy: 'dedicated',
  cpu_thread_policy: 'require',
  pagesize: '2MB',
};

/** The topology, or the refusal's sentence. */
function read(document: unknown): unknown {
  try {
    return readInstanceTopology(document);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the cells an instance gives itself', () => {
  it('are read with the rest filled in', () => {
    expect(read({ cells: [SHARED] })).toEqual(instanceTopology({ cpus: [0, 1], memoryMb: 1024 }));
    expect(read({ cells: [DEDICATED], emulator_threads_policy: 'isolate' })).toEqual({
      ...instanceTopology({
        cpus: [],
        pcpus: [2, 3],
        memoryMb: 512,
        cpuPolicy: 'dedicated',
        cpuThreadPolicy: 'require',
        pageSize: 2048,
      }),
      emulatorThreadsIsolated: true,
    });
  });

  it('are shown as they can be read again', () => {
    const document = { cells: [{ ...DEDICATED, id: 3 }], emulator_threads_policy: 'share' };
    const topology = readInstanceTopology(document);
    expect(topology && readInstanceTopology(instanceTopologyDocument(topology))).toEqual(topology);
  });

  it('may be none', () => {
    expect(read(null)).toBeNull();
    expect(read(undefined)).toBeNull();
  });

  it.each<[string, readonly object[], unknown]>([
    ['only shared CPUs', [SHARED], [null]],
    ['only dedicated CPUs', [{ pcpuset: [0], memory: 1 }], ['dedicated']],
    ['both', [{ cpuset: [0], pcpuset: [1], memory: 1 }], ['mixed']],
    ['both, in different cells', [SHARED, { pcpuset: [2], memory: 1 }], ['mixed', 'mixed']],
    ['what is said', [SHARED, { ...DEDICATED }], ['mixed', 'dedicated']],
  ])('have the policy their CPUs tell: %s', (_, cells, expected) =>
    expect((read({ cells }) as { cells: { cpuPolicy: unknown }[] }).cells.map(({ cpuPolicy }) => cpuPolicy)).toEqual(
      expected,
    ),
  );

  const AT = 'numa_topology.cells[0]';
  it.each<[string, unknown, string]>([
    ['no cell', { cells: [] }, 'numa_topology.cells: names no cell; null asks for none'],
    ['a text', 'auto', 'numa_topology: must be an object'],
    ['an unknown field', { cells: [SHARED], x: 1 }, 'numa_topology.x: is unknown'],
    ['an unknown field of a cell', { cells: [{ ...SHARED, cpus: [1] }] }, `${AT}.cpus: is unknown`],
    ['no CPU', { cells: [{ memory: 1 }] }, `${AT}.cpuset: a cell needs at least one CPU`],
    ['no memory', { cells: [{ ...SHARED, memory: 0 }] }, `${AT}.memory: must be an integer from 1 to`],
    ['a CPU twice', { cells: [{ ...SHARED, pcpuset: [1] }] }, `${AT}: names CPU 1 twice`],
    ['a CPU in two cells', { cells: [SHARED, SHARED] }, 'numa_topology.cells[1]: names CPU 0 twice'],
    [
      'an id twice',
      { cells: [{ ...SHARED, id: 1 }, { ...DEDICATED }] },
      'numa_topology.cells[1].id: there is a cell 1',
    ],
    ['a page size', { cells: [{ ...SHARED, pagesize: 'huge' }] }, `${AT}.pagesize: must be small, large, any`],
    ['a page size of nothing', { cells: [{ ...SHARED, pagesize: 0 }] }, `${AT}.pagesize: must be small, large, any`],
    [
      'a policy',
      { cells: [{ ...SHARED, cpu_policy: 'x' }] },
      `${AT}.cpu_policy: must be one of shared, dedicated, mixed`,
    ],
    ['shared CPUs', { cells: [{ ...SHARED, cpu_policy: 'dedicated' }] }, `${AT}.cpuset: holds shared CPUs`],
    ['dedicated CPUs', { cells: [{ ...DEDICATED, cpu_policy: 'shared' }] }, `${AT}.pcpuset: holds dedicated CPUs`],
    [
      'an emulator’s CPU without dedicated ones',
      { cells: [SHARED], emulator_threads_policy: 'isolate' },
      "numa_topology.emulator_threads_policy: 'isolate' needs the CPU policy dedicated or mixed",
    ],
    [
      'too many cells',
      { cells: numbers(NUMA_CELLS_MAX + 1).map((cpu) => ({ cpuset: [cpu], memory: 1 })) },
      `numa_topology.cells: has ${NUMA_CELLS_MAX + 1} items; at most ${NUMA_CELLS_MAX} are allowed`,
    ],
  ])('are refused by path: %s', (_, document, expected) => expect(read(document)).toContain(expected));
});
