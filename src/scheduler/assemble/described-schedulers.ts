// From the options in a described configuration to their pipeline. The same table as for a configuration file validates
// them, with the plug-ins of the running configuration.
import { ConfigError, loadConfig } from '../../platform/config/load-config';
import type { OptionTable } from '../../platform/config/option-table';
import { convertTexts } from '../../platform/config/option-values';
import type { InvalidInput } from '../../platform/values/errors';
import { bodyFault, FIELD_RULES } from '../../platform/values/field-fault';
import { isJsonObject } from '../../platform/values/json-object';
import { nearestName } from '../../platform/values/nearest-name';
import type { OptionRow, OptionValue } from '../../platform/values/options';
import { InvalidOption } from '../../platform/values/options';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { SchedulerBootError } from '../../scheduling-rules/pipeline/registry';
import { RequestRefused } from '../../scheduling-rules/request-spec/request-refusal';
import { SCHEDULER_TABLE, withPlugins } from '../option-table';
import type { SchedulerConfig, SchedulerGroups } from '../options';
import { schedulerOf } from './configured-scheduler';
import type { SchedulerPipeline } from './scheduler-pipeline';

interface DescribedScheduler {
  readonly pipeline: SchedulerPipeline;
  readonly config: SchedulerConfig;
}

type Options = Readonly<Record<string, unknown>>;

export class DescribedSchedulers {
  private readonly table: OptionTable<SchedulerGroups>;

  constructor(
    private readonly plugins: readonly SchedulerExtension[],
    private readonly version: string,
  ) {
    this.table = withPlugins(SCHEDULER_TABLE, plugins);
  }

  /** Throws InvalidInput, which names the invalid option. */
  of(options: Options): DescribedScheduler {
    const overrides = this.valuesOf(options);
    try {
      const config = loadConfig(this.table, { env: {}, cwd: '/', readFile: () => undefined, overrides });
      return { pipeline: schedulerOf({ config, plugins: this.plugins }, this.version), config };
    } catch (error) {
      throw refusedConfig(error);
    }
  }

  private valuesOf(options: Options): Record<string, Record<string, OptionValue>> {
    const values: Record<string, Record<string, OptionValue>> = {};
    for (const [group, given] of Object.entries(options)) {
      const rows = this.table.groups.get(group);
      if (rows === undefined) throw unknownOption(`config.${group}`, 'group', group, this.table.groups.keys());
      if (!isJsonObject(given)) {
        throw bodyFault(`config.${group}`, FIELD_RULES.type('object'));
      }
      for (const [name, value] of Object.entries(given)) {
        const row = rows.get(name);
        if (row === undefined) throw unknownOption(`config.${group}.${name}`, 'option', name, rows.keys());
        if (group === 'berth' && name === 'plugins') {
          throw bodyFault('config.berth.plugins', 'cannot be given: plug-ins are those of the running configuration');
        }
        (values[group] ??= {})[name] = optionValueOf(row, value);
      }
    }
    return values;
  }
}

/** A string is parsed as in a configuration file, unless the option is a string; other values are used unchanged. */
function optionValueOf(row: OptionRow, value: unknown): OptionValue {
  return typeof value === 'string' && row.kind !== 'text' ? convertTexts(row, [value]) : (value as OptionValue);
}

function unknownOption(path: string, what: string, name: string, known: Iterable<string>): InvalidInput {
  const nearest = nearestName(name, known);
  return bodyFault(path, `is no ${what}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`);
}

const refused = (problems: string): InvalidInput => bodyFault('config', `would stop a start: ${problems}`);

/** An error that would stop a start-up refuses the document. */
function refusedConfig(error: unknown): unknown {
  if (error instanceof ConfigError) {
    return refused(error.problems.map((problem) => problem.replace(/^override: /, '')).join('; '));
  }
  const stopsBoot =
    error instanceof SchedulerBootError || error instanceof InvalidOption || error instanceof RequestRefused;
  return stopsBoot ? refused(error.message) : error;
}
