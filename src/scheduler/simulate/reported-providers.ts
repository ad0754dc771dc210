// The root providers of a described cloud without providers: each host has the inventory that its report would give it.
import type { ConfiguredRatios } from '../../compute/hosts/host-inventories';
import { hostInventoriesOf } from '../../compute/hosts/host-inventories';
import type { Provider } from '../../placement/candidate-search';
import { MAX_INT } from '../../placement/domain/inventory';
import type { RecordBody } from '../../placement/inventories/inventories.schema';
import { recordBodyOf } from '../../placement/inventories/inventories.schema';
import { addTo } from '../../platform/values/lists-by-key';
import { shownList } from '../../scheduling-rules/filters/shown-params';
import { freeDiskGbOf } from '../../scheduling-rules/host-state/build-host-state';
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';
import type { DescribedPlace } from './described-cloud';
import type { SimulatedProviderDto } from './simulation.schema';

interface ReportedProvider {
  readonly host: string;
  readonly provider: SimulatedProviderDto;
  /** What cannot be judged, by class. */
  readonly gaps: readonly { readonly name: string; readonly text: string }[];
}

/** By class: the fields of a report with its size and its use, and the amount that is used or reserved. */
const CLASSES: Readonly<
  Record<
    string,
    { readonly size: string; readonly use: string; readonly takenOf: (report: HostReport) => number | null }
  >
> = {
  VCPU: {
    size: 'vcpus_total',
    use: 'vcpus_used',
    takenOf: (report) =>
      report.vcpusUsed === null ? null : report.vcpusUsed - pinnedOf(report) + (report.reservedHostCpus ?? 0),
  },
  PCPU: { size: 'numa_topology', use: 'numa_topology', takenOf: pinnedOf },
  MEMORY_MB: { size: 'memory_mb', use: 'free_ram_mb', takenOf: (report) => taken(report.memoryMb, report.freeRamMb) },
  DISK_GB: { size: 'local_gb', use: 'free_disk_gb', takenOf: (report) => taken(report.localGb, freeDiskGbOf(report)) },
};

const taken = (total: number | null, free: number | null): number | null =>
  free === null ? null : (total ?? 0) - free;

function pinnedOf({ numaTopology }: HostReport): number {
  return numaTopology?.cells.reduce((sum, { pinnedCpus }) => sum + pinnedCpus.length, 0) ?? 0;
}

/** A class whose size the report omits is unlimited, except dedicated CPUs. */
export function reportedProvider(place: DescribedPlace, ratios: ConfiguredRatios): ReportedProvider {
  const { host, uuid, node, report } = place;
  const { records, removed } = hostInventoriesOf(report, ratios);
  const inventories: Record<string, RecordBody> = {};
  const used: Record<string, number> = {};
  const gaps: ReportedProvider['gaps'][number][] = [];
  for (const [name, { size, use, takenOf }] of Object.entries(CLASSES)) {
    const record = records.get(name)?.(undefined);
    if (record !== undefined) {
      const amount = takenOf(report);
      inventories[name] = recordBodyOf(record);
      used[name] = Math.max(0, (amount ?? 0) - record.reserved);
      if (amount === null) gaps.push({ name, text: `All ${name} counts as free on hosts that report no ${use}` });
    } else if (name !== 'PCPU' && !removed.includes(name)) {
      inventories[name] = { total: MAX_INT };
      gaps.push({ name, text: `${name} is not judged on hosts that report no ${size}` });
    }
  }
  return { host, provider: { uuid, name: node, inventories, used }, gaps };
}

/** Without the unlimited inventories: filters and weighers see a host whose size is not known. */
export const withSizes = (provider: Provider): Provider => ({
  ...provider,
  inventories: provider.inventories.filter(({ total }) => total < MAX_INT),
});

/** What a decision on these providers does not judge, for the requested classes. */
export function unjudgedWarnings(
  hosts: readonly ReportedProvider[],
  requested: ReadonlySet<string>,
): readonly string[] {
  const found = new Map<string, string[]>();
  for (const { host, gaps } of hosts)
    for (const { name, text } of gaps) if (requested.has(name)) addTo(found, text, host);
  return [
    'Without `providers` each host has the inventory of its report, no traits and no other resource classes.',
    ...[...found].map(([text, names]) => `${text}: ${shownList(names).join(', ')}.`),
  ];
}
