// Gathers what the file and the environment say about which option, and finds what they say about none. Values are
// still texts here.

import { formerOptions } from './former-options';
import type { FormerOption } from './former-options';
import type { OptionRow } from './option-types';
import { OWN_GROUPS } from './options';
import { nearestName } from './nearest-name';
import { splitRepeatable } from './option-values';
import { parseIni } from './oslo-ini';
import type { IniDocument, IniEntry } from './oslo-ini';
import { ENVIRONMENT_VARIABLES } from './server-settings';

/** Everything one source says about one option. */
export interface Setting {
  readonly row: OptionRow;
  readonly texts: readonly string[];
  /** For messages: `berth.conf:12` or `environment variable BERTH_PLACEMENT__RANDOM_SEED`. */
  readonly origin: string;
  /** References to other options are replaced in files only; a shell has its own. */
  readonly isInterpolated: boolean;
}

export interface SourceReading {
  readonly settings: ReadonlyMap<string, Setting>;
  /** What was said under names of old releases, by the names of now. */
  readonly former: ReadonlyMap<string, Setting>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Rows by group and name; names that an option had before lead to it as well. */
export class OptionIndex {
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, OptionRow>>;
  private readonly former: ReadonlyMap<string, FormerOption>;
  private readonly formerGroups: ReadonlySet<string>;

  constructor(rows: readonly OptionRow[]) {
    const groups = new Map<string, Map<string, OptionRow>>();
    for (const row of rows) {
      const group = groups.get(row.group) ?? new Map<string, OptionRow>();
      groups.set(row.group, group.set(row.name, row));
    }
    this.groups = groups;
    this.former = formerOptions(rows);
    this.formerGroups = new Set([...this.former.keys()].map((key) => key.slice(0, key.indexOf('.'))));
  }

  find(group: string, name: string): OptionRow | undefined {
    return this.groups.get(group)?.get(name);
  }

  /** What became of a name of old releases. */
  formerOf(group: string, name: string): FormerOption | undefined {
    return this.find(group, name) === undefined ? this.former.get(`${group}.${name}`) : undefined;
  }

  /** By a name of now or of old releases. */
  rowNamed(group: string, name: string): OptionRow | undefined {
    const former = this.formerOf(group, name);
    const [nowGroup = '', nowName = ''] = former?.kind === 'renamed' ? former.now.split('.') : [group, name];
    return this.find(nowGroup, nowName);
  }

  /** A group of the table, or one that options of old releases stood in. */
  hasGroup(group: string): boolean {
    return this.groups.has(group) || this.formerGroups.has(group);
  }

