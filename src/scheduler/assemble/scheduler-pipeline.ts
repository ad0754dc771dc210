// Assembles the scheduler at start-up from built-in parts, plug-ins and the configuration.

import { createHash } from 'node:crypto';
import { schedulerRegistry } from '../../scheduling-rules/built-in';
import type { EnabledParts, PartRegistry, SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { resolveParts } from '../../scheduling-rules/pipeline/registry';
import type { SchedulerOptions } from './scheduler-options';

/** All registered parts, the enabled ones, and their options. */
export abstract class SchedulerPipeline {
  abstract readonly registry: PartRegistry;
  abstract readonly parts: EnabledParts;
  abstract readonly options: SchedulerOptions;
  /** Identifies the configuration: equal exactly for equal options and parts. */
  abstract readonly revision: string;
}

/** Throws `SchedulerBootError` or `InvalidOption` for a configuration that cannot be satisfied. */
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
