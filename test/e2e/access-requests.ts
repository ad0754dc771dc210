// A small cloud with an object for every route, and for every route a request that succeeds for an authorised caller:
// real ids in the paths, valid documents. A missing check therefore shows as a success.
import type { Database } from '../../src/platform/database/database';
import type { RouteContract } from '../conformance/contract';
import { nameOf } from '../conformance/contract';
import type { TestRequest, TestService } from '../support/service';
import { dumpTables } from '../support/table-dump';
import { OTHER_PROJECT, PROJECT } from './access-table';
import {
  PRACTICE_CLOUD,
  PRACTICE_CLOUD_BODIES,
  PRACTICE_CLOUD_HEADERS,
  PRACTICE_CLOUD_IDS,
  PRACTICE_CLOUD_WITHOUT_BODY,
} from './practice-cloud-requests';
import { tableDump } from './registries-tables';

/** On loopback, some guarded routes are public. */
export const BEYOND_LOOPBACK = {
  BERTH_HOST: '0.0.0.0',
  BERTH_ALLOW_NOAUTH: '1',
  BERTH_PRACTICE_CLOUD__ENABLED: 'true',
};

const HOST = 'aaaaaaaa-0000-4000-8000-000000000001';
const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000002';
const CONSUMER = 'aaaaaaaa-0000-4000-8000-000000000003';
const OTHER_CONSUMER = 'aaaaaaaa-0000-4000-8000-000000000004';
const REGISTERED = 'aaaaaaaa-0000-4000-8000-000000000005';
const NEW = 'aaaaaaaa-0000-4000-8000-000000000006';

const claim = (project: string, generation: number | null): object => ({
  allocations: { [HOST]: { resources: { VCPU: 1 } } },
  project_id: project,
  user_id: 'someone',
  consumer_generation: generation,
  consumer_type: 'INSTANCE',
});
const RECORD = { total: 8, reserved: 0, min_unit: 1, max_unit: 8, step_size: 1, allocation_ratio: 1 };
const FLAVOR = { name: 'small', vcpus: 1, memory_mb: 1 };
const REQUEST = { flavor: FLAVOR, project_id: PROJECT, user_id: 'someone' };

/** In order of dependency. */
const CLOUD: readonly TestRequest[] = [
  { method: 'POST', path: '/resource_classes', body: { name: 'CUSTOM_THING' } },
  { method: 'PUT', path: '/traits/CUSTOM_TRAIT' },
  { method: 'POST', path: '/resource_providers', body: { name: 'host', uuid: HOST } },
  {
    method: 'PUT',
    path: `/resource_providers/${HOST}/inventories`,
    body: { resource_provider_generation: 0, inventories: { VCPU: RECORD, DISK_GB: RECORD } },
  },
  { method: 'PUT', path: `/allocations/${CONSUMER}`, body: claim(PROJECT, null) },
  { method: 'PUT', path: `/allocations/${OTHER_CONSUMER}`, body: claim(OTHER_PROJECT, null) },
  { method: 'PUT', path: '/scheduler/hosts/host/node', body: {} },
  { method: 'POST', path: '/scheduler/flavors', body: { ...FLAVOR, id: REGISTERED } },
  { method: 'POST', path: '/scheduler/images', body: { uuid: REGISTERED } },
  { method: 'POST', path: '/scheduler/host_aggregates', body: { uuid: REGISTERED, name: 'row' } },
  { method: 'POST', path: '/scheduler/server_groups', body: { uuid: REGISTERED, name: 'group', policy: 'affinity' } },
  ...PRACTICE_CLOUD,
];

