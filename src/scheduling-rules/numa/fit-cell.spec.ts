import type { HostNumaCell, InstanceNumaCell, MemoryPages } from '../request-spec/numa-topology';
import type { CellTerms } from './fit-cell';
import { fitCell } from './fit-cell';
import { isFailure } from './fitted-topology';
import { hostCell, instanceCell, numbers, pinnedCell } from './numa.fixture';

const TERMS: CellTerms = { at: 0, emulatorCpu: false, cpuAllocationRatio: 1, ramAllocationRatio: 1 };

/** `fits`, with the page size if there is one, or the code of the failure. */
function verdict(host: Partial<HostNumaCell>, asked: InstanceNumaCell, terms: Partial<CellTerms> = {}): string {
  const answer = fitCell(hostCell(host), asked, { ...TERMS, ...terms });
  if (isFailure(answer)) return answer.code;
  return answer.pageSizeKb === null ? 'fits' : `fits ${answer.pageSizeKb}`;
}

const pages = (sizeKb: number, total: number, used = 0, reserved = 0): MemoryPages => ({
  sizeKb,
  total,
  used,
  reserved,
});
const MIB_2 = 2048;
const GIB_1 = 1024 * 1024;

describe('a requested page size', () => {
  const SMALL = pages(4, 262_144);
  const BIG = pages(MIB_2, 512);
  const HUGE = pages(GIB_1, 1);
  const ALL = [SMALL, BIG, HUGE];

  it.each<[string, readonly MemoryPages[], InstanceNumaCell['pageSize'], number, string]>([
    ['small: the smallest', ALL, 'small', 1024, 'fits 4'],
    ['small: the smallest only', [pages(4, 262_143), BIG], 'small', 1024, 'too_few_pages'],
    ['large: the largest first', ALL, 'large', 1024, 'fits 1048576'],
    ['large: the next, where the largest do not suffice', ALL, 'large', 1022, 'fits 2048'],
    ['large: not the smallest', [SMALL, pages(MIB_2, 511)], 'large', 1024, 'too_few_pages'],
    ['large: not the only one', [BIG], 'large', 2, 'page_size_missing'],
    ['small: the only one', [BIG], 'small', 2, 'fits 2048'],
    ['any: the largest first', ALL, 'any', 1024, 'fits 1048576'],
    ['any: the smallest too', ALL, 'any', 1023, 'fits 4'],
    ['a number: exactly that', ALL, MIB_2, 1024, 'fits 2048'],
    ['a number: enough and no more', ALL, MIB_2, 1026, 'too_few_pages'],
    ['a number: a whole number of pages', ALL, MIB_2, 1023, 'page_multiple'],
    ['a number: a size the cell lacks', [SMALL], MIB_2, 1024, 'page_size_missing'],
    ['no page data', [], 'small', 1024, 'page_size_missing'],
    ['used pages are not free', [SMALL, pages(MIB_2, 512, 1)], MIB_2, 1024, 'too_few_pages'],
    ['used pages are not free, the rest is', [SMALL, pages(MIB_2, 513, 1)], MIB_2, 1024, 'fits 2048'],
    ['reserved pages are not free', [SMALL, pages(MIB_2, 512, 0, 1)], MIB_2, 1024, 'too_few_pages'],
    ['reserved pages are not free, the rest is', [SMALL, pages(MIB_2, 513, 0, 1)], MIB_2, 1024, 'fits 2048'],
  ])('%s', (_, mempages, pageSize, memoryMb, expected) => {
    expect(verdict({ mempages }, instanceCell({ pageSize, memoryMb }))).toBe(expected);
  });

  it('does not depend on the order the host reports sizes in', () => {
    const asked = instanceCell({ pageSize: 'small', memoryMb: 1024 });
    expect(verdict({ mempages: [HUGE, SMALL, BIG] }, asked)).toBe('fits 4');
  });

  it('is judged by the size that came nearest', () => {
    const host = hostCell({ mempages: [pages(4, 100), pages(MIB_2, 300), pages(GIB_1, 0)] });
    expect(fitCell(host, instanceCell({ pageSize: 'any' }), TERMS)).toEqual({
      code: 'too_few_pages',
      params: { cell: 0, instance_cell: 0, size_kb: MIB_2, asked: 512, available: 300 },
    });
  });
});

