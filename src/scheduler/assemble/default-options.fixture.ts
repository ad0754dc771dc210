// The scheduler's options without any configuration.
import { loadConfig } from '../../platform/config/load-config';
import { SCHEDULER_TABLE } from '../option-table';
import type { SchedulerOptions } from './scheduler-options';
import { schedulerOptionsOf } from './scheduler-options';

export const DEFAULT_SCHEDULER_OPTIONS: SchedulerOptions = Object.freeze({
  ...schedulerOptionsOf(loadConfig(SCHEDULER_TABLE, { env: {}, cwd: '/', readFile: () => undefined }), ''),
  values: {},
});
