// Options of the rules as a whole, with nova's names and defaults. Filters, weighers and prefilters declare their own
// next to their code.

import { multi } from '../platform/values/options';
import { ZONE_OPTIONS } from './filters/availability-zone.filter';
import { SERVICE_OPTIONS } from './filters/compute.filter';
import { NUMA_OPTIONS } from './filters/numa-topology.filter';
import { PCI_IN_PLACEMENT_OPTIONS } from './pci/in-placement';

export const RULES_OPTIONS = {
  DEFAULT: { ...ZONE_OPTIONS, ...SERVICE_OPTIONS },
  filter_scheduler: PCI_IN_PLACEMENT_OPTIONS,
  pci: {
    alias: multi([], 'A named kind of PCI device, as JSON with `vendor_id` and `product_id`; repeatable.'),
  },
  compute: NUMA_OPTIONS,
} as const;
