// The scheduler's part of the configuration, as a plain object.

import type { PciAliases } from '../../scheduling-rules/pci/alias';
import { parsePciAliases } from '../../scheduling-rules/pci/alias';
import type { ConfiguredValues } from '../../scheduling-rules/pipeline/options';
import type { EnabledNames } from '../../scheduling-rules/pipeline/registry';
import type { SchedulerConfig } from '../options';

/** Option names follow nova for everything that nova also configures. */
export interface SchedulerOptions extends EnabledNames {
  /** Product version, shown by GET /scheduler. */
  readonly version: string;
  readonly maxAttempts: number;
  readonly allowResizeToSameHost: boolean;
  /** Null: all hosts. */
  readonly maxPlacementResults: number | null;
  /** One in this many decisions from kept hosts is compared with one that asks every host; 0: none. */
  readonly verifySample: number;
  readonly candidatesPerHost: number;
  readonly hostSubsetSize: number;
  readonly shuffleBestSameWeighedHosts: boolean;
  readonly defaultAvailabilityZone: string;
  /** The zone for requests that do not name one. */
  readonly defaultScheduleZone: string | null;
  /** Decide as nova does, even where Berth's own behaviour is better. */
  readonly novaCompat: boolean;
  /** The oldest computes of the cloud, by nova's major version. */
  readonly computeRelease: number;
  /** No second query for pinned CPUs on hosts that only have shared ones. */
  readonly disableFallbackPcpuQuery: boolean;
  /** Fill the fullest NUMA cells first instead of the emptiest. */
  readonly packsNumaCells: boolean;
  readonly pciAliases: PciAliases;
  /** PCI devices of flavors are claimed in Placement. */
  readonly pciInPlacement: boolean;
  /** Values of all options by group and name: parts find theirs among them. */
  readonly values: ConfiguredValues;
}

/** As nova's default where Placement is another service, or where decisions are nova's. */
const NOVAS_BOUND = 1_000;

/** The options of nova's place are absent in a described cloud. */
type WithNova = SchedulerConfig & { readonly nova?: { readonly enabled: boolean; readonly placement: string } };

function boundOf({ scheduler, nova }: WithNova): number | null {
  if (scheduler.max_placement_results > 0) return scheduler.max_placement_results;
  const isRemote = nova?.enabled === true && nova.placement === 'remote';
  return scheduler.nova_compat || isRemote ? NOVAS_BOUND : null;
}

export function schedulerOptionsOf(config: WithNova, version: string): SchedulerOptions {
  const { scheduler, filter_scheduler: filterScheduler } = config;
  return Object.freeze({
    version,
    driver: scheduler.driver,
    availableFilters: filterScheduler.available_filters,
    enabledFilters: filterScheduler.enabled_filters,
    weightClasses: filterScheduler.weight_classes,
    maxAttempts: scheduler.max_attempts,
    allowResizeToSameHost: config.DEFAULT.allow_resize_to_same_host,
    maxPlacementResults: boundOf(config),
    verifySample: scheduler.verify_sample,
    candidatesPerHost: scheduler.candidates_per_host,
    hostSubsetSize: filterScheduler.host_subset_size,
    shuffleBestSameWeighedHosts: filterScheduler.shuffle_best_same_weighed_hosts,
    defaultAvailabilityZone: config.DEFAULT.default_availability_zone,
    defaultScheduleZone: config.DEFAULT.default_schedule_zone,
    novaCompat: scheduler.nova_compat,
    computeRelease: scheduler.compute_release,
    disableFallbackPcpuQuery: config.workarounds.disable_fallback_pcpu_query,
    packsNumaCells: config.compute.packing_host_numa_cells_allocation_strategy,
    pciAliases: parsePciAliases(config.pci.alias, { inPlacement: filterScheduler.pci_in_placement }),
    pciInPlacement: filterScheduler.pci_in_placement,
    values: config.values,
  });
}
