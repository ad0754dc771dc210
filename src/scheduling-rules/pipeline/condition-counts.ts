// Counts the hosts of a refusal under every condition that they fail, and finds the cause: a condition that no host
// satisfies, otherwise the smallest set of conditions that leaves no host. Stages count each host once; this does not.

import type {
  CauseKind,
  FailedCondition,
  FailureSet,
  Rejection,
  RequestCondition,
} from '../../placement/candidate-search';
import { smallestConflict } from '../../placement/candidate-search';
import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import type { RejectionReason } from './rejection-reasons';
import { FilterReasons, PlacementReasons } from './rejection-reasons';
import type { HostRejection, StageRecord } from './run-filters';
import type { Wording } from './wording';

/** One condition, and how many hosts it leaves by itself. */
export interface ConditionCount {
  /** In the syntax of the query string; for a filter its name. */
  readonly condition: string;
  /** `placement`, or the filter. */
  readonly by: string;
  readonly satisfied: number;
  readonly failed: number;
  /** Why the hosts fail it, the largest group first. */
  readonly reasons: readonly RejectionReason[];
  /** The same without the origins of the condition, for a text that has them already. */
  readonly bareReasons: readonly RejectionReason[];
  /** Null: a filter, or groups of the request that do not fit together. */
  readonly requested: RequestCondition | null;
}

/** `unmet`: no host satisfies any of the conditions. `conflict`: no host satisfies all of them, and none is needless. */
export interface RefusalCause {
  readonly kind: CauseKind;
  readonly conditions: readonly ConditionCount[];
}

export interface ConditionSummary {
  /** Hosts that were checked. */
  readonly hosts: number;
  /** Those that fail most hosts first; every condition that a host fails. */
  readonly counts: readonly ConditionCount[];
  /** Null: no set of few conditions explains the refusal. */
  readonly cause: RefusalCause | null;
}

/** A condition that one host fails. */
export type HostFailure =
  | { readonly requested: RequestCondition | null; readonly condition: string; readonly rejection: Rejection }
  | { readonly filter: string; readonly rejection: HostRejection };

const conditionNamed = (failure: HostFailure): string => ('filter' in failure ? failure.filter : failure.condition);

/** The hosts that fail one condition. */
class FailedHosts {
  private readonly ofPlacement = new PlacementReasons();
  private readonly ofFilters = new FilterReasons();
  private failed = 0;

  constructor(private readonly first: HostFailure) {}

  add(failure: HostFailure): void {
    this.failed += 1;
    if ('filter' in failure) this.ofFilters.add(failure.filter, failure.rejection);
    else this.ofPlacement.add(failure.rejection);
  }

  count(hosts: number, wording: Wording): ConditionCount {
    const { first, failed } = this;
    const isFilter = 'filter' in first;
    return {
      condition: conditionNamed(first),
      by: isFilter ? first.filter : 'placement',
      satisfied: hosts - failed,
      failed,
      reasons: this.reasons(wording),
      bareReasons: this.reasons({ ...wording, originsOf: () => [] }),
      requested: isFilter ? null : first.requested,
    };
  }

  private reasons(wording: Wording): readonly RejectionReason[] {
    return [...this.ofPlacement.reasons(wording), ...this.ofFilters.reasons(wording)];
  }
}

/** Adds hosts one by one. */
class ConditionCounter {
  private readonly counted = new Map<string, FailedHosts>();
  /** The conditions that a group of hosts fails, by their text. */
  private readonly sets = new Map<string, readonly string[]>();
  private hosts = 0;

  /** A host that fails nothing counts, too. */
  add(failures: readonly HostFailure[]): void {
    this.hosts += 1;
    const names = new Set<string>();
    for (const failure of failures) {
      const name = conditionNamed(failure);
      if (names.has(name)) continue;
      names.add(name);
      let known = this.counted.get(name);
      if (known === undefined) this.counted.set(name, (known = new FailedHosts(failure)));
      known.add(failure);
    }
    const sorted = [...names].sort();
    this.sets.set(sorted.join('\n'), sorted);
  }

