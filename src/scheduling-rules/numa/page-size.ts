// Page sizes in flavors, images and documents: `small`, `large`, `any`, a number of KiB, or a number with a unit
// (`2MB`, `1GB`, `1GiB`; all are powers of 1024).

import type { PageSize } from '../request-spec/numa-topology';

const UNIT_KIB: Readonly<Record<string, number>> = { K: 1, M: 1024, G: 1024 * 1024 };
/** Larger than any existing page: 1 TiB. */
export const PAGE_SIZE_KIB_MAX = 1024 * 1024 * 1024;

export const PAGE_SIZE_RULE = 'must be small, large, any, or a size such as 2048, 2MB or 1GB';

/** Parses a page size; null if it is invalid. */
export function parsePageSize(text: string): PageSize | null {
  if (text === 'small' || text === 'large' || text === 'any') return text;
  const [, digits, unit = 'K'] = /^(\d+)\s*(?:([KMG])(?:i?B)?)?$/i.exec(text.trim()) ?? [];
  const size = Number(digits) * (UNIT_KIB[unit.toUpperCase()] ?? Number.NaN);
  return size >= 1 && size <= PAGE_SIZE_KIB_MAX ? size : null;
}
