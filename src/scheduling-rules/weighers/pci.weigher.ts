// PCIWeigher: prefers fewer free PCI devices, for every request. So requests without PCI avoid hosts with devices, and
// requests with PCI fill the fuller hosts first.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

/** More devices than this count as this many. */
const DEVICES_COUNTED = 99;

export const pciWeigher = defineWeigher({
  name: 'PCIWeigher',
  summary: 'Prefers hosts with fewer free PCI devices.',
  options: {
    pci_weight_multiplier: number(1.0, 'Multiplier of PCIWeigher.', { min: 0, aggregateKey: 'pci_weight_multiplier' }),
  },
  multiplier: (options) => options.pci_weight_multiplier,
  weigh: ({ pciPools }) => {
    let free = 0;
    if (pciPools !== null) for (const { count } of pciPools) free += count;
    return DEVICES_COUNTED + 1 - Math.min(free, DEVICES_COUNTED);
  },
});
