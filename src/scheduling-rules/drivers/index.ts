// The built-in drivers.

import type { Driver } from '../pipeline/define-driver';
import { chanceDriver, chanceSchedulerDriver } from './chance-scheduler.driver';
import { filterSchedulerDriver } from './filter-scheduler.driver';

export const BUILT_IN_DRIVERS: readonly Driver[] = Object.freeze([
  filterSchedulerDriver,
  chanceSchedulerDriver,
  chanceDriver,
]);
export const DEFAULT_DRIVER = 'filter_scheduler';
