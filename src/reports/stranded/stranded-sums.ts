// Stranded amounts of some hosts together, with what the hosts lack to use them. Pure.

import type { StrandedAmount, StrandedReason } from '../capacity/stranded-capacity';
import { REPORT_LIMITS } from '../../config/limits';
import type { Hindrance } from './hindrance';
import { strandedSentence } from './hindrance';
import type { HostFindings } from './host-findings';

interface Sum {
  amount: number;
  isExact: boolean;
  hosts: number;
  readonly reasons: Map<Hindrance, { hosts: number; amount: number }>;
}

/** By resource class; classes of which nothing is stranded included. A root nobody may use has nothing stranded. */
export function strandedOf(
  hosts: ReadonlyMap<number, HostFindings>,
  rootIds: readonly number[],
): ReadonlyMap<string, StrandedAmount> {
  const sums = new Map<string, Sum>();
  for (const rootId of rootIds) {
    for (const { resourceClass, amount, isExact, lacks } of hosts.get(rootId)?.stranded ?? []) {
      let sum = sums.get(resourceClass);
      if (sum === undefined) sums.set(resourceClass, (sum = newSum()));
      if (amount === 0) continue;
      sum.amount += amount;
      sum.isExact &&= isExact;
      sum.hosts += 1;
      if (lacks === null) continue;
      const reason = sum.reasons.get(lacks);
      if (reason === undefined) sum.reasons.set(lacks, { hosts: 1, amount });
      else {
        reason.hosts += 1;
        reason.amount += amount;
      }
    }
  }
  return new Map([...sums].map(([resourceClass, sum]) => [resourceClass, amountOf(resourceClass, sum)]));
}

const newSum = (): Sum => ({ amount: 0, isExact: true, hosts: 0, reasons: new Map() });

function amountOf(resourceClass: string, { reasons, ...sum }: Sum): StrandedAmount {
  const because = [...reasons]
    .map(([hindrance, { hosts, amount }]): StrandedReason => {
      const sentence = strandedSentence(resourceClass, hindrance, hosts);
      return { lacks: hindrance.kind === 'nothing' ? 'flavor' : hindrance.name, hosts, amount, sentence };
    })
    .sort((one, other) => other.hosts - one.hosts || other.amount - one.amount || (one.lacks < other.lacks ? -1 : 1));
  return { ...sum, because: because.slice(0, REPORT_LIMITS.reasonsShown) };
}
