// BestFitWeigher: prefers hosts that the instance fills up, to keep large gaps for large flavors. Not in nova; off by
// default.

import { MIB_PER_GIB } from '../../placement/domain/inventory';
import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

export const bestFitWeigher = defineWeigher({
  name: 'BestFitWeigher',
  summary: 'Prefers hosts of which the instance leaves the smallest share free, over vCPUs, memory and disk.',
  options: {
    best_fit_weight_multiplier: number(
      0,
      'Multiplier of BestFitWeigher; positive prefers hosts that the flavor fills up.',
      { aggregateKey: 'best_fit_weight_multiplier' },
    ),
  },
  // A multiplier of 0 disables it completely, so it costs nothing; aggregates alone cannot enable it.
  applies: (_spec, options) => options.best_fit_weight_multiplier !== 0,
  multiplier: (options) => options.best_fit_weight_multiplier,
  weigh: (host, { flavor, isBfv }) => {
    const vcpuLimit = host.vcpusTotal * host.cpuAllocationRatio;
    const diskMb = MIB_PER_GIB * ((isBfv ? 0 : flavor.rootGb) + flavor.ephemeralGb) + flavor.swapMb;
    const totalDiskMb = host.totalUsableDiskGb * MIB_PER_GIB;
    const left =
      shareOf(vcpuLimit - host.vcpusUsed - flavor.vcpus, vcpuLimit) +
      shareOf(host.freeRamMb - flavor.memoryMb, host.totalUsableRamMb) +
      shareOf(host.freeDiskMb - diskMb, totalDiskMb);
    const resources = Number(vcpuLimit > 0) + Number(host.totalUsableRamMb > 0) + Number(totalDiskMb > 0);
    return resources === 0 ? 0 : 0 - left / resources;
  },
});

/** Resources that the host lacks are ignored. */
const shareOf = (left: number, total: number): number => (total > 0 ? left / total : 0);
