// From the options of a described configuration to the pipeline they make: judged by the same table as a configuration
// file, with the plug-ins of the running one. What was put together is kept for the next document that says the same.
import { SCHEDULER_LIMITS } from '../../config/limits';
import { ConfigError, loadConfig } from '../../config/load-config';
import { nearestName } from '../../config/nearest-name';
import type { OptionRow, OptionValue } from '../../config/option-types';
import { convertTexts } from '../../config/option-values';
import { OPTION_ROWS } from '../../config/options';
import { BoundedMap } from '../../database/bounded-map';
import { InvalidInput } from '../../errors/domain-errors';
import type { SchedulerExtension } from '../pipeline/registry';
import { SchedulerBootError } from '../pipeline/registry';
import { InvalidOption } from '../pipeline/options';
import { RequestRefused } from '../request/request-refusal';
import { schedulerOf } from '../scheduler-of-config';
import { schedulerRegistry } from '../scheduler.pipeline';
import type { SchedulerPipeline } from '../scheduler.pipeline';
import { schedulerOptionRows } from '../scheduler.options';
import type { CloudOptions } from './simulated-cloud';

export interface SimulatedConfig {
  readonly pipeline: SchedulerPipeline;
  readonly cloud: CloudOptions;
}

type Options = Readonly<Record<string, unknown>>;

/** Pipelines by the text of their options. */
export class SimulatedConfigs {
  private readonly known = new BoundedMap<string, SimulatedConfig>(SCHEDULER_LIMITS.simulatedConfigsKept);
  private readonly extraOptions: readonly OptionRow[];
  private readonly rows: ReadonlyMap<string, ReadonlyMap<string, OptionRow>>;

  constructor(
    private readonly plugins: readonly SchedulerExtension[],
    private readonly version: string,
  ) {
    this.extraOptions = schedulerOptionRows(schedulerRegistry(plugins));
    const rows = new Map<string, Map<string, OptionRow>>();
    for (const row of [...OPTION_ROWS, ...this.extraOptions]) {
      const group = rows.get(row.group);
      if (group === undefined) rows.set(row.group, new Map([[row.name, row]]));
      else if (!group.has(row.name)) group.set(row.name, row);
    }
    this.rows = rows;
  }

  /** Throws InvalidInput naming the option that is wrong. */
  of(options: Options): SimulatedConfig {
    const key = JSON.stringify(options);
    let found = this.known.get(key);
    if (found === undefined) this.known.set(key, (found = this.assemble(options)));
    return found;
  }

  private assemble(options: Options): SimulatedConfig {
    const overrides = this.valuesOf(options);
    try {
      const config = loadConfig({
        ...{ env: {}, cwd: '/', readFile: () => undefined },
        extraOptions: this.extraOptions,
        overrides,
      });
      const cloud = {
        defaultAvailabilityZone: config.DEFAULT.default_availability_zone,
        hostsFromInventory: config.berth.hosts_from_inventory,
      };
      return { pipeline: schedulerOf({ config, plugins: this.plugins }, this.version), cloud };
    } catch (error) {
      throw refusedConfig(error);
    }
  }

  private valuesOf(options: Options): Record<string, Record<string, OptionValue>> {
    const values: Record<string, Record<string, OptionValue>> = {};
    for (const [group, given] of Object.entries(options)) {
      const rows = this.rows.get(group);
      if (rows === undefined) throw unknownOption(`config.${group}`, 'group', group, this.rows.keys());
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        throw new InvalidInput(`config.${group}: must be an object of options.`);
      }
      for (const [name, value] of Object.entries(given)) {
        const row = rows.get(name);
        if (row === undefined) throw unknownOption(`config.${group}.${name}`, 'option', name, rows.keys());
        if (group === 'berth' && name === 'plugins') {
          throw new InvalidInput('config.berth.plugins: plug-ins are those of the running configuration.');
        }
        if (row.type !== 'ignored') (values[group] ??= {})[name] = optionValueOf(row, value);
      }
    }
    return values;
  }
}

/** A text is read as it would be in a file, except where the option is a text; anything else is taken as it is. */
function optionValueOf(row: OptionRow, value: unknown): OptionValue {
  return typeof value === 'string' && row.type !== 'string' ? convertTexts(row, [value]) : (value as OptionValue);
}

function unknownOption(path: string, what: string, name: string, known: Iterable<string>): InvalidInput {
  const nearest = nearestName(name, known);
  return new InvalidInput(
    `${path}: there is no such ${what}${nearest === undefined ? '' : `; did you mean ${nearest}?`}.`,
  );
}

/** What would stop a boot refuses the document. */
function refusedConfig(error: unknown): unknown {
  if (error instanceof ConfigError) {
    return new InvalidInput(
      `config: ${error.problems.map((problem) => problem.replace(/^override: /, '')).join('; ')}`,
    );
  }
  const stopsBoot =
    error instanceof SchedulerBootError || error instanceof InvalidOption || error instanceof RequestRefused;
  return stopsBoot ? new InvalidInput(`config: ${error.message}`) : error;
}
