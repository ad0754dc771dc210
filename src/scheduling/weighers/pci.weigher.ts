// PCIWeigher: fewer free PCI devices are better, whatever the request asks for. Requests without PCI thereby keep off
// the hosts that have devices, and requests with PCI fill the fuller ones first.

import { defineWeigher } from '../pipeline/define-weigher';
import { number } from '../../domain/options';

/** Devices above this are not told apart. */
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
