// The part of the table of what is audited that is the facade's.
import type { AuditedRoute } from './audited-route';

/** Not its properties: users put into them what they like. */
const IMAGE = ['id', 'name', 'disk_format', 'visibility', 'owner', 'protected'];
const IMAGE_PATH = '/image/v2/images/:image_id';

const ofImage = (action: string, shows: AuditedRoute['shows'] = []): AuditedRoute => ({
  action,
  target: 'image/image',
  id: ['image_id'],
  shows,
});

const COMPUTE = '/compute/v2.1';

/** Documents of the Compute API stand in a field of their own, which is not looked into: it may hold what is secret. */
const compute = (action: string, target: string, id: string | readonly string[] = 'id'): AuditedRoute => ({
  action,
  target: `compute/${target}`,
  id: typeof id === 'string' ? [id] : id,
  shows: [],
});

const COMPUTE_ROUTES: Readonly<Record<string, AuditedRoute>> = {
  [`POST ${COMPUTE}/flavors`]: compute('create', 'flavor', []),
  [`PUT ${COMPUTE}/flavors/:id`]: compute('update', 'flavor'),
  [`DELETE ${COMPUTE}/flavors/:id`]: compute('delete', 'flavor'),
  [`POST ${COMPUTE}/flavors/:id/os-extra_specs`]: compute('update/extra_specs', 'flavor'),
  [`PUT ${COMPUTE}/flavors/:id/os-extra_specs/:key`]: compute('update/extra_specs', 'flavor'),
  [`DELETE ${COMPUTE}/flavors/:id/os-extra_specs/:key`]: compute('delete/extra_specs', 'flavor'),
  [`POST ${COMPUTE}/flavors/:id/action`]: compute('update/access', 'flavor'),
  [`POST ${COMPUTE}/os-aggregates`]: compute('create', 'host_aggregate', []),
  [`PUT ${COMPUTE}/os-aggregates/:id`]: compute('update', 'host_aggregate'),
  [`DELETE ${COMPUTE}/os-aggregates/:id`]: compute('delete', 'host_aggregate'),
  [`POST ${COMPUTE}/os-aggregates/:id/action`]: compute('update', 'host_aggregate'),
  [`PUT ${COMPUTE}/os-services/enable`]: compute('enable', 'service', []),
  [`PUT ${COMPUTE}/os-services/disable`]: compute('disable', 'service', []),
  [`PUT ${COMPUTE}/os-services/disable-log-reason`]: compute('disable', 'service', []),
  [`PUT ${COMPUTE}/os-services/force-down`]: compute('update', 'service', []),
  [`PUT ${COMPUTE}/os-services/:id`]: compute('update', 'service'),
  [`DELETE ${COMPUTE}/os-services/:id`]: compute('delete', 'service'),
  [`POST ${COMPUTE}/os-server-groups`]: compute('create', 'server_group', []),
  [`DELETE ${COMPUTE}/os-server-groups/:id`]: compute('delete', 'server_group'),
  [`POST ${COMPUTE}/os-keypairs`]: compute('create', 'keypair', []),
  [`DELETE ${COMPUTE}/os-keypairs/:name`]: compute('delete', 'keypair', 'name'),
  [`PUT ${COMPUTE}/os-quota-sets/:project_id`]: compute('update', 'quota', 'project_id'),
  [`DELETE ${COMPUTE}/os-quota-sets/:project_id`]: compute('delete', 'quota', 'project_id'),
  [`POST ${COMPUTE}/servers`]: compute('create', 'server', []),
  [`PUT ${COMPUTE}/servers/:id`]: compute('update', 'server'),
  [`DELETE ${COMPUTE}/servers/:id`]: compute('delete', 'server'),
  [`POST ${COMPUTE}/servers/:id/metadata`]: compute('update/metadata', 'server'),
  [`PUT ${COMPUTE}/servers/:id/metadata`]: compute('update/metadata', 'server'),
  [`DELETE ${COMPUTE}/servers/:id/metadata/:key`]: compute('delete/metadata', 'server'),
  [`POST ${COMPUTE}/servers/:id/action`]: compute('update/action', 'server'),
  [`POST ${COMPUTE}/servers/:id/remote-consoles`]: compute('create/console', 'server'),
};

export const FACADE_AUDITED_ROUTES: Readonly<Record<string, AuditedRoute>> = {
  ...COMPUTE_ROUTES,
  // Neither tokens nor passwords.
  'POST /identity/v3/auth/tokens': { action: 'authenticate', target: 'identity/token', id: [], shows: [] },
  'DELETE /identity/v3/auth/tokens': { action: 'revoke', target: 'identity/token', id: [], shows: [] },
  'POST /image/v2/images': { ...ofImage('create', IMAGE), id: [] },
  [`PATCH ${IMAGE_PATH}`]: ofImage('update', IMAGE),
  [`DELETE ${IMAGE_PATH}`]: ofImage('delete', IMAGE),
  [`PUT ${IMAGE_PATH}/tags/:tag`]: ofImage('update/tags'),
  [`DELETE ${IMAGE_PATH}/tags/:tag`]: ofImage('delete/tags'),
  [`PUT ${IMAGE_PATH}/file`]: ofImage('update/data'),
};