  /** What may have been meant: a near name in the group, or the same name in another group. */
  suggestion(group: string, name: string): string {
    const known = this.groups.get(group);
    if (known === undefined) {
      const near = nearestName(group, this.groups.keys());
      return near === undefined ? '' : `; did you mean [${near}]?`;
    }
    const elsewhere = [...this.groups].find(([other, rows]) => other !== group && rows.has(name));
    if (elsewhere !== undefined) return `; there is one in [${elsewhere[0]}]`;
    const near = nearestName(name, known.keys());
    return near === undefined ? '' : `; did you mean ${near}?`;
  }
}

/** Case and dashes do not count, except that DEFAULT is written in capitals. */
const canonicalGroup = (group: string): string => (group === 'DEFAULT' ? group : group.toLowerCase());
const canonicalName = (name: string): string => name.replaceAll('-', '_');

interface Findings {
  readonly problems: string[];
  readonly warnings: string[];
}

const isLetPass = (group: string, index: OptionIndex, lenient: boolean): boolean =>
  lenient && !(index.groups.has(group) && OWN_GROUPS.has(group));

const judgeGroups = (document: IniDocument, file: string, index: OptionIndex, lenient: boolean, to: Findings): void => {
  const foreign = document.sections.filter(({ group }) => !index.hasGroup(canonicalGroup(group)));
  for (const { group, line } of foreign) {
    if (!lenient)
      to.problems.push(`${file}:${line}: unknown group [${group}]${index.suggestion(canonicalGroup(group), '')}`);
  }
  if (lenient && foreign.length > 0) {
    const names = [...new Set(foreign.map(({ group }) => `[${group}]`))].join(', ');
    to.warnings.push(`${file}: groups of other services are let pass: ${names}`);
  }
};

const judgeUnknown = (entry: IniEntry, file: string, index: OptionIndex, lenient: boolean, to: Findings): void => {
  const group = canonicalGroup(entry.group);
  if (!index.hasGroup(group)) return;
  const message = `${file}:${entry.line}: unknown option [${group}] ${entry.name}${index.suggestion(group, canonicalName(entry.name))}`;
  if (isLetPass(group, index, lenient)) to.warnings.push(`${message} (let pass)`);
  else to.problems.push(message);
};

const noteIgnored = (row: OptionRow, origin: string, to: Findings): void => {
  if (row.type !== 'ignored') return;
  to.warnings.push(`${origin}: [${row.group}] ${row.name} has no effect: ${row.reason ?? ''}`);
};

/** One setting under a name of old releases, and where it was made. */
interface FormerSetting {
  readonly group: string;
  readonly name: string;
  readonly text: string;
  readonly origin: string;
}

/** The row that the setting counts for; undefined where it counts for none, with the reason noted. */
const rowOfFormer = (
  option: FormerOption,
  { group, name, text, origin }: FormerSetting,
  index: OptionIndex,
  to: Findings,
): OptionRow | undefined => {
  const setting = `${origin}: [${group}] ${name}`;
  if (option.kind === 'without effect') {
    to.warnings.push(`${setting} has no effect: ${option.why}`);
    return undefined;
  }
  if (option.kind === 'refused') {
    const isHarmless = option.harmless.some((harmless) => harmless.toLowerCase() === text.trim().toLowerCase());
    (isHarmless ? to.warnings : to.problems).push(
      isHarmless ? `${setting} = "${text}" asks for nothing: ${option.why}` : `${setting} = "${text}": ${option.why}`,
    );
    return undefined;
  }
  const [nowGroup = '', nowName = ''] = option.now.split('.');
  const isUnset = option.unsets?.includes(text.trim()) === true;
  to.warnings.push(
    `${setting} is now called [${nowGroup}] ${nowName}${isUnset ? `; "${text}" leaves it as it is` : ''}`,
  );
  return isUnset ? undefined : index.find(nowGroup, nowName);
};

/** The settings of a configuration file. Repeated keys gather in order. */
export const readFileSettings = (text: string, file: string, index: OptionIndex, lenient: boolean): SourceReading => {
  const document = parseIni(text);
  const settings = new Map<string, Setting>();
  const former = new Map<string, Setting>();
  const found: Findings = {
    problems: document.problems.map(({ line, message }) => `${file}:${line}: ${message}`),
    warnings: [],
  };
  judgeGroups(document, file, index, lenient, found);
  for (const entry of document.entries) {
    const [group, name] = [canonicalGroup(entry.group), canonicalName(entry.name)];
    const option = index.formerOf(group, name);
    const origin = `${file}:${entry.line}`;
    const row =
      option === undefined
        ? index.find(group, name)
        : rowOfFormer(option, { group, name, text: entry.value, origin }, index, found);
    if (row === undefined) {
      if (option === undefined) judgeUnknown(entry, file, index, lenient, found);
      continue;
    }
    if (option === undefined) noteIgnored(row, origin, found);
    const to = option === undefined ? settings : former;
    const key = `${row.group}.${row.name}`;
    const texts = [...(to.get(key)?.texts ?? []), entry.value];
    to.set(key, { row, texts, origin, isInterpolated: true });
  }
  return { settings, former, ...found };
};

const GROUPED = /^BERTH_(.+?)__(.+)$/;

/** The settings of `BERTH_<GROUP>__<OPTION>` variables; other `BERTH_…` variables that mean nothing are warned about. */
export const readEnvironmentSettings = (
  env: Readonly<Record<string, string | undefined>>,
  index: OptionIndex,
): SourceReading => {
  const settings = new Map<string, Setting>();
  const former = new Map<string, Setting>();
  const found: Findings = { problems: [], warnings: [] };
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !variable.startsWith('BERTH_') || variable in ENVIRONMENT_VARIABLES) continue;
    const [, upperGroup, upperName] = GROUPED.exec(variable) ?? [];
    if (upperGroup === undefined || upperName === undefined) {
      const near = nearestName(variable, Object.keys(ENVIRONMENT_VARIABLES));
      found.warnings.push(
        `environment variable ${variable} means nothing here${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
      continue;
    }
    const group = upperGroup === 'DEFAULT' ? upperGroup : upperGroup.toLowerCase();
    const name = upperName.toLowerCase();
    const option = index.formerOf(group, name);
    const origin = `environment variable ${variable}`;
    const row =
      option === undefined ? index.find(group, name) : rowOfFormer(option, { group, name, text, origin }, index, found);
    if (row === undefined) {
      if (option !== undefined) continue;
      const what = index.hasGroup(group) ? `unknown option [${group}] ${name}` : `unknown group [${group}]`;
      found.problems.push(`${origin}: ${what}${index.suggestion(group, name)}`);
      continue;
    }
    if (option === undefined) noteIgnored(row, origin, found);
    const texts = row.type === 'multi' ? splitRepeatable(text) : [text];
    const to = option === undefined ? settings : former;
    to.set(`${row.group}.${row.name}`, { row, texts, origin, isInterpolated: false });
  }
  return { settings, former, ...found };
};
