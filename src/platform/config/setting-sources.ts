// Collects the settings of the file and the environment by option, and reports unknown ones. Values are still texts
// here.

import type { OptionRow } from '../values/options';
import { formerOptions, optionOfDeploymentName } from './former-options';
import type { FormerOption } from './former-options';
import { OPTION_ROWS, OWN_GROUPS } from './options';
import { nearestName } from './nearest-name';
import { splitRepeatable } from './option-values';
import { parseIni } from './oslo-ini';
import type { IniDocument, IniEntry } from './oslo-ini';
import { ENVIRONMENT_VARIABLES } from './server-settings';

/** All occurrences of one option in one source. */
export interface Setting {
  readonly row: OptionRow;
  readonly texts: readonly string[];
  /** For messages: `berth.conf:12` or `environment variable BERTH_PLACEMENT__RANDOM_SEED`. */
  readonly origin: string;
  /** References to other options are replaced in files only; shells have their own. */
  readonly isInterpolated: boolean;
}

export interface SourceReading {
  readonly settings: ReadonlyMap<string, Setting>;
  /** Settings under former names, by current names. */
  readonly former: ReadonlyMap<string, Setting>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** All options by group and name, including former names. */
export class OptionIndex {
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, OptionRow>>;
  /** Conflicts in the options of plug-ins. */
  readonly problems: readonly string[];
  private readonly former: ReadonlyMap<string, FormerOption>;
  private readonly formerGroups: ReadonlySet<string>;

  /** The table's rows and those of plug-ins; a plug-in's option that already exists must have the same kind. */
  constructor(extraRows: readonly OptionRow[] = []) {
    const groups = new Map<string, Map<string, OptionRow>>();
    const problems: string[] = [];
    for (const row of [...OPTION_ROWS, ...extraRows]) {
      const group = groups.get(row.group) ?? new Map<string, OptionRow>();
      const same = group.get(row.name);
      if (same === undefined || same.kind === row.kind) groups.set(row.group, group.set(row.name, row));
      else {
        problems.push(`option [${row.group}] ${row.name} is declared as ${row.kind}, but it is ${same.kind} already`);
      }
    }
    this.groups = groups;
    this.problems = problems;
    this.former = formerOptions([...groups.values()].flatMap((rows) => [...rows.values()]));
    this.formerGroups = new Set([...this.former.keys()].map((key) => key.slice(0, key.indexOf('.'))));
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

  /** The option of a deployment tool's parameter name; `NovaSchedulerMaxAttempts` is max_attempts. */
  private rowOfDeploymentName(name: string): OptionRow | undefined {
    const option = optionOfDeploymentName(name);
    if (option === undefined) return undefined;
    return this.find('scheduler', option) ?? this.find('filter_scheduler', option);
  }

  /**
   * A suggestion: the name behind a deployment tool's name, a near name in the group, or the same name in another
   * group.
   */
  suggestion(group: string, name: string): string {
    const known = this.groups.get(group);
    if (known === undefined) {
      const near = nearestName(group, this.groups.keys());
      return near === undefined ? '' : `; did you mean [${near}]?`;
    }
    const deployed = this.rowOfDeploymentName(name);
    if (deployed !== undefined) return `; its name is [${deployed.group}] ${deployed.name}`;
    const elsewhere = [...this.groups].find(([other, rows]) => other !== group && rows.has(name));
    if (elsewhere !== undefined) return `; there is one in [${elsewhere[0]}]`;
    const near = nearestName(name, known.keys());
    return near === undefined ? '' : `; did you mean ${near}?`;
  }
}

/** Case and dashes are ignored, except that DEFAULT is upper case. */
const canonicalGroup = (group: string): string => (group === 'DEFAULT' ? group : group.toLowerCase());
const canonicalName = (name: string): string => name.replaceAll('-', '_');

interface Findings extends SourceReading {
  readonly settings: Map<string, Setting>;
  readonly former: Map<string, Setting>;
  readonly problems: string[];
  readonly warnings: string[];
}

const nothingFound = (): Findings => ({ settings: new Map(), former: new Map(), problems: [], warnings: [] });

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

/** One setting as written, with its origin. */
interface WrittenSetting {
  readonly group: string;
  readonly name: string;
  readonly text: string;
  readonly origin: string;
}

/** The row of a setting with a former name; undefined if it has none, with the reason reported. */
const rowOfFormer = (
  option: FormerOption,
  { group, name, text, origin }: WrittenSetting,
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

/**
 * Stores the setting of a known option; returns false for an unknown name. Repeated keys of a file are collected in
 * order.
 */
const keep = (given: WrittenSetting, isOfFile: boolean, index: OptionIndex, to: Findings): boolean => {
  const { group, name, origin } = given;
  const option = index.formerOf(group, name);
  const row = option === undefined ? index.find(group, name) : rowOfFormer(option, given, index, to);
  if (row === undefined) return option !== undefined;
  if (option === undefined && row.kind === 'ignored') {
    to.warnings.push(`${origin}: [${row.group}] ${row.name} has no effect: ${row.help ?? ''}`);
  }
  const kept = option === undefined ? to.settings : to.former;
  const key = `${row.group}.${row.name}`;
  const inEnvironment = row.kind === 'multi' ? splitRepeatable(given.text) : [given.text];
  const texts = isOfFile ? [...(kept.get(key)?.texts ?? []), given.text] : inEnvironment;
  kept.set(key, { row, texts, origin, isInterpolated: isOfFile });
  return true;
};

/** The settings of a configuration file. */
export const readFileSettings = (text: string, file: string, index: OptionIndex, lenient: boolean): SourceReading => {
  const document = parseIni(text);
  const found = nothingFound();
  found.problems.push(...document.problems.map(({ line, message }) => `${file}:${line}: ${message}`));
  judgeGroups(document, file, index, lenient, found);
  for (const entry of document.entries) {
    const [group, name] = [canonicalGroup(entry.group), canonicalName(entry.name)];
    const given = { group, name, text: entry.value, origin: `${file}:${entry.line}` };
    if (!keep(given, true, index, found)) judgeUnknown(entry, file, index, lenient, found);
  }
  return found;
};

const GROUPED = /^BERTH_(.+?)__(.+)$/;

/** The settings of `BERTH_<GROUP>__<OPTION>` variables; unknown `BERTH_…` variables cause a warning. */
export const readEnvironmentSettings = (
  env: Readonly<Record<string, string | undefined>>,
  index: OptionIndex,
): SourceReading => {
  const found = nothingFound();
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
    const origin = `environment variable ${variable}`;
    if (keep({ group, name, text, origin }, false, index, found)) continue;
    const what = index.hasGroup(group) ? `unknown option [${group}] ${name}` : `unknown group [${group}]`;
    found.problems.push(`${origin}: ${what}${index.suggestion(group, name)}`);
  }
  return found;
};