export async function makeCloud(service: TestService): Promise<void> {
  for (const request of CLOUD) {
    const { status, text } = await service.request(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status} ${text}`);
  }
}

const RESOURCE = '/resource_providers/{uuid}';

/** The values of path parameters, by the start of the path. */
const IDS: readonly (readonly [start: string, ids: Readonly<Record<string, string>>])[] = [
  [RESOURCE, { uuid: HOST, resource_class: 'DISK_GB' }],
  ['/resource_classes', { name: 'CUSTOM_THING' }],
  ['/traits', { name: 'CUSTOM_TRAIT' }],
  ['/allocations', { consumer_uuid: CONSUMER }],
  ['/docs', { file: 'swagger-ui.css' }],
  ['/console', { path: 'hosts/cn1' }],
  ['/reports/hosts', { uuid: HOST }],
  ['/reports/projects', { id: PROJECT }],
  ['/scheduler/plans', { id: NEW, number: '1' }],
  ['/scheduler/decisions', { request_id: `req-${NEW}` }],
  ...PRACTICE_CLOUD_IDS,
  ['/scheduler', { uuid: REGISTERED, id: REGISTERED, host: 'host', node: 'node' }],
];

/** The generations that a write must name. */
export interface Generations {
  readonly provider: number;
  readonly consumer: number;
  /** The generation of the object in the path of a registry's PUT. */
  readonly registered: number;
}

export async function generationsNow(service: TestService, route: RouteContract): Promise<Generations> {
  const generation = async (path: string, field: string): Promise<number> =>
    (await service.request({ path })).json?.[field] ?? 0;
  return {
    provider: await generation(`/resource_providers/${HOST}`, 'generation'),
    consumer: await generation(`/allocations/${CONSUMER}`, 'consumer_generation'),
    registered: route.path.startsWith('/scheduler') ? await generation(pathOf(route), 'generation') : 0,
  };
}

const inventories = ({ provider }: Generations): object => ({
  resource_provider_generation: provider,
  inventories: { VCPU: RECORD, DISK_GB: RECORD },
});

const bodies = (now: Generations): Readonly<Record<string, object>> => ({
  'POST /resource_providers': { name: 'new', uuid: NEW },
  [`PUT ${RESOURCE}`]: { name: 'renamed' },
  [`POST ${RESOURCE}/inventories`]: { ...RECORD, resource_class: 'MEMORY_MB' },
  [`PUT ${RESOURCE}/inventories`]: inventories(now),
  [`PUT ${RESOURCE}/inventories/{resource_class}`]: { ...RECORD, total: 9, resource_provider_generation: now.provider },
  [`PUT ${RESOURCE}/aggregates`]: { resource_provider_generation: now.provider, aggregates: [AGGREGATE] },
  [`PUT ${RESOURCE}/traits`]: { resource_provider_generation: now.provider, traits: ['CUSTOM_TRAIT'] },
  'POST /resource_classes': { name: 'CUSTOM_NEW' },
  'POST /allocations': { [NEW]: claim(PROJECT, null) },
  'PUT /allocations/{consumer_uuid}': claim(PROJECT, now.consumer),
  'POST /reshaper': {
    inventories: { [HOST]: inventories(now) },
    allocations: { [CONSUMER]: claim(PROJECT, now.consumer) },
  },
  'POST /scheduler/select_destinations': { ...REQUEST, num_instances: 1 },
  'POST /scheduler/explain': REQUEST,
  'POST /scheduler/capacity': REQUEST,
  'POST /scheduler/plans': { goal: 'pack' },
  'POST /scheduler/plans/{id}/moves/{number}': { state: 'running' },
  'POST /scheduler/simulate': { request: { ...REQUEST, num_instances: 1 } },
  'PUT /scheduler/hosts/{host}/{node}': { vcpus_used: 1 },
  'PATCH /scheduler/services/{host}': { status: 'disabled' },
  'POST /scheduler/flavors': { ...FLAVOR, id: NEW, name: 'new' },
  'PUT /scheduler/flavors/{id}': { ...FLAVOR, vcpus: 2, generation: now.registered },
  'PATCH /scheduler/flavors/{id}': { vcpus: 2 },
  'PATCH /scheduler/flavors/{id}/extra_specs': { extra_specs: { 'hw:a': 'b' } },
  'POST /scheduler/images': { uuid: NEW },
  'PUT /scheduler/images/{uuid}': { name: 'named', generation: now.registered },
  'PATCH /scheduler/images/{uuid}': { name: 'named' },
  'POST /scheduler/host_aggregates': { uuid: NEW, name: 'new' },
  'PUT /scheduler/host_aggregates/{uuid}': { name: 'renamed', generation: now.registered },
  'PATCH /scheduler/host_aggregates/{uuid}': { name: 'renamed' },
  'POST /scheduler/host_aggregates/{uuid}/hosts': { host: 'host' },
  'PATCH /scheduler/host_aggregates/{uuid}/metadata': { metadata: { key: 'value' } },
  'POST /scheduler/server_groups': { uuid: NEW, name: 'new', policy: 'affinity' },
  'PUT /scheduler/server_groups/{uuid}': { name: 'renamed', policy: 'affinity', generation: now.registered },
  'PATCH /scheduler/server_groups/{uuid}': { name: 'renamed' },
  'POST /console/login': { username: 'someone', password: 'secret', project: PROJECT },
  'POST /scheduler/instances/{uuid}/move': {},
  'POST /scheduler/instances/{uuid}/build_failed': { host: 'host' },
  ...PRACTICE_CLOUD_BODIES,
});

/** Writes with an empty body. */
const WITHOUT_BODY: ReadonlySet<string> = new Set([
  'PUT /resource_classes/{name}',
  'PUT /traits/{name}',
  'POST /scheduler/instances/{uuid}/confirm_move',
  'POST /scheduler/instances/{uuid}/revert_move',
  'POST /scheduler/instances/{uuid}/unpin_zone',
  ...PRACTICE_CLOUD_WITHOUT_BODY,
]);

/** The other headers of a valid request, without those of the caller. */
export const headersOf = (route: RouteContract): Readonly<Record<string, string>> =>
  PRACTICE_CLOUD_HEADERS[nameOf(route)] ?? {};

export const bodyOf = (route: RouteContract, now: Generations): object | undefined =>
  bodies(now)[nameOf(route)] ?? (WITHOUT_BODY.has(nameOf(route)) ? {} : undefined);

export function pathOf({ method, path }: RouteContract): string {
  const ids = IDS.find(([start]) => path.startsWith(start))?.[1] ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? `no-${name}`);
  if (filled.startsWith('/allocation_candidates')) return `${filled}?resources=VCPU:1`;
  // An endless stream is requested from an invalid position, which is refused after the access check.
  if (path === '/reports/changes') return `${filled}?position=nowhere`;
  return path === '/scheduler/capacity' && method === 'GET' ? `${filled}?flavor=${REGISTERED}` : filled;
}

/** All data that a refused request could have changed. */
export async function stateOf(database: Database): Promise<string> {
  return `${await dumpTables(database)}\n${JSON.stringify(await tableDump(database), null, 1)}`;
}
