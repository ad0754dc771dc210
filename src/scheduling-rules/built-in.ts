// The built-in filters, weighers, prefilters and drivers, combined with those of plug-ins.

import { BUILT_IN_DRIVERS } from './drivers';
import { BUILT_IN_FILTERS } from './filters';
import type { PartRegistry, SchedulerExtension } from './pipeline/registry';
import { buildRegistry, BUILT_IN } from './pipeline/registry';
import { BUILT_IN_PREFILTERS } from './prefilters';
import { BUILT_IN_WEIGHERS } from './weighers';

const BUILT_IN_EXTENSION: SchedulerExtension = Object.freeze({
  source: BUILT_IN,
  exports: {
    filters: BUILT_IN_FILTERS,
    weighers: BUILT_IN_WEIGHERS,
    prefilters: BUILT_IN_PREFILTERS,
    drivers: BUILT_IN_DRIVERS,
  },
});

/** The registry of the built-in parts and those of the plug-ins, in that order. */
export function schedulerRegistry(plugins: readonly SchedulerExtension[] = []): PartRegistry {
  return buildRegistry([BUILT_IN_EXTENSION, ...plugins]);
}
