// The table of options: finds the row of a name in a file or in the environment. The rooms declare the options; this
// file knows none of them.

import { suggestionOf } from '../values/nearest-name';
import type { GroupValues, OptionGroups, OptionRow, OptionValue } from '../values/options';

/** A value in force that differs from the configured one, and the warning about it. */
export interface Correction {
  readonly group: string;
  readonly name: string;
  readonly value: OptionValue;
  readonly warning: string;
}

interface DeclaredOptions<G extends OptionGroups> {
  /** Declared options by group, in the order of the reference page. They define the configuration's type. */
  readonly groups: G;
  /** Options that parts declare; one that already exists must have the same kind. */
  readonly rows?: readonly OptionRow[];
  /** Current names of options by their former names, both as `group.name`. */
  readonly former?: Readonly<Record<string, string>>;
  /** Rules across several options. */
  corrections?(values: GroupValues<G>): readonly Correction[];
}

/** All options by group and name, including former names. */
export class OptionTable<G extends OptionGroups = OptionGroups> {
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, OptionRow>>;
  /** Conflicts in the options of parts. */
  readonly problems: readonly string[];
  /** Current names by former names, as `group.name`. */
  private readonly former: ReadonlyMap<string, string>;

  constructor(private readonly declared: DeclaredOptions<G>) {
    const groups = new Map<string, Map<string, OptionRow>>();
    const problems: string[] = [];
    for (const [group, options] of Object.entries(declared.groups)) {
      const rows = Object.entries(options).map(
        ([name, option]) => [name, { ...option, group, name, readBy: [] }] as const,
      );
      groups.set(group, new Map(rows));
    }
    for (const row of declared.rows ?? []) {
      const group = groups.get(row.group) ?? new Map<string, OptionRow>();
      const same = group.get(row.name);
      if (same === undefined || same.kind === row.kind) groups.set(row.group, group.set(row.name, row));
      else {
        problems.push(`option [${row.group}] ${row.name} is declared as ${row.kind}, but it is ${same.kind} already`);
      }
    }
    this.groups = groups;
    this.problems = problems;
    this.former = new Map([
      ...Object.entries(declared.former ?? {}),
      ...this.rows.flatMap(({ group, name, formerly = [] }) =>
        formerly.map((old) => [old.includes('.') ? old : `${group}.${old}`, `${group}.${name}`] as const),
      ),
    ]);
  }

  /** Every option, group by group. */
  get rows(): readonly OptionRow[] {
    return [...this.groups.values()].flatMap((rows) => [...rows.values()]);
  }

  /** The table with the options of further parts. */
  with(rows: readonly OptionRow[]): OptionTable<G> {
    return new OptionTable({ ...this.declared, rows: [...(this.declared.rows ?? []), ...rows] });
  }

  find(group: string, name: string): OptionRow | undefined {
    return this.groups.get(group)?.get(name);
  }

  /** The row of a former name. */
  findFormer(group: string, name: string): OptionRow | undefined {
    const [nowGroup = '', nowName = ''] = this.former.get(`${group}.${name}`)?.split('.') ?? [];
    return this.find(nowGroup, nowName);
  }

  /** A current or former group. */
  hasGroup(group: string): boolean {
    return this.groups.has(group) || [...this.former.keys()].some((key) => key.startsWith(`${group}.`));
  }

  /** Values in force that differ from these, by rules across several options. */
  corrections(values: GroupValues<G>): readonly Correction[] {
    return this.declared.corrections?.(values) ?? [];
  }

  /** A suggestion: the same name in another group, or a near name in the group. */
  suggestion(group: string, name: string): string {
    const known = this.groups.get(group);
    if (known === undefined) return suggestionOf(group, this.groups.keys(), (near) => `[${near}]`);
    const elsewhere = this.rows.find((row) => row.name === name && row.group !== group);
    if (elsewhere !== undefined) return `; there is one in [${elsewhere.group}]`;
    return suggestionOf(name, known.keys());
  }
}
