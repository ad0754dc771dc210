// nova.conf of the compared schedulers: both read the same file.
import { ISOLATED_IMAGE } from './world';

const FILTERS = [
  'ComputeFilter',
  'ComputeCapabilitiesFilter',
  'ImagePropertiesFilter',
  'ServerGroupAntiAffinityFilter',
  'ServerGroupAffinityFilter',
  'SameHostFilter',
  'DifferentHostFilter',
  'SimpleCIDRAffinityFilter',
  'JsonFilter',
  'NUMATopologyFilter',
  'PciPassthroughFilter',
  'AggregateInstanceExtraSpecsFilter',
  'AggregateImagePropertiesIsolation',
  'AggregateMultiTenancyIsolation',
  'AggregateIoOpsFilter',
  'AggregateNumInstancesFilter',
  'IsolatedHostsFilter',
  'MetricsFilter',
];

export interface NovaConfParts {
  readonly transportUrl: string;
  readonly apiDatabase: string;
  readonly database: string;
  readonly isolatedHost: string;
}

export const novaConf = ({ transportUrl, apiDatabase, database, isolatedHost }: NovaConfParts): string => `
[DEFAULT]
transport_url = ${transportUrl}
host = control
service_down_time = 3600
[api_database]
connection = ${apiDatabase}
[database]
connection = ${database}
[oslo_messaging_notifications]
driver = noop
[scheduler]
limit_tenants_to_placement_aggregate = true
enable_isolated_aggregate_filtering = true
query_placement_for_image_type_support = true
image_metadata_prefilter = true
[filter_scheduler]
enabled_filters = ${FILTERS.join(',')}
track_instance_changes = false
max_io_ops_per_host = 4
max_instances_per_host = 12
isolated_images = ${ISOLATED_IMAGE}
isolated_hosts = ${isolatedHost}
restrict_isolated_hosts_to_isolated_images = true
pci_weight_multiplier = 0.3
soft_affinity_weight_multiplier = 20
soft_anti_affinity_weight_multiplier = 20
[metrics]
weight_setting = cpu.percent=-0.01,cpu.frequency=0.0005
required = true
[pci]
alias = {"name": "vf", "vendor_id": "8086", "product_id": "1515", "device_type": "type-VF", "numa_policy": "preferred"}
alias = {"name": "vf-near", "vendor_id": "8086", "product_id": "1515", "device_type": "type-VF", "numa_policy": "required"}
alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1eb8", "device_type": "type-PCI"}
`;
