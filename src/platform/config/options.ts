// The table of all options: those of the service by group, and those that built-in parts of the scheduler declare next
// to their code. It defines the configuration's type and validation, and the reference page is generated from it.
// Plug-ins add rows when the configuration is loaded.

import type { OptionDeclarations, OptionRow, OptionValues } from '../values/options';
import { schedulerRegistry } from '../../scheduling-rules/built-in';
import { optionRows, optionOwners } from '../../scheduling-rules/pipeline/option-rows';
import { AUDIT_OPTIONS } from './groups/audit-options';
import { CONSOLE_OPTIONS } from './groups/console-options';
import { FACADE_OPTIONS } from './groups/facade-options';
import { KEYSTONE_AUTHTOKEN_OPTIONS } from './groups/keystone-options';
import { CORS_OPTIONS, DEFAULT_OPTIONS, OSLO_MIDDLEWARE_OPTIONS, PROFILER_OPTIONS } from './groups/library-options';
import {
  API_OPTIONS,
  BERTH_OPTIONS,
  OSLO_POLICY_OPTIONS,
  PLACEMENT_DATABASE_OPTIONS,
  PLACEMENT_OPTIONS,
  WORKAROUNDS_OPTIONS,
} from './groups/placement-options';
import { COMPUTE_OPTIONS, FILTER_SCHEDULER_OPTIONS, PCI_OPTIONS, SCHEDULER_OPTIONS } from './groups/scheduler-options';

/** Groups by their names in the file, in the order of the reference page. */
const OPTION_GROUPS = {
  DEFAULT: DEFAULT_OPTIONS,
  berth: BERTH_OPTIONS,
  api: API_OPTIONS,
  placement: PLACEMENT_OPTIONS,
  placement_database: PLACEMENT_DATABASE_OPTIONS,
  audit: AUDIT_OPTIONS,
  console: CONSOLE_OPTIONS,
  facade: FACADE_OPTIONS,
  oslo_policy: OSLO_POLICY_OPTIONS,
  oslo_middleware: OSLO_MIDDLEWARE_OPTIONS,
  cors: CORS_OPTIONS,
  keystone_authtoken: KEYSTONE_AUTHTOKEN_OPTIONS,
  scheduler: SCHEDULER_OPTIONS,
  filter_scheduler: FILTER_SCHEDULER_OPTIONS,
  metrics: {},
  pci: PCI_OPTIONS,
  compute: COMPUTE_OPTIONS,
  workarounds: WORKAROUNDS_OPTIONS,
  profiler: PROFILER_OPTIONS,
} as const satisfies Readonly<Record<string, OptionDeclarations>>;

type GroupName = keyof typeof OPTION_GROUPS;

/** All values that the service itself reads, by group and option as named in the file. */
export type GroupValues = { readonly [G in GroupName]: OptionValues<(typeof OPTION_GROUPS)[G]> };

const tables = Object.entries(OPTION_GROUPS).map(([group, options]) => ({
  name: 'the table of options',
  isTable: true,
  group,
  options,
}));

const GROUP_ORDER = Object.keys(OPTION_GROUPS);

/** The table as rows, group by group. */
export const OPTION_ROWS: readonly OptionRow[] = Object.freeze(
  optionRows([...tables, ...optionOwners(schedulerRegistry())]).toSorted(
    (one, other) => GROUP_ORDER.indexOf(one.group) - GROUP_ORDER.indexOf(other.group),
  ),
);

/** Groups that belong to Berth alone: an unknown option in them is an error even in a lenient configuration. */
export const OWN_GROUPS: ReadonlySet<string> = new Set<GroupName>([
  'berth',
  'audit',
  'console',
  'facade',
  'placement_database',
  'scheduler',
  'filter_scheduler',
  'metrics',
]);
