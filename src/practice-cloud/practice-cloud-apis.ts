// The APIs of the practice cloud as the HTTP edge needs them: paths, versions and error documents. The Compute API has
// microversions in two headers and named errors. The other APIs have versions only in their paths.
import { byName, INTEGER, TEXT } from '../platform/http/answer-schemas';
import type { MountedApi } from '../platform/http/mounted-api';
import { closed, named } from '../platform/microversion/versioned-schema';
import { negotiateCompute } from './compute-version';
import { COMPUTE_PATH } from './compute/compute-links';
import type { PracticeCloudConfig } from './options';
import { hasIdentity, isPracticeCloudOn } from './practice-cloud-config';

/** Requests, as `METHOD path`, that need no authentication. */
function freeRequests(...requests: readonly string[]): MountedApi['isFree'] {
  const free = new Set(requests);
  return (method, path) => free.has(`${method} ${path}`);
}

/** Error names of the Compute API by status. Any other status is a `computeFault`. */
const FAULT_NAMES: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  413: 'overLimit',
  415: 'badMediaType',
  429: 'overLimit',
  501: 'notImplemented',
  503: 'serviceUnavailable',
};

const COMPUTE_FAULT = named('ComputeFault', closed({ code: INTEGER, message: TEXT }));
const nameOfFault = (status: number): string => FAULT_NAMES[status] ?? 'computeFault';

const COMPUTE_API: MountedApi = {
  path: '/compute',
  name: 'Compute',
  isFree: freeRequests('GET /compute', `GET ${COMPUTE_PATH}`),
  negotiate: negotiateCompute,
  headersOf: (version) =>
    version === undefined
      ? {}
      : {
          'openstack-api-version': `compute ${version.text}`,
          'x-openstack-nova-api-version': version.text,
          vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
        },
  /** `{ "itemNotFound": { "code": 404, "message": "…" } }` */
  refusalDocument: ({ status, detail }) => ({ [nameOfFault(status)]: { code: status, message: detail } }),
  refusalSchema: (status) =>
    status === undefined ? byName(COMPUTE_FAULT) : closed({ [nameOfFault(status)]: COMPUTE_FAULT }),
  obeysAccept: false,
};

const WITHOUT_VERSIONS: Pick<MountedApi, 'negotiate' | 'headersOf'> = {
  negotiate: () => undefined,
  headersOf: () => ({}),
};

const IMAGE_FAULT = named('ImageFault', closed({ message: TEXT, code: TEXT, title: TEXT }));

/** Errors as JSON, or as HTML if the client does not accept JSON. */
const IMAGE_API: MountedApi = {
  ...WITHOUT_VERSIONS,
  path: '/image',
  name: 'Image',
  isFree: freeRequests('GET /image', 'GET /image/versions'),
  refusalDocument: ({ status, detail, title }) => ({ message: detail, code: `${status} ${title}`, title }),
  refusalSchema: () => IMAGE_FAULT,
  obeysAccept: true,
};

const NETWORK_FAULT = named(
  'NetworkFault',
  closed({ NeutronError: closed({ type: TEXT, message: TEXT, detail: TEXT }) }),
);

const NETWORK_API: MountedApi = {
  ...WITHOUT_VERSIONS,
  path: '/network',
  name: 'Network',
  isFree: freeRequests('GET /network'),
  refusalDocument: ({ detail, title }) => ({
    NeutronError: { type: title.replaceAll(' ', ''), message: detail, detail: '' },
  }),
  refusalSchema: () => NETWORK_FAULT,
  obeysAccept: false,
};

const IDENTITY_FAULT = named('IdentityFault', closed({ error: closed({ code: INTEGER, message: TEXT, title: TEXT }) }));

/** The request for a token needs no authentication: it carries the credentials. */
const IDENTITY_API: MountedApi = {
  ...WITHOUT_VERSIONS,
  path: '/identity',
  name: 'Identity',
  isFree: freeRequests('GET /identity', 'GET /identity/v3', 'POST /identity/v3/auth/tokens'),
  refusalDocument: ({ status, detail, title }) => ({ error: { code: status, message: detail, title } }),
  refusalSchema: () => IDENTITY_FAULT,
  obeysAccept: false,
};

/** Empty if the practice cloud is off. */
export function practiceCloudApis(config: PracticeCloudConfig): readonly MountedApi[] {
  if (!isPracticeCloudOn(config)) return [];
  return [COMPUTE_API, IMAGE_API, NETWORK_API, ...(hasIdentity(config) ? [IDENTITY_API] : [])];
}
