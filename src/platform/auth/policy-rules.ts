// The policy rules with their default checks and scopes. Handlers declare the rule of each request (`@Policy`). Names
// of the placement rules are those of OpenStack Placement, so policy files carry over.

type ScopeType = 'project' | 'system';

/** A named check that rules refer to; files can replace it like any rule. */
interface HelperRule {
  readonly name: string;
  readonly check: string;
  /** Unless `enforce_new_defaults` is set, administrators pass it too. */
  readonly admitsAdminBefore: boolean;
  readonly description: string;
}

export interface PolicyRule {
  readonly name: string;
  readonly check: string;
  readonly scopeTypes: readonly ScopeType[];
}

export const HELPER_RULES = [
  { name: 'admin_api', check: 'role:admin', admitsAdminBefore: false, description: 'Administrators.' },
  {
    name: 'service_api',
    check: 'role:service',
    admitsAdminBefore: true,
    description: 'Services talking to each other, no people.',
  },
  {
    name: 'admin_or_service_api',
    check: 'role:admin or role:service',
    admitsAdminBefore: true,
    description: 'Administrators and services.',
  },
  {
    name: 'project_reader_api',
    check: 'role:reader and project_id:%(project_id)s',
    admitsAdminBefore: true,
    description: 'Readers of the project that is asked about.',
  },
  {
    name: 'admin_or_project_reader_or_service_api',
    check: 'role:admin or role:service or rule:project_reader_api',
    admitsAdminBefore: true,
    description: 'Administrators, services, and readers of the project that is asked about.',
  },
  {
    name: 'admin_or_service_or_project_api',
    check: 'role:admin or role:service or project_id:%(project_id)s',
    admitsAdminBefore: false,
    description: 'Administrators, services, and callers with a project.',
  },
  {
    name: 'admin_or_service_or_project_member_api',
    check: 'role:admin or role:service or (role:member and project_id:%(project_id)s)',
    admitsAdminBefore: false,
    description: 'Administrators, services, and members of a project.',
  },
  {
    name: 'system_admin_api',
    check: 'role:admin and system_scope:all',
    admitsAdminBefore: true,
    description: 'Administrators of the system. No default refers to it; policy files of Wallaby to Zed do.',
  },
  {
    name: 'system_reader_api',
    check: 'role:reader and system_scope:all',
    admitsAdminBefore: true,
    description: 'Readers of the system. No default refers to it; policy files of Wallaby to Zed do.',
  },
  {
    name: 'system_or_project_reader',
    check: 'rule:system_reader_api or rule:project_reader_api',
    admitsAdminBefore: true,
    description:
      'Readers of the system, or of the project that is asked about. No default refers to it; policy files of Wallaby to Zed do.',
  },
] as const satisfies readonly HelperRule[];

/** Creates rules `prefix:name` with the same default check. */
const rulesWith =
  (check: string, scopeTypes: readonly ScopeType[] = ['project']) =>
  <const P extends string, const N extends string>(prefix: P, ...names: readonly N[]) =>
    names.map((name): PolicyRule & { readonly name: `${P}:${N}` } => ({
      name: `${prefix}:${name}`,
      check,
      scopeTypes,
    }));

const forServices = rulesWith('rule:admin_or_service_api');
/** The handler returns only objects of the caller's project. */
const forProjects = rulesWith('rule:admin_or_service_or_project_api');
/** The same for writes: as in nova, a reader of the project changes nothing. */
const forMembers = rulesWith('rule:admin_or_service_or_project_member_api');
const forEveryone = rulesWith('@', ['project', 'system']);

const PROVIDERS = 'placement:resource_providers';
const SCHEDULER = 'berth:scheduler';
const COMPUTE = 'berth:practice_cloud:compute';
const IDENTITY = 'berth:practice_cloud:identity';
const REGISTRY = ['list', 'show', 'create', 'update', 'delete'] as const;

