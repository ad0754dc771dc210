import { chargeTopology, releaseTopology } from './charge';
import type { FittedNumaCell } from './fitted-topology';
import { hostTopology } from './numa.fixture';

const PAGES = [
  { sizeKb: 4, total: 1000, used: 10, reserved: 0 },
  { sizeKb: 2048, total: 100, used: 1, reserved: 2 },
];
const HOST = hostTopology({}, { cpuUsage: 1, memoryUsageMb: 100, pinnedCpus: [107], mempages: PAGES });

const fitted = (given: Partial<FittedNumaCell>): { readonly cells: readonly FittedNumaCell[] } => ({
  cells: [
    {
      instanceCell: 0,
      hostCell: 1,
      sharedCpus: 0,
      pinnedCpus: [],
      heldCpus: [],
      memoryMb: 0,
      pageSizeKb: null,
      ...given,
    },
  ],
});

describe('charging a host', () => {
  it.each<[string, Partial<FittedNumaCell>, object]>([
    ['shared CPUs', { sharedCpus: 2 }, { cpuUsage: 3, pinnedCpus: [107] }],
    ['memory', { memoryMb: 1 }, { memoryUsageMb: 101 }],
    [
      'held CPUs, not only those pinned',
      { pinnedCpus: [104], heldCpus: [104, 105] },
      { pinnedCpus: [107, 104, 105], cpuUsage: 1 },
    ],
    [
      'pages of the size it got',
      { memoryMb: 8, pageSizeKb: 2048 },
      { memoryUsageMb: 108, mempages: [PAGES[0], { ...PAGES[1], used: 5 }] },
    ],
    [
      'the smallest pages where it asked for none',
      { memoryMb: 1 },
      { mempages: [{ ...PAGES[0], used: 266 }, PAGES[1]] },
    ],
  ])('takes %s', (_, given, expected) => {
    const charged = chargeTopology(HOST, fitted(given));
    expect(charged.cells[1]).toMatchObject(expected);
    expect(charged.cells[0]).toBe(HOST.cells[0]);
    expect(releaseTopology(charged, fitted(given))).toEqual(HOST);
  });

  it('leaves the host as it was', () => {
    const before = structuredClone(HOST);
    chargeTopology(HOST, fitted({ sharedCpus: 1, heldCpus: [104], memoryMb: 8, pageSizeKb: 4 }));
    expect(HOST).toEqual(before);
  });

  it('has no effect on cells the host does not have', () =>
    expect(chargeTopology(HOST, fitted({ hostCell: 9, sharedCpus: 1 }))).toEqual(HOST));
});

describe('giving back', () => {
  it('a release of amounts that a new report no longer counts leaves nothing below 0', () => {
    const released = releaseTopology(HOST, fitted({ sharedCpus: 2, memoryMb: 200, heldCpus: [104], pageSizeKb: 2048 }));
    expect(released.cells[1]).toMatchObject({ cpuUsage: 0, memoryUsageMb: 0, pinnedCpus: [107] });
    expect(released.cells[1]?.mempages[1]?.used).toBe(0);
  });
});
