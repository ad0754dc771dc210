// Page sizes as flavors, images and documents write them: `small`, `large`, `any`, a number of KiB, or a number with a
// unit (`2MB`, `1GB`, `1GiB`; powers of 1024 all of them).

import type { PageSize } from './numa-topology';

const UNIT_KIB: Readonly<Record<string, number>> = { K: 1, M: 1024, G: 1024 * 1024 };
/** Larger than any page there is: 1 TiB. */
export const PAGE_SIZE_KIB_MAX = 1024 * 1024 * 1024;

export const PAGE_SIZE_RULE = 'must be small, large, any, or a size such as 2048, 2MB or 1GB';

/** The page size a text means, or null when it means none. */
export function parsePageSize(text: string): PageSize | null {
  if (text === 'small' || text === 'large' || text === 'any') return text;
  const [, digits, unit = 'K'] = /^(\d+)\s*(?:([KMG])(?:i?B)?)?$/i.exec(text.trim()) ?? [];
  const size = Number(digits) * (UNIT_KIB[unit.toUpperCase()] ?? Number.NaN);
  return size >= 1 && size <= PAGE_SIZE_KIB_MAX ? size : null;
}
