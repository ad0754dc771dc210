// Collects the settings of the file and the environment by option, and reports unknown ones. Values are still texts
// here.

import { suggestionOf } from '../values/nearest-name';
import type { OptionRow } from '../values/options';
import type { ConfFile } from './conf-files';
import type { OptionTable } from './option-table';
import { splitRepeatable } from './option-values';
import { parseIni } from './oslo-ini';
import { ENVIRONMENT_VARIABLES } from './server-settings';

/** All occurrences of one option in one source. */
export interface Setting {
  readonly row: OptionRow;
  readonly texts: readonly string[];
  /** For messages: `berth.conf:12` or `environment variable BERTH_PLACEMENT__RANDOM_SEED`. */
  readonly origin: string;
  /** References are not replaced in Berth's own variables; shells have their own. */
  readonly isInterpolated: boolean;
  /** From a file that other services share, or their variables. */
  readonly isShared: boolean;
}

interface SettingsFile extends Pick<ConfFile, 'shown' | 'text'> {
  readonly isShared: boolean;
}

/** What the sources set. It grows while they are read. */
export class SourceReading {
  readonly settings = new Map<string, Setting>();
  /** Settings under former names, by current names. */
  readonly former = new Map<string, Setting>();
  /** The last text of every name, known or not. */
  readonly written = new Map<string, string>();
  readonly problems: string[] = [];
  readonly warnings: string[] = [];
}

/** Case and dashes are ignored, except that DEFAULT is upper case. */
const canonicalGroup = (group: string): string => (group === 'DEFAULT' ? group : group.toLowerCase());
const canonicalName = (name: string): string => name.replaceAll('-', '_');

/** A group or option that no row of the table has. */
interface UnknownName {
  readonly group: string;
  /** Null: the group is unknown. */
  readonly name: string | null;
  readonly origin: string;
  /** The nearest name as the rest of a sentence, or empty. */
  readonly suggestion: string;
}

const unknownName = (group: string, name: string | null, origin: string, table: OptionTable): UnknownName => ({
  group,
  name,
  origin,
  suggestion: table.suggestion(group, name ?? ''),
});

const shownName = ({ group, name }: UnknownName): string => (name === null ? `[${group}]` : `[${group}] ${name}`);

const unknownProblem = (unknown: UnknownName): string =>
  `${unknown.origin}: unknown ${unknown.name === null ? 'group' : 'option'} ${shownName(unknown)}${unknown.suggestion}`;

const ownFileProblems = (file: string, unknown: readonly UnknownName[]): readonly string[] => [
  ...unknown.map(unknownProblem),
  ...(unknown.every(({ suggestion }) => suggestion !== '')
    ? []
    : [`${file}: names of other services are errors here; in a file that is not called berth*.conf they are warnings`]),
];

/**
 * Warnings about names in a file that services share: a line for each that is similar to a known one, because it can be
 * a typing error, and one line for all others.
 */
const sharedNameWarnings = (file: string, unknown: readonly UnknownName[]): readonly string[] => {
  const near = unknown.filter(({ suggestion }) => suggestion !== '');
  const others = new Map<string, Set<string>>();
  for (const { group, name, suggestion } of unknown) {
    if (suggestion !== '') continue;
    const names = others.get(group) ?? new Set();
    others.set(group, name === null ? names : names.add(name));
  }
  const shown = [...others].map(([group, names]) => `[${group}] ${[...names].join(', ')}`.trimEnd());
  return [
    ...near.map((name) => `${name.origin}: ${shownName(name)} has no effect${name.suggestion}`),
    ...(shown.length === 0 ? [] : [`${file}: has no effect in Berth: ${shown.join('; ')}`]),
  ];
};

/** One setting as written, with its origin. */
interface WrittenSetting {
  readonly group: string;
  readonly name: string;
  readonly text: string;
  readonly origin: string;
  readonly isOfFile: boolean;
  readonly isShared: boolean;
}

