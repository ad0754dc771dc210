// The built-in filters. Adding one: its file, its table spec, one line here.

import type { Filter } from '../pipeline/define-filter';
import { differentHostFilter } from './different-host.filter';
import { numInstancesFilter } from './num-instances.filter';

export const BUILT_IN_FILTERS: readonly Filter[] = Object.freeze([numInstancesFilter, differentHostFilter]);

/** What runs where nothing is configured. */
export const DEFAULT_ENABLED_FILTERS: readonly string[] = Object.freeze(['NumInstancesFilter', 'DifferentHostFilter']);
