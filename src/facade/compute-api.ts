// How the Compute API talks at the edge: microversions by two headers, errors under names of their own.
import { INTEGER, TEXT, byName } from '../http/answer-schemas';
import type { MountedApi } from '../http/mounted-api';
import { closed, named } from '../microversion/versioned-schema';
import { negotiateCompute } from './compute-version';
import { freeRequests } from './free-requests';

/** What the Compute API calls errors, by status; anything else is a `computeFault`. */
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

const FAULT = named('ComputeFault', closed({ code: INTEGER, message: TEXT }));
const nameOfFault = (status: number): string => FAULT_NAMES[status] ?? 'computeFault';

/** The document of an error: `{ "itemNotFound": { "code": 404, "message": "…" } }`. */
export const computeFault = (status: number, message: string): object => ({
  [nameOfFault(status)]: { code: status, message },
});

export const COMPUTE_API: MountedApi = {
  path: '/compute',
  name: 'Compute',
  isFree: freeRequests('GET /compute', 'GET /compute/v2.1'),
  negotiate: negotiateCompute,
  headersOf: (version) =>
    version === undefined
      ? {}
      : {
          'openstack-api-version': `compute ${version.text}`,
          'x-openstack-nova-api-version': version.text,
          vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
        },
  refusalDocument: ({ status, detail }) => computeFault(status, detail),
  refusalSchema: (status) => (status === undefined ? byName(FAULT) : closed({ [nameOfFault(status)]: FAULT })),
  obeysAccept: false,
};
