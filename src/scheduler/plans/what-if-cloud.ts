// The cloud of a snapshot as a planner sees it. "Where can this instance go" is a decision of the real scheduler, without
// claims, on the changed copy.
import type { Candidate, Provider } from '../../placement/candidate-search';
import { findInventory } from '../../placement/candidate-search';
import { assert } from '../../platform/values/assert';
import { placeInstance } from '../../scheduling-rules/host-state/charge-instance';
import { membersOnHost } from '../../scheduling-rules/host-state/group-members';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type {
  PlanCloud,
  PlanHost,
  PlanInstance,
  PlanRefusal,
  PlanTargets,
} from '../../scheduling-rules/plans/plan-cloud';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { treeOfRoot } from '../adapters/candidate-answer';
import type { RequestFixes } from '../decisions/request-fixes';
import type { SelectDestinationsDto } from '../request/request.schema';
import type { SchedulerService } from '../scheduler.service';
import type { SnapshotSettings } from './cloud-snapshot';
import type { Held } from './held';
import { factsOf } from './held';
import type { PlanRequest } from './plan-requests';
import { amountsOfSpec, sumsOf, withoutGroup } from './plan-requests';
import type { WhatIfGroups } from './what-if-groups';
import type { WhatIfHosts } from './what-if-hosts';

/** `next`: the claim of a move. */
interface Place {
  readonly request: PlanRequest;
  readonly now: Held | null;
  readonly next: Held | null;
}

export interface CloudInstance {
  readonly shown: Omit<PlanInstance, 'amounts'>;
  readonly request: PlanRequest;
  readonly held: Held;
}

type Decider = Pick<SchedulerService, 'decide'>;

interface CloudParts {
  readonly hosts: readonly PlanHost[];
  readonly instances: readonly CloudInstance[];
  readonly ports: WhatIfHosts;
  readonly groups: WhatIfGroups;
  /** No filter but that of anti-affinity judges members of such a group otherwise than other instances. */
  readonly filtersGroups: boolean;
  readonly settings: SnapshotSettings;
  /** Roots that searches leave out. The cloud changes it. */
  readonly closedRoots: Set<string>;
  /** Gives no reasons. */
  readonly scheduler: Decider;
  /** Roots that reasons leave out. The cloud changes it. */
  readonly hiddenRoots: Set<string>;
  /** Gives the reasons of the hosts that do not fit. */
  readonly explaining: Decider;
  readonly fixes: RequestFixes;
}

interface Ranked {
  readonly ranking: readonly HostState[];
  readonly spec: RequestSpec | null;
}

/** The best host states for one request in one state of the cloud. */
interface Answer {
  readonly at: number;
  readonly targets: PlanTargets;
  readonly states: ReadonlyMap<number, HostState>;
  readonly spec: RequestSpec | null;
}

/** A host that fits, with its best candidate. */
interface Chosen {
  readonly state: HostState;
  readonly candidate: Candidate;
  readonly spec: RequestSpec;
}

/** The enabled filters do not check the services of hosts. */
const ONLY_CLOSED: PlanRefusal = { sentence: 'Only hosts that are disabled or down have room.', remedy: null };
/** Conditions about a project do not apply to instances of a flavor alone. */
const NO_OWNER = { project_id: '', user_id: '' };
const NO_CALLER = { requestId: 'plan', globalRequestId: null, principal: undefined, isGone: false };

const UNNAMED = {
  name: null,
  projectId: '',
  groupUuid: null,
  groupName: null,
  groupPolicy: null,
  groupMost: null,
  amounts: {},
  hasRequest: true,
  fixed: null,
};

export class WhatIfCloud implements PlanCloud {
  readonly ports: WhatIfHosts;
  readonly hosts: readonly PlanHost[];
  readonly instances: PlanInstance[];
  readonly resources: readonly string[];
  readonly capacity: Float64Array;
  readonly used: Float64Array;
  /** Questions to the scheduler. */
  decisions = 0;
  private readonly places: Place[];
  private readonly on: Set<number>[];
  private readonly hostOfRoot: ReadonlyMap<string, number>;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly undoing: (() => void)[] = [];
  /** Identifies the state; a rollback returns to the earlier one. */
  private state = 0;
  private lastState = 0;
  /** The last answers, by request and own host. */
  private readonly answers = new Map<string, Answer>();

