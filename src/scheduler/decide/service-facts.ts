// Facts of the compute services about hosts: which of them ComputeFilter rejects now, and why hosts are disabled.

import type { JudgedHost } from '../../placement/candidate-search';
import { computeFilter } from '../../scheduling-rules/filters/compute.filter';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { BoundFilter } from '../../scheduling-rules/pipeline/bind';
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
  constructor(
    private readonly hosts: Pick<HostSource, 'serviceOf'>,
    private readonly nowMs: number,
  ) {}

  /** A disabled host with the reason and the time, if its service has them. Placement itself knows a trait. */
  withReasons(host: JudgedHost): JudgedHost {
    if (!host.failures.some(({ condition }) => condition.kind === 'enabled')) return host;
    const service = this.hosts.serviceOf(host.root);
    if (service?.disabled !== true) return host;
    const { disabledReason, updatedAtMs } = service;
    const params = {
      disabled_reason: disabledReason ?? 'no reason given',
      disabled_since: updatedAtMs === undefined || updatedAtMs === null ? null : this.timeText(updatedAtMs),
    };
    const failures = host.failures.map((failure) =>
      failure.condition.kind === 'enabled' ? { ...failure, params: { ...failure.params, ...params } } : failure,
    );
    return { ...host, failures };
  }

  /** The time alone on the day of the decision. */
  private timeText(ms: number): string {
    const [at, now] = [ms, this.nowMs].map((each) => new Date(each).toISOString());
    const [date = '', time = ''] = (at ?? '').split('T');
    return `${now?.startsWith(date) === true ? '' : `${date} `}${time.slice(0, 5)}Z`;
  }
}
