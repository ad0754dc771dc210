// Options of old releases of nova that have another name now. They are read with a warning. Both names are `group.name`.
type FormerOptions = Readonly<Record<string, string>>;

/** Options of [DEFAULT] that moved to a group and kept their names. */
const moved = (group: string, names: readonly string[]): FormerOptions =>
  Object.fromEntries(names.map((name) => [`DEFAULT.${name}`, `${group}.${name}`]));

export const FORMER_OPTIONS: FormerOptions = Object.freeze({
  'DEFAULT.scheduler_driver': 'scheduler.driver',
  'DEFAULT.scheduler_max_attempts': 'scheduler.max_attempts',
  'DEFAULT.scheduler_available_filters': 'filter_scheduler.available_filters',
  'DEFAULT.scheduler_default_filters': 'filter_scheduler.enabled_filters',
  'DEFAULT.scheduler_enabled_filters': 'filter_scheduler.enabled_filters',
  'filter_scheduler.scheduler_default_filters': 'filter_scheduler.enabled_filters',
  'DEFAULT.scheduler_weight_classes': 'filter_scheduler.weight_classes',
  'DEFAULT.scheduler_host_subset_size': 'filter_scheduler.host_subset_size',
  'filter_scheduler.scheduler_host_subset_size': 'filter_scheduler.host_subset_size',
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
  'DEFAULT.node_availability_zone': 'DEFAULT.default_availability_zone',
  'DEFAULT.pci_alias': 'pci.alias',
});
