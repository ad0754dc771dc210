// What the suites that ask every route need to know of the facade's: ids in paths, good bodies, media types.
import {
  COMPUTE_BODIES,
  COMPUTE_CLOUD,
  COMPUTE_HEADERS,
  COMPUTE_IDS,
  COMPUTE_UNREACHED,
} from './facade-compute-requests';
import type { TestRequest } from '../support/service';

const IMAGE = 'aaaaaaaa-0000-4000-8000-000000000011';
const QUEUED = 'aaaaaaaa-0000-4000-8000-000000000012';
const IMAGES = '/image/v2/images';
const OF_IMAGE = `${IMAGES}/{image_id}`;

/** What has to be there, in the order in which each needs those before it. */
export const FACADE_CLOUD: readonly TestRequest[] = [
  { method: 'POST', path: IMAGES, body: { id: IMAGE, name: 'image', visibility: 'private' } },
  ...COMPUTE_CLOUD,
];

/** What stands in the place of `{name}`, by the start of the path. */
export const FACADE_IDS: readonly (readonly [start: string, ids: Readonly<Record<string, string>>])[] = [
  ['/image', { image_id: IMAGE, tag: 'blue', name: 'image' }],
  ['/identity', { project_id: 'project-a', user_id: 'anna', domain_id: 'default' }],
  ...COMPUTE_IDS,
];

export const FACADE_BODIES: Readonly<Record<string, object>> = {
  'POST /identity/v3/auth/tokens': {
    auth: { identity: { methods: ['password'], password: { user: { name: 'anna', password: 'x' } } } },
  },
  [`POST ${IMAGES}`]: { id: QUEUED, name: 'new' },
  [`PATCH ${OF_IMAGE}`]: [{ op: 'add', path: '/tags', value: ['blue'] }],
  [`PUT ${OF_IMAGE}/file`]: Buffer.from('data'),
  ...COMPUTE_BODIES,
};

/** Writes whose body says nothing. */
export const FACADE_WITHOUT_BODY: readonly string[] = [`PUT ${OF_IMAGE}/tags/{tag}`];

const SUBJECT = { 'x-subject-token': 'anna:project-a' };

/** Bodies that are no plain JSON have types of their own; tokens are named by a header. */
export const FACADE_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /identity/v3/auth/tokens': SUBJECT,
  'HEAD /identity/v3/auth/tokens': SUBJECT,
  'DELETE /identity/v3/auth/tokens': SUBJECT,
  [`PATCH ${OF_IMAGE}`]: { 'content-type': 'application/openstack-images-v2.1-json-patch' },
  [`PUT ${OF_IMAGE}/file`]: { 'content-type': 'application/octet-stream' },
  ...COMPUTE_HEADERS,
};

/** Requests of the facade that are open to everybody. */
export const FACADE_PUBLIC: readonly string[] = [
  'GET /compute',
  'GET /compute/v2.1',
  'GET /identity',
  'GET /identity/v3',
  'GET /image',
  'GET /image/versions',
  'POST /identity/v3/auth/tokens',
];

/** Good requests that still get no success: they are told to choose a version, that there is nothing, or nothing left. */
export const FACADE_UNREACHED: readonly string[] = [
  'GET /identity',
  'GET /image',
  `GET ${OF_IMAGE}/file`,
  `DELETE ${OF_IMAGE}/tags/{tag}`,
  ...COMPUTE_UNREACHED,
];

export const isFacade = (path: string): boolean => /^\/(compute|identity|image)(\/|$)/.test(path);
