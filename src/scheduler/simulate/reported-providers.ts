// The root providers of a described cloud without providers: each host has the inventory that its report would give it.
import type { ConfiguredRatios } from '../../compute/hosts/host-inventories';
import { hostInventoriesOf } from '../../compute/hosts/host-inventories';
import type { Provider } from '../../placement/candidate-search';
import { MAX_INT } from '../../placement/domain/inventory';
import type { RecordBody } from '../../placement/inventories/inventories.schema';
import { recordBodyOf } from '../../placement/inventories/inventories.schema';
import { shownList } from '../../scheduling-rules/filters/shown-params';
import { freeDiskGbOf } from '../../scheduling-rules/host-state/build-host-state';
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';
import type { DescribedPlace } from './described-cloud';
import type { SimulatedProviderDto } from './simulation.schema';

/** By class: the fields of a report with its size and its use. */
const FIELDS: Readonly<Record<string, { readonly size: string; readonly use: string }>> = {
  VCPU: { size: 'vcpus_total', use: 'vcpus_used' },
  MEMORY_MB: { size: 'memory_mb', use: 'free_ram_mb' },
  DISK_GB: { size: 'local_gb', use: 'free_disk_gb' },
};

interface ReportedProvider {
  readonly host: string;
  readonly provider: SimulatedProviderDto;
  /** Classes without a size in the report: they are unlimited. */
  readonly unsized: readonly string[];
  /** Classes with a size and without a use in the report: all of them is free. */
  readonly unused: readonly string[];
}

export function reportedProvider(
  { host, uuid, node, report }: DescribedPlace,
  ratios: ConfiguredRatios,
): ReportedProvider {
  const { records, removed } = hostInventoriesOf(report, ratios);
  const uses = usesOf(report);
  const unsized = Object.keys(FIELDS).filter((name) => !records.has(name) && !removed.includes(name));
  const inventories: Record<string, RecordBody> = {};
  const used: Record<string, number> = {};
  for (const [name, recordOf] of records) {
    const record = recordOf(undefined);
    inventories[name] = recordBodyOf(record);
    used[name] = Math.max(0, (uses[name] ?? 0) - record.reserved);
  }
  for (const name of unsized) inventories[name] = { total: MAX_INT };
  return {
    host,
    provider: { uuid, name: node, inventories, used },
    unsized,
    unused: [...records.keys()].filter((name) => uses[name] === null),
  };
}

/** Without the unlimited inventories: filters and weighers see a host whose size is not known. */
export const withSizes = (provider: Provider): Provider => ({
  ...provider,
  inventories: provider.inventories.filter(({ total }) => total < MAX_INT),
});

/** By class, the amounts that are used or reserved; null: the report does not say. */
function usesOf(report: HostReport): Readonly<Record<string, number | null>> {
  const { vcpusUsed, reservedHostCpus } = report;
  const pinned = report.numaTopology?.cells.reduce((sum, { pinnedCpus }) => sum + pinnedCpus.length, 0) ?? 0;
  const usedOf = (total: number | null, free: number | null): number | null =>
    free === null ? null : (total ?? 0) - free;
  return {
    VCPU: vcpusUsed === null ? null : vcpusUsed - pinned + (reservedHostCpus ?? 0),
    PCPU: pinned,
    MEMORY_MB: usedOf(report.memoryMb, report.freeRamMb),
    DISK_GB: usedOf(report.localGb, freeDiskGbOf(report)),
  };
}

/** What a decision on these providers does not judge, for the requested classes. */
export function unjudgedWarnings(
  hosts: readonly ReportedProvider[],
  requested: ReadonlySet<string>,
): readonly string[] {
  const named = (list: readonly ReportedProvider[]): string => shownList(list.map(({ host }) => host)).join(', ');
  const warnings = [
    'Without `providers` each host has the inventory of its report, no traits and no other resource classes.',
  ];
  for (const [name, { size, use }] of Object.entries(FIELDS)) {
    if (!requested.has(name)) continue;
    const [unsized, unused] = [
      hosts.filter((each) => each.unsized.includes(name)),
      hosts.filter((each) => each.unused.includes(name)),
    ];
    if (unsized.length > 0) warnings.push(`${name} is not judged on hosts that report no ${size}: ${named(unsized)}.`);
    if (unused.length > 0)
      warnings.push(`All ${name} counts as free on hosts that report no ${use}: ${named(unused)}.`);
  }
  return warnings;
}
