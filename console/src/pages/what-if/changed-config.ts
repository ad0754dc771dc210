// The active configuration, and changes to it for a comparison. Pure.
import type { Answer } from '@berth/client';

export type Running = Answer<'/scheduler'>;
type Config = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Differences from the active configuration. */
export interface ConfigChange {
  /** Filters to disable. */
  readonly off: readonly string[];
  /** Filters to enable. */
  readonly on: readonly string[];
  /** Options, each as `group.name=value`. */
  readonly set: readonly string[];
}

const GENERAL = ['max_placement_results', 'candidates_per_host', 'nova_compat'] as const;
const SELECTING = ['host_subset_size', 'shuffle_best_same_weighed_hosts'] as const;

/** The active configuration as input of a simulation, without options that have their default. */
export function configOf(running: Running): Config {
  const config: Record<string, Record<string, unknown>> = {};
  const put = (group: string, name: string, value: unknown): void => {
    config[group] = { ...config[group], [name]: value };
  };
  for (const { options } of [...running.prefilters, ...running.filters, ...running.weighers]) {
    for (const { group, name, value, default: usual } of options) {
      if (value !== undefined && JSON.stringify(value) !== JSON.stringify(usual)) put(group, name, value);
    }
  }
  for (const name of GENERAL) put('scheduler', name, running.options[name]);
  for (const name of SELECTING) put('filter_scheduler', name, running.options[name]);
  const namesOf = (parts: readonly { readonly name: string }[]): readonly string[] => parts.map(({ name }) => name);
  put('filter_scheduler', 'enabled_filters', namesOf(running.filters));
  put('filter_scheduler', 'weight_classes', namesOf(running.weighers));
  put('DEFAULT', 'default_availability_zone', running.options.default_availability_zone);
  return config;
}

/** The multiplier of each weigher. */
export const multipliersOf = ({ weighers }: Running) =>
  weighers.flatMap(({ name, options }) => {
    const option = options.find((each) => each.name.endsWith('_multiplier'));
    return option === undefined ? [] : [{ name, key: `${option.group}.${option.name}`, value: Number(option.value) }];
  });

export function changedConfig(config: Config, { off, on, set }: ConfigChange): Config {
  const filters = (config['filter_scheduler']?.['enabled_filters'] ?? []) as readonly string[];
  const kept = filters.filter((name) => !off.includes(name));
  const enabled = [...kept, ...on.filter((name) => !kept.includes(name))];
  const changed: Record<string, Readonly<Record<string, unknown>>> = {
    ...config,
    filter_scheduler: { ...config['filter_scheduler'], enabled_filters: enabled },
  };
  for (const each of set) {
    const { group, name, value } = settingOf(each);
    changed[group] = { ...changed[group], [name]: value };
  }
  return changed;
}

/** Parses `filter_scheduler.ram_weight_multiplier=-1`; numbers and booleans become such values. */
export function settingOf(text: string): { readonly group: string; readonly name: string; readonly value: unknown } {
  const at = text.indexOf('=');
  const [group = '', name = ''] = text.slice(0, at).split('.');
  const value = text.slice(at + 1);
  if (value === 'true' || value === 'false') return { group, name, value: value === 'true' };
  return { group, name, value: value !== '' && Number.isFinite(Number(value)) ? Number(value) : value };
}

export const changesNothing = ({ off, on, set }: ConfigChange): boolean => off.length + on.length + set.length === 0;

/** One line per change, in the syntax of the configuration file. */
export function changeLines({ off, on, set }: ConfigChange): readonly string[] {
  return [
    ...off.map((name) => `without ${name}`),
    ...on.map((name) => `with ${name}`),
    ...set.map((each) => {
      const { group, name, value } = settingOf(each);
      return `[${group}] ${name} = ${String(value)}`;
    }),
  ];
}
