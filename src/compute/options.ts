// Options of the registries.

import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean, number } from '../platform/values/options';
import type { RULES_OPTIONS } from '../scheduling-rules/options';

export const REGISTRY_OPTIONS = {
  DEFAULT: {
    initial_cpu_allocation_ratio: number(4, 'Ratio of a reporting host’s VCPU inventory that names none.', { min: 0 }),
    initial_ram_allocation_ratio: number(1, 'Ratio of a reporting host’s MEMORY_MB inventory that names none.', {
      min: 0,
    }),
    initial_disk_allocation_ratio: number(1, 'Ratio of a reporting host’s DISK_GB inventory that names none.', {
      min: 0,
    }),
  },
  berth: {
    hosts_from_inventory: boolean(
      true,
      'The scheduler treats a root provider without a host report as a host with its inventories.',
    ),
  },
} as const;

export type ComputeConfig = PlatformConfig & GroupValues<typeof RULES_OPTIONS & typeof REGISTRY_OPTIONS>;
