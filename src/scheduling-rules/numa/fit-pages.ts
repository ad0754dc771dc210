// Memory pages of one cell: selects the page size of an instance cell, or finds why none fits.

import type { HostNumaCell, InstanceNumaCell, MemoryPages, PageSize } from '../request-spec/numa-topology';
import type { NumaFailure } from './fitted-topology';

const KIB_PER_MIB = 1024;

/** The page size in KiB, null if none was requested, or the failure. */
export function fitPages(
  cell: HostNumaCell,
  instanceCell: InstanceNumaCell,
  isPinned: boolean,
): number | null | NumaFailure {
  if (instanceCell.pageSize !== null) return fitAskedPages(cell, instanceCell, instanceCell.pageSize);
  return fitUnaskedPages(cell, instanceCell, isPinned);
}

/** Free pages of an allowed size, largest first; an instance with requested page sizes never overcommits. */
function fitAskedPages(cell: HostNumaCell, instanceCell: InstanceNumaCell, pageSize: PageSize): number | NumaFailure {
  const allowed = allowedPages(cell, pageSize);
  if (allowed.length === 0) {
    const sizes = largestFirst(cell).map(({ sizeKb }) => String(sizeKb));
    return { code: 'page_size_missing', params: { cell: cell.id, page_size: String(pageSize), sizes } };
  }
  const fitting = allowed.find(
    (pages) => isWhole(pagesNeeded(instanceCell, pages)) && pagesNeeded(instanceCell, pages) <= free(pages),
  );
  return fitting?.sizeKb ?? pagesFailure(cell, instanceCell, allowed);
}

/** `small` is the smallest size only, `large` any but the smallest, a number exactly that size. */
function allowedPages(cell: HostNumaCell, pageSize: PageSize): readonly MemoryPages[] {
  const all = largestFirst(cell);
  switch (pageSize) {
    case 'small':
      return all.slice(-1);
    case 'large':
      return all.slice(0, -1);
    case 'any':
      return all;
    default:
      return all.filter(({ sizeKb }) => sizeKb === pageSize);
  }
}

/** Reports the nearest size: the most free memory among the sizes that divide the amount. */
function pagesFailure(
  cell: HostNumaCell,
  instanceCell: InstanceNumaCell,
  allowed: readonly MemoryPages[],
): NumaFailure {
  const divisible = allowed.filter((pages) => isWhole(pagesNeeded(instanceCell, pages)));
  const freeKb = (pages: MemoryPages): number => free(pages) * pages.sizeKb;
  const nearest = [...divisible].sort((one, other) => freeKb(other) - freeKb(one))[0];
  return nearest === undefined
    ? notWhole(cell, instanceCell, allowed.at(-1))
    : tooFew(cell, instanceCell, nearest, free(nearest));
}

/**
 * Without a page size, the smallest pages must hold the memory: all of them, or only the free ones if the instance is
 * pinned. A cell without page data is checked by its memory.
 */
function fitUnaskedPages(cell: HostNumaCell, instanceCell: InstanceNumaCell, isPinned: boolean): null | NumaFailure {
  const smallest = largestFirst(cell).at(-1);
  if (smallest === undefined) {
    if (instanceCell.memoryMb <= cell.memoryMb) return null;
    const params = {
      cell: cell.id,
      instance_cell: instanceCell.id,
      asked: instanceCell.memoryMb,
      available: cell.memoryMb,
    };
    return { code: 'cell_memory', params };
  }
  const available = isPinned ? free(smallest) : smallest.total;
  const needed = pagesNeeded(instanceCell, smallest);
  if (!isWhole(needed)) return notWhole(cell, instanceCell, smallest);
  return needed <= available ? null : tooFew(cell, instanceCell, smallest, available);
}

function notWhole(cell: HostNumaCell, instanceCell: InstanceNumaCell, pages: MemoryPages | undefined): NumaFailure {
  const params = {
    cell: cell.id,
    instance_cell: instanceCell.id,
    asked: instanceCell.memoryMb,
    size_kb: pages?.sizeKb ?? null,
  };
  return { code: 'page_multiple', params };
}

function tooFew(
  cell: HostNumaCell,
  instanceCell: InstanceNumaCell,
  pages: MemoryPages,
  available: number,
): NumaFailure {
  const needed = pagesNeeded(instanceCell, pages);
  const params = { cell: cell.id, instance_cell: instanceCell.id, size_kb: pages.sizeKb, asked: needed, available };
  return { code: 'too_few_pages', params };
}

/** Number of pages of an amount of memory; shared by fit and charge. */
export const pagesNeeded = (cell: { readonly memoryMb: number }, pages: { readonly sizeKb: number }): number =>
  (cell.memoryMb * KIB_PER_MIB) / pages.sizeKb;

const isWhole = (pages: number): boolean => Number.isInteger(pages);
const free = ({ total, used, reserved }: MemoryPages): number => total - used - reserved;

function largestFirst({ mempages }: HostNumaCell): readonly MemoryPages[] {
  return mempages.length < 2 ? mempages : [...mempages].sort((one, other) => other.sizeKb - one.sizeKb);
}