export const POLICY_RULES = [
  ...forServices(PROVIDERS, 'list', 'create', 'show', 'update', 'delete'),
  ...forServices(`${PROVIDERS}:inventories`, 'list', 'create', 'show', 'update', 'delete'),
  ...forServices(`${PROVIDERS}:aggregates`, 'list', 'update'),
  ...forServices(PROVIDERS, 'usages'),
  ...forServices(`${PROVIDERS}:traits`, 'list', 'update', 'delete'),
  ...forServices(`${PROVIDERS}:allocations`, 'list'),
  ...forServices('placement:resource_classes', 'list', 'create', 'show', 'update', 'delete'),
  ...forServices('placement:traits', 'list', 'show', 'update', 'delete'),
  ...forServices('placement:allocations', 'manage', 'list', 'update', 'delete'),
  ...forServices('placement:allocation_candidates', 'list'),
  ...rulesWith('rule:admin_or_project_reader_or_service_api')('placement', 'usages'),
  ...rulesWith('rule:service_api')('placement:reshaper', 'reshape'),

  ...forServices(SCHEDULER, 'show', 'select_destinations', 'explain', 'capacity', 'simulate'),
  ...forServices(`${SCHEDULER}:decisions`, 'list', 'show'),
  ...forServices(`${SCHEDULER}:plans`, 'list', 'show', 'create', 'report', 'delete'),
  ...forServices(`${SCHEDULER}:hosts`, 'list', 'show', 'update', 'delete'),
  ...forServices(`${SCHEDULER}:services`, 'list', 'show', 'update', 'delete'),
  ...forServices(`${SCHEDULER}:host_aggregates`, ...REGISTRY, 'add_host', 'remove_host', 'set_metadata'),
  ...forServices(`${SCHEDULER}:availability_zones`, 'list'),
  ...forServices(`${SCHEDULER}:server_groups`, ...REGISTRY),
  ...forServices(`${SCHEDULER}:flavors`, ...REGISTRY, 'set_extra_specs'),
  ...forServices(`${SCHEDULER}:images`, ...REGISTRY),
  ...forServices(`${SCHEDULER}:instances`, 'list', 'show', 'delete', 'build_failed', 'move'),
  ...forServices('berth:operations', 'metrics', 'docs'),
  ...forServices('berth:reports', 'capacity', 'hosts', 'instances', 'projects', 'flavors'),
  ...forServices('berth:reports', 'changes', 'advice', 'refusals', 'history', 'timeline'),
  ...forEveryone('berth:console', 'session'),

  // No request checks this rule alone; callers who pass it can access objects of other projects.
  ...rulesWith('rule:admin_or_service_api', ['project', 'system'])('berth:practice_cloud', 'others'),
  ...forProjects(`${COMPUTE}:flavors`, 'list', 'extra_specs'),
  ...forServices(`${COMPUTE}:flavors`, 'manage'),
  ...forServices(COMPUTE, 'aggregates'),
  ...forProjects(`${COMPUTE}:zones`, 'list'),
  ...forServices(`${COMPUTE}:zones`, 'detail'),
  ...forServices(COMPUTE, 'services', 'hypervisors'),
  ...forProjects(COMPUTE, 'server_groups', 'networks', 'limits', 'keypairs', 'usages'),
  ...forProjects(`${COMPUTE}:quotas`, 'show'),
  ...forServices(COMPUTE, 'migrations'),
  ...forMembers(`${COMPUTE}:server_groups`, 'manage'),
  ...forProjects(`${COMPUTE}:servers`, 'list', 'actions'),
  ...forMembers(`${COMPUTE}:servers`, 'create', 'update', 'delete', 'act', 'console'),
  ...forEveryone(`${IDENTITY}:token`, 'show', 'revoke'),
  ...forEveryone(`${IDENTITY}:catalog`, 'show'),
  ...forEveryone(`${IDENTITY}:projects`, 'list', 'show'),
  ...forEveryone(`${IDENTITY}:users`, 'list', 'show'),
  ...forEveryone(`${IDENTITY}:domains`, 'list', 'show'),
  ...forProjects('berth:practice_cloud:image:images', 'list', 'show'),
  ...forMembers('berth:practice_cloud:image:images', 'create', 'update', 'delete', 'upload'),
  ...forProjects('berth:practice_cloud:image:schemas', 'show'),
] as const;

export type PolicyRuleName = (typeof POLICY_RULES)[number]['name'];