  constructor(private readonly parts: CloudParts) {
    this.ports = parts.ports;
    const { hosts, instances } = parts;
    this.hosts = hosts;
    this.instances = instances.map(({ shown, held }) => ({ ...shown, amounts: this.amountsOf(held) }));
    this.places = instances.map(({ request, held }) => ({ request, now: held, next: null }));
    this.numbers = new Map(instances.map(({ shown: { uuid } }, at) => [uuid, at]));
    this.on = hosts.map(() => new Set());
    for (const [at, { held }] of instances.entries()) this.on[held.host]?.add(at);
    this.hostOfRoot = new Map(hosts.map(({ uuid }, at) => [uuid, at]));
    const inventories = hosts.flatMap(({ uuid }) => this.treeOf(uuid).flatMap((provider) => provider.inventories));
    this.resources = [...new Set(inventories.map(({ resourceClass }) => resourceClass))].sort();
    this.capacity = new Float64Array(hosts.length * this.resources.length);
    this.used = new Float64Array(this.capacity.length);
    for (const at of hosts.keys()) this.sum(at);
    for (const [at, { closed }] of hosts.entries()) if (closed !== null) this.setClosed(at, true);
    // Their reasons are among those of a refusal: disabled, or down.
    parts.hiddenRoots.clear();
  }

  hostOf(instance: number): number | null {
    return this.places[instance]?.now?.host ?? null;
  }

  /** Of the claim of a move; null: it is not in a move. */
  targetOf(instance: number): number | null {
    return this.places[instance]?.next?.host ?? null;
  }

  /** Names of the hosts that it runs on, or claims; undefined: the cloud does not have it. */
  locate(uuid: string): readonly string[] | undefined {
    const place = this.places[this.numbers.get(uuid) ?? -1];
    return place && [place.now, place.next].flatMap((held) => (held === null ? [] : nth(this.hosts, held.host).host));
  }

  instancesOn(host: number): readonly number[] {
    return [...(this.on[host] ?? [])].sort((one, other) => one - other);
  }

  close(host: number): void {
    if (this.isClosed(host)) return;
    this.setClosed(host, true);
    this.changed(() => this.setClosed(host, false));
  }

  add(flavor: object | string, count: number): readonly number[] {
    const request = { ...NO_OWNER, flavor } as PlanRequest;
    const first = this.instances.length;
    const requestKey = JSON.stringify(request);
    const added = Array.from({ length: count }, (_, at) => first + at);
    for (const at of added) {
      const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
      this.instances.push({ ...UNNAMED, uuid, requestKey });
      this.places.push({ request, now: null, next: null });
    }
    this.changed(() => {
      for (const list of [this.instances, this.places]) list.length = first;
    });
    return added;
  }

  async targets(instance: number): Promise<PlanTargets> {
    const known = this.answerTo(instance);
    if (known !== undefined) return known.targets;
    const { ranking, spec } = (await this.rankedApart(instance)) ?? (await this.ranked(this.bodyOf(instance)));
    if (spec !== null && this.hostOf(instance) === null)
      this.instances[instance] = { ...nth(this.instances, instance), amounts: amountsOfSpec(spec) };
    const states = new Map(ranking.map((state) => [this.hostOfRoot.get(state.uuid) ?? -1, state]));
    const refusal = states.size > 0 ? null : await this.refusalOf(instance);
    const targets = { hosts: [...states.keys()], refusal };
    this.answers.set(this.keyOf(instance), { at: this.state, targets, states, spec });
    return targets;
  }

  private async ranked(body: SelectDestinationsDto): Promise<Ranked> {
    const { refusal, decision } = await this.decide(body);
    const ranking = refusal === null ? (decision.passes[0]?.ranking ?? []) : [];
    return { ranking: ranking.map(({ state }) => state), spec: decision.request };
  }

