// From the configuration to the scheduler that runs: loads the plug-ins it names, checks their options with all others,
// and puts the pipeline together. Anything unknown stops the boot.
import type { OptionRow } from '../config/option-types';
import { OPTION_ROWS } from '../config/options';
import type { BerthConfig } from '../config/berth-config';
import { loadConfig, optionValue, pluginsOf } from '../config/load-config';
import type { LoadConfigInput } from '../config/load-config';
import { unreadableSettings } from './pipeline/metric-settings';
import type { ConfiguredValues } from './pipeline/options';
import type { SchedulerExtension } from './pipeline/registry';
import { parsePciAliases } from './pci/alias';
import { loadPlugins } from './plugin-loader';
import { assembleScheduler, schedulerRegistry } from './scheduler.pipeline';
import type { SchedulerPipeline } from './scheduler.pipeline';
import { schedulerOptionRows } from './scheduler.options';

export interface LoadedConfig {
  readonly config: BerthConfig;
  readonly plugins: readonly SchedulerExtension[];
  /** Reads the same sources again: what they say by now. Throws ConfigError. */
  readonly reload?: () => BerthConfig;
}

/** Plug-ins declare options of their own, so they are loaded before the configuration is judged. */
export async function loadConfigWithPlugins(input: LoadConfigInput): Promise<LoadedConfig> {
  const { plugins, extraOptions } = await pluginsAndOptions(input);
  const load = (): BerthConfig => loadConfig({ ...input, extraOptions });
  return { config: load(), plugins, reload: load };
}

/** The plug-ins of these sources, and the options that they and the built-in parts declare. */
export async function pluginsAndOptions(
  input: LoadConfigInput,
): Promise<{ readonly plugins: readonly SchedulerExtension[]; readonly extraOptions: readonly OptionRow[] }> {
  const plugins = await loadPlugins(pluginsOf(input), input.cwd);
  return { plugins, extraOptions: schedulerOptionRows(schedulerRegistry(plugins)) };
}

/** What would stop the start although each option alone is valid: names that nobody registered, unreadable aliases. */
export function startProblems(loaded: LoadedConfig): readonly string[] {
  try {
    schedulerOf(loaded, '');
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Throws SchedulerBootError with every name that is not registered. */
export function schedulerOf({ config, plugins }: LoadedConfig, version: string): SchedulerPipeline {
  const { scheduler, filter_scheduler: filterScheduler } = config;
  return assembleScheduler(
    {
      version,
      driver: scheduler.driver,
      availableFilters: filterScheduler.available_filters,
      enabledFilters: filterScheduler.enabled_filters,
      weightClasses: filterScheduler.weight_classes,
      maxAttempts: scheduler.max_attempts,
      maxPlacementResults: scheduler.max_placement_results,
      candidatesPerHost: scheduler.candidates_per_host,
      hostSubsetSize: filterScheduler.host_subset_size,
      shuffleBestSameWeighedHosts: filterScheduler.shuffle_best_same_weighed_hosts,
      defaultAvailabilityZone: config.DEFAULT.default_availability_zone,
      defaultScheduleZone: config.DEFAULT.default_schedule_zone,
      novaCompat: scheduler.nova_compat,
      disableFallbackPcpuQuery: config.workarounds.disable_fallback_pcpu_query,
      packsNumaCells: config.compute.packing_host_numa_cells_allocation_strategy,
      pciAliases: parsePciAliases(config.pci.alias),
      values: declaredValues(config, plugins),
    },
    plugins,
  );
}

/** What this version of the scheduler reads of the configuration, beside the options that its parts declare. */
const READ_OPTIONS: ReadonlySet<string> = new Set([
  'scheduler.driver',
  'scheduler.max_attempts',
  'scheduler.max_placement_results',
  'scheduler.candidates_per_host',
  'filter_scheduler.available_filters',
  'filter_scheduler.enabled_filters',
  'filter_scheduler.weight_classes',
  'filter_scheduler.host_subset_size',
  'filter_scheduler.shuffle_best_same_weighed_hosts',
  'DEFAULT.default_availability_zone',
  'DEFAULT.service_down_time',
  'DEFAULT.report_interval',
  'DEFAULT.initial_cpu_allocation_ratio',
  'DEFAULT.initial_ram_allocation_ratio',
  'DEFAULT.initial_disk_allocation_ratio',
  'berth.hosts_from_inventory',
  'DEFAULT.default_schedule_zone',
  'scheduler.nova_compat',
  'scheduler.pending_ttl',
  'berth.decisions_max_count',
  'berth.decisions_max_age_seconds',
  'workarounds.disable_fallback_pcpu_query',
  'compute.packing_host_numa_cells_allocation_strategy',
  'pci.alias',
]);

/** Options that only the scheduler would read, or that keep what it does not keep yet. */
const SCHEDULER_OPTION =
  /^(scheduler|filter_scheduler|metrics|pci|compute|workarounds)\.|^berth\.(hosts_from_inventory|decisions_)|^DEFAULT\.(initial_|default_schedule_zone|service_down_time|report_interval)/;

/** Settings that an operator made and that nothing here obeys: better said than silently passed over. */
export function settingsWithoutEffect({ config, plugins }: LoadedConfig): readonly string[] {
  const declared = new Set(
    schedulerOptionRows(schedulerRegistry(plugins)).map(({ group, name }) => `${group}.${name}`),
  );
  return Object.keys(config.origins).filter(
    (key) => SCHEDULER_OPTION.test(key) && !READ_OPTIONS.has(key) && !declared.has(key),
  );
}

/** Entries of settings that are dropped because they do not parse, each as one sentence. */
export function entriesWithoutEffect({ config }: LoadedConfig): readonly string[] {
  return unreadableSettings(config.metrics.weight_setting).map(
    (entry) => `[metrics] weight_setting: '${entry}' is not name=ratio and is dropped`,
  );
}

/** Values of everything that parts may declare: the product's table and the plug-ins' rows. */
function declaredValues(config: BerthConfig, plugins: readonly SchedulerExtension[]): ConfiguredValues {
  const values: Record<string, Record<string, ReturnType<typeof optionValue>>> = {};
  for (const { group, name } of [...OPTION_ROWS, ...schedulerOptionRows(schedulerRegistry(plugins))]) {
    const value = optionValue(config, group, name);
    if (value !== undefined) (values[group] ??= {})[name] = value;
  }
  return values;
}
