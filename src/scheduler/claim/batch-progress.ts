// How far a batch has come: the hosts as they are now, the group with its new members, who got what. It is changed in
// place, as thousands of instances go through it, and can be set back to a mark where a plan came to nothing.

import { AppendOnlySet } from '../../scheduling-rules/host-state/append-only';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { InstanceGroup, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { Plan } from './host-claimer';

interface Chosen {
  readonly instanceUuid: string;
  readonly plan: Plan;
  readonly weight: number;
}

/** What one instance leaves to the next. */
interface Advance extends Chosen {
  /** Hosts that passed for it, best first. */
  readonly order: readonly HostWeight[];
  /** Its host with it on it. */
  readonly charged: HostState;
  /** What the next one asks of cells. */
  readonly numaTopology: RequestSpec['numaTopology'];
}

interface Now {
  /** Hosts that passed last time, in their order, as they are now. */
  readonly hosts: readonly HostState[];
  readonly order: readonly HostWeight[];
  readonly group: InstanceGroup | null;
  readonly numaTopology: RequestSpec['numaTopology'];
}

interface ProgressMark {
  readonly now: Now;
  readonly chosen: number;
}

export class BatchProgress {
  private now: Now;
  private readonly done: Chosen[] = [];
  /** Uuids of the chosen hosts, and how many instances of the batch each got. */
  private readonly taken = new Map<string, number>();

  constructor(hosts: readonly HostState[], { instanceGroup: group, numaTopology }: RequestSpec) {
    this.now = { hosts, order: [], group, numaTopology };
  }

  get hosts(): readonly HostState[] {
    return this.now.hosts;
  }

  get order(): readonly HostWeight[] {
    return this.now.order;
  }

  get group(): InstanceGroup | null {
    return this.now.group;
  }

  get numaTopology(): RequestSpec['numaTopology'] {
    return this.now.numaTopology;
  }

  get chosen(): readonly Chosen[] {
    return this.done;
  }

  /** Uuids of the hosts that instances of the batch got. */
  get takenHosts(): ReadonlyMap<string, number> {
    return this.taken;
  }

  advance({ instanceUuid, plan, weight, order, charged, numaTopology }: Advance): void {
    this.now = {
      hosts: order.map(({ state }) => (state === plan.state ? charged : state)),
      order,
      group: this.now.group && joined(this.now.group, instanceUuid, plan.state.host),
      numaTopology,
    };
    this.done.push({ instanceUuid, plan, weight });
    this.taken.set(plan.state.uuid, (this.taken.get(plan.state.uuid) ?? 0) + 1);
  }

  mark(): ProgressMark {
    return { now: this.now, chosen: this.done.length };
  }

  /** Forgets everything since the mark. */
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
