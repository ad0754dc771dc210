// Loads the configuration: environment over file over defaults. Checks all of it before the service starts, and reports
// all problems at once. Its only inputs are its arguments and the files that they name.

import { dirname, resolve } from 'node:path';
import type { GroupValues, OptionGroups, OptionRow, OptionValue } from '../values/options';
import { StartRefused } from '../values/start-refused';
import type { ReadFile } from './conf-files';
import { isOwnFile, NO_SUCH_FILE, readConfFiles, readFromDisk } from './conf-files';
import { chooseDatabase, judgeAuthentication } from './configuration-laws';
import type { OptionTable } from './option-table';
import { convertTexts, valueText } from './option-values';
import type { Config, PlatformConfig, ServerConfig } from './platform-config';
import type { PlatformGroups } from './platform-options';
import { isLoopbackHost, readServerSettings } from './server-settings';
import type { Setting, SourceReading } from './setting-sources';
import { readEnvironmentSettings, readFileSettings } from './setting-sources';
import { resolvedTexts, validValue } from './setting-values';
import { readTracingSettings } from './tracing-settings';

/** The inputs of the configuration. */
export interface LoadConfigInput<G extends OptionGroups = PlatformGroups> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base directory of relative paths and of the search for `berth.conf`. */
  readonly cwd: string;
  /** Text of a file, or undefined if it does not exist. Default: the file system. */
  readonly readFile?: ReadFile;
  /** Typed values that override every source; for tests and commands. */
  readonly overrides?: { readonly [N in keyof G]?: Partial<GroupValues<G>[N]> };
}

