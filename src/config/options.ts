// THE table of all options. Their types are the type of the configuration, their rules are its validation, and the
// reference page is printed from it. Plugins add rows when the configuration is loaded.

import {
  CORS_OPTIONS,
  DEFAULT_OPTIONS,
  KEYSTONE_AUTHTOKEN_OPTIONS,
  OSLO_MIDDLEWARE_OPTIONS,
  PROFILER_OPTIONS,
} from './groups/library-options';
import {
  API_OPTIONS,
  BERTH_OPTIONS,
  OSLO_POLICY_OPTIONS,
  PLACEMENT_DATABASE_OPTIONS,
  PLACEMENT_OPTIONS,
  WORKAROUNDS_OPTIONS,
} from './groups/placement-options';
import {
  COMPUTE_OPTIONS,
  FILTER_SCHEDULER_OPTIONS,
  METRICS_OPTIONS,
  PCI_OPTIONS,
  SCHEDULER_OPTIONS,
} from './groups/scheduler-options';
import type { GroupValues, OptionGroup, OptionRow } from './option-types';

/** Groups by the name they have in the file. */
export const OPTION_GROUPS = {
  DEFAULT: DEFAULT_OPTIONS,
  berth: BERTH_OPTIONS,
  api: API_OPTIONS,
  placement: PLACEMENT_OPTIONS,
  placement_database: PLACEMENT_DATABASE_OPTIONS,
  oslo_policy: OSLO_POLICY_OPTIONS,
  oslo_middleware: OSLO_MIDDLEWARE_OPTIONS,
  cors: CORS_OPTIONS,
  keystone_authtoken: KEYSTONE_AUTHTOKEN_OPTIONS,
  scheduler: SCHEDULER_OPTIONS,
  filter_scheduler: FILTER_SCHEDULER_OPTIONS,
  metrics: METRICS_OPTIONS,
  pci: PCI_OPTIONS,
  compute: COMPUTE_OPTIONS,
  workarounds: WORKAROUNDS_OPTIONS,
  profiler: PROFILER_OPTIONS,
} as const satisfies Readonly<Record<string, OptionGroup>>;

export type GroupName = keyof typeof OPTION_GROUPS;

/** All values, by group and option, with the names they have in the file. */
export type OptionValues = { readonly [G in GroupName]: GroupValues<(typeof OPTION_GROUPS)[G]> };

/** The table as rows, in the order of the reference page. */
export const OPTION_ROWS: readonly OptionRow[] = Object.freeze(
  Object.entries(OPTION_GROUPS).flatMap(([group, options]) =>
    Object.entries(options as OptionGroup).map(([name, definition]) => Object.freeze({ ...definition, group, name })),
  ),
);

/**
 * Groups that no other service writes into: an unknown option there is a mistake even where a configuration shared with
 * other services is let pass.
 */
export const OWN_GROUPS: ReadonlySet<string> = new Set<GroupName>([
  'berth',
  'placement_database',
  'scheduler',
  'filter_scheduler',
  'metrics',
]);
