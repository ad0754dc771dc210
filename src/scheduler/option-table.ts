// Completes the table of options with those of the scheduler's parts, and the service down time in force.

import type { Correction } from '../platform/config/option-table';
import { OptionTable } from '../platform/config/option-table';
import type { GroupValues, OptionRow } from '../platform/values/options';
import { schedulerRegistry } from '../scheduling-rules/built-in';
import { serviceDownTimeInForce } from '../scheduling-rules/filters/compute.filter';
import { optionOwners, optionRows } from '../scheduling-rules/pipeline/option-rows';
import type { SchedulerExtension } from '../scheduling-rules/pipeline/registry';
import { FORMER_OPTIONS } from './former-options';
import type { SchedulerGroups } from './options';
import { SCHEDULER_GROUPS } from './options';

/** A host that misses one report is not down yet: the limit is raised to 2.5 intervals. */
function corrections({ DEFAULT }: GroupValues<SchedulerGroups>): readonly Correction[] {
  const { service_down_time: downTime, report_interval: interval } = DEFAULT;
  const seconds = serviceDownTimeInForce(downTime, interval);
  if (seconds === downTime) return [];
  const warning = `[DEFAULT] service_down_time = ${downTime} is not larger than report_interval = ${interval}; ${seconds} is used`;
  return [{ group: 'DEFAULT', name: 'service_down_time', value: seconds, warning }];
}

/** The options that the built-in parts and those of plug-ins declare. */
const partRows = (plugins: readonly SchedulerExtension[]): readonly OptionRow[] =>
  optionRows(optionOwners(schedulerRegistry(plugins)));

/** The table of these groups. */
export const optionTable = <G extends SchedulerGroups>(groups: G): OptionTable<G> =>
  new OptionTable<G>({ groups, rows: partRows([]), former: FORMER_OPTIONS, corrections });

/** The table with the options of plug-ins. */
export const withPlugins = <G extends SchedulerGroups>(
  table: OptionTable<G>,
  plugins: readonly SchedulerExtension[],
): OptionTable<G> => (plugins.length === 0 ? table : table.with(partRows(plugins)));

/** The options of the scheduler and of the rooms below it, which a simulation can set. */
export const SCHEDULER_TABLE = optionTable(SCHEDULER_GROUPS);
