// Facts of the compute services about hosts that Placement rejected: disabled hosts with reason and time, and hosts
// that are down. Placement itself knows a trait at most.

import type { Rejection } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { computeFilter, downVerdict, serviceDownTimeInForce } from '../../scheduling-rules/filters/compute.filter';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { BoundFilter } from '../../scheduling-rules/pipeline/bind';
import type { HostFailure } from '../../scheduling-rules/pipeline/condition-counts';
import type { FilterEnvironment } from '../../scheduling-rules/pipeline/define-filter';
import { filterContext } from '../../scheduling-rules/pipeline/define-filter';
import { skipsFilters } from '../../scheduling-rules/pipeline/preselect';
import { renderFilterRejection } from '../../scheduling-rules/pipeline/verdict';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { HostSource } from '../ports';

interface StoppedContext {
  readonly source: Pick<HostSource, 'servicesNow'>;
  readonly filters: readonly BoundFilter[];
  readonly env: FilterEnvironment;
}

/**
 * Those of the hosts, by uuid and with the reason, that ComputeFilter rejects by their services as stored now. Empty, and
 * without a read, if the filter does not apply or the states are as new.
 */
export async function stoppedHosts(
  hosts: readonly HostState[],
  spec: RequestSpec,
  { source, filters, env }: StoppedContext,
): Promise<ReadonlyMap<string, string>> {
  const stopped = new Map<string, string>();
  const filter = filters.find(({ part }) => part.name === computeFilter.name);
  if (filter === undefined || skipsFilters(spec)) return stopped;
  const services = await source.servicesNow?.(hosts.map(({ host }) => host));
  if (!services) return stopped;
  const { part, values } = filter;
  const context = filterContext(part, values, env);
  for (const state of hosts) {
    const service = services.get(state.host);
    if (service === undefined) continue;
    if ('problem' in service) {
      stopped.set(state.uuid, service.problem);
      continue;
    }
    const verdict = part.check({ ...state, service }, spec, context);
    if (!verdict.passed) stopped.set(state.uuid, renderFilterRejection(part.rejections, verdict));
  }
  return stopped;
}

export class ServiceFacts {
  /** Seconds after its last report until a service counts as down; null: ComputeFilter is not enabled. */
  private readonly downSeconds: number | null;

  constructor(
    private readonly hosts: Pick<HostSource, 'serviceOf'>,
    filters: readonly BoundFilter[],
    private readonly nowMs: number,
  ) {
    const values = filters.find(({ part }) => part.name === computeFilter.name)?.values;
    this.downSeconds =
      values === undefined
        ? null
        : serviceDownTimeInForce(Number(values['service_down_time']), Number(values['report_interval']));
  }

  /** A rejection for the trait of disabled hosts gets the reason and the time, if the service of the host has them. */
  withReason(rejection: Rejection): Rejection {
    const { stage, code, params, root } = rejection;
    if (stage !== 'root' || code !== 'forbidden_trait' || params['trait'] !== DISABLED_TRAIT) return rejection;
    const service = this.hosts.serviceOf(root);
    if (service?.disabled !== true) return rejection;
    const since =
      service.updatedAtMs === undefined || service.updatedAtMs === null ? null : new Date(service.updatedAtMs);
    const reason = service.disabledReason ?? 'no reason given';
    const facts = { disabled_reason: reason, disabled_since: since && `${since.toISOString().slice(0, 19)}Z` };
    return { ...rejection, params: { ...params, ...facts } };
  }

  /** A host whose service is down fails ComputeFilter. One that never reported is judged by its switches alone. */
  failuresOf(root: Rejection['root']): readonly HostFailure[] {
    const service = this.downSeconds === null ? null : this.hosts.serviceOf(root);
    if (service === null || this.downSeconds === null) return [];
    if (service.lastSeenUpMs === null && !service.forcedDown) return [];
    const verdict = downVerdict(service, { nowMs: this.nowMs, limit: this.downSeconds });
    if (verdict === null) return [];
    const message = renderFilterRejection(computeFilter.rejections, verdict);
    return [{ filter: computeFilter.name, rejection: { host: root.name, node: root.name, ...verdict, message } }];
  }
}
