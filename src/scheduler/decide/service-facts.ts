// Facts of the compute services about hosts that Placement rejected: disabled hosts with reason and time, and hosts
// that are down. Placement itself knows a trait at most. Pure.

import type { Rejection } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { computeFilter, downVerdict, serviceDownTimeInForce } from '../../scheduling-rules/filters/compute.filter';
import type { BoundFilter } from '../../scheduling-rules/pipeline/bind';
import type { HostFailure } from '../../scheduling-rules/pipeline/condition-counts';
import { renderFilterRejection } from '../../scheduling-rules/pipeline/verdict';
import type { HostSource } from '../ports';

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
