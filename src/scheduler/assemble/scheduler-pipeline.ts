// Puts the scheduler together at start: what the product brings, what plug-ins bring, what the configuration enables.

import { createHash } from 'node:crypto';
import { schedulerRegistry } from '../../scheduling-rules/built-in';
import { resolveParts } from '../../scheduling-rules/pipeline/registry';
import type { EnabledParts, PartRegistry, SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import type { SchedulerOptions } from './scheduler-options';

/** Everything registered, what of it runs, and with which options. */
export interface SchedulerPipeline {
  readonly registry: PartRegistry;
  readonly parts: EnabledParts;
  readonly options: SchedulerOptions;
  /** Tells this configuration from another one: equal for equal options and parts. */
  readonly revision: string;
}

export const SCHEDULER_PIPELINE = Symbol('scheduler.Pipeline');

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
