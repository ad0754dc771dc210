// BestFitWeigher: prefers hosts that the instance fills up, so that big gaps stay for big flavors. Nova has none; off by
// default.

import type { HostState } from '../host-state/host-state';
import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';
import type { Flavor } from '../request/request-spec';

export const bestFitWeigher = defineWeigher({
  name: 'BestFitWeigher',
  summary: 'Prefers hosts of which the instance leaves the smallest share free, over vCPUs, memory and disk.',
  options: {
    best_fit_weight_multiplier: option.number({
      default: 0,
      aggregateKey: 'best_fit_weight_multiplier',
      help: 'Multiplier of BestFitWeigher; positive prefers hosts that the flavor fills up.',
    }),
  },
  multiplier: (options) => options.best_fit_weight_multiplier,
  weigh: (host, { flavor, isBfv }) => {
    const shares = leftShares(host, flavor, isBfv);
    return shares.length === 0 ? 0 : 0 - shares.reduce((sum, share) => sum + share, 0) / shares.length;
  },
});

/** The share of each resource that is left once the instance is there; resources the host lacks do not count. */
function leftShares(host: HostState, flavor: Flavor, isBfv: boolean): readonly number[] {
  const vcpuLimit = host.vcpusTotal * host.cpuAllocationRatio;
  const diskMb = 1024 * ((isBfv ? 0 : flavor.rootGb) + flavor.ephemeralGb) + flavor.swapMb;
  const resources = [
    { total: vcpuLimit, left: vcpuLimit - host.vcpusUsed - flavor.vcpus },
    { total: host.totalUsableRamMb, left: host.freeRamMb - flavor.memoryMb },
    { total: host.totalUsableDiskGb * 1024, left: host.freeDiskMb - diskMb },
  ];
  return resources.flatMap(({ total, left }) => (total > 0 ? [left / total] : []));
}
