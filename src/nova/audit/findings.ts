// What an audit finds, and what a repair writes.

type FindingKind =
  | 'orphan'
  | 'missing'
  | 'amounts'
  | 'move'
  | 'host'
  | 'aggregate-missing'
  | 'aggregate-surplus'
  | 'status'
  | 'no-provider'
  | 'no-node';

/** What `--fix` did with a finding. `left`: it has to be repaired by hand, or changed meanwhile. */
export interface RepairOutcome {
  readonly state: 'repaired' | 'left';
  /** Why it was left; null if it was repaired. */
  readonly reason: string | null;
}

export interface AuditFinding {
  readonly kind: FindingKind;
  /** Uuid of the consumer or of the provider. */
  readonly subject: string;
  readonly text: string;
  readonly remedy: string;
  /** Null: no repair was attempted. */
  readonly repair: RepairOutcome | null;
}

/** A finding before any repair. */
export type Problem = Omit<AuditFinding, 'repair'>;

/** Consumers or hosts that an audit did not judge. */
export interface LeftOut {
  /** Why they were left out, without addresses. */
  readonly reason: string;
  readonly count: number;
}

/** Amounts by provider uuid and resource class. */
export type Amounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const showAmounts = (resources: ReadonlyMap<string, number>): string => {
  const parts = [...resources]
    .filter(([, amount]) => amount > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, amount]) => `${name} ${amount}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
};

/** Sums by resource class. */
export function sumOf(
  parts: Iterable<{ readonly resources: Iterable<readonly [name: string, amount: number]> }>,
): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const { resources } of parts) {
    for (const [name, amount] of resources) sum.set(name, (sum.get(name) ?? 0) + amount);
  }
  return sum;
}
