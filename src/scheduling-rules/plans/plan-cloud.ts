// The cloud as a planner sees it: hosts and instances by number, and the scheduler's own answer to "where can this
// instance go now". A planner changes this copy only.

/** A root provider that is a host. */
export interface PlanHost {
  readonly uuid: string;
  readonly host: string;
  readonly node: string;
  /** Null: in none. */
  readonly zone: string | null;
  /** Why it takes no instances from the start: disabled, or down. Null: it takes instances. */
  readonly closed: string | null;
}

export interface PlanInstance {
  readonly uuid: string;
  readonly name: string | null;
  readonly projectId: string;
  /** Instances with the same key are equal to the scheduler: one is as good as the other in a search. */
  readonly requestKey: string;
  /** Of its server group; null: in none. */
  readonly groupUuid: string | null;
  /** For sentences; null: in no group. */
  readonly groupName: string | null;
  /** As the scheduler names it: anti-affinity, affinity, soft-anti-affinity, soft-affinity; null: in no group. */
  readonly groupPolicy: string | null;
  /** Members on a host at most, of an anti-affinity group; null: no bound. */
  readonly groupMost: number | null;
  /** Amounts by resource class of all its allocations on its host's tree; of an added one known after `targets`. */
  readonly amounts: Readonly<Record<string, number>>;
  /** False: its request was worked out from its allocations, its host's zone and its group. */
  readonly hasRequest: boolean;
  /** Why it cannot be moved now: it is being moved already. Null: it can. */
  readonly fixed: string | null;
}

/** Why no host takes an instance now: one sentence, and the smallest change that would let it, if one is known. */
export interface PlanRefusal {
  readonly sentence: string;
  readonly remedy: string | null;
}

/** The best hosts first, by the scheduler's weights; without the instance's own host and closed hosts. */
export interface PlanTargets {
  readonly hosts: readonly number[];
  /** Null if `hosts` is not empty. */
  readonly refusal: PlanRefusal | null;
}

/** Hosts and instances are numbered from 0 in `hosts` and `instances`. */
export interface PlanCloud {
  readonly hosts: readonly PlanHost[];
  /** The placed ones; `add` appends. */
  readonly instances: readonly PlanInstance[];
  /** The resource classes of the columns. */
  readonly resources: readonly string[];
  /** Sum over the host's tree; index: host * resources.length + resource. */
  readonly capacity: Float64Array;
  /** As `capacity`: the amounts now, of held sources as well. */
  readonly used: Float64Array;

  /** The host that runs the instance now: during a move the source; null: an added instance without a claim. */
  hostOf(instance: number): number | null;
  /** Those that run on the host now, without those on their way to it. */
  instancesOn(host: number): readonly number[];

  /** A closed host is no target. */
  close(host: number): void;

  /** Adds instances of a flavor (name or document) that run nowhere; returns their numbers. */
  add(flavor: object | string, count: number): readonly number[];

  /** Judged by the scheduler's prefilters, search, filters and group policy in the cloud as it is now. */
  targets(instance: number): Promise<PlanTargets>;
  /** Same judgement of one host. */
  fits(instance: number, host: number): Promise<boolean>;

  /**
   * Claims the host for the instance by the scheduler's best candidate there; the source stays held. False, and
   * nothing changes, if the host does not fit. An added instance runs there at once.
   */
  claim(instance: number, host: number): Promise<boolean>;
  /** Ends the move: the source is free, the instance runs on the claimed host. */
  release(instance: number): void;

  /** A point to return to; cheap. */
  mark(): number;
  /** Undoes all claims, releases, additions, closings since the mark. */
  rollback(mark: number): void;
}
