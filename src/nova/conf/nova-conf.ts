// Reads nova.conf: what Berth needs to take the place of nova-scheduler, and the options of the scheduler, which have
// nova's names. All services of nova share the file, so what Berth does not read is a warning.
import { hostname } from 'node:os';
import type { ConfFile } from '../../platform/config/conf-files';
import { ConfigError } from '../../platform/config/load-config';
import { OptionTable } from '../../platform/config/option-table';
import { convertTexts, valueText } from '../../platform/config/option-values';
import type { Setting } from '../../platform/config/setting-sources';
import { readEnvironmentSettings, readFileSettings } from '../../platform/config/setting-sources';
import { resolvedTexts, validValue } from '../../platform/config/setting-values';
import type { OptionRow, OptionValue } from '../../platform/values/options';
import { SCHEDULER_TABLE } from '../../scheduler/option-table';
import type { RemotePlacementSettings } from '../../scheduler/remote-placement/remote-placement';
import type { DefaultRatios } from '../cells/node-rows';
import { RABBIT_OPTION_NAMES } from '../rpc/rabbit-options';
import type { NovaDatabase } from './database-url';
import { novaDatabaseOf } from './database-url';
import { PLACEMENT_NAMES, remotePlacementOf } from './placement-conf';

/** Releases whose databases and messages are known, as nova's major version. */
export const OLDEST_RELEASE = 26;

export interface NovaConfInput {
  /** In the order of nova's `--config-file` and `--config-dir`. */
  readonly files: readonly Pick<ConfFile, 'shown' | 'text'>[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** nova's major version, which decides defaults: 26 is Zed, 27 is 2023.1. */
  readonly release: number;
  /** Reads `[placement]` for `remote`. Default: `local`. */
  readonly placement?: 'local' | 'remote';
}

export interface NovaConf {
  readonly apiDatabase: NovaDatabase;
  /** `[database] connection`: fills the templates of cells. Contains a password. */
  readonly database: string | null;
  /** `[DEFAULT] transport_url`. Contains a password. */
  readonly transportUrl: string | null;
  /** Name of this server in the message queue. */
  readonly host: string;
  readonly controlExchange: string;
  /** Overcommit ratios of nodes whose columns are NULL or 0. */
  readonly ratios: DefaultRatios;
  /** `[oslo_messaging_rabbit]` as written. */
  readonly rabbit: Readonly<Record<string, string>>;
  /** Absent: Berth searches and claims in its own Placement API. Contains a password. */
  readonly remotePlacement?: RemotePlacementSettings;
  /** Options of the scheduler, for `overrides` of Berth's configuration. Options that nova.conf does not set are absent. */
  readonly scheduler: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>;
  readonly warnings: readonly string[];
}

const RATIO_NAMES = ['cpu', 'ram', 'disk'] as const;

/** Groups whose options are those of Berth's table. */
const SCHEDULER_GROUPS = ['DEFAULT', 'scheduler', 'filter_scheduler', 'metrics', 'pci', 'compute', 'workarounds'];
/** Options that Berth reads in addition to those of the table, by group. */
const READ: Readonly<Record<string, readonly string[]>> = {
  DEFAULT: [
    'transport_url',
    'host',
    'control_exchange',
    'servicegroup_driver',
    ...RATIO_NAMES.map((name) => `${name}_allocation_ratio`),
  ],
  api_database: ['connection'],
  database: ['connection'],
  placement: PLACEMENT_NAMES,
  oslo_messaging_rabbit: [...RABBIT_OPTION_NAMES, 'use_queue_manager'],
};
/** Options of [DEFAULT] that belong to the service of Berth itself. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['DEFAULT.debug']);

/** nova's defaults of `initial_*_allocation_ratio`. */
const initialRatios = (release: number): DefaultRatios =>
  release < 27 ? { cpu: 16, ram: 1.5, disk: 1 } : { cpu: 4, ram: 1, disk: 1 };

/** Defaults of options that decide as an older release did, which has no such weigher. */
const defaultsBefore = (release: number): Readonly<Record<string, Readonly<Record<string, OptionValue>>>> =>
  release < 28 ? { filter_scheduler: { hypervisor_version_weight_multiplier: 0 } } : {};

const TRUE_DRIVER = 'db';

/** The options of the scheduler as nova names them, and the others that are read. */
const NOVA_TABLE = new OptionTable({
  groups: {},
  rows: [
    ...SCHEDULER_TABLE.rows.filter(({ group }) => SCHEDULER_GROUPS.includes(group)),
    ...Object.entries(READ).flatMap(([group, names]) =>
      names.map((name): OptionRow => ({ group, name, kind: 'text', default: null, secret: true, readBy: [] })),
    ),
  ],
});
/** nova's defaults to which other options refer. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'DEFAULT.host': hostname(),
  'DEFAULT.state_path': '/var/lib/nova',
};

/** Throws ConfigError with every problem. No message contains a secret. */
export function readNovaConf(input: NovaConfInput): NovaConf {
  return new NovaConfReader(input).read();
}

class NovaConfReader {
  private readonly problems: string[] = [];
  private readonly warnings: string[] = [];
  private readonly settings: ReadonlyMap<string, Setting>;
  /** Also names without effect, because other options can refer to them. */
  private readonly written: ReadonlyMap<string, string>;

