// Options of the scheduler, named and defaulted as nova's. Filters and weighers declare theirs again beside their code;
// a declaration that differs in type from the row here stops the boot.

import { SEARCH_LIMITS } from '../limits';
import { boolean, float, ignored, integer, list, multi, string } from '../option-types';

const multiplier = (fallback: number, what: string): ReturnType<typeof float> =>
  float(fallback, `Multiplier of ${what}.`);

export const SCHEDULER_OPTIONS = {
  driver: string('filter_scheduler', 'Which driver decides: `filter_scheduler`, `chance`, or one of a plugin.', {
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
  limit_tenants_to_placement_aggregate: boolean(false, 'Confine projects to the host aggregates that name them.'),
  placement_aggregate_required_for_tenants: boolean(false, 'Refuse projects that no host aggregate names.'),
  query_placement_for_image_type_support: boolean(false, 'Ask for hosts that support the image’s disk format.'),
  enable_isolated_aggregate_filtering: boolean(
    false,
    'Keep hosts of aggregates that ask for traits away from requests that do not require those.',
  ),
  image_metadata_prefilter: boolean(false, 'Ask for hosts with the traits that the image’s properties imply.'),
  image_metadata_unknown_trait_is_error: boolean(
    false,
    'Answer an image property that no trait stands for with an invalid request; otherwise no host qualifies.',
  ),
  query_placement_for_routed_network_aggregates: boolean(
    false,
    'Ask for hosts in the aggregates of the requested networks’ segments.',
  ),
  owner_prefilter: boolean(
    true,
    'Ask for providers with OWNER_NOVA once every host reports a service version that sets it.',
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
  enabled_filters: list(
    [
      'ComputeFilter',
      'ComputeCapabilitiesFilter',
      'ImagePropertiesFilter',
      'ServerGroupAntiAffinityFilter',
      'ServerGroupAffinityFilter',
    ],
    'Filters that run, in order. An unknown name stops the boot.',
  ),
  weight_classes: list(
    ['nova.scheduler.weights.all_weighers'],
    'Weighers that run: `nova.scheduler.weights.all_weighers` for all built in, or names.',
  ),
  host_subset_size: integer(1, 'One of this many best hosts is drawn at random.', { min: 1, max: 1_000_000 }),
  shuffle_best_same_weighed_hosts: boolean(false, 'Draw at random among the best hosts of equal weight.'),
  track_instance_changes: boolean(true, 'Filters see which instances a host runs.'),
  pci_in_placement: boolean(false, 'PCI devices are resources of placement.'),
  max_io_ops_per_host: integer(8, 'IoOpsFilter: operations a host may run at once.', { min: 0 }),
  max_instances_per_host: integer(50, 'NumInstancesFilter: instances a host may run.', { min: 1 }),
  isolated_hosts: list([], 'IsolatedHostsFilter: names of isolated hosts.'),
  isolated_images: list([], 'IsolatedHostsFilter: ids of isolated images.'),
  restrict_isolated_hosts_to_isolated_images: boolean(
    true,
    'IsolatedHostsFilter: isolated hosts run isolated images only.',
  ),
  image_properties_default_architecture: string(null, 'ImagePropertiesFilter: architecture of images that name none.'),
  aggregate_image_properties_isolation_namespace: string(
    null,
    'AggregateImagePropertiesIsolation: only metadata keys that start with it count.',
  ),
  aggregate_image_properties_isolation_separator: string(
    '.',
    'AggregateImagePropertiesIsolation: what stands between that namespace and the property.',
  ),
  aggregate_image_properties_isolation_strict: list(
    [],
    'AggregateImagePropertiesIsolation: properties that image and host aggregates must both name or both leave out.',
  ),
  aggregate_instance_extra_specs_unscoped: boolean(
    false,
    'AggregateInstanceExtraSpecsFilter: extra specs without a scope count too, other than `group_policy`.',
  ),
  ram_weight_multiplier: multiplier(1, 'RAMWeigher; negative stacks instead of spreading'),
  cpu_weight_multiplier: multiplier(1, 'CPUWeigher; negative stacks instead of spreading'),
  disk_weight_multiplier: multiplier(1, 'DiskWeigher; negative stacks instead of spreading'),
  io_ops_weight_multiplier: multiplier(-1, 'IoOpsWeigher; negative prefers hosts with less to do'),
  pci_weight_multiplier: float(1, 'Multiplier of PCIWeigher.', { min: 0 }),
  soft_affinity_weight_multiplier: float(1, 'Multiplier of ServerGroupSoftAffinityWeigher.', { min: 0 }),
  soft_anti_affinity_weight_multiplier: float(1, 'Multiplier of ServerGroupSoftAntiAffinityWeigher.', { min: 0 }),
  build_failure_weight_multiplier: multiplier(1_000_000, 'BuildFailureWeigher, used negated'),
  cross_cell_move_weight_multiplier: multiplier(1_000_000, 'CrossCellWeigher'),
  hypervisor_version_weight_multiplier: multiplier(1, 'HypervisorVersionWeigher'),
  num_instances_weight_multiplier: multiplier(0, 'NumInstancesWeigher; positive prefers fuller hosts'),
  image_props_weight_multiplier: multiplier(0, 'ImagePropertiesWeigher; 0 switches it off'),
  image_props_weight_setting: list([], 'ImagePropertiesWeigher: `name=ratio`, …'),
  best_fit_weight_multiplier: multiplier(0, 'BestFitWeigher; positive prefers hosts that the flavor fills up'),
  share_based_weights: boolean(
    false,
    'RAMWeigher, CPUWeigher and DiskWeigher compare free shares of a host instead of free amounts.',
  ),
  build_failure_half_life: integer(
    0,
    'BuildFailureWeigher: seconds after which failed builds count half; 0: they count until a build succeeds.',
    { min: 0 },
  ),
  ...ignored('Filters for bare metal are named in `enabled_filters`.', ['baremetal_enabled_filters']),
} as const;

export const METRICS_OPTIONS = {
  weight_multiplier: multiplier(1, 'MetricsWeigher'),
  weight_setting: list([], 'MetricsWeigher and MetricsFilter: `name=ratio`, …'),
  required: boolean(
    true,
    'A host without one of those metrics gets the worst score, and the decision says why; enable MetricsFilter to reject it.',
  ),
  weight_of_unavailable: float(-10_000, 'Raw value of a host that lacks one, when they are not required.'),
  max_age: integer(0, 'Seconds after which a measured metric counts as missing; 0: never.', { min: 0 }),
} as const;

export const PCI_OPTIONS = {
  alias: multi([], 'A named kind of PCI device, as JSON; repeatable.'),
  ...ignored('A setting of the compute hosts.', ['device_spec', 'passthrough_whitelist', 'report_in_placement']),
} as const;

export const COMPUTE_OPTIONS = {
  packing_host_numa_cells_allocation_strategy: boolean(
    false,
    'NUMATopologyFilter fills the fullest cells first instead of the emptiest.',
  ),
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
