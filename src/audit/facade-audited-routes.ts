// The part of the table of what is audited that is the facade's.
import type { AuditedRoute } from './audited-routes';

/** Not its properties: users put into them what they like. */
const IMAGE = ['id', 'name', 'disk_format', 'visibility', 'owner', 'protected'];
const IMAGE_PATH = '/image/v2/images/:image_id';

const ofImage = (action: string, shows: AuditedRoute['shows'] = []): AuditedRoute => ({
  action,
  target: 'image/image',
  id: ['image_id'],
  shows,
});

export const FACADE_AUDITED_ROUTES: Readonly<Record<string, AuditedRoute>> = {
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
