// Settings of nova's configuration as texts: files in order, then environment variables. The rules are those of
// oslo.config: the last value wins, a repeatable option collects all, and `$name` stands for the value of another option.
import type { ConfFile } from '../../platform/config/conf-files';
import { interpolate } from '../../platform/config/interpolation';
import { splitRepeatable } from '../../platform/config/option-values';
import type { IniEntry } from '../../platform/config/oslo-ini';
import { parseIni } from '../../platform/config/oslo-ini';

interface OsloSetting {
  /** All occurrences, with references replaced. */
  readonly texts: readonly string[];
  /** For messages: `nova.conf:12` or `environment variable OS_DATABASE__CONNECTION`. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Written {
  readonly texts: string[];
  origin: string;
}

/** Case and dashes do not matter, except that DEFAULT is upper case. */
const canonicalGroup = (group: string): string => (group === 'DEFAULT' ? group : group.toLowerCase());
const canonicalName = (name: string): string => name.replaceAll('-', '_');

const VARIABLE = /^OS_(.+?)__(.+)$/;

export class OsloSources {
  readonly problems: string[] = [];
  private readonly groups = new Map<string, Map<string, Written>>();
  /** Variables win over all files and replace all occurrences of a repeatable option. */
  private readonly variables = new Map<string, { readonly text: string; readonly origin: string }>();

  constructor(
    files: readonly Pick<ConfFile, 'shown' | 'text'>[],
    environment: Environment,
    /** Values of options that no source sets. */
    private readonly defaultOf: (group: string, name: string) => string | undefined,
  ) {
    for (const { shown, text } of files) {
      const document = parseIni(text);
      for (const { line, message } of document.problems) this.problems.push(`${shown}:${line}: ${message}`);
      for (const entry of document.entries) this.add(entry, shown);
    }
    for (const [variable, text] of Object.entries(environment)) {
      const [, group, name] = VARIABLE.exec(variable) ?? [];
      if (text === undefined || group === undefined || name === undefined) continue;
      const key = `${group === 'DEFAULT' ? group : group.toLowerCase()}.${name.toLowerCase()}`;
      this.variables.set(key, { text, origin: `environment variable ${variable}` });
    }
  }

  /** The setting with references replaced; undefined if no source sets it. An unknown reference is a problem. */
  find(group: string, name: string, isRepeatable = false): OsloSetting | undefined {
    const variable = this.variables.get(`${group}.${name}`);
    const written = this.groups.get(group)?.get(name);
    const origin = variable?.origin ?? written?.origin;
    if (origin === undefined) return undefined;
    const texts = variable === undefined ? (written?.texts ?? []) : variableTexts(variable.text, isRepeatable);
    const used = isRepeatable ? texts : texts.slice(-1);
    return { texts: used.map((text) => this.resolve(text, { group, name, origin })), origin };
  }

  /** The last text of an option; null if no source sets it, or an empty text. */
  text(group: string, name: string): string | null {
    return this.find(group, name)?.texts.at(-1)?.trim() || null;
  }

  /** Groups of which the files set an option. */
  groupNames(): readonly string[] {
    return [...this.groups.keys()];
  }

  /** Names that the sources set in a group, with the origin of each. */
  names(group: string): ReadonlyMap<string, string> {
    const names = new Map([...(this.groups.get(group) ?? [])].map(([name, { origin }]) => [name, origin]));
    for (const [key, { origin }] of this.variables) {
      if (key.startsWith(`${group}.`)) names.set(key.slice(group.length + 1), origin);
    }
    return names;
  }

  /** All options of a group, the last text of each. */
  record(group: string): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.names(group).keys()].map((name) => [name, this.find(group, name)?.texts.at(-1) ?? '']),
    );
  }

  private add({ group, name, value, line }: IniEntry, file: string): void {
    const [inGroup, key] = [canonicalGroup(group), canonicalName(name)];
    let settings = this.groups.get(inGroup);
    if (settings === undefined) this.groups.set(inGroup, (settings = new Map<string, Written>()));
    const written = settings.get(key) ?? { texts: [], origin: '' };
    written.texts.push(value);
    written.origin = `${file}:${line}`;
    settings.set(key, written);
  }

  /** The message omits the reference: it can be a part of a password. */
  private resolve(
    text: string,
    at: { readonly group: string; readonly name: string; readonly origin: string },
  ): string {
    const result = interpolate(text, (group, name) =>
      group === null ? (this.written(at.group, name) ?? this.written('DEFAULT', name)) : this.written(group, name),
    );
    if (result.ok) return result.text;
    this.problems.push(`${at.origin}: [${at.group}] ${at.name} contains a $ reference: ${result.problem}`);
    return '';
  }

  private written(group: string, name: string): string | undefined {
    return (
      this.variables.get(`${group}.${name}`)?.text ??
      this.groups.get(group)?.get(name)?.texts.at(-1) ??
      this.defaultOf(group, name)
    );
  }
}

const variableTexts = (text: string, isRepeatable: boolean): readonly string[] =>
  isRepeatable ? splitRepeatable(text) : [text];
