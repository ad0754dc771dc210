// How the Image API talks at the edge: versions in the path alone, errors as JSON, or HTML for whoever takes no JSON.
import type { MountedApi } from '../http/mounted-api';
import { freeRequests } from './free-requests';

export const IMAGE_API: MountedApi = {
  path: '/image',
  isFree: freeRequests('GET /image', 'GET /image/versions'),
  negotiate: () => undefined,
  headersOf: () => ({}),
  refusalDocument: ({ status, detail, title }) => ({ message: detail, code: `${status} ${title}`, title }),
  obeysAccept: true,
};
