// Collects the settings of the file and the environment by option, and reports unknown ones. Values are still texts
// here.

import { nearestName } from '../values/nearest-name';
import type { OptionRow } from '../values/options';
import type { FormerOption, OptionTable } from './option-table';
import { splitRepeatable } from './option-values';
import type { IniDocument, IniEntry } from './oslo-ini';
import { parseIni } from './oslo-ini';
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

const isLetPass = (group: string, table: OptionTable, lenient: boolean): boolean =>
  lenient && !(table.groups.has(group) && table.isOwnGroup(group));

const judgeGroups = (document: IniDocument, file: string, table: OptionTable, lenient: boolean, to: Findings): void => {
  const foreign = document.sections.filter(({ group }) => !table.hasGroup(canonicalGroup(group)));
  for (const { group, line } of foreign) {
    if (!lenient)
      to.problems.push(`${file}:${line}: unknown group [${group}]${table.suggestion(canonicalGroup(group), '')}`);
  }
  if (lenient && foreign.length > 0) {
    const names = [...new Set(foreign.map(({ group }) => `[${group}]`))].join(', ');
    to.warnings.push(`${file}: groups of other services are let pass: ${names}`);
  }
};

const judgeUnknown = (entry: IniEntry, file: string, table: OptionTable, lenient: boolean, to: Findings): void => {
  const group = canonicalGroup(entry.group);
  if (!table.hasGroup(group)) return;
  const message = `${file}:${entry.line}: unknown option [${group}] ${entry.name}${table.suggestion(group, canonicalName(entry.name))}`;
  if (isLetPass(group, table, lenient)) to.warnings.push(`${message} (let pass)`);
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
  table: OptionTable,
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
  return isUnset ? undefined : table.find(nowGroup, nowName);
};

/**
 * Stores the setting of a known option; returns false for an unknown name. Repeated keys of a file are collected in
 * order.
 */
const keep = (given: WrittenSetting, isOfFile: boolean, table: OptionTable, to: Findings): boolean => {
  const { group, name, origin } = given;
  const option = table.formerOf(group, name);
  const row = option === undefined ? table.find(group, name) : rowOfFormer(option, given, table, to);
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
export const readFileSettings = (text: string, file: string, table: OptionTable, lenient: boolean): SourceReading => {
  const document = parseIni(text);
  const found = nothingFound();
  found.problems.push(...document.problems.map(({ line, message }) => `${file}:${line}: ${message}`));
  judgeGroups(document, file, table, lenient, found);
  for (const entry of document.entries) {
    const [group, name] = [canonicalGroup(entry.group), canonicalName(entry.name)];
    const given = { group, name, text: entry.value, origin: `${file}:${entry.line}` };
    if (!keep(given, true, table, found)) judgeUnknown(entry, file, table, lenient, found);
  }
  return found;
};

const GROUPED = /^BERTH_(.+?)__(.+)$/;

/** The settings of `BERTH_<GROUP>__<OPTION>` variables; unknown `BERTH_…` variables cause a warning. */
export const readEnvironmentSettings = (
  env: Readonly<Record<string, string | undefined>>,
  table: OptionTable,
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
    if (keep({ group, name, text, origin }, false, table, found)) continue;
    const what = table.hasGroup(group) ? `unknown option [${group}] ${name}` : `unknown group [${group}]`;
    found.problems.push(`${origin}: ${what}${table.suggestion(group, name)}`);
  }
  return found;
};