describe('memory without a page size', () => {
  const shared = (memoryMb: number): InstanceNumaCell => instanceCell({ memoryMb });
  const pinned = (memoryMb: number): InstanceNumaCell => pinnedCell(1, { memoryMb });
  const PAGES = { memoryMb: 1024 };

  it.each<[string, Partial<HostNumaCell>, InstanceNumaCell, string]>([
    ['no page data: the cell’s memory', {}, shared(4096), 'fits'],
    ['no page data: no more than that', {}, shared(4097), 'cell_memory'],
    ['no page data, pinned: unused memory', { memoryUsageMb: 96 }, pinned(4000), 'fits'],
    ['no page data, pinned: no more than that', { memoryUsageMb: 97 }, pinned(4000), 'pinned_memory'],
    ['pages: all of the smallest', { mempages: [pages(4, 262_144, 262_144)] }, shared(1024), 'fits'],
    ['pages: no more than that', { mempages: [pages(4, 262_143)] }, shared(1024), 'too_few_pages'],
    ['pages: not the larger ones', { mempages: [pages(4, 1), pages(MIB_2, 512)] }, shared(1024), 'too_few_pages'],
    ['pages, pinned: the free ones', { mempages: [pages(4, 262_145, 1)] }, pinned(1024), 'fits'],
    ['pages, pinned: no more than those', { mempages: [pages(4, 262_144, 1)] }, pinned(1024), 'too_few_pages'],
    ['pages, pinned: all of them', { ...PAGES, mempages: [pages(4, 262_144)] }, pinned(1024), 'fits'],
    [
      'pages, pinned: whatever memory is used besides',
      { memoryMb: 2048, memoryUsageMb: 1800, mempages: [pages(4, 524_288)] },
      pinned(512),
      'fits',
    ],
    ['pages: a whole number of the smallest', { mempages: [pages(MIB_2, 512)] }, shared(1023), 'page_multiple'],
  ])('%s', (_, host, asked, expected) => expect(verdict(host, asked, { ramAllocationRatio: 4 })).toBe(expected));
});

describe('shared CPUs and memory under ratios', () => {
  it.each<[string, Partial<HostNumaCell>, Partial<InstanceNumaCell>, Partial<CellTerms>, string]>([
    ['as many CPUs as the cell has', {}, { cpus: numbers(4) }, {}, 'fits'],
    ['never more, whatever the ratio', {}, { cpus: numbers(5) }, { cpuAllocationRatio: 16 }, 'shared_total'],
    ['up to CPUs times ratio', { cpuUsage: 5 }, {}, { cpuAllocationRatio: 1.5 }, 'fits'],
    ['not beyond', { cpuUsage: 6 }, {}, { cpuAllocationRatio: 1.5 }, 'cpu_limit'],
    ['memory up to memory times ratio', { memoryUsageMb: 5120 }, {}, { ramAllocationRatio: 1.5 }, 'fits'],
    ['memory not beyond', { memoryUsageMb: 5121 }, {}, { ramAllocationRatio: 1.5 }, 'memory_limit'],
    ['a ratio below 1', {}, { cpus: numbers(3) }, { cpuAllocationRatio: 0.5 }, 'cpu_limit'],
    ['exactly a ratio below 1', {}, { cpus: numbers(2) }, { cpuAllocationRatio: 0.5 }, 'fits'],
    ['the policy by name is the same', { cpuUsage: 4 }, { cpuPolicy: 'shared' }, {}, 'cpu_limit'],
    ['pinned CPUs do not count', { pinnedCpus: [4, 5, 6, 7], cpuUsage: 3 }, {}, {}, 'fits'],
  ])('%s', (_, host, asked, terms, expected) => expect(verdict(host, instanceCell(asked), terms)).toBe(expected));
});

