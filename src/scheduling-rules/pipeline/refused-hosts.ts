// The table of a decision: the hosts that Placement judged, with the filters that each of them fails, or after some instances
// of a batch with what is recorded of them.

import type { Condition, ConditionKind, Failure, JudgedHost } from '../../placement/candidate-search';
import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import type { HostState } from '../host-state/host-state';
import type { PassRecord } from './decision';
import type { HostRejection, StageRecord } from './run-filters';
import { countByCode } from './run-filters';

/** The code under which a host that Placement rejected is counted. */
export const placementCode = ({ failures }: JudgedHost): { readonly code: string } => ({
  code: failures[0]?.code ?? 'unknown',
});

/** Conditions that filters check, each once. */
class FilterConditions {
  private readonly known = new Map<string, Condition>();

  /** `judged`: a filter can check a condition that Placement has as well. */
  constructor(judged: readonly JudgedHost[]) {
    for (const { failures } of judged) {
      for (const { condition } of failures) {
        if (condition.kind === 'enabled') this.known.set('enabled enabled', condition);
      }
    }
  }

  failure(filter: string, { code, params, message }: Pick<HostRejection, 'code' | 'params' | 'message'>): Failure {
    const { kind, name, what } = conditionOf(filter, code, params);
    const reason = kind === 'enabled' ? { disabled_reason: params['reason'] ?? null } : {};
    return {
      condition: this.condition(kind, name, what),
      code,
      params: { ...params, ...reason },
      message,
      isNever: false,
    };
  }

  condition(kind: ConditionKind, name: string, what?: string): Condition {
    const key = `${kind} ${name}`;
    let condition = this.known.get(key);
    if (condition === undefined) {
      condition = { kind, names: [name], amount: null, groups: [], parts: [], ...(what !== undefined && { what }) };
      this.known.set(key, condition);
    }
    return condition;
  }
}

interface Named {
  readonly kind: ConditionKind;
  readonly name: string;
  readonly what?: string;
}

/** Filters that check something with a name of its own. */
function conditionOf(filter: string, code: string, params: HostRejection['params']): Named {
  const param = (key: string): string => String(params[key]);
  switch (filter) {
    case 'preselection':
    case 'RetryFilter':
      return { kind: 'host', name: code };
    case 'ComputeFilter':
      return code === 'service_disabled' ? { kind: 'enabled', name: 'enabled' } : { kind: 'service_up', name: filter };
    case 'AvailabilityZoneFilter':
      return { kind: 'aggregate', name: param('wanted'), what: `zone ${param('wanted')}` };
    case 'AggregateMultiTenancyIsolation':
      return { kind: 'aggregate', name: param('wanted'), what: `host aggregates of project ${param('wanted')}` };
    case 'ServerGroupAntiAffinityFilter':
      return { kind: 'group_policy', name: param('group'), what: `anti-affinity group ${param('group')}` };
    case 'ServerGroupAffinityFilter':
      return { kind: 'group_policy', name: 'affinity', what: 'the affinity group' };
    default:
      return { kind: 'filter', name: filter };
  }
}

type Judgement = Pick<StageRecord, 'name' | 'rejected' | 'alsoRejects'>;

interface Judged {
  /** Every host that Placement judged; empty if it gives no reasons. */
  readonly judged: readonly JudgedHost[];
  /** The hosts that the filters judged. */
  readonly states: readonly HostState[];
}

/** Hosts that fail something. `stages`: every filter judged every host. */
export function* refusedHosts({ judged, states }: Judged, stages: readonly Judgement[]): Task<readonly JudgedHost[]> {
  const conditions = new FilterConditions(judged);
  const byHost = new Map<string, Failure[]>();
  for (const { name, rejected, alsoRejects } of stages) {
    yield* forEachInSteps([...rejected, ...alsoRejects], (rejection) => {
      const key = keyOf(rejection);
      const failure = conditions.failure(name, rejection);
      const known = byHost.get(key);
      if (known === undefined) byHost.set(key, [failure]);
      else known.push(failure);
    });
  }
  const ofPlacement = new Map(judged.map((host) => [host.root.uuid, host]));
  const hosts: JudgedHost[] = [];
  yield* forEachInSteps(states, (state) => {
    const host = ofPlacement.get(state.uuid);
    const own = host?.failures ?? [];
    const known = new Set(own.map(({ condition }) => condition));
    const further = byHost.get(keyOf(state)) ?? [];
    byHost.delete(keyOf(state));
    const failures = [...own, ...further.filter(({ condition }) => !known.has(condition))];
    if (failures.length === 0) return;
    const isNear = failures.length === 1 && (own.length === 0 || host?.isNear === true);
    hosts.push({ root: host?.root ?? rootOf(state), failures, isNear });
  });
  // Roots that Placement returned and that are no hosts.
  for (const [key, failures] of byHost) {
    const [name = ''] = key.split('\n');
    hosts.push({ root: { id: 0, uuid: '', name }, failures, isNear: false });
  }
  return hosts;
}

/** The hosts of a batch: rejected for one of the instances, or tried for the last one. */
export function* triedHosts(
  { judged, states }: Judged,
  passes: readonly PassRecord[],
  isClaimLost: boolean,
): Task<readonly JudgedHost[]> {
  const conditions = new FilterConditions(judged);
  const uuids = new Map(states.map((state) => [keyOf(state), state.uuid]));
  const hosts = judged.filter(({ failures }) => failures.length > 0).map((host) => ({ ...host, isNear: false }));
  const add = (host: Pick<HostState, 'host' | 'node'>, failure: Failure): void => {
    hosts.push({
      root: { id: 0, uuid: uuids.get(keyOf(host)) ?? '', name: host.host },
      failures: [failure],
      isNear: false,
    });
  };
  for (const { stages } of passes) {
    for (const { name, rejected } of stages) {
      yield* forEachInSteps(rejected, (rejection) => add(rejection, conditions.failure(name, rejection)));
    }
  }
  const last = passes.at(-1);
  if (last === undefined || last.selected !== null) return hosts;
  const outcome = isClaimLost ? mostFrequent(last) : 'taken';
  const claim: Failure = {
    condition: conditions.condition('claim', outcome),
    code: outcome,
    params: {},
    isNever: false,
  };
  for (const { state } of last.ranking) add(state, claim);
  const unnamed = (last.ranked ?? last.ranking.length) - last.ranking.length;
  for (let at = 0; at < unnamed; at += 1) add({ host: '', node: '' }, claim);
  return hosts;
}

function mostFrequent({ claims, claimCounts }: PassRecord): string {
  const counts = claimCounts ?? countByCode(claims.map(({ outcome }) => ({ code: outcome })));
  const [first] = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return first?.[0] ?? 'no_capacity';
}

const rootOf = ({ uuid, host }: HostState): JudgedHost['root'] => ({ id: 0, uuid, name: host });

const keyOf = ({ host, node }: { readonly host: string; readonly node: string }): string => `${host}\n${node}`;
