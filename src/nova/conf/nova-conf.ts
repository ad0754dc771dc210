// Reads nova.conf: what Berth needs to take the place of nova-scheduler, and the options of the scheduler, which have
// nova's names. Groups that Berth does not read are ignored.
import { hostname } from 'node:os';
import { ConfigError } from '../../platform/config/load-config';
import type { OptionTable } from '../../platform/config/option-table';
import { convertTexts, valueText } from '../../platform/config/option-values';
import { nearestName } from '../../platform/values/nearest-name';
import type { OptionRow, OptionValue } from '../../platform/values/options';
import { problemOf } from '../../platform/values/options';
import { SCHEDULER_TABLE } from '../../scheduler/option-table';
import type { RemotePlacementSettings } from '../../scheduler/remote-placement/remote-placement';
import { serviceDownTimeInForce } from '../../scheduling-rules/filters/compute.filter';
import type { DefaultRatios } from '../cells/node-rows';
import type { NovaDatabase } from './database-url';
import { novaDatabaseOf } from './database-url';
import { NOVA_OPTIONS } from './nova-options';
import type { ConfFile } from './oslo-sources';
import { OsloSources } from './oslo-sources';
import { remotePlacementOf } from './placement-conf';

/** Releases whose databases and messages are known, as nova's major version. */
export const OLDEST_RELEASE = 26;

export interface NovaConfInput {
  /** In the order of nova's `--config-file` and `--config-dir`. */
  readonly files: readonly ConfFile[];
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

/** Groups whose options are those of Berth's table. */
const SCHEDULER_GROUPS = ['DEFAULT', 'scheduler', 'filter_scheduler', 'metrics', 'pci', 'compute', 'workarounds'];
/** nova-scheduler alone reads these groups, so an unknown option in them is a mistake. */
const OWN_GROUPS: ReadonlySet<string> = new Set(['scheduler', 'filter_scheduler', 'metrics']);
/** Options of [DEFAULT] that belong to the service of Berth itself. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['DEFAULT.debug']);

const RATIO_NAMES = ['cpu', 'ram', 'disk'] as const;

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
    if (row.kind === 'ignored') {
      // In other groups, the option is one of another service of nova.
      if (OWN_GROUPS.has(row.group))
        this.warnings.push(`${setting.origin}: [${row.group}] ${row.name} has no effect: ${row.help ?? ''}`);
      return undefined;
    }
    const value = convertTexts(row, setting.texts);
    const problem = problemOf(row, value);
    if (problem === null) return value;
    const shown = row.secret === true ? '' : ` = "${valueText(value)}"`;
    this.problems.push(`${setting.origin}: [${row.group}] ${row.name}${shown}: ${problem}`);
    return undefined;
  }

  /**
   * An unknown option of a group that other services of nova read as well is usually theirs: only a near name is
   * reported there.
   */
  private warnAboutUnknown(): void {
    for (const group of [...new Set([...SCHEDULER_GROUPS, ...Object.keys(NOVA_OPTIONS)])]) {
      const known = new Set([...(this.table.groups.get(group)?.keys() ?? []), ...(NOVA_OPTIONS[group]?.known ?? [])]);
      for (const [name, origin] of this.sources.names(group)) {
        if (known.has(name)) continue;
        const near = nearestName(name, known);
        if (near === undefined && !OWN_GROUPS.has(group)) continue;
        const suggestion = near === undefined ? '' : `; did you mean ${near}?`;
        this.warnings.push(`${origin}: unknown option [${group}] ${name}${suggestion}`);
      }
    }
  }

  private defaultOf(group: string, name: string): string | undefined {
    if (group === 'DEFAULT' && name === 'host') return hostname();
    const row = this.table.find(group, name);
    return row === undefined ? NOVA_OPTIONS[group]?.defaults?.[name] : valueText(row.default);
  }
}
