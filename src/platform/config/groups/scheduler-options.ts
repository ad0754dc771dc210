// Options of the scheduler as a whole, with nova's names and defaults. Filters, weighers and prefilters declare their
// options next to their code.

import { boolean, ignored, integer, list, multi, text } from '../../values/options';
import { DEFAULT_DRIVER } from '../../../scheduling-rules/drivers';
import { DEFAULT_ENABLED_FILTERS } from '../../../scheduling-rules/filters';
import { NUMA_OPTIONS } from '../../../scheduling-rules/filters/numa-topology.filter';
import { PCI_IN_PLACEMENT_OPTIONS } from '../../../scheduling-rules/pci/in-placement';
import { SEARCH_LIMITS } from '../limits';

export const SCHEDULER_OPTIONS = {
  driver: text(DEFAULT_DRIVER, 'Which driver decides: `filter_scheduler`, `chance`, or one of a plugin.', {
    synonyms: {
      caching_scheduler: 'filter_scheduler',
      'nova.scheduler.filter_scheduler.FilterScheduler': 'filter_scheduler',
      'nova.scheduler.chance.ChanceScheduler': 'chance_scheduler',
      'nova.scheduler.caching_scheduler.CachingScheduler': 'filter_scheduler',
    },
  }),
  max_attempts: integer(3, 'Hosts tried for one instance until the request fails.', { min: 1, max: 1_000 }),
  max_placement_results: integer(1_000, 'Hosts asked of placement for one request.', { min: 1, max: 1_000_000 }),
  candidates_per_host: integer(
    SEARCH_LIMITS.candidatesPerHost,
    'Candidates of one host asked at first; when all fail, the host is asked for its next ones.',
    { min: 1, max: SEARCH_LIMITS.furtherCandidatesPerHost },
  ),
  nova_compat: boolean(false, 'Decide as nova does where Berth decides better, for side-by-side runs.'),
  pending_ttl: integer(600, 'Seconds for which a placement counts on a host that does not report it.', {
    min: 1,
    max: 86_400,
  }),
  ...ignored('Worker processes are set by `BERTH_WORKERS`.', ['workers']),
  ...ignored('Always on.', ['query_placement_for_availability_zone']),
  ...ignored('Hosts are known from their first report on.', [
    'discover_hosts_in_cells_interval',
    'periodic_task_interval',
  ]),
} as const;

export const FILTER_SCHEDULER_OPTIONS = {
  available_filters: multi(
    ['nova.scheduler.filters.all_filters'],
    'Filters that may be enabled: `nova.scheduler.filters.all_filters` for all built in, or names.',
  ),
  enabled_filters: list(DEFAULT_ENABLED_FILTERS, 'Filters that run, in order. An unknown name stops the boot.'),
  weight_classes: list(
    ['nova.scheduler.weights.all_weighers'],
    'Weighers that run: `nova.scheduler.weights.all_weighers` for all built in, or names.',
  ),
  host_subset_size: integer(1, 'One of this many best hosts is drawn at random.', { min: 1, max: 1_000_000 }),
  shuffle_best_same_weighed_hosts: boolean(false, 'Draw at random among the best hosts of equal weight.'),
  ...PCI_IN_PLACEMENT_OPTIONS,
  track_instance_changes: boolean(true, 'Filters see which instances a host runs.', { isUnread: true }),
  ...ignored('Filters for bare metal are named in `enabled_filters`.', ['baremetal_enabled_filters']),
} as const;

export const PCI_OPTIONS = {
  alias: multi([], 'A named kind of PCI device, as JSON with `vendor_id` and `product_id`; repeatable.'),
  ...ignored('A setting of the compute hosts.', ['device_spec', 'passthrough_whitelist', 'report_in_placement']),
} as const;

export const COMPUTE_OPTIONS = {
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
} as const;
