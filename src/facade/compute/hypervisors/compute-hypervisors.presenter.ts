import { serviceStateOf } from '../../../compute/services/service-liveness';
import { MIB_PER_GIB } from '../../../domain/inventory';
import { blankHostState } from '../../../scheduling/host-state/host-state';
import type { HostState } from '../../../scheduling/host-state/host-state';
import type { ComputeVersion } from '../../compute-version';
import { idOf, serviceUuidOf } from '../compute-ids';

/** What the scheduler puts on a host without a hypervisor's own word for it. */
const UNKNOWN_TYPE = 'fake';

interface View {
  readonly api: ComputeVersion;
  readonly nowMs: number;
  readonly downSeconds: number;
  /** Names of servers by uuid; undefined: they were not asked for. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** Of a host that nobody reported nothing is known, so it counts as up. */
function statusOf({ service }: HostState, { nowMs, downSeconds }: View): { status: string; state: string } {
  if (service === null) return { status: 'enabled', state: 'up' };
  return {
    status: service.disabled ? 'disabled' : 'enabled',
    state: serviceStateOf(service, nowMs, downSeconds),
  };
}

export const presentHypervisorName = (host: HostState, view: View): object => ({
  id: idOf(host.uuid, view.api.has('uuidsOfHosts')),
  hypervisor_hostname: host.node,
  ...statusOf(host, view),
  ...(view.names !== undefined && { servers: presentServers(host, view.names) }),
});

const presentServers = (host: HostState, names: ReadonlyMap<string, string>): readonly object[] =>
  [...host.instances.keys()].map((uuid) => ({ uuid, name: names.get(uuid) ?? uuid }));

export const presentHypervisor = (host: HostState, view: View): object => ({
  ...presentHypervisorName(host, view),
  host_ip: host.hostIp,
  hypervisor_type: host.hypervisorType ?? UNKNOWN_TYPE,
  hypervisor_version: host.hypervisorVersion ?? 0,
  service: {
    id: idOf(serviceUuidOf(host.host), view.api.has('uuidsOfHosts')),
    host: host.host,
    disabled_reason: host.service?.disabledReason ?? null,
  },
  ...(view.api.has('leanHypervisors') ? { uptime: null } : presentAmounts(host, view.api)),
});

const presentAmounts = (host: HostState, api: ComputeVersion): object => ({
  ...amountsOf(host),
  disk_available_least: null,
  cpu_info: cpuInfoOf(host, api),
});

/** Text in old versions, an object since; `{}` where nothing is known. */
function cpuInfoOf({ cpuInfo }: HostState, api: ComputeVersion): unknown {
  const text = typeof cpuInfo === 'string' ? cpuInfo : JSON.stringify(cpuInfo ?? {});
  if (!api.has('cpuInfoObject')) return cpuInfo === null ? '' : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

type Amounts = Readonly<
  Record<
    | 'vcpus'
    | 'vcpus_used'
    | 'memory_mb'
    | 'memory_mb_used'
    | 'free_ram_mb'
    | 'local_gb'
    | 'local_gb_used'
    | 'free_disk_gb'
    | 'running_vms'
    | 'current_workload',
    number
  >
>;

function amountsOf(host: HostState): Amounts {
  const freeDiskGb = Math.floor(host.freeDiskMb / MIB_PER_GIB);
  return {
    vcpus: host.vcpusTotal,
    vcpus_used: host.vcpusUsed,
    memory_mb: host.totalUsableRamMb,
    memory_mb_used: host.totalUsableRamMb - host.freeRamMb,
    free_ram_mb: host.freeRamMb,
    local_gb: host.totalUsableDiskGb,
    local_gb_used: host.totalUsableDiskGb - freeDiskGb,
    free_disk_gb: freeDiskGb,
    running_vms: host.numInstances,
    current_workload: host.numIoOps,
  };
}

const NO_HOST = blankHostState({ host: '', node: '', uuid: '' });

function sumOf(hosts: readonly HostState[]): Amounts {
  const sums: Record<keyof Amounts, number> = amountsOf(NO_HOST);
  for (const host of hosts) {
    const amounts = amountsOf(host);
    for (const name of Object.keys(amounts) as (keyof Amounts)[]) sums[name] += amounts[name];
  }
  return sums;
}

/** The sums over all hosts, as old versions show them. */
export const presentStatistics = (hosts: readonly HostState[]): object => ({
  count: hosts.length,
  disk_available_least: 0,
  ...sumOf(hosts),
});

/** What the nodes of a host have together, and what of it is used, as old versions show it. */
export function presentComputeHost(host: string, nodes: readonly HostState[]): readonly object[] {
  const sum = sumOf(nodes);
  const rows = [
    { project: '(total)', cpu: sum.vcpus, memory_mb: sum.memory_mb, disk_gb: sum.local_gb },
    { project: '(used_now)', cpu: sum.vcpus_used, memory_mb: sum.memory_mb_used, disk_gb: sum.local_gb_used },
  ];
  return rows.map((row) => ({ resource: { host, ...row } }));
}
