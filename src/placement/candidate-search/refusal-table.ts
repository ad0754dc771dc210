// The table of a refusal: hosts by the conditions that they fail. Counts, the cause and the nearest hosts are derived from it
// in one pass.

import type { Condition, Failure } from './conditions';
import { isAbsent } from './conditions';
import type { JudgedHost } from './judged-hosts';
import { smallestConflict } from './smallest-conflict';

/** A condition with the failures of all hosts that fail it. */
interface ConditionCount {
  readonly condition: Condition;
  readonly failures: readonly Failure[];
  /** Hosts that can never satisfy it. */
  readonly never: number;
}

/** Hosts that fail this condition only, and would fit if it were repaired. */
export interface NearestHosts {
  readonly condition: Condition;
  readonly hosts: readonly JudgedHost['root'][];
  readonly failures: readonly Failure[];
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

interface Column {
  readonly condition: Condition;
  readonly failures: Failure[];
  never: number;
  readonly nearHosts: JudgedHost['root'][];
  readonly nearFailures: Failure[];
}

/** Of hosts without a candidate. Conditions are compared by identity. */
export function refusalOf(hosts: readonly JudgedHost[]): Refusal {
  const columns = new Map<Condition, Column>();
  /** The sets of conditions that hosts fail, by their positions in `columns`. */
  const sets = new Map<string, readonly number[]>();
  const positions = new Map<Condition, number>();
  for (const { root, failures, isNear } of hosts) {
    for (const failure of failures) {
      const { condition } = failure;
      let column = columns.get(condition);
      if (column === undefined) {
        column = { condition, failures: [], never: 0, nearHosts: [], nearFailures: [] };
        positions.set(condition, columns.size);
        columns.set(condition, column);
      }
      column.failures.push(failure);
      if (failure.isNever) column.never += 1;
      if (!isNear) continue;
      column.nearHosts.push(root);
      column.nearFailures.push(failure);
    }
    const failed = failures.map(({ condition }) => positions.get(condition) ?? 0).sort((one, other) => one - other);
    sets.set(failed.join(), failed);
  }
  const all = [...columns.values()];
  return {
    hosts: hosts.length,
    only: hosts.length === 1 ? (hosts[0] ?? null) : null,
    counts: [...all].sort((one, other) => other.failures.length - one.failures.length),
    cause: causeOf(hosts.length, all, [...sets.values()]),
    nearest: all
      .filter(({ nearHosts }) => nearHosts.length > 0)
      .map(({ condition, nearHosts, nearFailures }) => ({ condition, hosts: nearHosts, failures: nearFailures }))
      .sort((one, other) => other.hosts.length - one.hosts.length),
  };
}

/** Of several conditions that no host satisfies, the class that most hosts do not have, or that they can never satisfy. */
function causeOf(
  hosts: number,
  columns: readonly Column[],
  sets: readonly (readonly number[])[],
): readonly Condition[] {
  const unmet = columns.filter(({ failures }) => failures.length === hosts);
  const [first, ...others] = unmet;
  if (first !== undefined) {
    return [others.reduce((most, column) => (lastingIn(column) > lastingIn(most) ? column : most), first).condition];
  }
  const satisfied = columns.map(({ failures }) => hosts - failures.length);
  return (smallestConflict(sets, satisfied) ?? []).flatMap((at) => columns[at]?.condition ?? []);
}

const lastingIn = ({ failures, never }: Column): number => never + failures.filter(isAbsent).length;
