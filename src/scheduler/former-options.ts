// Options that a configuration of nova or Placement can have and that Berth declares under another name or not at all:
// each is read under its current name, refused with a reason, or reported as without effect with what to use instead.
// Every one of them causes a warning, also in Berth's own file. Other options of these services are simply unknown.

import type { FormerOption, FormerOptions } from '../platform/config/option-table';

const now = (group: string, name: string): FormerOption => ({ kind: 'renamed', now: `${group}.${name}` });

/** Options of [DEFAULT] that moved to a group and kept their names. */
const moved = (group: string, names: readonly string[]): FormerOptions =>
  Object.fromEntries(names.map((name) => [`DEFAULT.${name}`, now(group, name)]));

const refused = (why: string, harmless: readonly string[]): FormerOption => ({ kind: 'refused', why, harmless });

const withoutEffect = (why: string): FormerOption => ({ kind: 'without effect', why });

const OFF = ['', 'false', '0', 'no', 'off'];
const BARE_METAL =
  'bare metal is scheduled by its resource classes; name the filters in [filter_scheduler] enabled_filters';
const HOST_MANAGER = 'Berth has one host manager, and bare metal is scheduled by its resource classes';
const USUAL_MANAGERS = ['', 'host_manager', 'nova.scheduler.host_manager.HostManager'];
const ATTESTATION =
  'no attestation service is asked: TrustedFilter compares the level that a host reports in its stats under trust:trusted_host';
const LOGS = withoutEffect('Berth logs to standard error; redirect it where the service is started.');

/** The former option names, as `group.name`. */
export const FORMER_OPTIONS: FormerOptions = Object.freeze({
  'DEFAULT.transport_url': withoutEffect(
    'it is no option of Berth; in the place of nova-scheduler it is read from the files in [nova] config_file',
  ),
  'DEFAULT.scheduler_driver': now('scheduler', 'driver'),
  'DEFAULT.scheduler_max_attempts': now('scheduler', 'max_attempts'),
  'DEFAULT.scheduler_available_filters': now('filter_scheduler', 'available_filters'),
  'DEFAULT.scheduler_default_filters': now('filter_scheduler', 'enabled_filters'),
  'DEFAULT.scheduler_enabled_filters': now('filter_scheduler', 'enabled_filters'),
  'filter_scheduler.scheduler_default_filters': now('filter_scheduler', 'enabled_filters'),
  'DEFAULT.scheduler_weight_classes': now('filter_scheduler', 'weight_classes'),
  'DEFAULT.scheduler_host_subset_size': now('filter_scheduler', 'host_subset_size'),
  'filter_scheduler.scheduler_host_subset_size': now('filter_scheduler', 'host_subset_size'),
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
  'DEFAULT.log_file': LOGS,
  'DEFAULT.log_dir': LOGS,
  'DEFAULT.use_syslog': LOGS,
  'scheduler.workers': withoutEffect('Run several processes instead.'),
  'filter_scheduler.track_instance_changes': withoutEffect('Filters always see the instances of a host.'),
  'placement_database.connection_recycle_time': withoutEffect('Idle connections are pinged instead.'),
  'placement_database.slave_connection': withoutEffect('A replica can lack acknowledged writes.'),
  'placement_database.sync_on_startup': withoutEffect('Set [berth] auto_migrate instead.'),
  'oslo_middleware.max_request_body_size': withoutEffect('Set [berth] max_body_bytes instead.'),
});
