// Networks that are attached to certain NUMA cells must be reached from the cells an instance is on. A network that no
// cell claims has no affinity, and any cell will do.

import type { HostNumaTopology, NumaNetwork } from './numa-topology';

/** A network that is attached to other cells of the host only, or null. */
export function missingNetwork(
  { cells }: HostNumaTopology,
  chosen: readonly number[],
  { physnets, tunneled }: NumaNetwork,
): string | null {
  const ours = cells.filter(({ id }) => chosen.includes(id));
  const others = cells.filter(({ id }) => !chosen.includes(id));
  for (const physnet of physnets) {
    const isOn = (cell: { readonly physnets: readonly string[] }): boolean => cell.physnets.includes(physnet);
    if (!ours.some(isOn) && others.some(isOn)) return physnet;
  }
  const isTunneled = (cell: { readonly tunneled: boolean }): boolean => cell.tunneled;
  if (tunneled && !ours.some(isTunneled) && others.some(isTunneled)) return 'tunneled';
  return null;
}