  /**
   * The members of an anti-affinity group share the kept hosts of the requests without a group: only the filter of the
   * group differs. Null: the request has no such group, or all of the best hosts have too many members.
   */
  private async rankedApart(instance: number): Promise<Ranked | null> {
    const body = this.bodyOf(instance);
    const group = this.parts.filtersGroups ? this.parts.groups.apart(body) : null;
    if (group === null) return null;
    const { ranking, spec } = await this.ranked(withoutGroup(body));
    const limit = group.maxServerPerHost ?? 1;
    const allowed = ranking.filter((state) => membersOnHost(state, group).length < limit);
    return allowed.length === 0 ? null : { ranking: allowed, spec };
  }

  async fits(instance: number, host: number): Promise<boolean> {
    return (await this.chosenOn(instance, host)) !== null;
  }

  async claim(instance: number, host: number): Promise<boolean> {
    const place = nth(this.places, instance);
    const { request, now } = place;
    assert(place.next === null, 'an instance is in one move at a time');
    const chosen = await this.chosenOn(instance, host);
    if (chosen === null) return false;
    const { state, candidate, spec } = chosen;
    const { nowMs: placedAtMs, isExternal, options } = this.parts.settings;
    const placement = placeInstance(state, spec, { mappings: candidate.mappings, packing: options.packsNumaCells });
    const fitted = { numaTopology: placement?.numa ?? null, pciRequests: placement?.pci ?? null, placedAtMs };
    const facts = factsOf(nth(this.instances, instance), request, nth(this.hosts, host), {
      ...fitted,
      // The free amounts of an external source do not count the instance yet.
      isUncounted: isExternal,
    });
    const held = { host, shares: candidate.allocations, facts };
    // Until it ends, the source counts the instance, whether or not a report lists it. An external source counts it itself.
    const arrivals = now === null || isExternal ? [facts] : [facts, now.facts];
    const undo = this.ports.apply(held.shares, 1, arrivals);
    this.put(instance, now === null ? { ...place, now: held } : { ...place, next: held }, undo);
    return true;
  }

  release(instance: number): void {
    const { request, now, next } = nth(this.places, instance);
    assert(now !== null && next !== null, 'a release ends a move');
    this.put(instance, { request, now: next, next: null }, this.ports.apply(now.shares, -1, [now.facts]));
  }

  mark(): number {
    return this.undoing.length;
  }

  rollback(mark: number): void {
    while (this.undoing.length > mark) this.undoing.pop()?.();
  }

  private isClosed(host: number): boolean {
    return this.parts.closedRoots.has(nth(this.hosts, host).uuid);
  }

  private treeOf(root: string): readonly Provider[] {
    return treeOfRoot(this.ports.current, root);
  }

  private setClosed(at: number, isClosed: boolean): void {
    const { uuid } = nth(this.hosts, at);
    const { closedRoots, hiddenRoots } = this.parts;
    for (const roots of [closedRoots, hiddenRoots]) {
      if (isClosed) roots.add(uuid);
      else roots.delete(uuid);
    }
    this.ports.touch([uuid]);
  }

  /** A closed host is left out by the search. */
  private bodyOf(instance: number): SelectDestinationsDto {
    const own = this.hostOf(instance);
    const names = own === null || this.isClosed(own) ? [] : [nth(this.hosts, own).host];
    const { request } = nth(this.places, instance);
    const { uuid } = nth(this.instances, instance);
    return { ...this.parts.groups.located(request, uuid), instances: [uuid], ignore_hosts: names };
  }

