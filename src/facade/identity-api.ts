// How the Identity API talks at the edge: versions in the path alone. A token is given to whoever authenticates.
import type { MountedApi } from '../http/mounted-api';
import { freeRequests } from './free-requests';

export const IDENTITY_API: MountedApi = {
  path: '/identity',
  isFree: freeRequests('GET /identity', 'GET /identity/v3', 'POST /identity/v3/auth/tokens'),
  negotiate: () => undefined,
  headersOf: () => ({}),
  refusalDocument: ({ status, detail, title }) => ({ error: { code: status, message: detail, title } }),
  obeysAccept: false,
};
