// Charges claims to the PCI pools of a host, and releases them. Both return new pools; claims on pools that the host no
// longer reports are ignored.

import { compareText } from '../../platform/values/text-order';
import type { PciPool } from '../request-spec/pci-pool';
import type { PciClaim } from './fit';

/** The pools after the claims; a count never falls below 0. */
export const chargePciPools = (pools: readonly PciPool[], claims: readonly PciClaim[]): readonly PciPool[] =>
  move(pools, claims, -1);

/** The pools after the release of the claims. Law: charging and then releasing restores the pools. */
export const releasePciPools = (pools: readonly PciPool[], claims: readonly PciClaim[]): readonly PciPool[] =>
  move(pools, claims, 1);

function move(pools: readonly PciPool[], claims: readonly PciClaim[], sign: 1 | -1): readonly PciPool[] {
  if (claims.length === 0) return pools;
  const left = new Map<string, number>();
  for (const { pool, count } of claims) left.set(poolKey(pool), (left.get(poolKey(pool)) ?? 0) + count);
  return pools.map((pool) => {
    const amount = left.get(poolKey(pool)) ?? 0;
    const moved = sign === 1 ? amount : Math.min(amount, pool.count);
    if (moved === 0) return pool;
    left.set(poolKey(pool), amount - moved);
    return { ...pool, count: pool.count + sign * moved };
  });
}

/** The identity of a pool: all fields except the number of free devices. */
export function poolKey({ vendorId, productId, devType, numaNode, tags }: Omit<PciPool, 'count'>): string {
  const sorted = Object.entries(tags).sort(([one], [other]) => compareText(one, other));
  return JSON.stringify([vendorId.toLowerCase(), productId.toLowerCase(), devType, numaNode, sorted]);
}