/**
 * Stores the setting of a known option; returns false for an unknown name. Repeated keys of a file are collected in
 * order.
 */
const keep = (given: WrittenSetting, table: OptionTable, to: SourceReading): boolean => {
  const { group, name, text, origin, isOfFile, isShared } = given;
  to.written.set(`${group}.${name}`, text);
  const current = table.find(group, name);
  const row = current ?? table.findFormer(group, name);
  if (row === undefined) return false;
  if (current === undefined) to.warnings.push(`${origin}: [${group}] ${name} is now called [${row.group}] ${row.name}`);
  const kept = current === undefined ? to.former : to.settings;
  const key = `${row.group}.${row.name}`;
  const inEnvironment = row.kind === 'multi' ? splitRepeatable(text) : [text];
  const texts = isOfFile ? [...(kept.get(key)?.texts ?? []), text] : inEnvironment;
  kept.set(key, { row, texts, origin, isInterpolated: isOfFile || isShared, isShared });
  return true;
};

/** Reads one file into `found`; a later file overrides an earlier one. */
const readFile = ({ text, shown, isShared }: SettingsFile, table: OptionTable, found: SourceReading): void => {
  const { sections, entries, problems } = parseIni(text);
  found.problems.push(...problems.map(({ line, message }) => `${shown}:${line}: ${message}`));
  const unknown = sections
    .map(({ group, line }) => ({ group: canonicalGroup(group), origin: `${shown}:${line}` }))
    .filter(({ group }) => !table.hasGroup(group))
    .map(({ group, origin }) => unknownName(group, null, origin, table));
  for (const entry of entries) {
    const [group, name] = [canonicalGroup(entry.group), canonicalName(entry.name)];
    const origin = `${shown}:${entry.line}`;
    const isKnown = keep({ group, name, text: entry.value, origin, isOfFile: true, isShared }, table, found);
    if (!isKnown && table.hasGroup(group)) unknown.push(unknownName(group, name, origin, table));
  }
  if (isShared) found.warnings.push(...sharedNameWarnings(shown, unknown));
  else found.problems.push(...ownFileProblems(shown, unknown));
};

/** The settings of configuration files, merged in order. */
export const readFileSettings = (files: readonly SettingsFile[], table: OptionTable): SourceReading => {
  const found = new SourceReading();
  for (const file of files) readFile(file, table, found);
  return found;
};

const GROUPED = /^(?:BERTH|OS)_(.+?)__(.+)$/;

/**
 * The settings of `BERTH_<GROUP>__<OPTION>` variables, or of `OS_…` variables, which all services of OpenStack share.
 * An unknown option is a problem in the first, a warning in the second.
 */
export const readEnvironmentSettings = (
  env: Readonly<Record<string, string | undefined>>,
  table: OptionTable,
  prefix: 'BERTH' | 'OS' = 'BERTH',
): SourceReading => {
  const found = new SourceReading();
  const unknown: UnknownName[] = [];
  const isShared = prefix === 'OS';
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !variable.startsWith(`${prefix}_`) || variable in ENVIRONMENT_VARIABLES) continue;
    const [, upperGroup, upperName] = GROUPED.exec(variable) ?? [];
    if (upperGroup === undefined || upperName === undefined) {
      const suggestion = suggestionOf(variable, Object.keys(ENVIRONMENT_VARIABLES));
      if (!isShared) found.warnings.push(`environment variable ${variable} means nothing here${suggestion}`);
      continue;
    }
    const group = upperGroup === 'DEFAULT' ? upperGroup : upperGroup.toLowerCase();
    const name = upperName.toLowerCase();
    const origin = `environment variable ${variable}`;
    if (keep({ group, name, text, origin, isOfFile: false, isShared }, table, found)) continue;
    unknown.push(unknownName(group, table.hasGroup(group) ? name : null, origin, table));
  }
  if (isShared) found.warnings.push(...sharedNameWarnings('environment variables', unknown));
  else found.problems.push(...unknown.map(unknownProblem));
  return found;
};
