// From the configuration to the scheduler that runs: loads the plug-ins it names, checks their options with all others,
// and puts the pipeline together. Anything unknown stops the boot.
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
  /** Reads the same sources again: what they say by now. Throws ConfigError. */
  readonly reload?: () => BerthConfig;
}

/** Plug-ins declare options of their own, so they are loaded before the configuration is judged. */
export async function loadConfigWithPlugins(input: LoadConfigInput): Promise<LoadedConfig> {
  const plugins = await loadPlugins(pluginsOf(input), input.cwd);
  const extraOptions = extraOptionsOf(plugins);
  const load = (): BerthConfig => loadConfig({ ...input, extraOptions });
  return { config: load(), plugins, reload: load };
}

interface JudgedOptions {
  /** What the plug-ins that these sources name may be set to. */
  readonly extraOptions: readonly OptionRow[];
  /** What the start would say of a configuration that is valid in itself: names that nobody registered. */
  readonly judge: (config: BerthConfig) => readonly string[];
}

/** The options that these sources may set, and what would stop the start although each option alone is valid. */
export async function judgedOptions(input: LoadConfigInput): Promise<JudgedOptions> {
  const plugins = await loadPlugins(pluginsOf(input), input.cwd);
  return { extraOptions: extraOptionsOf(plugins), judge: (config) => startProblems({ config, plugins }) };
}

/** The options that the parts declare, those of plug-ins among them. */
export const extraOptionsOf = (plugins: readonly SchedulerExtension[]): readonly OptionRow[] =>
  optionRows(optionOwners(schedulerRegistry(plugins)));

/** Names that nobody registered, unreadable aliases, certificates that cannot be served with. */
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