  constructor(private readonly input: NovaConfInput) {
    const files = input.files.map((file) => ({ ...file, isShared: true }));
    const readings = [
      readFileSettings(files, NOVA_TABLE),
      // Variables win over all files and replace all occurrences of a repeatable option.
      readEnvironmentSettings(input.env, NOVA_TABLE, 'OS'),
    ];
    this.settings = new Map(readings.flatMap(({ settings }) => [...settings]));
    this.written = new Map(readings.flatMap(({ written }) => [...written]));
    this.problems.push(...readings.flatMap(({ problems }) => problems));
    this.warnings.push(...readings.flatMap(({ warnings }) => warnings));
  }

  read(): NovaConf {
    const { release } = this.input;
    if (!Number.isInteger(release) || release < OLDEST_RELEASE)
      this.problems.push(`Release ${release} of nova is not supported. The oldest one is ${OLDEST_RELEASE} (Zed).`);
    this.refuseDriver();
    const apiDatabase = this.apiDatabase();
    const scheduler = this.schedulerOptions();
    const conf = {
      database: this.text('database', 'connection'),
      transportUrl: this.text('DEFAULT', 'transport_url'),
      host: this.text('DEFAULT', 'host') ?? hostname(),
      controlExchange: this.text('DEFAULT', 'control_exchange') ?? 'nova',
      ratios: this.ratios(),
      rabbit: this.record('oslo_messaging_rabbit'),
      ...(this.input.placement === 'remote' && { remotePlacement: this.remotePlacement() }),
      scheduler,
      warnings: this.warnings,
    };
    const problems = [...new Set(this.problems)];
    if (apiDatabase === null || problems.length > 0) throw new ConfigError(problems);
    return { ...conf, apiDatabase };
  }

  /** With memcached heartbeats the column `last_seen_up` is not written, and every host would look dead. */
  private refuseDriver(): void {
    const driver = this.text('DEFAULT', 'servicegroup_driver') ?? TRUE_DRIVER;
    if (driver === TRUE_DRIVER) return;
    const origin = this.settings.get('DEFAULT.servicegroup_driver')?.origin ?? '';
    const where = driver === 'mc' ? ' ("mc" keeps heartbeats in memcached, which Berth does not read)' : '';
    this.problems.push(`${origin}: [DEFAULT] servicegroup_driver = "${driver}" is not supported${where}. Use "db".`);
  }

