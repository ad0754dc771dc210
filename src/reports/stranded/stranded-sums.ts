// The sum of the stranded amounts of several hosts, with the bottlenecks. Pure.
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { compareText } from '../../platform/values/text-order';
import type { GroupSums } from '../../scheduler/cloud/group-sums';
import type { Bottleneck } from './bottleneck';
import { strandedSentence } from './bottleneck';
import type { HostStranded } from './host-findings';

/** What is missing if no flavor that the host accepts requests the class. */
export const NO_FLAVOR = 'flavor';

/** A bottleneck that keeps flavors from the rest of a class. */
interface StrandedReason {
  /** The missing resource class, or the condition in words. */
  readonly lacks: string;
  readonly hosts: number;
  /** In units of the resource class. */
  readonly amount: number;
  readonly sentence: string;
}

export interface StrandedAmount {
  readonly amount: number;
  /** False: `amount` is an upper bound. */
  readonly isExact: boolean;
  readonly hosts: number;
  readonly because: readonly StrandedReason[];
}

export class StrandedSums {
  /** By the name of its sum. */
  private readonly lacking = new Map<string, { readonly resourceClass: string; readonly lacks: Bottleneck }>();

  /** Adds the findings of one host. */
  add(found: readonly HostStranded[], sums: GroupSums): void {
    for (const { resourceClass, amount, isExact, lacks } of found) {
      // Judged hosts, the amount, hosts with a stranded amount, and hosts whose amount is a bound.
      sums.add(nameOf(resourceClass), 1, amount, amount > 0 ? 1 : 0, isExact ? 0 : 1);
      if (lacks === null) continue;
      const name = `${resourceClass} lacks ${lacks.kind} ${lacks.name}`;
      if (!this.lacking.has(name)) this.lacking.set(name, { resourceClass, lacks });
      sums.add(name, amount, 1);
    }
  }

  /** Null: no host of the group was judged for the class. */
  of(resourceClass: string, group: GroupSums): StrandedAmount | null {
    const name = nameOf(resourceClass);
    const [judged = 0, amount = 0, held = 0, bounds = 0] = [0, 1, 2, 3].map((at) => group.amount(name, at));
    if (judged === 0) return null;
    const because = [...this.lacking].flatMap(
      ([reason, { resourceClass: of, lacks: bottleneck }]): StrandedReason[] => {
        const hosts = of === resourceClass ? group.amount(reason, 1) : 0;
        if (hosts === 0) return [];
        const sentence = strandedSentence(resourceClass, bottleneck, hosts);
        const lacks = bottleneck.kind === 'nothing' ? NO_FLAVOR : bottleneck.name;
        return [{ lacks, hosts, amount: group.amount(reason), sentence }];
      },
    );
    return {
      amount,
      isExact: bounds === 0,
      hosts: held,
      because: because
        .sort(
          (one, other) => other.hosts - one.hosts || other.amount - one.amount || compareText(one.lacks, other.lacks),
        )
        .slice(0, REPORT_LIMITS.reasonsShown),
    };
  }
}

const nameOf = (resourceClass: string): string => `stranded ${resourceClass}`;
