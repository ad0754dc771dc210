// Reads nova.conf: what Berth needs to take the place of nova-scheduler, and the options of the scheduler, which have
// nova's names. All services of nova share the file, so what Berth does not read is a warning.
import { hostname } from 'node:os';
import type { ConfFile } from '../../platform/config/conf-files';
import { ConfigError } from '../../platform/config/load-config';
import type { OptionTable } from '../../platform/config/option-table';
import { convertTexts, valueText } from '../../platform/config/option-values';
import type { UnknownName } from '../../platform/config/setting-sources';
import { sharedNameWarnings } from '../../platform/config/setting-sources';
import { suggestionOf } from '../../platform/values/nearest-name';
import type { OptionRow, OptionValue } from '../../platform/values/options';
import { nearestInBounds, problemOf } from '../../platform/values/options';
import { SCHEDULER_TABLE } from '../../scheduler/option-table';
import type { RemotePlacementSettings } from '../../scheduler/remote-placement/remote-placement';
import { serviceDownTimeInForce } from '../../scheduling-rules/filters/compute.filter';
import type { DefaultRatios } from '../cells/node-rows';
import { RABBIT_OPTION_NAMES } from '../rpc/rabbit-options';
import type { NovaDatabase } from './database-url';
import { novaDatabaseOf } from './database-url';
import { OsloSources } from './oslo-sources';
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
  readonly rpcResponseTimeoutSeconds: number;
  /** The value in force: larger than `report_interval`. */
  readonly serviceDownTimeSeconds: number;
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
    'rpc_response_timeout',
    'servicegroup_driver',
    ...RATIO_NAMES.map((name) => `${name}_allocation_ratio`),
  ],
  api_database: ['connection'],
  database: ['connection'],
  placement: PLACEMENT_NAMES,
  oslo_messaging_rabbit: [...RABBIT_OPTION_NAMES, 'use_queue_manager'],
};
/** nova's defaults to which other options refer. */
const DEFAULTS: Readonly<Record<string, string>> = { 'DEFAULT.state_path': '/var/lib/nova' };
/** Options of [DEFAULT] that belong to the service of Berth itself. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['DEFAULT.debug']);

/** nova's defaults of `initial_*_allocation_ratio`. */
const initialRatios = (release: number): DefaultRatios =>
  release < 27 ? { cpu: 16, ram: 1.5, disk: 1 } : { cpu: 4, ram: 1, disk: 1 };

/** Defaults of options that decide as an older release did, which has no such weigher. */
const defaultsBefore = (release: number): Readonly<Record<string, Readonly<Record<string, OptionValue>>>> =>
  release < 28 ? { filter_scheduler: { hypervisor_version_weight_multiplier: 0 } } : {};

const TRUE_DRIVER = 'db';

/** Throws ConfigError with every problem. No message contains a secret. */
export function readNovaConf(input: NovaConfInput): NovaConf {
  return new NovaConfReader(input, SCHEDULER_TABLE).read();
}

class NovaConfReader {
  private readonly problems: string[] = [];
  private readonly warnings: string[] = [];
  private readonly sources: OsloSources;

  constructor(
    private readonly input: NovaConfInput,
    private readonly table: OptionTable,
  ) {
    this.sources = new OsloSources(input.files, input.env, (group, name) => this.defaultOf(group, name));
  }

  read(): NovaConf {
    const { release } = this.input;
    if (!Number.isInteger(release) || release < OLDEST_RELEASE)
      this.problems.push(`Release ${release} of nova is not supported. The oldest one is ${OLDEST_RELEASE} (Zed).`);
    this.refuseDriver();
    const apiDatabase = this.apiDatabase();
    const scheduler = this.schedulerOptions();
    const conf = {
      database: this.sources.text('database', 'connection'),
      transportUrl: this.sources.text('DEFAULT', 'transport_url'),
      host: this.sources.text('DEFAULT', 'host') ?? hostname(),
      controlExchange: this.sources.text('DEFAULT', 'control_exchange') ?? 'nova',
      rpcResponseTimeoutSeconds: this.number('DEFAULT', 'rpc_response_timeout', 60),
      serviceDownTimeSeconds: serviceDownTimeInForce(
        this.number('DEFAULT', 'service_down_time', 60),
        this.number('DEFAULT', 'report_interval', 10),
      ),
      ratios: this.ratios(),
      rabbit: this.sources.record('oslo_messaging_rabbit'),
      ...(this.input.placement === 'remote' && { remotePlacement: this.remotePlacement() }),
      scheduler,
      warnings: this.warnings,
    };
    this.warnAboutUnknown();
    const problems = [...new Set([...this.sources.problems, ...this.problems])];
    if (apiDatabase === null || problems.length > 0) throw new ConfigError(problems);
    return { ...conf, apiDatabase };
  }

