import { serviceStateOf } from '../../../compute/services/service-liveness';
import { MIB_PER_GIB } from '../../../placement/domain/inventory';
import type { HostState } from '../../../scheduling-rules/host-state/host-state';
import { blankHostState } from '../../../scheduling-rules/host-state/host-state';
import type { ComputeVersion } from '../../compute-version';
import { idOf, serviceUuidOf } from '../compute-ids';

/** Hypervisor type of a host that has not reported one. */
const UNKNOWN_TYPE = 'fake';

interface View {
  readonly api: ComputeVersion;
  readonly nowMs: number;
  readonly downSeconds: number;
  /** Names of servers by uuid; undefined if the client did not request them. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** A host that never sent a report has no service and counts as up. */
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

/** Text in old versions, an object in newer ones; `{}` if it is unknown. */
function cpuInfoOf({ cpuInfo }: HostState, api: ComputeVersion): unknown {
  const text = typeof cpuInfo === 'string' ? cpuInfo : JSON.stringify(cpuInfo ?? {});
  if (!api.has('cpuInfoObject')) return cpuInfo === null ? '' : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

function amountsOf(host: HostState): Record<string, number> {
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

/** Sums over all hosts, for old versions. */
export function presentStatistics(hosts: readonly HostState[]): object {
  const sums = amountsOf(blankHostState({ host: '', node: '', uuid: '' }));
  for (const amounts of hosts.map(amountsOf)) {
    for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount;
  }
  return { count: hosts.length, disk_available_least: 0, ...sums };
}
