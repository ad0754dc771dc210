// Presents how many more instances fit: in total, by zone, by host, and why the other hosts are blocked.
import { failuresText } from '../../placement/candidate-search';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { byText } from '../../platform/values/text-order';
import { zoneOf } from '../../scheduling-rules/host-state/host-state';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import { placementCode } from '../../scheduling-rules/pipeline/refused-hosts';
import { presentDecision } from '../decisions/decision.presenter';
import type { ExplainLevel } from '../request/request.schema';
import type { SelectionsContext } from '../scheduler.presenter';
import type { CountedDecision } from '../scheduler.service';
import type { HostCount, InstanceCount } from './count-instances';

/** Maximum of hosts in the list; totals stay exact. */
const CAPACITY_HOSTS_SHOWN = 10_000;

interface CapacityView extends SelectionsContext {
  readonly level: ExplainLevel;
  readonly maxInstances: number;
}

interface Blocked {
  readonly host: string;
  readonly node: string;
  readonly stage: string;
  readonly code: string;
  readonly params: object;
  /** Rendered only for the hosts that are shown. */
  readonly message: () => string;
}

/** A total is null if counting was impossible: the request was refused, or a service was unavailable. */
export function presentCapacity({ decision, refusal, count }: CountedDecision, view: CapacityView): object {
  const isCounted = decision.outcome === 'placed' || decision.outcome === 'no_valid_host';
  const fitting = count.hosts.filter((host) => host.count > 0);
  const hosts = fitting.slice(0, CAPACITY_HOSTS_SHOWN);
  const { level } = view;
  const shown = level === 'none' ? {} : { decision: presentDecision(decision, { level }) };
  const blocked = presentBlocked(blockedIn(decision, count));
  return {
    request_id: decision.requestId,
    outcome: decision.outcome,
    ...(refusal !== null && { code: refusal.code, message: refusal.message }),
    total: isCounted ? count.total : null,
    at_least: count.cutBy !== null,
    ...(count.cutBy !== null && { cut_by: count.cutBy, hosts_not_counted: count.uncounted }),
    max_instances: view.maxInstances,
    zones: presentZones(fitting, view),
    hosts: hosts.map(({ state, count: instances }) => ({
      host: state.host,
      node: state.node,
      uuid: state.uuid,
      availability_zone: zoneOf(state, view.defaultAvailabilityZone),
      instances,
    })),
    hosts_truncated: hosts.length < fitting.length,
    blocked,
    ...shown,
  };
}

function presentZones(hosts: readonly HostCount[], { defaultAvailabilityZone }: CapacityView): readonly object[] {
  const zones = new Map<string, { hosts: number; instances: number }>();
  for (const { state, count } of hosts) {
    const name = zoneOf(state, defaultAvailabilityZone);
    const zone = zones.get(name) ?? { hosts: 0, instances: 0 };
    zones.set(name, { hosts: zone.hosts + 1, instances: zone.instances + count });
  }
  return [...zones]
    .sort(byText(([name]) => name))
    .map(([name, { hosts: among, instances }]) => ({ zone: name, hosts: among, instances }));
}

/** Law: every host that was checked has room, is blocked for one reason, or was not counted. */
function blockedIn({ placement, passes, wording }: Decision, { hosts }: InstanceCount): readonly Blocked[] {
  const byPlacement = (placement?.rejections ?? []).map((host): Blocked => {
    const { root, failures } = host;
    const message = (): string => failuresText(failures, wording);
    const params = failures[0]?.params ?? {};
    return { host: root.name, node: root.name, stage: 'placement', ...placementCode(host), params, message };
  });
  const byStages = (passes[0]?.stages ?? []).flatMap(({ name: stage, rejected }) =>
    rejected.map(({ host, node, code, params, message: text }): Blocked => ({
      host,
      node,
      stage,
      code,
      params,
      message: () => text,
    })),
  );
  const message = (): string => 'what would go here is placed on other hosts first, which leaves nothing for this one';
  const byOthers = hosts.flatMap(({ count, state: { host, node } }): readonly Blocked[] =>
    count > 0 ? [] : [{ host, node, stage: 'batch', code: 'others_first', params: {}, message }],
  );
  return [...byPlacement, ...byStages, ...byOthers];
}

function presentBlocked(blocked: readonly Blocked[]): object {
  const byCode: Record<string, number> = {};
  for (const { stage, code } of blocked) byCode[`${stage}.${code}`] = (byCode[`${stage}.${code}`] ?? 0) + 1;
  const shown = blocked.slice(0, SCHEDULER_LIMITS.rejectionsShown);
  return {
    count: blocked.length,
    by_code: byCode,
    hosts: shown.map(({ message, ...each }) => ({ ...each, message: message() })),
    truncated: shown.length < blocked.length,
  };
}
