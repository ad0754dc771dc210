// How the Identity API talks at the edge: versions in the path alone. A token is given to whoever authenticates.
import { INTEGER, TEXT } from '../http/answer-schemas';
import type { MountedApi } from '../http/mounted-api';
import { closed, named } from '../microversion/versioned-schema';
import { freeRequests } from './free-requests';

const FAULT = named('IdentityFault', closed({ error: closed({ code: INTEGER, message: TEXT, title: TEXT }) }));

export const IDENTITY_API: MountedApi = {
  path: '/identity',
  name: 'Identity',
  isFree: freeRequests('GET /identity', 'GET /identity/v3', 'POST /identity/v3/auth/tokens'),
  negotiate: () => undefined,
  headersOf: () => ({}),
  refusalDocument: ({ status, detail, title }) => ({ error: { code: status, message: detail, title } }),
  refusalSchema: () => FAULT,
  obeysAccept: false,
};
