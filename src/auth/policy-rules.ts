// THE table of policy rules: names, default checks, scopes and the requests that each rule guards. The reference page
// is printed from it. Names of the placement rules are the reference's, so that policy files carry over.

import { CONSOLE_POLICY_RULES } from './console-policy-rules';
import { FACADE_POLICY_RULES } from './facade-policy-rules';
import type { HelperRule, PolicyRule } from './policy-rule';
import { REPORTS_POLICY_RULES } from './reports-policy-rules';
import { SCHEDULER_POLICY_RULES } from './scheduler-policy-rules';

export const HELPER_RULES = [
  {
    name: 'admin_api',
    check: 'role:admin',
    admitsAdminBefore: false,
    description: 'Administrators.',
  },
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
    description: 'Administrators, services, and whoever has a project.',
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

const guarded = <const N extends string>(
  name: N,
  operations: readonly string[],
  check = 'rule:admin_or_service_api',
): PolicyRule & { readonly name: N } => ({ name, check, scopeTypes: ['project'], operations });

const PROVIDER = '/resource_providers/{uuid}';

export const PLACEMENT_POLICY_RULES = [
  guarded('placement:resource_providers:list', ['GET /resource_providers']),
  guarded('placement:resource_providers:create', ['POST /resource_providers']),
  guarded('placement:resource_providers:show', [`GET ${PROVIDER}`]),
  guarded('placement:resource_providers:update', [`PUT ${PROVIDER}`]),
  guarded('placement:resource_providers:delete', [`DELETE ${PROVIDER}`]),
  guarded('placement:resource_providers:inventories:list', [`GET ${PROVIDER}/inventories`]),
  guarded('placement:resource_providers:inventories:create', [`POST ${PROVIDER}/inventories`]),
  guarded('placement:resource_providers:inventories:show', [`GET ${PROVIDER}/inventories/{resource_class}`]),
  guarded('placement:resource_providers:inventories:update', [
    `PUT ${PROVIDER}/inventories`,
    `PUT ${PROVIDER}/inventories/{resource_class}`,
  ]),
  guarded('placement:resource_providers:inventories:delete', [
    `DELETE ${PROVIDER}/inventories`,
    `DELETE ${PROVIDER}/inventories/{resource_class}`,
  ]),
  guarded('placement:resource_providers:aggregates:list', [`GET ${PROVIDER}/aggregates`]),
  guarded('placement:resource_providers:aggregates:update', [`PUT ${PROVIDER}/aggregates`]),
  guarded('placement:resource_providers:usages', [`GET ${PROVIDER}/usages`]),
  guarded('placement:resource_providers:traits:list', [`GET ${PROVIDER}/traits`]),
  guarded('placement:resource_providers:traits:update', [`PUT ${PROVIDER}/traits`]),
  guarded('placement:resource_providers:traits:delete', [`DELETE ${PROVIDER}/traits`]),
  guarded('placement:resource_providers:allocations:list', [`GET ${PROVIDER}/allocations`]),
  guarded('placement:resource_classes:list', ['GET /resource_classes']),
  guarded('placement:resource_classes:create', ['POST /resource_classes']),
  guarded('placement:resource_classes:show', ['GET /resource_classes/{name}']),
  guarded('placement:resource_classes:update', ['PUT /resource_classes/{name}']),
  guarded('placement:resource_classes:delete', ['DELETE /resource_classes/{name}']),
  guarded('placement:traits:list', ['GET /traits']),
  guarded('placement:traits:show', ['GET /traits/{name}']),
  guarded('placement:traits:update', ['PUT /traits/{name}']),
  guarded('placement:traits:delete', ['DELETE /traits/{name}']),
  guarded('placement:allocations:manage', ['POST /allocations']),
  guarded('placement:allocations:list', ['GET /allocations/{consumer_uuid}']),
  guarded('placement:allocations:update', ['PUT /allocations/{consumer_uuid}']),
  guarded('placement:allocations:delete', ['DELETE /allocations/{consumer_uuid}']),
  guarded('placement:allocation_candidates:list', ['GET /allocation_candidates', 'GET /allocation_candidates/explain']),
  guarded('placement:usages', ['GET /usages'], 'rule:admin_or_project_reader_or_service_api'),
  guarded('placement:reshaper:reshape', ['POST /reshaper'], 'rule:service_api'),
] as const satisfies readonly PolicyRule[];

export const POLICY_RULES = [
  ...PLACEMENT_POLICY_RULES,
  ...SCHEDULER_POLICY_RULES,
  ...REPORTS_POLICY_RULES,
  ...CONSOLE_POLICY_RULES,
  ...FACADE_POLICY_RULES,
] as const;

export type PolicyRuleName = (typeof POLICY_RULES)[number]['name'];
