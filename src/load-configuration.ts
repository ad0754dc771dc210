// Loads the configuration of the service. In the place of nova-scheduler, the scheduler's options come from nova.conf
// unless Berth's own configuration sets them.
import type { NovaConf } from './nova/conf/nova-conf';
import { readNovaConf } from './nova/conf/nova-conf';
import type { BerthConfig, BerthGroups } from './options';
import { OPTION_TABLE } from './options';
import { readConfFiles } from './platform/config/conf-files';
import type { LoadConfigInput } from './platform/config/load-config';
import { ConfigError } from './platform/config/load-config';
import type { OptionValue } from './platform/values/options';
import type { LoadedConfig } from './scheduler/assemble/configured-scheduler';
import { loadConfigWithPlugins } from './scheduler/assemble/configured-scheduler';

export interface LoadedConfiguration extends LoadedConfig<BerthGroups> {
  /** Absent: the service is not in the place of nova-scheduler. Contains passwords. */
  readonly nova?: NovaConf;
}

type Input = LoadConfigInput<BerthGroups>;
type GivenOverrides = NonNullable<Input['overrides']>;
type Overrides = Record<string, Readonly<Record<string, OptionValue>>>;

/** Throws ConfigError. */
export async function loadConfiguration(input: Input): Promise<LoadedConfiguration> {
  const own = await loadConfigWithPlugins(OPTION_TABLE, input);
  const { nova: options, cwd } = own.config;
  if (!options.enabled) return own;
  const { files, problems } = readConfFiles(options.config_file, cwd);
  if (problems.length > 0) throw new ConfigError(problems);
  const nova = readNovaConf({ files, env: input.env, release: options.release, placement: options.placement });
  const overrides = withNova(own.config, nova, { release: options.release, given: input.overrides ?? {} });
  const loaded = await loadConfigWithPlugins(OPTION_TABLE, { ...input, overrides });
  const warnings = [...loaded.config.warnings, ...nova.warnings];
  return { ...loaded, config: { ...loaded.config, warnings }, nova };
}

/** Only the hosts of nova's tables exist, so a root provider alone is not a host. */
function withNova(
  own: BerthConfig,
  nova: NovaConf,
  { release, given }: { readonly release: number; readonly given: GivenOverrides },
): GivenOverrides {
  const overrides: Overrides = { ...(given as Overrides) };
  const ofNova = { ...nova.scheduler, scheduler: { ...nova.scheduler['scheduler'], compute_release: release } };
  for (const [group, values] of Object.entries(ofNova)) {
    const unset = Object.entries(values).filter(([name]) => own.origins[`${group}.${name}`] === undefined);
    overrides[group] = { ...Object.fromEntries(unset), ...overrides[group] };
  }
  overrides['berth'] = { ...overrides['berth'], hosts_from_inventory: false };
  return overrides;
}
