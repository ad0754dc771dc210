// The table of all options, joined from those of the rooms. It defines the configuration's type and validation, and the
// reference page is generated from it. Plug-ins add rows when the configuration is loaded.

import { CONSOLE_OPTIONS } from './console-server/options';
import { NOVA_GROUP } from './nova/options';
import type { Config } from './platform/config/platform-config';
import { PRACTICE_CLOUD_OPTIONS } from './practice-cloud/options';
import { REPORTS_OPTIONS } from './reports/options';
import { optionTable } from './scheduler/option-table';
import { SCHEDULER_GROUPS } from './scheduler/options';

/** Groups by their names in the file, in the order of the reference page. */
const BERTH_GROUPS = {
  DEFAULT: SCHEDULER_GROUPS.DEFAULT,
  berth: { ...SCHEDULER_GROUPS.berth, ...REPORTS_OPTIONS.berth },
  api: SCHEDULER_GROUPS.api,
  placement: SCHEDULER_GROUPS.placement,
  placement_database: SCHEDULER_GROUPS.placement_database,
  audit: SCHEDULER_GROUPS.audit,
  console: CONSOLE_OPTIONS.console,
  practice_cloud: PRACTICE_CLOUD_OPTIONS.practice_cloud,
  nova: NOVA_GROUP.nova,
  oslo_policy: SCHEDULER_GROUPS.oslo_policy,
  oslo_middleware: SCHEDULER_GROUPS.oslo_middleware,
  cors: SCHEDULER_GROUPS.cors,
  keystone_authtoken: SCHEDULER_GROUPS.keystone_authtoken,
  scheduler: SCHEDULER_GROUPS.scheduler,
  filter_scheduler: SCHEDULER_GROUPS.filter_scheduler,
  metrics: SCHEDULER_GROUPS.metrics,
  pci: SCHEDULER_GROUPS.pci,
  compute: SCHEDULER_GROUPS.compute,
  workarounds: SCHEDULER_GROUPS.workarounds,
} as const;

export type BerthGroups = typeof BERTH_GROUPS;

/** The whole configuration of the service. */
export type BerthConfig = Config<BerthGroups>;

export const OPTION_TABLE = optionTable(BERTH_GROUPS);
