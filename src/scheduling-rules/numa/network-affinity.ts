// Networks that are attached to certain NUMA cells must be reachable from the instance's cells. A network that no cell
// lists has no affinity.

import type { HostNumaCell, HostNumaTopology, NumaNetwork } from '../request-spec/numa-topology';

/** A network and its cells on the host. */
interface MissingNetwork {
  readonly network: string;
  readonly attached: readonly string[];
}

/** The first network that is attached only to other cells of the host, or null. */
export function missingNetwork(
  { cells }: HostNumaTopology,
  chosen: readonly number[],
  { physnets, tunneled }: NumaNetwork,
): MissingNetwork | null {
  for (const physnet of physnets) {
    const attached = cells.filter((cell) => cell.physnets.includes(physnet));
    if (isOutOfReach(attached, chosen)) return { network: physnet, attached: idsOf(attached) };
  }
  const ends = tunneled ? cells.filter((cell) => cell.tunneled) : [];
  return isOutOfReach(ends, chosen) ? { network: 'tunneled', attached: idsOf(ends) } : null;
}

const isOutOfReach = (attached: readonly HostNumaCell[], chosen: readonly number[]): boolean =>
  attached.length > 0 && !attached.some(({ id }) => chosen.includes(id));

const idsOf = (cells: readonly HostNumaCell[]): readonly string[] => cells.map(({ id }) => String(id));
