// The table of options: finds the row of a name in a file or in the environment. The rooms declare the options; this
// file knows none of them.

import { suggestionOf } from '../values/nearest-name';
import type { GroupValues, OptionGroups, OptionRow, OptionValue } from '../values/options';

/** The current name of an option, as `group.name`. */
interface Renamed {
  readonly kind: 'renamed';
  readonly now: string;
}

/** Stops the start, unless the value is one of those without effect. */
interface Refused {
  readonly kind: 'refused';
  readonly why: string;
  readonly harmless: readonly string[];
}

interface WithoutEffect {
  readonly kind: 'without effect';
  readonly why: string;
}

/** The meaning of an option of an old release. */
export type FormerOption = Renamed | Refused | WithoutEffect;

/** Options of old releases, as `group.name`. */
export type FormerOptions = Readonly<Record<string, FormerOption>>;

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
  readonly former?: FormerOptions;
  /** Rules across several options. */
  corrections?(values: GroupValues<G>): readonly Correction[];
}

/** All options by group and name, including former names. */
export class OptionTable<G extends OptionGroups = OptionGroups> {
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, OptionRow>>;
  /** Conflicts in the options of parts. */
  readonly problems: readonly string[];
  private readonly former: ReadonlyMap<string, FormerOption>;
  private readonly formerGroups: ReadonlySet<string>;

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
    this.former = formerNames(declared.former ?? {}, this.rows);
    this.formerGroups = new Set([...this.former.keys()].map((key) => key.slice(0, key.indexOf('.'))));
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

  /** The meaning of a former name. */
  formerOf(group: string, name: string): FormerOption | undefined {
    return this.find(group, name) === undefined ? this.former.get(`${group}.${name}`) : undefined;
  }

  /** The row of a current or former name. */
  rowNamed(group: string, name: string): OptionRow | undefined {
    const former = this.formerOf(group, name);
    const [nowGroup = '', nowName = ''] = former?.kind === 'renamed' ? former.now.split('.') : [group, name];
    return this.find(nowGroup, nowName);
  }

  /** A current or former group. */
  hasGroup(group: string): boolean {
    return this.groups.has(group) || this.formerGroups.has(group);
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

/** The former names that rows declare, together with those of the table. */
function formerNames(declared: FormerOptions, rows: readonly OptionRow[]): ReadonlyMap<string, FormerOption> {
  const former = new Map(Object.entries(declared));
  for (const row of rows) {
    for (const name of row.formerly ?? []) {
      const key = name.includes('.') ? name : `${row.group}.${name}`;
      former.set(key, { kind: 'renamed', now: `${row.group}.${row.name}` });
    }
  }
  return former;
}
