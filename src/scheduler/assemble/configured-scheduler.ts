// From the configuration to the running scheduler: loads the configured plug-ins, validates their options with all
// others, and assembles the pipeline. Unknown names stop the start-up.
import type { LoadConfigInput } from '../../platform/config/load-config';
import { loadConfig, readOption } from '../../platform/config/load-config';
import type { OptionTable } from '../../platform/config/option-table';
import type { Config } from '../../platform/config/platform-config';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { withPlugins } from '../option-table';
import type { SchedulerConfig, SchedulerGroups } from '../options';
import { loadPlugins } from './load-plugins';
import { schedulerOptionsOf } from './scheduler-options';
import type { SchedulerPipeline } from './scheduler-pipeline';
import { assembleScheduler } from './scheduler-pipeline';

/** A configuration with the plug-ins that it names. */
interface Configured {
  readonly config: SchedulerConfig;
  readonly plugins: readonly SchedulerExtension[];
}

export interface LoadedConfig<G extends SchedulerGroups = SchedulerGroups> extends Configured {
  readonly config: Config<G>;
  /** Reads the same sources again and returns the new configuration. Throws ConfigError. */
  readonly reload?: () => Config<G>;
}

/** Plug-ins declare options, so they are loaded before the configuration is validated. */
export async function loadConfigWithPlugins<G extends SchedulerGroups>(
  options: OptionTable<G>,
  input: LoadConfigInput<NoInfer<G>>,
): Promise<LoadedConfig<G>> {
  const { table, plugins } = await withNamedPlugins(options, input);
  const load = (): Config<G> => loadConfig(table, input);
  return { config: load(), plugins, reload: load };
}

/** The options that these sources can set, including those of the plug-ins that the sources name. */
export async function withNamedPlugins<G extends SchedulerGroups>(
  options: OptionTable<G>,
  input: LoadConfigInput<NoInfer<G>>,
): Promise<{ readonly table: OptionTable<G>; readonly plugins: readonly SchedulerExtension[] }> {
  const paths = readOption(options, input, 'berth', 'plugins') as SchedulerConfig['berth']['plugins'];
  const plugins = await loadPlugins(paths, input.cwd);
  return { plugins, table: withPlugins(options, plugins) };
}

/**
 * What would stop the start although each option is valid: unregistered names, unreadable aliases; and the warnings of filters.
 */
export function judgeStart(loaded: Configured): {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
} {
  try {
    return { problems: [], warnings: filterWarnings(schedulerOf(loaded, '')).map(({ text }) => text) };
  } catch (error) {
    const problems = (error instanceof Error ? error.message : String(error)).split('\n');
    const { config } = loaded;
    if (config.pci.alias.length === 0) return { problems, warnings: [] };
    // An error of an alias does not hide those of the parts.
    const others = judgeStart({ ...loaded, config: { ...config, pci: { ...config.pci, alias: [] } } });
    return { problems: [...new Set([...problems, ...others.problems])], warnings: others.warnings };
  }
}

/** Filters that an operator should not enable any more. */
export const filterWarnings = ({
  parts,
}: SchedulerPipeline): readonly { readonly filter: string; readonly text: string }[] =>
  parts.filters.flatMap(({ part: { name, warning } }) =>
    warning === null ? [] : [{ filter: name, text: `the filter ${name} ${warning}` }],
  );

/** Throws SchedulerBootError with every name that is not registered. */
export const schedulerOf = ({ config, plugins }: Configured, version: string): SchedulerPipeline =>
  assembleScheduler(schedulerOptionsOf(config, version), plugins);
