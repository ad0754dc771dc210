// Whether free resources are compared as amounts, as nova does, or as shares of the host: shared by the weighers of
// memory, vCPUs and disk.

import { boolean } from '../../domain/options';

/** `[filter_scheduler] share_based_weights`, declared alike by each of them. */
export const SHARE_OPTION = {
  share_based_weights: boolean(
    false,
    'Compare free shares of a host instead of free amounts, so that big hosts have no head start.',
  ),
} as const;

/** The free amount, or its share of the total; a host without any of it has no share. */
export function freeWeight(free: number, total: number, asShare: boolean): number {
  if (!asShare) return free;
  return total > 0 ? free / total : 0;
}
