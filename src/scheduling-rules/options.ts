// Options of the rules as a whole, with nova's names and defaults. Filters, weighers and prefilters declare their own
// next to their code.

import { ignored, multi } from '../platform/values/options';
import { ZONE_OPTIONS } from './filters/availability-zone.filter';
import { SERVICE_OPTIONS } from './filters/compute.filter';
import { NUMA_OPTIONS } from './filters/numa-topology.filter';
import { PCI_IN_PLACEMENT_OPTIONS } from './pci/in-placement';

export const RULES_OPTIONS = {
  DEFAULT: { ...ZONE_OPTIONS, ...SERVICE_OPTIONS },
  filter_scheduler: PCI_IN_PLACEMENT_OPTIONS,
  pci: {
    alias: multi([], 'A named kind of PCI device, as JSON with `vendor_id` and `product_id`; repeatable.'),
    ...ignored('A setting of the compute hosts.', ['device_spec', 'passthrough_whitelist', 'report_in_placement']),
  },
  compute: {
    ...NUMA_OPTIONS,
    ...ignored('A setting of the compute hosts.', [
      'consecutive_build_service_disable_threshold',
      'cpu_dedicated_set',
      'cpu_shared_set',
      'max_concurrent_disk_ops',
      'max_disk_devices_to_attach',
      'provider_config_location',
      'resource_provider_association_refresh',
      'shutdown_retry_interval',
      'image_type_exclude_list',
      'live_migration_wait_for_vif_plug',
      'sharing_providers_max_uuids_per_request',
      'vmdk_allowed_types',
      'heal_instance_info_cache_interval',
    ]),
  },
} as const;
