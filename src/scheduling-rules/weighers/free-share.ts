// Compares free resources as amounts, as in nova, or as shares of the host. Shared by the weighers of memory, vCPUs and
// disk.

import { boolean } from '../../platform/values/options';

/** `[filter_scheduler] share_based_weights`, declared alike by each of them. */
export const SHARE_OPTION = {
  share_based_weights: boolean(
    false,
    'Compare free shares of a host instead of free amounts, so large hosts have no advantage.',
  ),
} as const;

/** The free amount, or its share of the total; the share is 0 if the total is 0. */
export function freeWeight(free: number, total: number, asShare: boolean): number {
  if (!asShare) return free;
  return total > 0 ? free / total : 0;
}
