// From the configuration to the running scheduler: loads the configured plug-ins, validates their options with all
// others, and assembles the pipeline. Unknown names stop the start-up.
import type { BerthConfig } from '../../platform/config/berth-config';
import { loadConfig, pluginsOf } from '../../platform/config/load-config';
import type { LoadConfigInput } from '../../platform/config/load-config';
import { serverTlsProblem } from '../../platform/config/server-tls';
import type { OptionRow } from '../../platform/values/options';
import { schedulerRegistry } from '../../scheduling-rules/built-in';
import { optionRows, optionOwners } from '../../scheduling-rules/pipeline/option-rows';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { loadPlugins } from './load-plugins';
import { schedulerOptionsOf } from './scheduler-options';
import { assembleScheduler } from './scheduler-pipeline';
import type { SchedulerPipeline } from './scheduler-pipeline';

export interface LoadedConfig {
  readonly config: BerthConfig;
  readonly plugins: readonly SchedulerExtension[];
  /** Reads the same sources again and returns the new configuration. Throws ConfigError. */
  readonly reload?: () => BerthConfig;
}

/** Plug-ins declare options, so they are loaded before the configuration is validated. */
export async function loadConfigWithPlugins(input: LoadConfigInput): Promise<LoadedConfig> {
  const plugins = await loadPlugins(pluginsOf(input), input.cwd);
  const extraOptions = extraOptionsOf(plugins);
  const load = (): BerthConfig => loadConfig({ ...input, extraOptions });
  return { config: load(), plugins, reload: load };
}

interface JudgedOptions {
  /** The options that the plug-ins of these sources declare. */
  readonly extraOptions: readonly OptionRow[];
  /** The start-up errors of a configuration that is valid by itself: unregistered names. */
  readonly judge: (config: BerthConfig) => readonly string[];
}

/**
 * The options that these sources can set, and the problems that would stop the start-up although each option is valid.
 */
export async function judgedOptions(input: LoadConfigInput): Promise<JudgedOptions> {
  const plugins = await loadPlugins(pluginsOf(input), input.cwd);
  return { extraOptions: extraOptionsOf(plugins), judge: (config) => startProblems({ config, plugins }) };
}

/** The options that all parts declare, including those of plug-ins. */
export const extraOptionsOf = (plugins: readonly SchedulerExtension[]): readonly OptionRow[] =>
  optionRows(optionOwners(schedulerRegistry(plugins)));

/** Unregistered names, unreadable aliases, unusable certificates. */
function startProblems(loaded: LoadedConfig): readonly string[] {
  const tls = serverTlsProblem(loaded.config) ?? [];
  try {
    schedulerOf(loaded, '');
    return [tls].flat();
  } catch (error) {
    return [tls, error instanceof Error ? error.message : String(error)].flat();
  }
}

/** Throws SchedulerBootError with every name that is not registered. */
export const schedulerOf = ({ config, plugins }: LoadedConfig, version: string): SchedulerPipeline =>
  assembleScheduler(schedulerOptionsOf(config, version), plugins);