/** All problems of the configuration; `message` has one per line. */
export class ConfigError extends StartRefused {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

interface FileReading {
  readonly paths: readonly string[];
  readonly reading: SourceReading;
}

const DEFAULT_FILE = 'berth.conf';

/** The files and folders that BERTH_CONFIG names; empty: `berth.conf`, if it exists. */
const namedFiles = (env: LoadConfigInput['env']): readonly string[] =>
  (env['BERTH_CONFIG'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const readConfigFiles = ({ env, cwd, readFile = readFromDisk }: LoadConfigInput, table: OptionTable): FileReading => {
  const named = namedFiles(env);
  const isDefault = named.length === 0;
  const { files, problems } = readConfFiles(isDefault ? [DEFAULT_FILE] : named, cwd, readFile);
  const reading = readFileSettings(
    files.map((file) => ({ ...file, isShared: !isOwnFile(file.path) })),
    table,
  );
  const ofFiles = problems.filter((problem) => !isDefault || !problem.endsWith(NO_SUCH_FILE));
  return {
    paths: files.map(({ path }) => path),
    reading: { ...reading, problems: [...ofFiles, ...reading.problems] },
  };
};

/** Settings of all sources: the environment overrides the file, and current names override former names. */
const mergeSettings = (
  file: SourceReading,
  environment: SourceReading,
  warnings: string[],
): ReadonlyMap<string, Setting> => {
  const merged = new Map([...file.settings, ...environment.settings]);
  for (const [key, former] of new Map([...file.former, ...environment.former])) {
    const { row } = former;
    const newer = merged.get(key);
    if (newer === undefined) merged.set(key, former);
    else warnings.push(`${former.origin}: does not count, [${row.group}] ${row.name} is set by ${newer.origin}`);
  }
  return merged;
};

/** The text of an option for references to it. */
const textOf = ({ settings, table }: Loading, group: string, name: string): string | undefined => {
  const row = table.find(group, name) ?? table.findFormer(group, name);
  return row && (settings.get(`${row.group}.${row.name}`)?.texts.at(-1) ?? valueText(row.default));
};

type GroupRecord = Readonly<Record<string, OptionValue>>;

/** Intermediate state; `problems` and `warnings` grow. */
interface Loading {
  readonly input: LoadConfigInput;
  readonly table: OptionTable;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly problems: string[];
  readonly warnings: string[];
  readonly origins: Record<string, string>;
  /** Paths of the configuration files. */
  readonly files: readonly string[];
}

const overrideOf = (input: LoadConfigInput, row: OptionRow): OptionValue | undefined => {
  const group = input.overrides?.[row.group as keyof PlatformGroups] as GroupRecord | undefined;
  const value = group?.[row.name];
  const synonym = value === undefined || value === null ? undefined : row.synonyms?.[valueText(value)];
  return synonym === undefined ? value : convertTexts(row, [synonym]);
};

const valueOf = (loading: Loading, row: OptionRow): OptionValue => {
  const key = `${row.group}.${row.name}`;
  const override = overrideOf(loading.input, row);
  if (override !== undefined) {
    loading.origins[key] = 'override';
    return override;
  }
  const setting = loading.settings.get(key);
  if (setting === undefined) return row.default;
  loading.origins[key] = setting.origin;
  const texts = resolvedTexts(setting, (...option) => textOf(loading, ...option), loading.problems);
  // The unresolved reference is already reported; the option's rule would only repeat it.
  if (texts === null) return row.default;
  const value = convertTexts(row, texts);
  for (const entry of Array.isArray(value) ? (value as readonly string[]) : []) {
    const problem = row.entryProblem?.(entry) ?? null;
    if (problem !== null) loading.warnings.push(`${setting.origin}: [${row.group}] ${row.name}: ${problem}`);
  }
  return value;
};

const groupValues = (loading: Loading, rows: readonly OptionRow[]): GroupRecord => {
  const values: Record<string, OptionValue> = Object.fromEntries(rows.map((row) => [row.name, valueOf(loading, row)]));
  for (const row of rows) {
    const key = `${row.group}.${row.name}`;
    const origin = loading.origins[key] ?? 'default';
    const setting = loading.settings.get(key);
    const isShared = origin === setting?.origin && setting.isShared;
    values[row.name] = validValue({ row, origin, isShared }, values[row.name] ?? null, loading) ?? row.default;
  }
  return values;
};

const freezeDeep = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
};

const start = (table: OptionTable, input: LoadConfigInput): Loading => {
  const problems = [...table.problems];
  const { paths, reading } = readConfigFiles(input, table);
  const environment = readEnvironmentSettings(input.env, table);
  problems.push(...reading.problems, ...environment.problems);
  const warnings = [...reading.warnings, ...environment.warnings];
  const settings = mergeSettings(reading, environment, warnings);
  return { input, table, settings, problems, warnings, origins: {}, files: paths };
};

/** The address from the environment: a variable, or a file that it names. The file is read again with each reload. */
const environmentAddress = ({ input, problems }: Loading): { readonly url: string; readonly origin: string } | null => {
  const { env, cwd, readFile = readFromDisk } = input;
  const url = env['DATABASE_URL']?.trim() || undefined;
  const file = env['DATABASE_URL_FILE']?.trim() || undefined;
  if (url !== undefined && file !== undefined) problems.push('DATABASE_URL and DATABASE_URL_FILE: give one of them');
  if (url !== undefined) return { url, origin: 'environment variable DATABASE_URL' };
  if (file === undefined) return null;
  try {
    const text = readFile(resolve(cwd, file))?.trim() ?? '';
    if (text !== '') return { url: text, origin: 'the file of environment variable DATABASE_URL_FILE' };
    problems.push(`environment variable DATABASE_URL_FILE: ${file} is missing or empty`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    problems.push(`environment variable DATABASE_URL_FILE: ${file} cannot be read (${code})`);
  }
  return null;
};

/** The effective address: from the environment, otherwise the option, otherwise a file in the working directory. */
const databaseOf = (loading: Loading, options: PlatformConfig['placement_database']): PlatformConfig['database'] => {
  const { env, cwd, overrides } = loading.input;
  const override = overrides?.placement_database?.connection;
  const fromEnvironment = environmentAddress(loading);
  const [url, origin] =
    override === undefined && fromEnvironment !== null
      ? [fromEnvironment.url, fromEnvironment.origin]
      : [
          options.connection ?? 'sqlite:///berth.db',
          `${loading.origins['placement_database.connection'] ?? 'default'}: [placement_database] connection`,
        ];
  const found = chooseDatabase(url, origin, options, cwd);
  if ('problem' in found) {
    loading.problems.push(found.problem);
    return { kind: 'sqlite', path: resolve(cwd, 'berth.db') };
  }
  loading.warnings.push(...found.warnings);
  const isNamed = override !== undefined || fromEnvironment !== null || options.connection !== null;
  if (!isNamed && env['BERTH_CONFIG'] !== undefined && loading.files.length > 0 && found.database.kind === 'sqlite') {
    const path = found.database.path;
    loading.warnings.push(`${env['BERTH_CONFIG']}: no [placement_database] connection is set; ${path} is used`);
  }
  return found.database;
};

/** Applies the rules across several options, with their warnings. */
const correct = <G extends OptionGroups>(
  table: OptionTable<G>,
  values: Readonly<Record<string, GroupRecord>>,
  warnings: string[],
): Readonly<Record<string, GroupRecord>> => {
  const corrected = { ...values };
  for (const { group, name, value, warning } of table.corrections(values as GroupValues<G>)) {
    corrected[group] = { ...corrected[group], [name]: value };
    warnings.push(warning);
  }
  return corrected;
};

/** Throws ConfigError with every problem; the result is deeply frozen. */
export const loadConfig = <G extends PlatformGroups>(
  table: OptionTable<G>,
  input: LoadConfigInput<NoInfer<G>>,
): Config<G> => {
  const { config, problems } = examineConfig(table, input);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
};

/** The configuration with defaults instead of invalid values, and every problem. */
export const examineConfig = <G extends PlatformGroups>(
  table: OptionTable<G>,
  input: LoadConfigInput<NoInfer<G>>,
): { readonly config: Config<G>; readonly problems: readonly string[] } => {
  const loading = start(table, input);
  const { problems, warnings, origins } = loading;
  const configured = Object.fromEntries(
    [...table.groups].map(([group, rows]) => [group, groupValues(loading, [...rows.values()])]),
  );
  const { api, DEFAULT, keystone_authtoken, placement_database } = configured as GroupValues<PlatformGroups>;
  const settings = readServerSettings(input.env);
  const { host, port } = settings;
  const server: ServerConfig = { host, port, isLoopback: isLoopbackHost(host) };
  const traces = readTracingSettings(input.env);
  problems.push(...settings.problems, ...traces.problems);
  warnings.push(...traces.warnings);
  const database = databaseOf(loading, placement_database);
  const authentication = judgeAuthentication(api.auth_strategy, server, settings, keystone_authtoken);
  problems.push(...authentication.problems);
  warnings.push(...authentication.warnings);
  const values = correct(table, configured, warnings);
  const config = freezeDeep({
    ...(values as GroupValues<G>),
    values,
    server,
    database,
    logging: { level: settings.logLevel ?? (DEFAULT.debug ? 'debug' : 'info'), format: settings.logFormat },
    tracing: traces.tracing,
    files: loading.files,
    folder: dirname(loading.files[0] ?? resolve(input.cwd, DEFAULT_FILE)),
    cwd: input.cwd,
    warnings: [...warnings],
    origins: { ...origins },
  });
  return { config, problems };
};

/**
 * The value of one option, read before all others, because plug-ins declare options themselves. Problems are left to
 * `loadConfig`.
 */
export const readOption = (
  table: OptionTable,
  input: LoadConfigInput,
  group: string,
  name: string,
): OptionValue | undefined => {
  const row = table.find(group, name);
  return row && valueOf(start(table, input), row);
};
