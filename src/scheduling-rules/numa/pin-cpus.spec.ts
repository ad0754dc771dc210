import type { CpuThreadPolicy, HostNumaCell } from '../request-spec/numa-topology';
import type { NumaFailure } from './fitted-topology';
import { hostCell, numbers } from './numa.fixture';
import type { Pinning } from './pin-cpus';
import { pinCpus } from './pin-cpus';

type Asked = { readonly policy: CpuThreadPolicy | null; readonly vcpus: number; readonly emulatorCpu?: boolean };

const pin = (host: Partial<HostNumaCell>, { policy, vcpus, emulatorCpu = false }: Asked): Pinning | NumaFailure =>
  pinCpus(hostCell(host), { instanceCell: 0, vcpus, emulatorCpu, threadPolicy: policy });

/** The pinned CPUs, or the failure's code with its limit. */
function brief(answer: Pinning | NumaFailure): readonly number[] | string {
  if (!('code' in answer)) return answer.pinned;
  return `${answer.code} ${String(answer.params['packable'] ?? answer.params['free'] ?? '')}`.trim();
}

const SAME_SETS = { cpuset: [4, 5, 6, 7] };
const FOUR_THREADS = {
  cpuset: [],
  pcpuset: [0, 1, 2, 3, 4, 5, 6, 7],
  siblings: [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ],
};

describe('the thread policy', () => {
  it.each<[string, Partial<HostNumaCell>, Asked, readonly number[] | string]>([
    ['require: siblings', {}, { policy: 'require', vcpus: 2 }, [4, 5]],
    ['require: all cores', {}, { policy: 'require', vcpus: 4 }, [4, 5, 6, 7]],
    ['require: the core that is whole', { pinnedCpus: [4] }, { policy: 'require', vcpus: 2 }, [6, 7]],
    ['require: no broken cores', { pinnedCpus: [4] }, { policy: 'require', vcpus: 3 }, 'thread_policy 2'],
    ['require: no broken cores at all', { pinnedCpus: [4, 6] }, { policy: 'require', vcpus: 1 }, 'thread_policy 0'],
    ['require: an odd number leaves a thread idle', {}, { policy: 'require', vcpus: 3 }, [4, 5, 6]],
    ['require: no threads', { siblings: [[4], [5]] }, { policy: 'require', vcpus: 1 }, 'thread_policy 0'],
    ['require: no siblings known', { siblings: [] }, { policy: 'require', vcpus: 1 }, 'thread_policy 0'],
    [
      'require: two of four threads are siblings',
      { ...FOUR_THREADS, pinnedCpus: [0, 1, 4, 5] },
      { policy: 'require', vcpus: 4 },
      [2, 3, 6, 7],
    ],
    [
      'require: three threads of one core and one of another are not',
      { ...FOUR_THREADS, pinnedCpus: [0, 5, 6, 7] },
      { policy: 'require', vcpus: 4 },
      'thread_policy 3',
    ],
    ['prefer: siblings', {}, { policy: 'prefer', vcpus: 2 }, [4, 5]],
    ['prefer: any, where siblings do not suffice', { pinnedCpus: [4] }, { policy: 'prefer', vcpus: 3 }, [5, 6, 7]],
    ['prefer: any, without threads', { siblings: [] }, { policy: 'prefer', vcpus: 4 }, [4, 5, 6, 7]],
    ['prefer: no more than are free', { pinnedCpus: [4] }, { policy: 'prefer', vcpus: 4 }, 'dedicated_free 3'],
    [
      'prefer: one thread of each core, if siblings do not suffice and cores do',
      {
        pcpuset: numbers(6, 4),
        siblings: [
          [4, 5],
          [6, 7],
          [8, 9],
        ],
        pinnedCpus: [7, 9],
      },
      { policy: 'prefer', vcpus: 3 },
      [4, 6, 8],
    ],
    ['nothing: the same', { pinnedCpus: [4] }, { policy: null, vcpus: 2 }, [6, 7]],
    ['isolate: one thread of each core', SAME_SETS, { policy: 'isolate', vcpus: 2 }, [4, 6]],
    ['isolate: no more than cores', SAME_SETS, { policy: 'isolate', vcpus: 3 }, 'thread_policy 2'],
    ['isolate: whole cores only', { ...SAME_SETS, pinnedCpus: [5] }, { policy: 'isolate', vcpus: 1 }, [6]],
    ['isolate: one whole core', { ...SAME_SETS, pinnedCpus: [5] }, { policy: 'isolate', vcpus: 2 }, 'thread_policy 1'],
    [
      'isolate: cores of the largest size only',
      { cpuset: [4, 5, 6], pcpuset: [4, 5, 6], siblings: [[6], [4, 5]] },
      { policy: 'isolate', vcpus: 1 },
      [4],
    ],
    [
      'isolate: no smaller cores',
      { cpuset: [4, 5, 6], pcpuset: [4, 5, 6], siblings: [[6], [4, 5]] },
      { policy: 'isolate', vcpus: 2 },
      'thread_policy 1',
    ],
    ['isolate: two sets of CPUs', {}, { policy: 'isolate', vcpus: 1 }, 'isolate_two_sets'],
    ['isolate: two sets, no threads', { siblings: [] }, { policy: 'isolate', vcpus: 4 }, [4, 5, 6, 7]],
    ['isolate: two sets, cores of one thread', { siblings: [[4], [5]] }, { policy: 'isolate', vcpus: 2 }, [4, 5]],
    ['isolate: no more than are free', { siblings: [] }, { policy: 'isolate', vcpus: 5 }, 'dedicated_free 4'],
    ['no CPU at all', { pinnedCpus: [4, 5, 6, 7] }, { policy: 'require', vcpus: 0 }, []],
  ])('%s', (_, host, asked, expected) => expect(brief(pin(host, asked))).toEqual(expected));
});

