// Options of the registries.

import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean, number } from '../platform/values/options';
import type { RULES_OPTIONS } from '../scheduling-rules/options';

const fixed = (resourceClass: string): string =>
  `Ratio of a reporting host’s ${resourceClass} inventory if its report names none; 0: not set.`;
const initial = (resourceClass: string): string =>
  `Ratio of a reporting host’s new ${resourceClass} inventory if nothing else names one.`;

export const REGISTRY_OPTIONS = {
  DEFAULT: {
    cpu_allocation_ratio: number(0, fixed('VCPU'), { min: 0 }),
    ram_allocation_ratio: number(0, fixed('MEMORY_MB'), { min: 0 }),
    disk_allocation_ratio: number(0, fixed('DISK_GB'), { min: 0 }),
    initial_cpu_allocation_ratio: number(4, initial('VCPU'), { min: 0 }),
    initial_ram_allocation_ratio: number(1, initial('MEMORY_MB'), { min: 0 }),
    initial_disk_allocation_ratio: number(1, initial('DISK_GB'), { min: 0 }),
  },
  berth: {
    hosts_from_inventory: boolean(
      true,
      'The scheduler treats a root provider that no host ever reported as a host with its inventories.',
    ),
  },
} as const;

export type ComputeConfig = PlatformConfig & GroupValues<typeof RULES_OPTIONS & typeof REGISTRY_OPTIONS>;
