// THE table of what is audited: every route that takes a writing method, what CADF calls what it does, and to what. A
// field of a document that has no place here is never written down, be it of a body or of what a write found and left. A test asks
// the router whether a route is missing.
import type { AuditedRoute } from './audited-route';
import { FACADE_AUDITED_ROUTES } from './facade-audited-routes';

/** Asked by POST, for the question is long. */
export const CHANGES_NOTHING = 'changes nothing';

const RECORD = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'];
const GENERATION = 'resource_provider_generation';
const CONSUMER = ['allocations', 'project_id', 'user_id', 'consumer_generation', 'consumer_type'];
const FLAVOR = ['id', 'name', 'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap', 'extra_specs', 'generation'];
const AGGREGATE = ['uuid', 'name', 'availability_zone', 'metadata', 'hosts', 'generation'];
const GROUP = ['uuid', 'name', 'policy', 'rules', 'project_id', 'user_id', 'members', 'generation'];
/** Where instances went. */
const PLACED = ['placements', 'placements_in_all'];
/** Not its properties: users put into them what they like. */
const IMAGE = ['uuid', 'name', 'disk_format', 'generation'];

const LOGIN = ['username', 'user_domain', 'project', 'project_domain'];

const route = (
  action: string,
  target: string,
  id: string | readonly string[] = [],
  shows: AuditedRoute['shows'] = [],
): AuditedRoute => ({ action, target, id: typeof id === 'string' ? [id] : id, shows });

const PROVIDERS = '/resource_providers';
const PROVIDER = `${PROVIDERS}/:uuid`;
const ofProvider = (action: string, shows: AuditedRoute['shows'] = []): AuditedRoute =>
  route(action, 'placement/resource_provider', 'uuid', shows);
const ofInstance = (action: string, shows: readonly string[] = []): AuditedRoute =>
  route(action, 'scheduler/instance', 'uuid', shows);

/** What all registries have. */
const registry = (
  collection: string,
  target: string,
  key: string,
  shows: readonly string[],
): Readonly<Record<string, AuditedRoute>> => ({
  [`POST /scheduler/${collection}`]: route('create', target, [], shows),
  [`PUT /scheduler/${collection}/:${key}`]: route('update', target, key, shows),
  [`PATCH /scheduler/${collection}/:${key}`]: route('update', target, key, shows),
  [`DELETE /scheduler/${collection}/:${key}`]: route('delete', target, key),
});

/** By method and pattern, as the router has them. */
export const AUDITED_ROUTES: Readonly<Record<string, AuditedRoute | typeof CHANGES_NOTHING>> = {
  [`POST ${PROVIDERS}`]: route('create', 'placement/resource_provider', [], ['uuid', 'name', 'parent_provider_uuid']),
  [`PUT ${PROVIDER}`]: ofProvider('update', ['name', 'parent_provider_uuid']),
  [`DELETE ${PROVIDER}`]: ofProvider('delete', ['name']),
  [`POST ${PROVIDER}/inventories`]: ofProvider('create/inventory', ['resource_class', ...RECORD, GENERATION]),
  [`PUT ${PROVIDER}/inventories`]: ofProvider('update/inventories', ['inventories', GENERATION]),
  [`DELETE ${PROVIDER}/inventories`]: ofProvider('delete/inventories'),
  [`PUT ${PROVIDER}/inventories/:resource_class`]: ofProvider('update/inventory', [...RECORD, GENERATION]),
  [`DELETE ${PROVIDER}/inventories/:resource_class`]: ofProvider('delete/inventory'),
  // Uuids alone in old versions.
  [`PUT ${PROVIDER}/aggregates`]: ofProvider('update/aggregates', 'all'),
  [`PUT ${PROVIDER}/traits`]: ofProvider('update/traits', ['traits', GENERATION]),
  [`DELETE ${PROVIDER}/traits`]: ofProvider('delete/traits', ['traits', GENERATION]),
  'POST /resource_classes': route('create', 'placement/resource_class', [], ['name']),
  'PUT /resource_classes/:name': route('update', 'placement/resource_class', 'name', ['name']),
  'DELETE /resource_classes/:name': route('delete', 'placement/resource_class', 'name'),
  'PUT /traits/:name': route('update', 'placement/trait', 'name'),
  'DELETE /traits/:name': route('delete', 'placement/trait', 'name'),
  // Named by the consumers' uuids.
  'POST /allocations': route('update/allocations', 'placement/consumer', [], 'all'),
  'PUT /allocations/:consumer_uuid': route('update/allocations', 'placement/consumer', 'consumer_uuid', CONSUMER),
  'DELETE /allocations/:consumer_uuid': route('delete/allocations', 'placement/consumer', 'consumer_uuid'),
  'POST /reshaper': route('update/reshape', 'placement/resource_provider', [], ['inventories', 'allocations']),

  'POST /scheduler/select_destinations': route(
    'create/placement',
    'scheduler/instance',
    [],
    ['num_instances', 'min_count', 'instances', 'project_id', 'user_id', ...PLACED],
  ),
  'POST /scheduler/instances/:uuid/build_failed': ofInstance('update/build_failed', ['host', 'node', ...PLACED]),
  'POST /scheduler/instances/:uuid/move': ofInstance('update/move', ['type', 'target', 'migration_uuid', ...PLACED]),
  'POST /scheduler/instances/:uuid/confirm_move': ofInstance('update/confirm_move'),
  'POST /scheduler/instances/:uuid/revert_move': ofInstance('update/revert_move'),
  'DELETE /scheduler/instances/:uuid': ofInstance('delete/placement'),
  'POST /scheduler/explain': CHANGES_NOTHING,
  'POST /scheduler/capacity': CHANGES_NOTHING,
  'POST /scheduler/simulate': CHANGES_NOTHING,

  'PUT /scheduler/hosts/:host/:node': { ...route('update/report', 'scheduler/host', ['host', 'node']), isReport: true },
  'DELETE /scheduler/hosts/:host/:node': route('delete', 'scheduler/host', ['host', 'node']),
  'PATCH /scheduler/services/:host': route('update', 'scheduler/service', 'host', [
    'status',
    'disabled_reason',
    'forced_down',
    'generation',
  ]),
  'DELETE /scheduler/services/:host': route('delete', 'scheduler/service', 'host'),
  ...registry('flavors', 'scheduler/flavor', 'id', FLAVOR),
  'PATCH /scheduler/flavors/:id/extra_specs': route('update/extra_specs', 'scheduler/flavor', 'id', [
    'extra_specs',
    'generation',
  ]),
  ...registry('images', 'scheduler/image', 'uuid', IMAGE),
  ...registry('host_aggregates', 'scheduler/host_aggregate', 'uuid', AGGREGATE),
  'POST /scheduler/host_aggregates/:uuid/hosts': route('update/hosts', 'scheduler/host_aggregate', 'uuid', [
    'host',
    'hosts',
    'generation',
  ]),
  'DELETE /scheduler/host_aggregates/:uuid/hosts/:host': route('update/hosts', 'scheduler/host_aggregate', 'uuid', [
    'hosts',
    'generation',
  ]),
  'PATCH /scheduler/host_aggregates/:uuid/metadata': route('update/metadata', 'scheduler/host_aggregate', 'uuid', [
    'metadata',
    'generation',
  ]),
  ...registry('server_groups', 'scheduler/server_group', 'uuid', GROUP),
  // Who came in or tried to; never with what.
  'POST /console/login': route('authenticate', 'console/login', [], LOGIN),
  ...FACADE_AUDITED_ROUTES,
};