  result(wording: Wording): ConditionSummary {
    const { hosts } = this;
    const counts = [...this.counted.values()]
      .map((failed) => failed.count(hosts, wording))
      .sort((one, other) => other.failed - one.failed);
    return { hosts, counts, cause: this.causeOf(counts) };
  }

  private causeOf(counts: readonly ConditionCount[]): RefusalCause | null {
    const unmet = counts.filter((count) => count.satisfied === 0 && isNameable(count));
    if (unmet.length > 0) return { kind: 'unmet', conditions: unmet };
    const positions = new Map(counts.map(({ condition }, at) => [condition, at]));
    const sets = [...this.sets.values()].map((names): FailureSet => names.flatMap((name) => positions.get(name) ?? []));
    const satisfied = counts.map((count) => count.satisfied);
    const conflict = smallestConflict(sets, satisfied);
    const conditions = conflict?.flatMap((at) => counts[at] ?? []) ?? [];
    return conditions.length > 0 && conditions.every(isNameable) ? { kind: 'conflict', conditions } : null;
  }
}

/** Something that an operator can change, as opposed to hosts that satisfy each condition and not all of them together. */
const isNameable = ({ by, requested }: ConditionCount): boolean => requested !== null || by !== 'placement';

/** The hosts that Placement rejected. */
interface RejectedHosts {
  readonly conditions: readonly RequestCondition[];
  readonly rejections: readonly Rejection[];
  /** By the id of the root; without an entry only the reason of the rejection is known. */
  readonly failed: ReadonlyMap<number, readonly FailedCondition[]>;
  /** Further conditions of the host, which Placement does not know. */
  readonly furtherOf: (root: Rejection['root']) => readonly HostFailure[];
  /** The rejection with facts about the host that Placement does not know. */
  readonly withFacts: (rejection: Rejection) => Rejection;
}

/** Hosts that the request excludes by naming another one are not counted. */
export function* countConditions(
  { conditions, rejections, failed, furtherOf, withFacts }: RejectedHosts,
  wording: Wording,
): Task<ConditionSummary> {
  const counter = new ConditionCounter();
  yield* forEachInSteps(rejections, (rejection) => {
    if (rejection.stage === 'in_tree') return;
    const { root } = rejection;
    const own = (failed.get(root.id) ?? []).flatMap(({ at, ...reason }): HostFailure[] => {
      const requested = conditions[at];
      if (requested === undefined) return [];
      return [{ requested, condition: requested.text, rejection: withFacts({ ...reason, root }) }];
    });
    const placement = own.length > 0 ? own : [together(conditions, rejection)];
    counter.add([...placement, ...furtherOf(root)]);
  });
  return counter.result(wording);
}

/** The stages of one pass, in which every filter judged every host. */
interface JudgedHosts {
  /** All hosts of the pass. */
  readonly hosts: number;
  readonly stages: readonly Pick<StageRecord, 'name' | 'rejected' | 'alsoRejects'>[];
}

export function* countFilters({ hosts, stages }: JudgedHosts, wording: Wording): Task<ConditionSummary> {
  const failures = new Map<string, HostFailure[]>();
  for (const { name: filter, rejected, alsoRejects } of stages) {
    for (const list of [rejected, alsoRejects]) {
      yield* forEachInSteps(list, (rejection) => {
        const key = `${rejection.host}\n${rejection.node}`;
        const known = failures.get(key);
        if (known === undefined) failures.set(key, [{ filter, rejection }]);
        else known.push({ filter, rejection });
      });
    }
  }
  const counter = new ConditionCounter();
  yield* forEachInSteps(failures.values(), (ofHost) => counter.add(ofHost));
  for (let passed = failures.size; passed < hosts; passed += 1) counter.add([]);
  return counter.result(wording);
}

/** The host satisfies each condition and not all of them together. */
function together(conditions: readonly RequestCondition[], rejection: Rejection): HostFailure {
  const { stage, code } = rejection;
  const isRule = stage === 'group_policy' || stage === 'same_subtree';
  const requested = isRule ? conditions.find(({ kind }) => kind === stage) : undefined;
  if (requested !== undefined) return { requested, condition: requested.text, rejection };
  return { requested: null, condition: `${stage}.${code}`, rejection };
}