  /** With memcached heartbeats the column `last_seen_up` is not written, and every host would look dead. */
  private refuseDriver(): void {
    const driver = this.sources.text('DEFAULT', 'servicegroup_driver') ?? TRUE_DRIVER;
    if (driver === TRUE_DRIVER) return;
    const origin = this.sources.find('DEFAULT', 'servicegroup_driver')?.origin ?? '';
    const where = driver === 'mc' ? ' ("mc" keeps heartbeats in memcached, which Berth does not read)' : '';
    this.problems.push(`${origin}: [DEFAULT] servicegroup_driver = "${driver}" is not supported${where}. Use "db".`);
  }

  private apiDatabase(): NovaDatabase | null {
    const setting = this.sources.find('api_database', 'connection');
    const url = setting?.texts.at(-1)?.trim() ?? '';
    if (setting === undefined || url === '') {
      this.problems.push('[api_database] connection is not set. It names the API database of nova.');
      return null;
    }
    const parsed = novaDatabaseOf(url);
    if (!parsed.ok) {
      this.problems.push(`${setting.origin}: [api_database] connection ${parsed.problem}`);
      return null;
    }
    for (const warning of parsed.warnings)
      this.warnings.push(`${setting.origin}: [api_database] connection: ${warning}`);
    return parsed.database;
  }

  private remotePlacement(): RemotePlacementSettings {
    const { settings, problems } = remotePlacementOf(this.sources.record('placement'));
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
    const setting = this.sources.find(group, name);
    const text = setting?.texts.at(-1)?.trim() ?? '';
    if (text === '') return fallback;
    const value = Number(text);
    if (Number.isFinite(value) && value >= 0) return value;
    // An option of the table is judged with the others.
    if (this.table.find(group, name) === undefined)
      this.problems.push(`${setting?.origin}: [${group}] ${name} = "${text}" must be a number of at least 0`);
    return fallback;
  }

  private schedulerOptions(): NovaConf['scheduler'] {
    const groups: Record<string, Record<string, OptionValue>> = {};
    const defaults = defaultsBefore(this.input.release);
    for (const group of SCHEDULER_GROUPS) {
      const values: Record<string, OptionValue> = { ...defaults[group] };
      for (const row of this.table.groups.get(group)?.values() ?? []) {
        const value = this.valueOf(row);
        if (value !== undefined) values[row.name] = value;
      }
      groups[group] = values;
    }
    return groups;
  }

  private valueOf(row: OptionRow): OptionValue | undefined {
    if (OF_THE_SERVICE.has(`${row.group}.${row.name}`)) return undefined;
    const setting = this.sources.find(row.group, row.name, row.kind === 'multi');
    if (setting === undefined) return undefined;
    const value = convertTexts(row, setting.texts);
    const problem = problemOf(row, value);
    if (problem === null) return value;
    const shown = row.secret === true ? '' : ` = "${valueText(value)}"`;
    const message = `${setting.origin}: [${row.group}] ${row.name}${shown}: ${problem}`;
    const nearest = nearestInBounds(row, value);
    if (nearest === undefined) this.problems.push(message);
    else this.warnings.push(`${message}; ${nearest} is used`);
    return nearest;
  }

  private warnAboutUnknown(): void {
    const known = new Map(
      [...SCHEDULER_GROUPS, ...Object.keys(READ)].map((group) => [
        group,
        new Set([...(this.table.groups.get(group)?.keys() ?? []), ...(READ[group] ?? [])]),
      ]),
    );
    const unknown = this.sources.groupNames().flatMap((group): readonly UnknownName[] => {
      const names = known.get(group);
      const settings = [...this.sources.names(group)];
      if (names === undefined) {
        const suggestion = suggestionOf(group, known.keys(), (near) => `[${near}]`);
        return settings.slice(0, 1).map(([, origin]) => ({ group, name: null, origin, suggestion }));
      }
      return settings
        .filter(([name]) => !names.has(name))
        .map(([name, origin]) => ({ group, name, origin, suggestion: this.suggestion(group, name, names) }));
    });
    this.warnings.push(...sharedNameWarnings(this.input.files.map(({ shown }) => shown).join(', '), unknown));
  }

  private suggestion(group: string, name: string, known: ReadonlySet<string>): string {
    const former = this.table.formerOf(group, name);
    if (former?.kind === 'without effect') return `: ${former.why}`;
    const [nowGroup, nowName] = former?.kind === 'renamed' ? former.now.split('.') : [];
    return nowName === undefined ? suggestionOf(name, known) : `; it is now called [${nowGroup}] ${nowName}`;
  }

  private defaultOf(group: string, name: string): string | undefined {
    if (group === 'DEFAULT' && name === 'host') return hostname();
    const row = this.table.find(group, name);
    return row === undefined ? DEFAULTS[`${group}.${name}`] : valueText(row.default);
  }
}
