// The part of the policy table that guards the facade: registries in the words of OpenStack's clients.

import type { PolicyRule } from './policy-rule';

type NamedRule<N extends string> = PolicyRule & { readonly name: `berth:facade:${N}` };

const rule =
  (check: string, scopeTypes: PolicyRule['scopeTypes'] = ['project']) =>
  <const N extends string>(name: N, operations: readonly string[]): NamedRule<N> => ({
    name: `berth:facade:${name}`,
    check,
    scopeTypes,
    operations,
  });

/** What belongs to projects: whose things a caller sees is judged thing by thing. */
const byProject = rule('rule:admin_or_service_or_project_api');
/** What whoever has a token may know: who it is for, where the services are, what names mean. */
const byAnybody = rule('@', ['project', 'system']);

/** What belongs to the cloud. */
const byAdmins = rule('rule:admin_or_service_api');

const COMPUTE = '/compute/v2.1';
const FLAVORS = `${COMPUTE}/flavors`;
const FLAVOR = `${FLAVORS}/{id}`;
const AGGREGATES = `${COMPUTE}/os-aggregates`;
const SERVICES = `${COMPUTE}/os-services`;
const HYPERVISORS = `${COMPUTE}/os-hypervisors`;
const GROUPS = `${COMPUTE}/os-server-groups`;
const KEYPAIRS = `${COMPUTE}/os-keypairs`;
const QUOTAS = `${COMPUTE}/os-quota-sets/{project_id}`;
const SERVERS = `${COMPUTE}/servers`;
const SERVER = `${SERVERS}/{id}`;

const COMPUTE_RULES = [
  byProject('compute:flavors:list', [`GET ${FLAVORS}`, `GET ${FLAVORS}/detail`, `GET ${FLAVOR}`]),
  byProject('compute:flavors:extra_specs', [`GET ${FLAVOR}/os-extra_specs`, `GET ${FLAVOR}/os-extra_specs/{key}`]),
  byAdmins('compute:flavors:manage', [
    `POST ${FLAVORS}`,
    `PUT ${FLAVOR}`,
    `DELETE ${FLAVOR}`,
    `POST ${FLAVOR}/os-extra_specs`,
    `PUT ${FLAVOR}/os-extra_specs/{key}`,
    `DELETE ${FLAVOR}/os-extra_specs/{key}`,
    `GET ${FLAVOR}/os-flavor-access`,
    `POST ${FLAVOR}/action`,
  ]),
  byAdmins('compute:aggregates', [
    `GET ${AGGREGATES}`,
    `POST ${AGGREGATES}`,
    `GET ${AGGREGATES}/{id}`,
    `PUT ${AGGREGATES}/{id}`,
    `DELETE ${AGGREGATES}/{id}`,
    `POST ${AGGREGATES}/{id}/action`,
  ]),
  byProject('compute:zones:list', [`GET ${COMPUTE}/os-availability-zone`]),
  byAdmins('compute:zones:detail', [`GET ${COMPUTE}/os-availability-zone/detail`]),
  byAdmins('compute:services', [
    `GET ${SERVICES}`,
    `PUT ${SERVICES}/enable`,
    `PUT ${SERVICES}/disable`,
    `PUT ${SERVICES}/disable-log-reason`,
    `PUT ${SERVICES}/force-down`,
    `PUT ${SERVICES}/{id}`,
    `DELETE ${SERVICES}/{id}`,
  ]),
  byAdmins('compute:hypervisors', [
    `GET ${HYPERVISORS}`,
    `GET ${HYPERVISORS}/detail`,
    `GET ${HYPERVISORS}/statistics`,
    `GET ${HYPERVISORS}/{id}`,
    `GET ${HYPERVISORS}/{id}/uptime`,
    `GET ${HYPERVISORS}/{id}/search`,
    `GET ${HYPERVISORS}/{id}/servers`,
  ]),
  byAdmins('compute:hosts', [`GET ${COMPUTE}/os-hosts`, `GET ${COMPUTE}/os-hosts/{host}`]),
  byProject('compute:server_groups', [
    `GET ${GROUPS}`,
    `POST ${GROUPS}`,
    `GET ${GROUPS}/{id}`,
    `DELETE ${GROUPS}/{id}`,
  ]),
  byProject('compute:networks', [
    `GET ${COMPUTE}/os-networks`,
    `GET ${COMPUTE}/os-networks/{id}`,
    `GET ${COMPUTE}/os-security-groups`,
    `GET ${COMPUTE}/os-security-groups/{id}`,
  ]),
  byProject('compute:limits', [`GET ${COMPUTE}/limits`]),
  byProject('compute:quotas:show', [
    `GET ${QUOTAS}`,
    `GET ${QUOTAS}/defaults`,
    `GET ${QUOTAS}/detail`,
    `GET ${COMPUTE}/os-quota-class-sets/{id}`,
  ]),
  byAdmins('compute:quotas:update', [`PUT ${QUOTAS}`, `DELETE ${QUOTAS}`]),
  byProject('compute:keypairs', [
    `GET ${KEYPAIRS}`,
    `POST ${KEYPAIRS}`,
    `GET ${KEYPAIRS}/{name}`,
    `DELETE ${KEYPAIRS}/{name}`,
  ]),
  byProject('compute:usages', [
    `GET ${COMPUTE}/os-simple-tenant-usage`,
    `GET ${COMPUTE}/os-simple-tenant-usage/{project_id}`,
  ]),
  byAdmins('compute:migrations', [`GET ${COMPUTE}/os-migrations`]),
  byProject('compute:servers:list', [
    `GET ${SERVERS}`,
    `GET ${SERVERS}/detail`,
    `GET ${SERVER}`,
    `GET ${SERVER}/metadata`,
  ]),
  byProject('compute:servers:create', [`POST ${SERVERS}`]),
  byProject('compute:servers:update', [
    `PUT ${SERVER}`,
    `POST ${SERVER}/metadata`,
    `PUT ${SERVER}/metadata`,
    `DELETE ${SERVER}/metadata/{key}`,
  ]),
  byProject('compute:servers:delete', [`DELETE ${SERVER}`]),
  byProject('compute:servers:act', [`POST ${SERVER}/action`]),
  byProject('compute:servers:console', [`POST ${SERVER}/remote-consoles`]),
  byProject('compute:servers:actions', [
    `GET ${SERVER}/os-instance-actions`,
    `GET ${SERVER}/os-instance-actions/{request}`,
  ]),
] as const;