  private async refusalOf(instance: number): Promise<PlanRefusal> {
    const { hiddenRoots, explaining, fixes } = this.parts;
    const own = this.hosts[this.hostOf(instance) ?? -1]?.uuid;
    const isShown = own !== undefined && !hiddenRoots.has(own);
    // Its own host is no target, so it is not among the hosts that do not fit.
    if (isShown) hiddenRoots.add(own);
    try {
      const body = this.bodyOf(instance);
      const { refusal, decision } = await this.decide(body, explaining);
      if (refusal === null) return ONLY_CLOSED;
      const found = await fixes.find({ request: body, placement: decision.placement }, NO_CALLER);
      const smallest = found?.changes.toSorted((one, other) => one.conditions.length - other.conditions.length)[0];
      return { sentence: decision.summary.sentence, remedy: smallest?.text ?? null };
    } finally {
      if (isShown) hiddenRoots.delete(own);
    }
  }

  private keyOf(instance: number): string {
    return `${nth(this.instances, instance).requestKey} ${this.hostOf(instance)}`;
  }

  /** Undefined: not asked in this state of the cloud. */
  private answerTo(instance: number): Answer | undefined {
    const answer = this.answers.get(this.keyOf(instance));
    return answer?.at === this.state ? answer : undefined;
  }

  /** Null: the host does not fit. */
  private async chosenOn(instance: number, at: number): Promise<Chosen | null> {
    const answer = this.answerTo(instance);
    const state = answer?.states.get(at);
    const candidate = state?.candidates[0];
    if (answer?.spec && state !== undefined && candidate !== undefined) return { state, candidate, spec: answer.spec };
    if (this.isClosed(at) || this.hostOf(instance) === at) return null;
    const { host, node } = nth(this.hosts, at);
    const body = { ...this.bodyOf(instance), requested_destination: { host, node } };
    // Kept for no request class, because it is asked once.
    const { placements, decision, refusal } = await this.decide(body, this.parts.scheduler, 'all');
    const selected = placements[0]?.selected ?? null;
    const spec = decision.request;
    return refusal === null && selected !== null && spec !== null ? { ...selected, spec } : null;
  }

  private decide(
    body: SelectDestinationsDto,
    by = this.parts.scheduler,
    mode: 'first' | 'all' = 'first',
  ): ReturnType<Decider['decide']> {
    this.decisions += 1;
    return by.decide({ body, requestId: 'plan', dryRun: true, mode, explains: 'empty', seed: 0 });
  }

  private put(instance: number, place: Place, undo: () => void): void {
    const before = nth(this.places, instance);
    const shown = nth(this.instances, instance);
    const set = (from: Place, to: Place, as: PlanInstance): void => {
      this.places[instance] = to;
      this.instances[instance] = as;
      if (from.now !== null) this.on[from.now.host]?.delete(instance);
      if (to.now !== null) this.on[to.now.host]?.add(instance);
      for (const held of [from.now, from.next, to.now, to.next]) if (held !== null) this.sum(held.host);
    };
    const amounts = place.now === null ? shown.amounts : this.amountsOf(place.now);
    set(before, place, { ...shown, amounts });
    this.changed(() => {
      undo();
      set(place, before, shown);
    });
  }

  /** On the host's own tree. */
  private amountsOf({ host, shares }: Held): Readonly<Record<string, number>> {
    const { uuid: root } = nth(this.hosts, host);
    const own = Object.entries(shares).filter(
      ([uuid]) => this.ports.current.findProviderByUuid(uuid)?.rootUuid === root,
    );
    return sumsOf(own.map(([, { resources }]) => Object.entries(resources)));
  }

  private sum(host: number): void {
    const tree = this.treeOf(nth(this.hosts, host).uuid);
    const first = host * this.resources.length;
    for (const [at, name] of this.resources.entries()) {
      let [capacity, used] = [0, 0];
      for (const provider of tree) {
        const inventory = findInventory(provider, name);
        capacity += inventory?.capacity ?? 0;
        used += inventory?.used ?? 0;
      }
      this.capacity[first + at] = capacity;
      this.used[first + at] = used;
    }
  }

  private changed(undo: () => void): void {
    const before = this.state;
    this.lastState += 1;
    this.state = this.lastState;
    this.undoing.push(() => {
      undo();
      this.state = before;
    });
  }
}

function nth<T>(items: readonly T[], at: number): T {
  const item = items[at];
  assert(item !== undefined, 'hosts and instances are numbered from 0');
  return item;
}
