// The alternates of a batch, in the form in which they are stored.

import type { AlternatesOffer, OfferedHost } from '../ports';
import type { Placed, Placement } from './placement';

/** Instances with the same alternates share one list. */
export function offersOf(placements: readonly Placement[]): readonly AlternatesOffer[] {
  const known = new Map<Placement['alternates'], AlternatesOffer['alternates']>();
  const offers: AlternatesOffer[] = [];
  for (const { instanceUuid, alternates } of placements) {
    if (alternates.length === 0) continue;
    const offered = known.get(alternates) ?? alternates.map(offeredHost);
    known.set(alternates, offered);
    offers.push({ instanceUuid, alternates: offered });
  }
  return offers;
}

export const offeredHost = ({ state: { host, node, uuid, cell }, candidate }: Placed): OfferedHost => ({
  host,
  node,
  uuid,
  cell,
  allocations: candidate.allocations,
  mappings: candidate.mappings,
});
