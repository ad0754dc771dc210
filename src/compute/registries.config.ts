// The part of the configuration that the registries use.
import { serviceDownTimeInForce } from '../scheduling-rules/filters/compute.filter';
import { numaTopologyFilter } from '../scheduling-rules/filters/numa-topology.filter';
import type { PciAliases } from '../scheduling-rules/pci/alias';
import { parsePciAliases } from '../scheduling-rules/pci/alias';
import type { ConfiguredRatios } from './hosts/host-inventories';
import type { ComputeConfig } from './options';

export abstract class RegistriesConfig {
  /** A service counts as down if its last report is older. */
  abstract readonly serviceDownSeconds: number;
  /** Allocation ratios of a reported host's inventories if the report names none. */
  abstract readonly ratios: ConfiguredRatios;
  /** Name of the zone of hosts without a zone of their own. */
  abstract readonly defaultZone: string;
  /** Whether root providers that no host reported count as hosts. */
  abstract readonly hostsFromInventory: boolean;
  /** PCI aliases that a flavor can request with `pci_passthrough:alias`. */
  abstract readonly pciAliases: PciAliases;
  /** Whether a request for dedicated CPUs can be placed on a host without them. */
  abstract readonly isPinningUnchecked: boolean;
}

export function registriesConfigOf(
  config: Pick<ComputeConfig, 'DEFAULT' | 'berth' | 'filter_scheduler' | 'pci' | 'workarounds'>,
): RegistriesConfig {
  return {
    serviceDownSeconds: serviceDownTimeInForce(config.DEFAULT.service_down_time, config.DEFAULT.report_interval),
    ratios: {
      initial: {
        cpu: config.DEFAULT.initial_cpu_allocation_ratio,
        ram: config.DEFAULT.initial_ram_allocation_ratio,
        disk: config.DEFAULT.initial_disk_allocation_ratio,
      },
      fixed: {
        cpu: config.DEFAULT.cpu_allocation_ratio,
        ram: config.DEFAULT.ram_allocation_ratio,
        disk: config.DEFAULT.disk_allocation_ratio,
      },
    },
    defaultZone: config.DEFAULT.default_availability_zone,
    hostsFromInventory: config.berth.hosts_from_inventory,
    isPinningUnchecked:
      !config.workarounds.disable_fallback_pcpu_query &&
      !config.filter_scheduler.enabled_filters.some((name) => name.split('.').at(-1) === numaTopologyFilter.name),
    pciAliases: parsePciAliases(config.pci.alias, { inPlacement: config.filter_scheduler.pci_in_placement }),
  };
}
