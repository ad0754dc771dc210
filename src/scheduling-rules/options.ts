// Options of the rules as a whole, with nova's names and defaults. Filters, weighers and prefilters declare their own
// next to their code.

import { boolean, list, multi } from '../platform/values/options';
import { DEFAULT_ENABLED_FILTERS } from './filters';
import { ZONE_OPTIONS } from './filters/availability-zone.filter';
import { SERVICE_OPTIONS } from './filters/compute.filter';
import { NUMA_OPTIONS } from './filters/numa-topology.filter';
import { PCI_IN_PLACEMENT_OPTIONS } from './pci/in-placement';

export const RULES_OPTIONS = {
  DEFAULT: { ...ZONE_OPTIONS, ...SERVICE_OPTIONS },
  filter_scheduler: {
    enabled_filters: list(DEFAULT_ENABLED_FILTERS, 'Filters that run, in order. An unknown name stops the start.'),
    ...PCI_IN_PLACEMENT_OPTIONS,
  },
  pci: {
    alias: multi([], 'A named kind of PCI device, as JSON with `vendor_id` and `product_id`; repeatable.'),
  },
  compute: NUMA_OPTIONS,
  workarounds: {
    disable_fallback_pcpu_query: boolean(
      false,
      'Do not ask a second time with shared CPUs when a request for pinned CPUs found nothing.',
    ),
  },
} as const;