describe('dedicated CPUs', () => {
  it.each<[string, Partial<HostNumaCell>, InstanceNumaCell, Partial<CellTerms>, string]>([
    ['all of the cell', {}, pinnedCell(4), {}, 'fits'],
    ['not more', {}, pinnedCell(5), {}, 'dedicated_total'],
    ['those free', { pinnedCpus: [4, 6] }, pinnedCell(2), {}, 'fits'],
    ['not those pinned', { pinnedCpus: [4, 6] }, pinnedCell(3), {}, 'dedicated_free'],
    ['one more for the emulator', {}, pinnedCell(3), { emulatorCpu: true }, 'fits'],
    ['which the cell must have', {}, pinnedCell(4), { emulatorCpu: true }, 'dedicated_total'],
    ['and free', { pinnedCpus: [4] }, pinnedCell(3), { emulatorCpu: true }, 'dedicated_free'],
    ['whatever the usage of shared CPUs', { cpuUsage: 4 }, pinnedCell(4), {}, 'fits'],
    ['a pinned CPU that is not dedicated takes none', { pinnedCpus: [0] }, pinnedCell(4), {}, 'fits'],
    ['packed as the thread policy says', {}, pinnedCell(4, { cpuThreadPolicy: 'require' }), {}, 'fits'],
    ['or not at all', { pinnedCpus: [4] }, pinnedCell(3, { cpuThreadPolicy: 'require' }), {}, 'thread_policy'],
  ])('%s', (_, host, asked, terms, expected) => expect(verdict(host, asked, terms)).toBe(expected));

  it('names the request and the cell', () =>
    expect(fitCell(hostCell({ id: 1, pinnedCpus: [104] }), pinnedCell(4, { id: 2 }), TERMS)).toEqual({
      code: 'dedicated_free',
      params: { cell: 1, instance_cell: 2, asked: 4, free: 3 },
    }));
});

describe('mixed CPUs', () => {
  const mixed = (shared: number, dedicated: number, memoryMb = 1024): InstanceNumaCell =>
    instanceCell({ cpus: numbers(shared), pcpus: numbers(dedicated, shared), memoryMb, cpuPolicy: 'mixed' });

  it.each<[string, Partial<HostNumaCell>, InstanceNumaCell, string]>([
    ['both kinds fit', { cpuUsage: 3, pinnedCpus: [4] }, mixed(1, 3), 'fits'],
    ['the shared ones do not', { cpuUsage: 4, pinnedCpus: [4] }, mixed(1, 3), 'cpu_limit'],
    ['the dedicated ones do not', { cpuUsage: 3, pinnedCpus: [4, 5] }, mixed(1, 3), 'dedicated_free'],
    ['more shared ones than the cell has', {}, mixed(5, 1), 'shared_total'],
    ['more dedicated ones than the cell has', {}, mixed(1, 5), 'dedicated_total'],
    ['only shared ones in this cell', { pinnedCpus: [4, 5, 6, 7] }, mixed(1, 0), 'fits'],
    ['only dedicated ones in this cell', { cpuUsage: 4 }, mixed(0, 1), 'fits'],
    ['which is held to the ratio of shared ones all the same', { cpuUsage: 5 }, mixed(0, 1), 'cpu_limit'],
    ['memory is not overcommitted', { memoryUsageMb: 3072 }, mixed(1, 1), 'fits'],
    ['not by 1 MiB', { memoryUsageMb: 3073 }, mixed(1, 1), 'pinned_memory'],
  ])('%s', (_, host, asked, expected) => expect(verdict(host, asked, { ramAllocationRatio: 2 })).toBe(expected));
});
