// Stranded amounts of some hosts together, with what the hosts lack to use them. Pure.
import { REPORT_LIMITS } from '../../config/limits';
import { compareText } from '../../domain/text-order';
import type { AddAmount, GroupSums } from '../../scheduler/cloud/group-sums';
import type { Hindrance } from './hindrance';
import { strandedSentence } from './hindrance';
import type { HostStranded } from './host-findings';

/** What keeps flavors from what is left of a class. */
interface StrandedReason {
  /** What is missing beside it: a resource class, or a condition in words. */
  readonly lacks: string;
  readonly hosts: number;
  /** In units of the resource class. */
  readonly amount: number;
  readonly sentence: string;
}

export interface StrandedAmount {
  readonly amount: number;
  /** False: at most this is stranded. */
  readonly isExact: boolean;
  readonly hosts: number;
  readonly because: readonly StrandedReason[];
}

export class StrandedSums {
  /** By class, by kind and name. */
  private readonly reasons = new Map<string, Map<string, Hindrance>>();

  /** What was found on one host. */
  add(found: readonly HostStranded[], add: AddAmount): void {
    for (const { resourceClass, amount, isExact, lacks } of found) {
      add(`judged ${resourceClass}`, 1);
      if (amount === 0) continue;
      add(`stranded ${resourceClass}`, amount);
      add(`stranded on ${resourceClass}`, 1);
      if (!isExact) add(`bounds ${resourceClass}`, 1);
      if (lacks === null) continue;
      const reason = `${resourceClass} ${lacks.kind} ${lacks.name}`;
      add(`lost to ${reason}`, amount);
      add(`lost on ${reason}`, 1);
      let reasons = this.reasons.get(resourceClass);
      if (reasons === undefined) this.reasons.set(resourceClass, (reasons = new Map<string, Hindrance>()));
      reasons.set(reason, lacks);
    }
  }

  /** Null: nothing was found about the class on any host of the group. */
  of(resourceClass: string, group: GroupSums): StrandedAmount | null {
    if (group.amount(`judged ${resourceClass}`) === 0) return null;
    const because = [...(this.reasons.get(resourceClass) ?? [])].map(([reason, hindrance]): StrandedReason => {
      const hosts = group.amount(`lost on ${reason}`);
      return {
        hosts,
        amount: group.amount(`lost to ${reason}`),
        sentence: strandedSentence(resourceClass, hindrance, hosts),
        lacks: hindrance.kind === 'nothing' ? 'flavor' : hindrance.name,
      };
    });
    return {
      amount: group.amount(`stranded ${resourceClass}`),
      isExact: group.amount(`bounds ${resourceClass}`) === 0,
      hosts: group.amount(`stranded on ${resourceClass}`),
      because: because
        .filter(({ hosts }) => hosts > 0)
        .sort(
          (one, other) => other.hosts - one.hosts || other.amount - one.amount || compareText(one.lacks, other.lacks),
        )
        .slice(0, REPORT_LIMITS.reasonsShown),
    };
  }
}
