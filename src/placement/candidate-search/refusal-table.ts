// The table of a refusal: hosts by the conditions that they fail. Counts, the cause and the nearest hosts are derived from it
// in one pass.

import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import type { Condition } from './conditions';
import { isAbsent } from './conditions';
import { Figures } from './failure-figures';
import type { JudgedHost } from './judged-hosts';
import { smallestConflict } from './smallest-conflict';

/** A condition with the hosts that fail it. */
interface ConditionCount {
  readonly condition: Condition;
  readonly figures: Figures;
  /** Those that have the class and can never hold the amount. */
  readonly tooSmall: Figures;
}

/** Hosts that fail this condition only, and would fit if it were repaired. */
export interface NearestHosts {
  readonly condition: Condition;
  readonly hosts: readonly JudgedHost[];
  readonly figures: Figures;
}

export interface Refusal {
  /** Hosts that were judged. */
  readonly hosts: number;
  /** Those that fail most hosts first. */
  readonly counts: readonly ConditionCount[];
  /** The smallest set of conditions that no host satisfies together; empty: it is larger than three. */
  readonly cause: readonly Condition[];
  /** The largest groups first. */
  readonly nearest: readonly NearestHosts[];
  /** The host, if only one was judged. */
  readonly only: JudgedHost | null;
}

interface Column extends ConditionCount {
  readonly at: number;
  readonly near: { readonly condition: Condition; readonly hosts: JudgedHost[]; readonly figures: Figures };
}

/** Of hosts without a candidate. Conditions are compared by identity. */
export function* refusalOf(hosts: readonly JudgedHost[]): Task<Refusal> {
  const columns = new Map<Condition, Column>();
  const columnOf = (condition: Condition): Column => {
    let column = columns.get(condition);
    if (column === undefined) {
      const near = { condition, hosts: [], figures: new Figures() };
      column = { condition, at: columns.size, figures: new Figures(), tooSmall: new Figures(), near };
      columns.set(condition, column);
    }
    return column;
  };
  /** The sets of conditions that hosts fail, by the positions of their columns. */
  const sets = new Map<string, readonly number[]>();
  yield* forEachInSteps(hosts, (host) => {
    const failed: number[] = [];
    for (const failure of host.failures) {
      const { at, figures, tooSmall, near } = columnOf(failure.condition);
      failed.push(at);
      figures.add(failure);
      if (failure.isNever && !isAbsent(failure)) tooSmall.add(failure);
      if (!host.isNear) continue;
      near.hosts.push(host);
      near.figures.add(failure);
    }
    sets.set(failed.join(), failed);
  });
  const all = [...columns.values()];
  return {
    hosts: hosts.length,
    only: hosts.length === 1 ? (hosts[0] ?? null) : null,
    counts: [...all].sort((one, other) => other.figures.hosts - one.figures.hosts),
    cause: causeOf(hosts.length, all, [...sets.values()]),
    nearest: all
      .map(({ near }) => near)
      .filter((near) => near.hosts.length > 0)
      .sort((one, other) => other.hosts.length - one.hosts.length),
  };
}

/** Of several conditions that no host satisfies, the class that most hosts do not have, or that they can never satisfy. */
function causeOf(
  hosts: number,
  columns: readonly Column[],
  sets: readonly (readonly number[])[],
): readonly Condition[] {
  const unmet = columns.filter(({ figures }) => figures.hosts === hosts);
  const [first, ...others] = unmet;
  if (first !== undefined) {
    return [others.reduce((most, column) => (lastingIn(column) > lastingIn(most) ? column : most), first).condition];
  }
  const satisfied = columns.map(({ figures }) => hosts - figures.hosts);
  return (smallestConflict(sets, satisfied) ?? []).flatMap((at) => columns[at]?.condition ?? []);
}

const lastingIn = ({ figures: { never, absent } }: Column): number => never + absent;
