// Options of the registries.

import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean, number } from '../platform/values/options';
import type { RULES_OPTIONS } from '../scheduling-rules/options';

const fixedRatio = (resourceClass: string) =>
  number(0, `Ratio of a reporting host’s ${resourceClass} inventory if its report names none; 0: not set.`, { min: 0 });

const initialRatio = (ratio: number, resourceClass: string) =>
  number(ratio, `Ratio of a reporting host’s new ${resourceClass} inventory if nothing else names one.`, { min: 0 });

export const REGISTRY_OPTIONS = {
  DEFAULT: {
    cpu_allocation_ratio: fixedRatio('VCPU'),
    ram_allocation_ratio: fixedRatio('MEMORY_MB'),
    disk_allocation_ratio: fixedRatio('DISK_GB'),
    initial_cpu_allocation_ratio: initialRatio(4, 'VCPU'),
    initial_ram_allocation_ratio: initialRatio(1, 'MEMORY_MB'),
    initial_disk_allocation_ratio: initialRatio(1, 'DISK_GB'),
  },
  berth: {
    hosts_from_inventory: boolean(
      true,
      'The scheduler treats a root provider without a host report as a host with its inventories.',
    ),
  },
} as const;

export type ComputeConfig = PlatformConfig & GroupValues<typeof RULES_OPTIONS & typeof REGISTRY_OPTIONS>;