const IDENTITY = '/identity/v3';
const IMAGE = '/image/v2/images/{image_id}';

export const FACADE_POLICY_RULES = [
  // No request of its own: what a caller sees and changes of others' things wherever he is let in.
  rule('rule:admin_or_service_api', ['project', 'system'])('others', []),
  ...COMPUTE_RULES,
  byAnybody('identity:token:show', [`GET ${IDENTITY}/auth/tokens`, `HEAD ${IDENTITY}/auth/tokens`]),
  byAnybody('identity:token:revoke', [`DELETE ${IDENTITY}/auth/tokens`]),
  byAnybody('identity:catalog:show', [`GET ${IDENTITY}/auth/catalog`]),
  byAnybody('identity:projects:list', [
    `GET ${IDENTITY}/projects`,
    `GET ${IDENTITY}/auth/projects`,
    `GET ${IDENTITY}/users/{user_id}/projects`,
  ]),
  byAnybody('identity:projects:show', [`GET ${IDENTITY}/projects/{project_id}`]),
  byAnybody('identity:users:list', [`GET ${IDENTITY}/users`]),
  byAnybody('identity:users:show', [`GET ${IDENTITY}/users/{user_id}`]),
  byAnybody('identity:domains:list', [`GET ${IDENTITY}/domains`]),
  byAnybody('identity:domains:show', [`GET ${IDENTITY}/domains/{domain_id}`]),
  byProject('image:images:list', ['GET /image/v2/images']),
  byProject('image:images:create', ['POST /image/v2/images']),
  byProject('image:images:show', [`GET ${IMAGE}`]),
  byProject('image:images:update', [`PATCH ${IMAGE}`, `PUT ${IMAGE}/tags/{tag}`, `DELETE ${IMAGE}/tags/{tag}`]),
  byProject('image:images:delete', [`DELETE ${IMAGE}`]),
  byProject('image:images:upload', [`PUT ${IMAGE}/file`]),
  byProject('image:images:download', [`GET ${IMAGE}/file`]),
  byProject('image:schemas:show', ['GET /image/v2/schemas/{name}']),
] as const;
