// Stranded amounts of some hosts together, with what the hosts lack to use them. Pure.

import type { StrandedAmount, StrandedReason, StrandedTally } from '../capacity/stranded-capacity';
import { REPORT_LIMITS } from '../../config/limits';
import { compareText } from '../../domain/text-order';
import type { Hindrance } from './hindrance';
import { strandedSentence } from './hindrance';
import type { HostStranded } from './host-findings';

interface Sum {
  /** Hosts that were looked at for it. */
  looked: number;
  amount: number;
  /** Hosts of which no more than the amount is known. */
  inexact: number;
  hosts: number;
  /** By kind and name. */
  readonly reasons: Map<string, { readonly lacks: Hindrance; hosts: number; amount: number }>;
}

/** One host puts in what it takes out later: the same list. */
export class StrandedSums implements StrandedTally {
  private readonly sums = new Map<string, Sum>();

  put(found: readonly HostStranded[]): void {
    for (const each of found) this.count(each, 1);
  }

  takeOut(found: readonly HostStranded[]): void {
    for (const each of found) this.count(each, -1);
  }

  amounts(): ReadonlyMap<string, StrandedAmount> {
    return new Map([...this.sums].map(([resourceClass, sum]) => [resourceClass, amountOf(resourceClass, sum)]));
  }

  private count({ resourceClass, amount, isExact, lacks }: HostStranded, sign: 1 | -1): void {
    let sum = this.sums.get(resourceClass);
    if (sum === undefined) this.sums.set(resourceClass, (sum = newSum()));
    sum.looked += sign;
    if (sum.looked === 0) this.sums.delete(resourceClass);
    if (amount === 0) return;
    sum.amount += sign * amount;
    sum.hosts += sign;
    if (!isExact) sum.inexact += sign;
    if (lacks === null) return;
    const key = `${lacks.kind} ${lacks.name}`;
    let reason = sum.reasons.get(key);
    if (reason === undefined) sum.reasons.set(key, (reason = { lacks, hosts: 0, amount: 0 }));
    reason.hosts += sign;
    reason.amount += sign * amount;
    if (reason.hosts === 0) sum.reasons.delete(key);
  }
}

const newSum = (): Sum => ({ looked: 0, amount: 0, inexact: 0, hosts: 0, reasons: new Map() });

function amountOf(resourceClass: string, { amount, inexact, hosts: held, reasons }: Sum): StrandedAmount {
  const because = [...reasons.values()]
    .map(({ lacks: hindrance, hosts, amount: lost }): StrandedReason => {
      const sentence = strandedSentence(resourceClass, hindrance, hosts);
      return {
        hosts,
        amount: lost,
        sentence,
        lacks: hindrance.kind === 'nothing' ? 'flavor' : hindrance.name,
      };
    })
    .sort((one, other) => other.hosts - one.hosts || other.amount - one.amount || compareText(one.lacks, other.lacks));
  return { amount, isExact: inexact === 0, hosts: held, because: because.slice(0, REPORT_LIMITS.reasonsShown) };
}
