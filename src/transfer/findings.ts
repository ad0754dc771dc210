// Inconsistencies that an import finds in the reference. Each is reported once, even if several passes find it.
import { TRANSFER_LIMITS } from '../platform/config/limits/transfer';

/** Kinds of inconsistencies, each with the action of the import. */
export const FINDINGS = {
  'ghost-consumer': 'consumers without allocations; not imported: a consumer exists only while it has some',
  'incomplete-consumer': 'allocations of a consumer without a record; it got the placeholder project and user',
  'incomplete-owner': 'consumers without an existing project or user; the placeholder was set',
  'missing-root': 'resource providers without a root; the top of their parents is their root now',
  'wrong-root': 'resource providers that named another root than the top of their parents; corrected',
  'missing-parent': 'resource providers without an existing parent; they became roots',
  'parent-loop': 'resource providers whose parents formed a loop; cut at the one with the lowest id',
  'missing-name': 'resource providers without a name; their uuid is their name now',
  'odd-uuid': 'uuids in another spelling than the canonical one; canonical now',
  'doubled-uuid': 'records whose uuid is there already in another spelling; not imported',
  'bad-uuid': 'records whose uuid is none; not imported',
  oversold: 'inventories with more allocated than their capacity; kept as they are',
  'bad-amount': 'allocations of less than one unit; not imported',
  'allocation-without-provider': 'allocations on a resource provider that does not exist; not imported',
  'allocation-without-inventory': 'allocations without inventory of their class; not imported',
  'inventory-without-provider': 'inventories of a resource provider that does not exist; not imported',
  'inventory-without-class': 'inventories of a resource class that does not exist; not imported',
  'link-without-end': 'traits or aggregates of a resource provider that does not exist; not imported',
} as const;

export type FindingKind = keyof typeof FINDINGS;

interface Finding {
  readonly kind: FindingKind;
  readonly subject: string;
}

export class Findings {
  private readonly subjectsByKind = new Map<FindingKind, Set<string>>();
  private kept = 0;
  private isCut = false;

  /** `reported` is called once for each new finding. */
  constructor(private readonly reported: (finding: Finding) => void = () => undefined) {}

  add(kind: FindingKind, subject: string): void {
    const subjects = this.subjectsByKind.get(kind) ?? new Set<string>();
    this.subjectsByKind.set(kind, subjects);
    if (subjects.has(subject)) return;
    if (this.kept >= TRANSFER_LIMITS.findingsKept) {
      this.isCut = true;
      return;
    }
    this.kept += 1;
    subjects.add(subject);
    this.reported({ kind, subject });
  }

  countOf(kind: FindingKind): number {
    return this.subjectsByKind.get(kind)?.size ?? 0;
  }

  /** Text for the operator: each kind with its count, the action, and the first subjects. */
  lines(listed: number = TRANSFER_LIMITS.findingsListed): readonly string[] {
    const lines = [...this.subjectsByKind].flatMap(([kind, subjects]) => {
      const shown = [...subjects].slice(0, listed).map((subject) => `  ${subject}`);
      const rest = subjects.size - shown.length;
      return [`${kind}: ${subjects.size} ${FINDINGS[kind]}`, ...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
    });
    return this.isCut ? [...lines, `more was found than the ${TRANSFER_LIMITS.findingsKept} that are kept`] : lines;
  }
}
