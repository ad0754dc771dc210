import { NUMA_CELLS_MAX } from '../pipeline/limits';
import { numbers } from './numa.fixture';
import { hostTopologyDocument, readHostTopology } from './topology-document';

const CELL = {
  id: 0,
  socket: 0,
  cpuset: [2, 3],
  pcpuset: [4, 5, 6, 7],
  pinned_cpus: [4],
  siblings: [
    [4, 5],
    [6, 7],
  ],
  memory: 32_768,
  cpu_usage: 1,
  memory_usage: 4_096,
  mempages: [{ size_kb: 4, total: 8_388_608, used: 0, reserved: 0 }],
  physnets: ['physnet1'],
  tunneled: true,
};

/** The refusal's sentence, or `fine`. */
function outcome(cells: unknown): string {
  try {
    readHostTopology({ cells });
    return 'fine';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the topology of a host', () => {
  it('is read and written as it travels', () => {
    const topology = readHostTopology({ cells: [CELL] });
    expect(topology?.cells[0]).toMatchObject({ memoryMb: 32_768, memoryUsageMb: 4_096, pinnedCpus: [4] });
    expect(topology === null ? null : hostTopologyDocument(topology)).toEqual({ cells: [CELL] });
  });

  it('needs ids and memory only', () =>
    expect(readHostTopology({ cells: [{ id: 1, memory: 5 }] })?.cells[0]).toEqual({
      id: 1,
      socket: null,
      cpuset: [],
      pcpuset: [],
      pinnedCpus: [],
      siblings: [],
      memoryMb: 5,
      cpuUsage: 0,
      memoryUsageMb: 0,
      mempages: [],
      physnets: [],
      tunneled: false,
    }));

  it.each([[null], [undefined], [{ cells: [] }]])('may be absent: %j', (value) =>
    expect(readHostTopology(value)).toBeNull(),
  );
});

describe('a wrong topology', () => {
  const AT = 'numa_topology.cells[0]';
  it.each<[string, unknown, string]>([
    ['cells are a list', {}, 'numa_topology.cells: must be a list'],
    ['a cell is an object', [3], `${AT}: must be an object`],
    ['unknown fields are refused', [{ ...CELL, memry: 1 }], `${AT}.memry: is unknown; known are`],
    ['memory is needed', [{ id: 0 }], `${AT}.memory: must be an integer from 0 to 2147483647`],
    ['memory is not negative', [{ ...CELL, memory: -1 }], `${AT}.memory: must be an integer from 0 to 2147483647`],
    ['memory may be none', [{ ...CELL, memory: 0 }], 'fine'],
    ['memory is bounded', [{ ...CELL, memory: 2 ** 31 }], `${AT}.memory: must be an integer from 0 to 2147483647`],
    ['memory is whole', [{ ...CELL, memory: 1.5 }], `${AT}.memory: must be an integer from 0 to 2147483647`],
    ['a CPU is a number', [{ ...CELL, pcpuset: ['4'] }], `${AT}.pcpuset[0]: must be an integer from 0 to 2147483647`],
    ['a CPU stands once', [{ ...CELL, cpuset: [1, 1] }], `${AT}.cpuset: names CPU 1 twice`],
    ['a CPU may be in both sets', [{ ...CELL, cpuset: [4, 5, 6, 7] }], 'fine'],
    [
      'a CPU has one cell',
      [CELL, { id: 1, memory: 1, cpuset: [7] }],
      'numa_topology.cells[1]: has CPU 7, as cell 0 has',
    ],
    ['ids differ', [CELL, { id: 0, memory: 1 }], 'numa_topology.cells[1].id: there is a cell 0 already'],
    [
      'a thread has one core',
      [{ ...CELL, siblings: [[4, 5], [5]] }],
      `${AT}.siblings[1]: names CPU 5, which is a thread of another core`,
    ],
    [
      'a page size stands once',
      [{ ...CELL, mempages: [...CELL.mempages, ...CELL.mempages] }],
      `${AT}.mempages[1].size_kb: there are pages of 4 KiB already`,
    ],
    [
      'pages have a size',
      [{ ...CELL, mempages: [{ size_kb: 0, total: 1 }] }],
      `${AT}.mempages[0].size_kb: must be an integer from 1 to`,
    ],
    ['pages may be many', [{ ...CELL, mempages: [{ size_kb: 4, total: 2 ** 40 }] }], 'fine'],
    [
      'pages are bounded',
      [{ ...CELL, mempages: [{ size_kb: 4, total: 2 ** 40 + 1 }] }],
      `${AT}.mempages[0].total: must be an integer from 0 to`,
    ],
    ['networks have names', [{ ...CELL, physnets: [''] }], `${AT}.physnets[0]: must be a text of 1 to 255 characters`],
    ['true is true', [{ ...CELL, tunneled: 1 }], `${AT}.tunneled: must be true or false`],
    ['a socket may be unknown', [{ ...CELL, socket: null }], 'fine'],
    ['as many cells as allowed', numbers(NUMA_CELLS_MAX).map((id) => ({ id, memory: 1 })), 'fine'],
    [
      'and no more',
      numbers(NUMA_CELLS_MAX + 1).map((id) => ({ id, memory: 1 })),
      `numa_topology.cells: has ${NUMA_CELLS_MAX + 1} items; at most ${NUMA_CELLS_MAX} are allowed`,
    ],
  ])('%s', (_, cells, expected) => expect(outcome(cells)).toContain(expected));
});