  private apiDatabase(): NovaDatabase | null {
    const origin = this.settings.get('api_database.connection')?.origin;
    const url = this.text('api_database', 'connection');
    if (url === null) {
      this.problems.push('[api_database] connection is not set. It names the API database of nova.');
      return null;
    }
    const parsed = novaDatabaseOf(url);
    if (!parsed.ok) {
      this.problems.push(`${origin}: [api_database] connection ${parsed.problem}`);
      return null;
    }
    for (const warning of parsed.warnings) this.warnings.push(`${origin}: [api_database] connection: ${warning}`);
    return parsed.database;
  }

  private remotePlacement(): RemotePlacementSettings {
    const { settings, problems } = remotePlacementOf(this.record('placement'));
    this.problems.push(...problems);
    return settings;
  }

  /** Law: `x_allocation_ratio` if it is set and not 0, otherwise `initial_x_allocation_ratio`. */
  private ratios(): DefaultRatios {
    const initial = initialRatios(this.input.release);
    const ratioOf = (name: keyof DefaultRatios): number =>
      this.number('DEFAULT', `${name}_allocation_ratio`, 0) ||
      this.number('DEFAULT', `initial_${name}_allocation_ratio`, initial[name]);
    const [cpu = 0, ram = 0, disk = 0] = RATIO_NAMES.map(ratioOf);
    return { cpu, ram, disk };
  }

  private number(group: string, name: string, fallback: number): number {
    const text = this.text(group, name);
    if (text === null) return fallback;
    const value = Number(text);
    if (Number.isFinite(value) && value >= 0) return value;
    // An option of the scheduler is checked with the others.
    if (SCHEDULER_TABLE.find(group, name) === undefined) {
      const origin = this.settings.get(`${group}.${name}`)?.origin;
      this.problems.push(`${origin}: [${group}] ${name} = "${text}" must be a number of at least 0`);
    }
    return fallback;
  }

  private schedulerOptions(): NovaConf['scheduler'] {
    const groups: Record<string, Record<string, OptionValue>> = {};
    const defaults = defaultsBefore(this.input.release);
    for (const group of SCHEDULER_GROUPS) {
      const values: Record<string, OptionValue> = { ...defaults[group] };
      for (const row of SCHEDULER_TABLE.groups.get(group)?.values() ?? []) {
        const value = this.valueOf(row);
        if (value !== undefined) values[row.name] = value;
      }
      groups[group] = values;
    }
    return groups;
  }

  private valueOf(row: OptionRow): OptionValue | undefined {
    if (OF_THE_SERVICE.has(`${row.group}.${row.name}`)) return undefined;
    const setting = this.settings.get(`${row.group}.${row.name}`);
    const texts = setting && this.texts(setting);
    return setting && texts
      ? validValue(setting, convertTexts(row, texts), { problems: this.problems, warnings: this.warnings })
      : undefined;
  }

  /** The text of an option; null if no source sets it, or an empty text. */
  private text(group: string, name: string): string | null {
    const setting = this.settings.get(`${group}.${name}`);
    return (setting && this.texts(setting)?.at(-1)?.trim()) || null;
  }

  /** The options of a group that are set. */
  private record(group: string): Readonly<Record<string, string>> {
    const names = [...(NOVA_TABLE.groups.get(group)?.keys() ?? [])].filter((name) =>
      this.settings.has(`${group}.${name}`),
    );
    return Object.fromEntries(names.map((name) => [name, this.text(group, name) ?? '']));
  }

  private texts(setting: Setting): readonly string[] | null {
    return resolvedTexts(setting, (group, name) => this.textFor(group, name), this.problems);
  }

  /** The text of an option to which another one refers. */
  private textFor(group: string, name: string): string | undefined {
    const key = `${group}.${name}`;
    const row = SCHEDULER_TABLE.find(group, name);
    return this.written.get(key) ?? DEFAULTS[key] ?? (row && valueText(row.default));
  }
}
