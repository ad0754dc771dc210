// The built-in filters, in the order of the reference page. To add one: its file, its table spec, one line here.

import type { Filter } from '../pipeline/define-filter';
import { aggregateCoreFilter } from './aggregate-core.filter';
import { aggregateDiskFilter } from './aggregate-disk.filter';
import { aggregateImagePropertiesIsolation } from './aggregate-image-properties-isolation.filter';
import { aggregateInstanceExtraSpecsFilter } from './aggregate-instance-extra-specs.filter';
import { aggregateIoOpsFilter } from './aggregate-io-ops.filter';
import { aggregateMultiTenancyIsolation } from './aggregate-multi-tenancy-isolation.filter';
import { aggregateNumInstancesFilter } from './aggregate-num-instances.filter';
import { aggregateRamFilter } from './aggregate-ram.filter';
import { aggregateTypeAffinityFilter } from './aggregate-type-affinity.filter';
import { allHostsFilter } from './all-hosts.filter';
import { availabilityZoneFilter } from './availability-zone.filter';
import { computeCapabilitiesFilter } from './compute-capabilities.filter';
import { computeFilter } from './compute.filter';
import { coreFilter } from './core.filter';
import { differentHostFilter } from './different-host.filter';
import { diskFilter } from './disk.filter';
import { exactCoreFilter } from './exact-core.filter';
import { exactDiskFilter } from './exact-disk.filter';
import { exactRamFilter } from './exact-ram.filter';
import { imagePropertiesFilter } from './image-properties.filter';
import { ioOpsFilter } from './io-ops.filter';
import { isolatedHostsFilter } from './isolated-hosts.filter';
import { jsonFilter } from './json.filter';
import { metricsFilter } from './metrics.filter';
import { numInstancesFilter } from './num-instances.filter';
import { numaTopologyFilter } from './numa-topology.filter';
import { pciPassthroughFilter } from './pci-passthrough.filter';
import { ramFilter } from './ram.filter';
import { retryFilter } from './retry.filter';
import { sameHostFilter } from './same-host.filter';
import { serverGroupAffinityFilter } from './server-group-affinity.filter';
import { serverGroupAntiAffinityFilter } from './server-group-anti-affinity.filter';
import { simpleCidrAffinityFilter } from './simple-cidr-affinity.filter';
import { trustedFilter } from './trusted.filter';
import { typeAffinityFilter } from './type-affinity.filter';

export const BUILT_IN_FILTERS: readonly Filter[] = Object.freeze([
  computeFilter,
  computeCapabilitiesFilter,
  imagePropertiesFilter,
  serverGroupAntiAffinityFilter,
  serverGroupAffinityFilter,
  aggregateImagePropertiesIsolation,
  aggregateInstanceExtraSpecsFilter,
  aggregateIoOpsFilter,
  ioOpsFilter,
  aggregateMultiTenancyIsolation,
  aggregateNumInstancesFilter,
  numInstancesFilter,
  aggregateTypeAffinityFilter,
  allHostsFilter,
  differentHostFilter,
  sameHostFilter,
  isolatedHostsFilter,
  jsonFilter,
  metricsFilter,
  numaTopologyFilter,
  pciPassthroughFilter,
  simpleCidrAffinityFilter,
  // Legacy, for configurations that still enable them.
  availabilityZoneFilter,
  retryFilter,
  ramFilter,
  coreFilter,
  diskFilter,
  aggregateCoreFilter,
  aggregateRamFilter,
  aggregateDiskFilter,
  exactCoreFilter,
  exactRamFilter,
  exactDiskFilter,
  typeAffinityFilter,
  trustedFilter,
]);

/** The default filters: nova's list. */
export const DEFAULT_ENABLED_FILTERS: readonly string[] = Object.freeze([
  'ComputeFilter',
  'ComputeCapabilitiesFilter',
  'ImagePropertiesFilter',
  'ServerGroupAntiAffinityFilter',
  'ServerGroupAffinityFilter',
]);
