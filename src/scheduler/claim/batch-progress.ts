// The state of a batch between two instances: the current hosts, the request of the next instance, and the hosts chosen so
// far. It is updated in place, because a batch can have thousands of instances. A failed plan is undone with a mark.

import type { Random } from '../../platform/values/random';
import { AppendOnlySet } from '../../scheduling-rules/host-state/append-only';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { UnknownHost } from '../../scheduling-rules/host-state/states-of-candidates';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { InstanceGroup, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { Plan } from './host-claimer';
import type { Placed } from './placement';

/** The host of one instance, and its weight for that instance. */
export interface Chosen {
  readonly plan: Plan;
  readonly weight: number;
  /** Null: they are determined after all instances of the batch. */
  readonly alternates: readonly Placed[] | null;
}

interface Advance extends Chosen {
  /** The request of the instance that was placed. */
  readonly spec: RequestSpec;
  /** Hosts that passed for it, best first. */
  readonly order: readonly HostWeight[];
  /** Its host after it was charged. */
  readonly charged: HostState;
  /** The topology request of the next instance. */
  readonly numaTopology: RequestSpec['numaTopology'];
}

interface Now {
  /** Hosts that passed for the last instance, in its order, as they are now. */
  readonly hosts: readonly HostState[];
  readonly order: readonly HostWeight[];
  readonly spec: RequestSpec;
}

interface ProgressMark {
  readonly now: Now;
  readonly chosen: number;
}

interface BatchStart {
  readonly hosts: readonly HostState[];
  readonly spec: RequestSpec;
  readonly unknown: readonly UnknownHost[];
}

export class BatchProgress {
  readonly unknown: readonly UnknownHost[];
  private now: Now;
  private readonly done: Chosen[] = [];
  private readonly taken = new Map<string, number>();

  constructor(
    { hosts, spec, unknown }: BatchStart,
    readonly random: Random,
  ) {
    this.now = { hosts, order: [], spec };
    this.unknown = unknown;
  }

  get hosts(): readonly HostState[] {
    return this.now.hosts;
  }

  get order(): readonly HostWeight[] {
    return this.now.order;
  }

  /** In the order of the instances; the instances without a host are the last ones. */
  get chosen(): readonly Chosen[] {
    return this.done;
  }

  /** Uuids of the chosen hosts, and the number of instances of the batch on each. */
  get takenHosts(): ReadonlyMap<string, number> {
    return this.taken;
  }

  /** The request for one instance: the group includes the members placed so far. */
  specOf(index: number): RequestSpec {
    const { spec } = this.now;
    return { ...spec, instanceUuid: spec.instanceUuids[index] ?? '' };
  }

  advance({ spec, plan, weight, alternates, order, charged, numaTopology }: Advance): void {
    const { instanceGroup: group, instanceUuid } = spec;
    this.now = {
      hosts: order.map(({ state }) => (state === plan.state ? charged : state)),
      order,
      spec: { ...spec, instanceGroup: group && joined(group, instanceUuid, plan.state.host), numaTopology },
    };
    this.done.push({ plan, weight, alternates });
    this.taken.set(plan.state.uuid, (this.taken.get(plan.state.uuid) ?? 0) + 1);
  }

  mark(): ProgressMark {
    return { now: this.now, chosen: this.done.length };
  }

  /** Undoes everything since the mark. */
  reset({ now, chosen }: ProgressMark): void {
    this.now = now;
    for (const { plan } of this.done.splice(chosen)) {
      const left = (this.taken.get(plan.state.uuid) ?? 1) - 1;
      if (left === 0) this.taken.delete(plan.state.uuid);
      else this.taken.set(plan.state.uuid, left);
    }
  }
}

const joined = (group: InstanceGroup, member: string, host: string): InstanceGroup => ({
  ...group,
  members: AppendOnlySet.of(group.members).with(member),
  hosts: AppendOnlySet.of(group.hosts).with(host),
});
