// The practice cloud's ids, bodies and media types for suites that call every route.
import { NETWORK } from '../../src/practice-cloud/compute/practice-network';
import type { TestRequest } from '../support/service';
import {
  COMPUTE_BODIES,
  COMPUTE_CLOUD,
  COMPUTE_HEADERS,
  COMPUTE_IDS,
  COMPUTE_UNREACHED,
} from './practice-cloud-compute-requests';

const IMAGE = 'aaaaaaaa-0000-4000-8000-000000000011';
const QUEUED = 'aaaaaaaa-0000-4000-8000-000000000012';
const IMAGES = '/image/v2/images';
const OF_IMAGE = `${IMAGES}/{image_id}`;

/** Required objects, in order of dependency. */
export const PRACTICE_CLOUD: readonly TestRequest[] = [
  { method: 'POST', path: IMAGES, body: { id: IMAGE, name: 'image', visibility: 'private' } },
  ...COMPUTE_CLOUD,
];

/** The values of path parameters, by the start of the path. */
export const PRACTICE_CLOUD_IDS: readonly (readonly [start: string, ids: Readonly<Record<string, string>>])[] = [
  ['/image', { image_id: IMAGE, tag: 'blue', name: 'image' }],
  ['/network', { id: NETWORK.id, project_id: 'project-a' }],
  ['/identity', { project_id: 'project-a', user_id: 'anna', domain_id: 'default' }],
  ...COMPUTE_IDS,
];

export const PRACTICE_CLOUD_BODIES: Readonly<Record<string, object>> = {
  'POST /identity/v3/auth/tokens': {
    auth: { identity: { methods: ['password'], password: { user: { name: 'anna', password: 'x' } } } },
  },
  [`POST ${IMAGES}`]: { id: QUEUED, name: 'new' },
  [`PATCH ${OF_IMAGE}`]: [{ op: 'add', path: '/tags', value: ['blue'] }],
  [`PUT ${OF_IMAGE}/file`]: Buffer.from('data'),
  ...COMPUTE_BODIES,
};

/** Writes with an empty body. */
export const PRACTICE_CLOUD_WITHOUT_BODY: readonly string[] = [`PUT ${OF_IMAGE}/tags/{tag}`];

const SUBJECT = { 'x-subject-token': 'anna:project-a' };

/** Media types of bodies other than plain JSON; a header names the token. */
export const PRACTICE_CLOUD_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /identity/v3/auth/tokens': SUBJECT,
  'HEAD /identity/v3/auth/tokens': SUBJECT,
  'DELETE /identity/v3/auth/tokens': SUBJECT,
  [`PATCH ${OF_IMAGE}`]: { 'content-type': 'application/openstack-images-v2.1-json-patch' },
  [`PUT ${OF_IMAGE}/file`]: { 'content-type': 'application/octet-stream' },
  ...COMPUTE_HEADERS,
};

/** Public requests of the practice cloud. */
export const PRACTICE_CLOUD_PUBLIC: readonly string[] = [
  'GET /compute',
  'GET /compute/v2.1',
  'GET /identity',
  'GET /identity/v3',
  'GET /image',
  'GET /image/versions',
  'GET /network',
  'POST /identity/v3/auth/tokens',
];

/** Valid requests without a success: the answer is a choice of versions, 404, or empty. */
export const PRACTICE_CLOUD_UNREACHED: readonly string[] = [
  'GET /identity',
  'GET /image',
  `DELETE ${OF_IMAGE}/tags/{tag}`,
  ...COMPUTE_UNREACHED,
];

export const isPracticeCloud = (path: string): boolean => /^\/(compute|identity|image|network)(\/|$)/.test(path);
