// Valid requests for the routes of the Compute API practice cloud.
import { serviceUuidOf } from '../../src/practice-cloud/compute/compute-ids';
import type { TestRequest } from '../support/service';

const COMPUTE = '/compute/v2.1';
const FLAVOR = `${COMPUTE}/flavors/{id}`;
const AGGREGATE = `${COMPUTE}/os-aggregates/{id}`;
const SERVICES = `${COMPUTE}/os-services`;
const HYPERVISOR = `${COMPUTE}/os-hypervisors/{id}`;
const GROUPS = `${COMPUTE}/os-server-groups`;
const SERVER = `${COMPUTE}/servers/{id}`;

const HOST = 'practice-host';
const HOST_UUID = 'aaaaaaaa-0000-4000-8000-000000000021';
const REGISTERED = 'aaaaaaaa-0000-4000-8000-000000000022';
const IMAGE = 'aaaaaaaa-0000-4000-8000-000000000011';
const FLAVOR_ID = '7';
const KEY = 'key';
/** One of the callers. */
const KEY_OWNER = 'rita';
/** A flavor with extra specs, which is not deleted. */
const SPECIAL_ID = '8';
/** The number of the second created aggregate. */
const AGGREGATE_NUMBER = '2';

const since = (version: string): Readonly<Record<string, string>> => ({
  'openstack-api-version': `compute ${version}`,
});

export const COMPUTE_CLOUD: readonly TestRequest[] = [
  { method: 'PUT', path: `/scheduler/hosts/${HOST}/${HOST}`, body: { uuid: HOST_UUID, report_providers: true } },
  { method: 'POST', path: '/scheduler/host_aggregates', body: { uuid: REGISTERED, name: 'practice' } },
  {
    method: 'POST',
    path: '/scheduler/server_groups',
    body: { uuid: REGISTERED, name: 'practice', policy: 'affinity' },
  },
  {
    method: 'POST',
    path: `${COMPUTE}/flavors`,
    body: { flavor: { id: FLAVOR_ID, name: 'f', ram: 1, vcpus: 1, disk: 1, 'os-flavor-access:is_public': false } },
  },
  {
    method: 'POST',
    path: `${COMPUTE}/flavors`,
    body: { flavor: { id: SPECIAL_ID, name: 's', ram: 1, vcpus: 1, disk: 1 } },
  },
  { method: 'POST', path: `${COMPUTE}/flavors/${SPECIAL_ID}/os-extra_specs`, body: { extra_specs: { 'hw:a': 'b' } } },
  {
    method: 'POST',
    path: `${COMPUTE}/os-keypairs`,
    headers: since('2.10'),
    body: { keypair: { name: KEY, user_id: KEY_OWNER } },
  },
];

export const COMPUTE_IDS: readonly (readonly [start: string, ids: Readonly<Record<string, string>>])[] = [
  [`${FLAVOR}/os-extra_specs`, { id: SPECIAL_ID, key: 'hw:a' }],
  [`${COMPUTE}/flavors`, { id: FLAVOR_ID }],
  [`${COMPUTE}/os-aggregates`, { id: AGGREGATE_NUMBER }],
  [`${COMPUTE}/os-services`, { id: serviceUuidOf(HOST) }],
  [`${COMPUTE}/os-hypervisors`, { id: HOST_UUID }],
  [`${COMPUTE}/os-server-groups`, { id: REGISTERED }],
  [`${COMPUTE}/os-keypairs`, { name: KEY }],
  [`${COMPUTE}/os-quota-sets`, { project_id: 'project-a' }],
  [`${COMPUTE}/servers`, { id: REGISTERED, key: 'key', request: 'req-x', part: 'ips' }],
];

export const COMPUTE_BODIES: Readonly<Record<string, object>> = {
  [`POST ${COMPUTE}/flavors`]: { flavor: { name: 'practice-new', ram: 1, vcpus: 1, disk: 1 } },
  [`PUT ${FLAVOR}`]: { flavor: { description: 'described' } },
  [`POST ${FLAVOR}/os-extra_specs`]: { extra_specs: { 'hw:a': 'c' } },
  [`PUT ${FLAVOR}/os-extra_specs/{key}`]: { 'hw:a': 'd' },
  [`POST ${FLAVOR}/action`]: { addTenantAccess: { tenant: 'project-a' } },
  [`POST ${COMPUTE}/os-aggregates`]: { aggregate: { name: 'new-aggregate' } },
  [`PUT ${AGGREGATE}`]: { aggregate: { name: 'renamed-aggregate' } },
  [`POST ${AGGREGATE}/action`]: { set_metadata: { metadata: { key: 'value' } } },
  [`PUT ${SERVICES}/{id}`]: { status: 'enabled' },
  [`POST ${GROUPS}`]: { server_group: { name: 'new', policies: ['affinity'] } },
  [`POST ${COMPUTE}/os-keypairs`]: { keypair: { name: KEY } },
  [`POST ${COMPUTE}/servers`]: { server: { name: 'new', flavorRef: FLAVOR_ID, imageRef: IMAGE } },
  [`PUT ${SERVER}`]: { server: { name: 'renamed' } },
  [`POST ${SERVER}/metadata`]: { metadata: { key: 'value' } },
  [`PUT ${SERVER}/metadata`]: { metadata: { key: 'value' } },
  [`PUT ${SERVER}/metadata/{key}`]: { meta: { key: 'value' } },
  [`POST ${SERVER}/action`]: { 'os-stop': null },
  [`POST ${SERVER}/remote-consoles`]: { remote_console: { protocol: 'vnc', type: 'novnc' } },
};

/** Version headers for routes that are newer than the oldest version. */
export const COMPUTE_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`PUT ${FLAVOR}`]: since('2.55'),
  [`PUT ${SERVICES}/{id}`]: since('2.53'),
  [`POST ${SERVER}/remote-consoles`]: since('2.6'),
};

/** No server uuid is known in advance, and no host matches one. */
export const COMPUTE_UNREACHED: readonly string[] = [
  `GET ${HYPERVISOR}/search`,
  `GET ${SERVER}`,
  `PUT ${SERVER}`,
  `DELETE ${SERVER}`,
  `GET ${SERVER}/metadata`,
  `POST ${SERVER}/metadata`,
  `PUT ${SERVER}/metadata`,
  `DELETE ${SERVER}/metadata/{key}`,
  `POST ${SERVER}/action`,
  `POST ${SERVER}/remote-consoles`,
  `GET ${SERVER}/os-instance-actions`,
  `GET ${SERVER}/{part}`,
  `GET ${SERVER}/metadata/{key}`,
  `PUT ${SERVER}/metadata/{key}`,
  `GET ${SERVER}/os-instance-actions/{request}`,
];
