// Puts the scheduler together at start: what the product brings, what plug-ins bring, what the configuration enables.

import { BUILT_IN_DRIVERS } from './drivers';
import { BUILT_IN_FILTERS } from './filters';
import { BUILT_IN, buildRegistry, resolveParts } from './pipeline/registry';
import type { EnabledParts, Registry, SchedulerExtension } from './pipeline/registry';
import { BUILT_IN_PREFILTERS } from './prefilters';
import type { SchedulerOptions } from './scheduler.options';
import { BUILT_IN_WEIGHERS } from './weighers';

/** Everything registered, what of it runs, and with which options. */
export interface SchedulerPipeline {
  readonly registry: Registry;
  readonly parts: EnabledParts;
  readonly options: SchedulerOptions;
}

export const SCHEDULER_PIPELINE = Symbol('scheduler.Pipeline');

export const BUILT_IN_EXTENSION: SchedulerExtension = Object.freeze({
  source: BUILT_IN,
  exports: {
    filters: BUILT_IN_FILTERS,
    weighers: BUILT_IN_WEIGHERS,
    prefilters: BUILT_IN_PREFILTERS,
    drivers: BUILT_IN_DRIVERS,
  },
});

/** The registry of the built-in parts and those of the plug-ins, in that order. */
export function schedulerRegistry(plugins: readonly SchedulerExtension[] = []): Registry {
  return buildRegistry([BUILT_IN_EXTENSION, ...plugins]);
}

/** Throws `SchedulerBootError` or `InvalidOption` where the configuration cannot be met. */
export function assembleScheduler(
  options: SchedulerOptions,
  plugins: readonly SchedulerExtension[] = [],
): SchedulerPipeline {
  const registry = schedulerRegistry(plugins);
  return Object.freeze({ registry, parts: resolveParts(registry, options, options.values), options });
}
