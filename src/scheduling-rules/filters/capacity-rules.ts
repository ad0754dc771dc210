// Rules of the legacy capacity filters: whether the flavor fits on the host with this ratio. Placement manages
// capacity; these filters exist for configurations that still enable them.

import type { RejectionParams } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { HostState } from '../host-state/host-state';
import type { Pass } from '../pipeline/verdict';
import type { Flavor } from '../request-spec/request-spec';

/** Warning at the start if one of them is enabled. */
export const LEGACY_CAPACITY_WARNING =
  'duplicates what placement decides, or contradicts it; leave it out once the old configuration is not needed any more';

/** Metadata of host aggregates with a ratio, and the only filter that reads it: Placement has ratios of its own. */
export const RATIO_KEYS = [
  { key: 'cpu_allocation_ratio', filter: 'AggregateCoreFilter', resourceClass: 'VCPU' },
  { key: 'ram_allocation_ratio', filter: 'AggregateRamFilter', resourceClass: 'MEMORY_MB' },
  { key: 'disk_allocation_ratio', filter: 'AggregateDiskFilter', resourceClass: 'DISK_GB' },
] as const;

export const CPU_REJECTIONS = {
  larger_than_host: 'the flavor has {wanted} vCPUs; the host has {total}',
  not_enough_vcpus: 'the flavor has {wanted} vCPUs; of {total} × {ratio} the host uses {used}',
} as const;
export const RAM_REJECTIONS = {
  larger_than_host: 'the flavor has {wanted} MiB of memory; the host has {total}',
  not_enough_ram: 'the flavor has {wanted} MiB of memory; of {total} × {ratio} the host uses {used}',
} as const;
export const DISK_REJECTIONS = {
  larger_than_host: 'the flavor has {wanted} MiB of disk; the host has {total}',
  not_enough_disk: 'the flavor has {wanted} MiB of disk; of {total} × {ratio} the host uses {used}',
} as const;

type Outcome<Code extends string> =
  | { readonly passed: true; readonly pass: Omit<Pass, 'passed'> }
  | { readonly passed: false; readonly code: Code; readonly params: RejectionParams };

/** `no_vcpus_total` is the note for a host that reports no vCPUs; as in nova, it passes. */
export const NO_VCPUS_NOTE = { no_vcpus_total: 'passed because the host reports no vCPUs' } as const;

/** vCPUs within the ratio. One instance cannot have more than the host itself, unless the limit is 0 or less. */
export function fitVcpus(
  host: HostState,
  { vcpus: requestedVcpus }: Flavor,
  ratio: number,
): Outcome<keyof typeof CPU_REJECTIONS> {
  const { vcpusTotal: total, vcpusUsed: used } = host;
  if (total <= 0) return { passed: true, pass: { note: { code: 'no_vcpus_total', params: {} } } };
  const limit = total * ratio;
  const params = { wanted: requestedVcpus, total, ratio, used };
  if (limit > 0 && requestedVcpus > total) return { passed: false, code: 'larger_than_host', params };
  if (limit - used < requestedVcpus) return { passed: false, code: 'not_enough_vcpus', params };
  return { passed: true, pass: { limits: { vcpu: limit } } };
}

/** Memory within the ratio, at most that of the host. */
export function fitRam(
  host: HostState,
  { memoryMb: requestedMb }: Flavor,
  ratio: number,
): Outcome<keyof typeof RAM_REJECTIONS> {
  const total = host.totalUsableRamMb;
  const used = total - host.freeRamMb;
  const params = { wanted: requestedMb, total, ratio, used };
  if (total < requestedMb) return { passed: false, code: 'larger_than_host', params };
  if (total * ratio - used < requestedMb) return { passed: false, code: 'not_enough_ram', params };
  return { passed: true, pass: { limits: { memoryMb: total * ratio } } };
}

/** Root, ephemeral and swap in MiB, even for instances that boot from a volume. */
export const diskMbOf = ({ rootGb, ephemeralGb, swapMb }: Flavor): number =>
  MIB_PER_GIB * (rootGb + ephemeralGb) + swapMb;

/** Disk within the ratio, at most that of the host. */
export function fitDisk(host: HostState, flavor: Flavor, ratio: number): Outcome<keyof typeof DISK_REJECTIONS> {
  const requestedMb = diskMbOf(flavor);
  const total = host.totalUsableDiskGb * MIB_PER_GIB;
  const used = total - host.freeDiskMb;
  const params = { wanted: requestedMb, total, ratio, used };
  if (total < requestedMb) return { passed: false, code: 'larger_than_host', params };
  if (total * ratio - used < requestedMb) return { passed: false, code: 'not_enough_disk', params };
  return { passed: true, pass: { limits: { diskGb: (total * ratio) / 1024 } } };
}
