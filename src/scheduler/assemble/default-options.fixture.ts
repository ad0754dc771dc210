// The scheduler's options without any configuration.
import { loadConfig } from '../../platform/config/load-config';
import { schedulerOptionsOf } from './scheduler-options';
import type { SchedulerOptions } from './scheduler-options';

export const DEFAULT_SCHEDULER_OPTIONS: SchedulerOptions = Object.freeze({
  ...schedulerOptionsOf(loadConfig({ env: {}, cwd: '/', readFile: () => undefined }), ''),
  values: {},
});
