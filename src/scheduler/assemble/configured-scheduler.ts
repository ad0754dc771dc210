// From the configuration to the scheduler that runs: loads the plug-ins it names, checks their options with all others,
// and puts the pipeline together. Anything unknown stops the boot.
import { loadConfig, readOption } from '../../platform/config/load-config';
import type { LoadConfigInput } from '../../platform/config/load-config';
import type { OptionTable } from '../../platform/config/option-table';
import type { Config } from '../../platform/config/platform-config';
import { serverTlsProblem } from '../../platform/config/server-tls';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { withPlugins } from '../option-table';
import type { SchedulerConfig, SchedulerGroups } from '../options';
import { loadPlugins } from './load-plugins';
import { schedulerOptionsOf } from './scheduler-options';
import { assembleScheduler } from './scheduler-pipeline';
import type { SchedulerPipeline } from './scheduler-pipeline';

/** A configuration with the plug-ins that it names. */
interface Configured {
  readonly config: SchedulerConfig;
  readonly plugins: readonly SchedulerExtension[];
}

export interface LoadedConfig<G extends SchedulerGroups = SchedulerGroups> extends Configured {
  readonly config: Config<G>;
  /** Reads the same sources again. Throws ConfigError. */
  readonly reload?: () => Config<G>;
}

/** Plug-ins declare options of their own, so they are loaded before the configuration is judged. */
export async function loadConfigWithPlugins<G extends SchedulerGroups>(
  options: OptionTable<G>,
  input: LoadConfigInput<NoInfer<G>>,
): Promise<LoadedConfig<G>> {
  const { table, plugins } = await withNamedPlugins(options, input);
  const load = (): Config<G> => loadConfig(table, input);
  return { config: load(), plugins, reload: load };
}

interface JudgedOptions<G extends SchedulerGroups> {
  /** All options, including those of the plug-ins that these sources name. */
  readonly table: OptionTable<G>;
  /** What the start would say of a configuration that is valid in itself: names that nobody registered. */
  readonly judge: (config: SchedulerConfig) => readonly string[];
}

/** The options that these sources may set, and what would stop the start although each option alone is valid. */
export async function judgedOptions<G extends SchedulerGroups>(
  options: OptionTable<G>,
  input: LoadConfigInput<NoInfer<G>>,
): Promise<JudgedOptions<G>> {
  const { table, plugins } = await withNamedPlugins(options, input);
  return { table, judge: (config) => startProblems({ config, plugins }) };
}

async function withNamedPlugins<G extends SchedulerGroups>(options: OptionTable<G>, input: LoadConfigInput<G>) {
  const paths = readOption(options, input, 'berth', 'plugins') as SchedulerConfig['berth']['plugins'];
  const plugins = await loadPlugins(paths, input.cwd);
  return { plugins, table: withPlugins(options, plugins) };
}

/** Names that nobody registered, unreadable aliases, certificates that cannot be served with. */
function startProblems(loaded: Configured): readonly string[] {
  const tls = serverTlsProblem(loaded.config) ?? [];
  try {
    schedulerOf(loaded, '');
    return [tls].flat();
  } catch (error) {
    return [tls, error instanceof Error ? error.message : String(error)].flat();
  }
}

/** Throws SchedulerBootError with every name that is not registered. */
export const schedulerOf = ({ config, plugins }: Configured, version: string): SchedulerPipeline =>
  assembleScheduler(schedulerOptionsOf(config, version), plugins);
