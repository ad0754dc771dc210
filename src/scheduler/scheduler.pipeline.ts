// Puts the scheduler together at start: what the product brings, what plug-ins bring, what the configuration enables.

import { createHash } from 'node:crypto';
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
  /** Tells this configuration from another one: equal for equal options and parts. */
  readonly revision: string;
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
  const parts = resolveParts(registry, options, options.values);
  return Object.freeze({ registry, parts, options, revision: revisionOf(options, parts) });
}

const REVISION_CHARACTERS = 12;

function revisionOf({ values: _, pciAliases, ...options }: SchedulerOptions, parts: EnabledParts): string {
  const bound = [parts.filters, parts.weighers, parts.prefilters].map((list) =>
    list.map(({ part, values }) => [part.name, values]),
  );
  const text = JSON.stringify([options, [...pciAliases], parts.driver.name, bound]);
  return createHash('sha256').update(text).digest('hex').slice(0, REVISION_CHARACTERS);
}
