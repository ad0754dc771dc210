// Presents hosts to operators: the last report and the state of the service.
import type { RegistriesConfig } from '../registries.config';
import { presentTime } from '../registry-page';
import { presentServiceState } from '../services/services.presenter';
import type { Host } from './hosts.repository';

/** Large fields that a list omits. */
const LEFT_OUT_OF_LISTS = ['numa_topology', 'pci_device_pools', 'instances', 'metrics', 'stats', 'supported_instances'];

export function presentHost(
  host: Host,
  config: RegistriesConfig,
  nowMs: number,
  how: { readonly isLong: boolean },
): object {
  const report = Object.entries(host.report).filter(([name]) => how.isLong || !LEFT_OUT_OF_LISTS.includes(name));
  return {
    host: host.host,
    node: host.node,
    ...Object.fromEntries(report),
    uuid: host.uuid,
    cell: host.report.cell ?? null,
    service_version: host.report.service_version ?? 0,
    ...presentServiceState(host.service, nowMs, config.serviceDownSeconds),
    reported_at: presentTime(host.reportedAtMs),
    generation: host.generation,
    created_at: presentTime(host.createdAtMs),
    updated_at: presentTime(host.updatedAtMs),
  };
}
