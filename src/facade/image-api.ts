// How the Image API talks at the edge: versions in the path alone, errors as JSON, or HTML for whoever takes no JSON.
import { TEXT } from '../http/answer-schemas';
import type { MountedApi } from '../http/mounted-api';
import { closed, named } from '../microversion/versioned-schema';
import { freeRequests } from './free-requests';

const FAULT = named('ImageFault', closed({ message: TEXT, code: TEXT, title: TEXT }));

export const IMAGE_API: MountedApi = {
  path: '/image',
  name: 'Image',
  isFree: freeRequests('GET /image', 'GET /image/versions'),
  negotiate: () => undefined,
  headersOf: () => ({}),
  refusalDocument: ({ status, detail, title }) => ({ message: detail, code: `${status} ${title}`, title }),
  refusalSchema: () => FAULT,
  obeysAccept: true,
};