describe('CPUs held', () => {
  it('with isolate are all threads of the cores', () =>
    expect(pin(SAME_SETS, { policy: 'isolate', vcpus: 2 })).toEqual({ pinned: [4, 6], heldCpus: [4, 5, 6, 7] }));

  it('otherwise are those pinned', () =>
    expect(pin({}, { policy: 'require', vcpus: 3 })).toEqual({ pinned: [4, 5, 6], heldCpus: [4, 5, 6] }));
});

describe('the emulator’s CPU', () => {
  it.each<[string, Partial<HostNumaCell>, Asked, Pinning | string]>([
    ['is one that is left', {}, { policy: null, vcpus: 2 }, { pinned: [4, 5], heldCpus: [4, 5, 6] }],
    ['need not be a sibling', {}, { policy: 'require', vcpus: 2 }, { pinned: [4, 5], heldCpus: [4, 5, 6] }],
    ['may be the last', {}, { policy: 'prefer', vcpus: 3 }, { pinned: [4, 5, 6], heldCpus: [4, 5, 6, 7] }],
    ['is counted', {}, { policy: 'prefer', vcpus: 4 }, 'dedicated_free 4'],
    ['is asked for alone', {}, { policy: null, vcpus: 0 }, { pinned: [], heldCpus: [4] }],
    [
      'is on another core with isolate',
      SAME_SETS,
      { policy: 'isolate', vcpus: 1 },
      { pinned: [4], heldCpus: [4, 5, 6, 7] },
    ],
    [
      'may be on a core with one thread free with isolate',
      { ...SAME_SETS, pinnedCpus: [7] },
      { policy: 'isolate', vcpus: 1 },
      { pinned: [4], heldCpus: [4, 5, 6] },
    ],
    [
      'takes no whole core from the vCPUs with isolate',
      { ...SAME_SETS, pinnedCpus: [4] },
      { policy: 'isolate', vcpus: 1 },
      { pinned: [6], heldCpus: [6, 7, 5] },
    ],
    ['needs a core of its own with isolate', SAME_SETS, { policy: 'isolate', vcpus: 2 }, 'emulator_core'],
  ])('%s', (_, host, asked, expected) => {
    const answer = pin(host, { ...asked, emulatorCpu: true });
    expect('code' in answer ? brief(answer) : answer).toEqual(expected);
  });
});
