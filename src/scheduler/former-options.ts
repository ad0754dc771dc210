// Scheduling options of old releases. Each is read under its current name, refused with a reason, or reported as
// without effect. Every one of them causes a warning, even in a file shared with other services.

import type { FormerOption, FormerOptions } from '../platform/config/option-table';

const now = (group: string, name: string, unsets?: readonly string[]): FormerOption => ({
  kind: 'renamed',
  now: `${group}.${name}`,
  ...(unsets !== undefined && { unsets }),
});

/** Options of [DEFAULT] that moved to a group and kept their names. */
const moved = (group: string, names: readonly string[]): FormerOptions =>
  Object.fromEntries(names.map((name) => [`DEFAULT.${name}`, now(group, name)]));

const refused = (why: string, harmless: readonly string[]): FormerOption => ({ kind: 'refused', why, harmless });

const withoutEffect = (group: string, why: string, names: readonly string[]): FormerOptions =>
  Object.fromEntries(names.map((name) => [`${group}.${name}`, { kind: 'without effect', why }]));

const OFF = ['', 'false', '0', 'no', 'off'];
const BARE_METAL =
  'bare metal is scheduled by its resource classes; name the filters in [filter_scheduler] enabled_filters';
const HOST_MANAGER = 'Berth has one host manager, and bare metal is scheduled by its resource classes';
const USUAL_MANAGERS = ['', 'host_manager', 'nova.scheduler.host_manager.HostManager'];
const ATTESTATION =
  'no attestation service is asked: TrustedFilter compares the level that a host reports in its stats under trust:trusted_host';
const CELLS_V1 = 'Cells of the first version are gone; hosts of all cells are scheduled together.';
const RATIO_UNSET = ['0', '0.0', ''];

/** The former option names, as `group.name`. */
export const FORMER_OPTIONS: FormerOptions = Object.freeze({
  'DEFAULT.scheduler_driver': now('scheduler', 'driver'),
  'DEFAULT.scheduler_max_attempts': now('scheduler', 'max_attempts'),
  'DEFAULT.scheduler_available_filters': now('filter_scheduler', 'available_filters'),
  'DEFAULT.scheduler_default_filters': now('filter_scheduler', 'enabled_filters'),
  'DEFAULT.scheduler_enabled_filters': now('filter_scheduler', 'enabled_filters'),
  'filter_scheduler.scheduler_default_filters': now('filter_scheduler', 'enabled_filters'),
  'DEFAULT.scheduler_weight_classes': now('filter_scheduler', 'weight_classes'),
  'DEFAULT.scheduler_host_subset_size': now('filter_scheduler', 'host_subset_size'),
  'filter_scheduler.scheduler_host_subset_size': now('filter_scheduler', 'host_subset_size'),
  'DEFAULT.scheduler_tracks_instance_changes': now('filter_scheduler', 'track_instance_changes'),
  ...moved('filter_scheduler', [
    'max_io_ops_per_host',
    'max_instances_per_host',
    'isolated_hosts',
    'isolated_images',
    'restrict_isolated_hosts_to_isolated_images',
    'image_properties_default_architecture',
    'aggregate_image_properties_isolation_namespace',
    'aggregate_image_properties_isolation_separator',
    'ram_weight_multiplier',
    'cpu_weight_multiplier',
    'disk_weight_multiplier',
    'io_ops_weight_multiplier',
    'pci_weight_multiplier',
    'soft_affinity_weight_multiplier',
    'soft_anti_affinity_weight_multiplier',
    'build_failure_weight_multiplier',
    'shuffle_best_same_weighed_hosts',
  ]),
  'DEFAULT.node_availability_zone': now('DEFAULT', 'default_availability_zone'),
  'DEFAULT.cpu_allocation_ratio': now('DEFAULT', 'initial_cpu_allocation_ratio', RATIO_UNSET),
  'DEFAULT.ram_allocation_ratio': now('DEFAULT', 'initial_ram_allocation_ratio', RATIO_UNSET),
  'DEFAULT.disk_allocation_ratio': now('DEFAULT', 'initial_disk_allocation_ratio', RATIO_UNSET),
  'DEFAULT.pci_alias': now('pci', 'alias'),
  'DEFAULT.scheduler_host_manager': refused(HOST_MANAGER, USUAL_MANAGERS),
  'scheduler.scheduler_host_manager': refused(HOST_MANAGER, USUAL_MANAGERS),
  'scheduler.host_manager': refused(HOST_MANAGER, USUAL_MANAGERS),
  'DEFAULT.scheduler_use_baremetal_filters': refused(BARE_METAL, OFF),
  'filter_scheduler.scheduler_use_baremetal_filters': refused(BARE_METAL, OFF),
  'filter_scheduler.use_baremetal_filters': refused(BARE_METAL, OFF),
  'DEFAULT.scheduler_json_config_location': refused('Berth reads its settings from one file only', ['']),
  ...Object.fromEntries(
    [
      'attestation_server',
      'attestation_server_ca_file',
      'attestation_port',
      'attestation_api_url',
      'attestation_auth_blob',
      'attestation_auth_timeout',
      'attestation_insecure_ssl',
    ].map((name) => [`trusted_computing.${name}`, refused(ATTESTATION, [''])]),
  ),
  ...withoutEffect('DEFAULT', 'What a host keeps for itself comes with its reports.', [
    'reserved_host_memory_mb',
    'reserved_host_cpus',
    'reserved_host_disk_mb',
    'reserved_huge_pages',
    'vcpu_pin_set',
  ]),
  ...withoutEffect('DEFAULT', 'Hosts and instances are known from the first report on.', [
    'scheduler_driver_task_period',
    'scheduler_instance_sync_interval',
    'scheduler_discover_hosts_in_cells_interval',
  ]),
  ...withoutEffect('DEFAULT', 'Berth uses no message bus.', ['scheduler_topic', 'scheduler_manager']),
  ...withoutEffect('DEFAULT', 'Filters for bare metal are named in [filter_scheduler] enabled_filters.', [
    'baremetal_scheduler_default_filters',
    'baremetal_enabled_filters',
  ]),
  ...withoutEffect('DEFAULT', 'Compute hosts are the only services here.', ['internal_service_availability_zone']),
  ...withoutEffect('DEFAULT', 'A setting of the compute hosts.', ['pci_passthrough_whitelist']),
  ...withoutEffect('scheduler', 'Hosts are known from their first report on.', ['driver_task_period']),
  ...withoutEffect('workarounds', 'Server groups are held when a claim is made, wherever it comes from.', [
    'disable_group_policy_check_upcall',
  ]),
  ...withoutEffect('cells', CELLS_V1, [
    'scheduler',
    'scheduler_retries',
    'scheduler_retry_delay',
    'scheduler_filter_classes',
    'scheduler_weight_classes',
    'mute_weight_multiplier',
    'ram_weight_multiplier',
    'offset_weight_multiplier',
  ]),
});

const DEPLOYMENT_PREFIX = 'NovaScheduler';

/** The nova option name of a TripleO parameter; undefined if it is not a scheduler option. */
export function optionOfParameter(name: string): string | undefined {
  if (!name.startsWith(DEPLOYMENT_PREFIX)) return undefined;
  const parameter = name.slice(DEPLOYMENT_PREFIX.length);
  if (parameter === 'QueryImageType') return 'query_placement_for_image_type_support';
  return parameter.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}
