// Groups of hosts with what they have: by zone, host aggregate, placement aggregate or trait, or all hosts together. A host
// counts in every group that it belongs to. The sums are kept, and follow the hosts that are others than before. Pure.
import { byText } from '../../domain/text-order';
import type { Walk } from '../../domain/walk';
import type { HostStatus } from '../cloud/host-status';
import type { CloudHost } from '../cloud/cloud-host';
import type { Cloud } from '../cloud/reported-cloud';
import { sumsOf } from '../cloud/tree-sums';
import { ClassNumbers, GroupSums, HostAmounts } from './group-sums';
import type { CountedHost, GroupAmounts } from './group-sums';
import type { StrandedAmount, StrandedOnHost, StrandedTally } from './stranded-capacity';

export const GROUPINGS = ['total', 'availability_zone', 'host_aggregate', 'placement_aggregate', 'trait'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface CapacityGroup {
  /** Null: all hosts, or those that belong to no group of this kind. */
  readonly key: string | null;
  readonly hosts: number;
  readonly hostsUsable: number;
  readonly statuses: ReadonlyMap<HostStatus, number>;
  readonly instances: number;
  /** Ascending by class. */
  readonly classes: ReadonlyMap<string, GroupAmounts>;
  /** By class; a class that no finding is about has none. */
  readonly stranded: ReadonlyMap<string, StrandedAmount>;
}

/** What is said of a host besides what it is. */
export interface HostFigures {
  readonly instancesOf: (host: CloudHost) => number;
  readonly strandedOn: (rootId: number) => StrandedOnHost | undefined;
}

/** Hosts compared, and groups changed, between two chances of others. */
const HOSTS_PER_STEP = 1_000;
const PUTS_PER_STEP = 2_000;

/** The groups of one kind. One walk at a time. */
export class CapacityGroups {
  /** In the order of the roots; undefined while a walk is under way, or was put down. */
  private counted: readonly CountedHost[] | undefined = [];
  private groups = new Map<string | null, GroupSums>();
  private classes = new ClassNumbers();
  private steps = 0;

  constructor(
    private readonly grouping: Grouping,
    private readonly newTally: () => StrandedTally,
  ) {}

  /** From here on the groups are those of these hosts. */
  *follow(hosts: Cloud['hosts'], figures: HostFigures): Walk<void> {
    const before = this.known();
    this.counted = undefined;
    const now: CountedHost[] = [];
    let old = 0;
    for (const [at, host] of hosts.entries()) {
      if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
      const { id } = host.tree.root;
      for (; idAt(before, old) < id; old += 1) yield* this.takeOut(before[old]);
      const was = idAt(before, old) === id ? before[old] : undefined;
      if (was !== undefined) old += 1;
      const [instances, stranded] = [figures.instancesOf(host), figures.strandedOn(id)];
      if (was?.host === host && was.instances === instances && was.stranded === stranded) {
        now.push(was);
        continue;
      }
      const counted = { host, instances, stranded };
      now.push(counted);
      if (was !== undefined && this.isAlike(was, counted)) continue;
      yield* this.takeOut(was);
      yield* this.put(counted);
    }
    for (; old < before.length; old += 1) yield* this.takeOut(before[old]);
    yield* this.findLargest(hosts);
    this.counted = now;
  }

  get keys(): readonly (string | null)[] {
    return [...this.groups.keys()];
  }

  /** Of these classes only, where some are given; with all of them the same object until something of it is another. */
  group(key: string | null, wanted: ReadonlySet<string>): CapacityGroup {
    const sums = this.groups.get(key) ?? new GroupSums(this.newTally());
    if (wanted.size > 0) return this.summedUp(key, sums, wanted);
    sums.shown ??= this.summedUp(key, sums, wanted);
    return sums.shown as CapacityGroup;
  }

  private summedUp(key: string | null, sums: GroupSums, wanted: ReadonlySet<string>): CapacityGroup {
    const { hosts, hostsUsable, statuses, instances } = sums;
    const classes = this.classes.names.flatMap((name, number): [string, GroupAmounts][] => {
      const amounts = wanted.size === 0 || wanted.has(name) ? sums.of(number) : undefined;
      return amounts === undefined ? [] : [[name, amounts]];
    });
    return {
      key,
      hosts,
      hostsUsable,
      statuses,
      instances,
      classes: new Map(classes.sort(byText(([name]) => name))),
      stranded: sums.stranded.amounts(),
    };
  }

  /** What can be relied on: nothing of a walk that was put down, nor of sums that lost what was small in them. */
  private known(): readonly CountedHost[] {
    const isRough = [...this.groups.values()].some((sums) => sums.isRough);
    if (this.counted !== undefined && !isRough) return this.counted;
    this.groups = new Map();
    this.classes = new ClassNumbers();
    return [];
  }

  /** Whether it counts where it counted, and as much. */
  private isAlike(was: CountedHost, is: CountedHost): boolean {
    return (
      was.host.tree === is.host.tree &&
      was.host.status === is.host.status &&
      was.instances === is.instances &&
      was.stranded === is.stranded &&
      SAME_GROUPS[this.grouping](was.host) === SAME_GROUPS[this.grouping](is.host)
    );
  }

  private *put(counted: CountedHost): Walk<void> {
    const amounts = new HostAmounts(counted, this.classes);
    for (const key of KEYS[this.grouping](counted.host)) {
      if ((this.steps += 1) % PUTS_PER_STEP === 0) yield;
      let sums = this.groups.get(key);
      if (sums === undefined) this.groups.set(key, (sums = new GroupSums(this.newTally())));
      sums.put(amounts);
    }
  }

  private *takeOut(counted: CountedHost | undefined): Walk<void> {
    if (counted === undefined) return;
    const amounts = new HostAmounts(counted, this.classes);
    for (const key of KEYS[this.grouping](counted.host)) {
      if ((this.steps += 1) % PUTS_PER_STEP === 0) yield;
      const sums = this.groups.get(key);
      sums?.takeOut(amounts);
      if (sums?.hosts === 0) this.groups.delete(key);
    }
  }

  private *findLargest(hosts: Cloud['hosts']): Walk<void> {
    const wanting = new Map([...this.groups].filter(([, sums]) => sums.needsLargest));
    if (wanting.size === 0) return;
    for (const [at, host] of hosts.entries()) {
      if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
      for (const key of KEYS[this.grouping](host)) wanting.get(key)?.look(host, this.classes.names);
    }
    for (const sums of wanting.values()) sums.endLooking();
  }
}

const idAt = (counted: readonly CountedHost[], at: number): number =>
  counted[at]?.host.tree.root.id ?? Number.POSITIVE_INFINITY;

/** What hosts have in common that belong to the same groups, for as long as the tree is the same. */
const SAME_GROUPS: Readonly<Record<Grouping, (host: CloudHost) => unknown>> = {
  total: () => null,
  availability_zone: ({ zone }) => zone,
  // Hosts of the same host aggregates share one list of them.
  host_aggregate: ({ known }) => known.aggregates,
  placement_aggregate: ({ tree }) => tree.aggregates,
  trait: ({ tree }) => tree,
};

const KEYS: Readonly<Record<Grouping, (host: CloudHost) => Iterable<string | null>>> = {
  total: () => [null],
  availability_zone: ({ zone }) => [zone],
  host_aggregate: ({ known }) => orNone(known.aggregates.map(({ uuid }) => uuid)),
  placement_aggregate: ({ tree }) => orNone(tree.aggregates),
  trait: ({ tree }) => sumsOf(tree).traits,
};

const orNone = (keys: readonly string[]): readonly (string | null)[] => (keys.length === 0 ? [null] : keys);
