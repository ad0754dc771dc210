// Every reference to an object in the paths, bodies and queries of the practice cloud, tried with two projects. An object
// that the caller must not see does not exist for it: the answer is that for an unknown id, and nothing changes.
import { derivedUuid } from '../../src/scheduler/simulate/derived-uuid';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { stateOf } from './access-requests';
import { reportHost } from './practice-cloud';

/** The owner of each object, and a member of another project. */
const OWNER = 'kim:demo';
const STRANGER = 'lee:other';

const uuid = (name: string): string => derivedUuid('practice cloud reference', name);

/** Objects of the owner's project. */
const OWN = {
  image: uuid('image'),
  flavor: 'private-flavor',
  keypair: 'kim-key',
  group: uuid('group'),
  groupName: 'apart',
  server: uuid('server'),
};
type Kind = keyof typeof OWN;
const UNKNOWN: typeof OWN = {
  image: uuid('no image'),
  flavor: 'unknown-flavor',
  keypair: 'no-key',
  group: uuid('no group'),
  groupName: 'nothing',
  server: uuid('no server'),
};
/** Public objects. */
const IMAGE = uuid('public image');
const FLAVOR = '1';
/** Servers of the caller, by the caller. */
const servers = new Map<string, string>();

interface Reference {
  readonly kind: Kind;
  /** The status for a caller that must not see the object. */
  readonly status: number;
  readonly request: (id: string, caller: string) => TestRequest;
}

const post = (path: string, body: unknown): TestRequest => ({ method: 'POST', path, body });
const COMPUTE = '/compute/v2.1';
const creation = (server: object, hints?: object): TestRequest =>
  post(`${COMPUTE}/servers`, {
    server: { name: 'srv', flavorRef: FLAVOR, imageRef: IMAGE, ...server },
    ...(hints !== undefined && { 'os:scheduler_hints': hints }),
  });
const device = (id: string, index: number): object => ({
  boot_index: index,
  uuid: id,
  source_type: 'image',
  destination_type: 'volume',
});
const action = (caller: string, body: object): TestRequest =>
  post(`${COMPUTE}/servers/${servers.get(caller)}/action`, body);
const patch = [{ op: 'replace', path: '/name', value: 'mine' }];
const patchType = { 'content-type': 'application/openstack-images-v2.1-json-patch' };

const BODIES: Readonly<Record<string, Reference>> = {
  'server.flavorRef': { kind: 'flavor', status: 400, request: (id) => creation({ flavorRef: id }) },
  'server.flavorRef as an address': {
    kind: 'flavor',
    status: 400,
    request: (id) => creation({ flavorRef: `http://cloud/flavors/${id}` }),
  },
  'server.imageRef': { kind: 'image', status: 400, request: (id) => creation({ imageRef: id }) },
  'server.imageRef as an address': {
    kind: 'image',
    status: 400,
    request: (id) => creation({ imageRef: `http://cloud/images/${id}` }),
  },
  'server.block_device_mapping_v2, to start from': {
    kind: 'image',
    status: 400,
    request: (id) => creation({ imageRef: '', block_device_mapping_v2: [device(id, 0)] }),
  },
  'server.block_device_mapping_v2, further': {
    kind: 'image',
    status: 400,
    request: (id) => creation({ block_device_mapping_v2: [device(IMAGE, 0), device(id, 1)] }),
  },
  'server.key_name': { kind: 'keypair', status: 400, request: (id) => creation({ key_name: id }) },
  'hint group': { kind: 'group', status: 400, request: (id) => creation({}, { group: id }) },
  'hint group in a list': { kind: 'group', status: 400, request: (id) => creation({}, { group: [id] }) },
  'hint group by name': { kind: 'groupName', status: 400, request: (id) => creation({}, { group: id }) },
  'hint same_host': { kind: 'server', status: 400, request: (id) => creation({}, { same_host: id }) },
  'hint same_host in a list': { kind: 'server', status: 400, request: (id) => creation({}, { same_host: [id] }) },
  'hint different_host': { kind: 'server', status: 400, request: (id) => creation({}, { different_host: [id] }) },
  'resize.flavorRef': {
    kind: 'flavor',
    status: 400,
    request: (id, caller) => action(caller, { resize: { flavorRef: id } }),
  },
  'rebuild.imageRef': {
    kind: 'image',
    status: 400,
    request: (id, caller) => action(caller, { rebuild: { imageRef: id } }),
  },
  'rebuild.key_name': {
    kind: 'keypair',
    status: 400,
    request: (id, caller) => action(caller, { rebuild: { imageRef: IMAGE, key_name: id } }),
  },
};

const QUERIES: Readonly<Record<string, Reference>> = {
  'GET servers?marker': {
    kind: 'server',
    status: 400,
    request: (id) => ({ path: `${COMPUTE}/servers?marker=${id}` }),
  },
  'GET servers?image': { kind: 'image', status: 200, request: (id) => ({ path: `${COMPUTE}/servers?image=${id}` }) },
  'GET servers?flavor': { kind: 'flavor', status: 200, request: (id) => ({ path: `${COMPUTE}/servers?flavor=${id}` }) },
  'GET flavors?marker': {
    kind: 'flavor',
    status: 400,
    request: (id) => ({ path: `${COMPUTE}/flavors?marker=${id}` }),
  },
  'GET images?marker': { kind: 'image', status: 400, request: (id) => ({ path: `/image/v2/images?marker=${id}` }) },
};

const path =
  (kind: Kind, of: (id: string) => string, method: TestRequest['method'] = 'GET', rest: Partial<TestRequest> = {}) =>
  (): Reference => ({ kind, status: 404, request: (id) => ({ method, path: of(id), ...rest }) });
const PATHS = {
  'GET server': path('server', (id) => `${COMPUTE}/servers/${id}`),
  'PUT server': path('server', (id) => `${COMPUTE}/servers/${id}`, 'PUT', { body: { server: { name: 'x' } } }),
  'GET metadata': path('server', (id) => `${COMPUTE}/servers/${id}/metadata`),
  'PUT metadata': path('server', (id) => `${COMPUTE}/servers/${id}/metadata`, 'PUT', { body: { metadata: {} } }),
  'POST metadata': path('server', (id) => `${COMPUTE}/servers/${id}/metadata`, 'POST', { body: { metadata: {} } }),
  'GET actions': path('server', (id) => `${COMPUTE}/servers/${id}/os-instance-actions`),
  'POST action': path('server', (id) => `${COMPUTE}/servers/${id}/action`, 'POST', { body: { 'os-stop': null } }),
  'POST action lock': path('server', (id) => `${COMPUTE}/servers/${id}/action`, 'POST', { body: { lock: null } }),
  'POST action unlock': path('server', (id) => `${COMPUTE}/servers/${id}/action`, 'POST', { body: { unlock: null } }),
  'GET flavor': path('flavor', (id) => `${COMPUTE}/flavors/${id}`),
  'GET extra specs': path('flavor', (id) => `${COMPUTE}/flavors/${id}/os-extra_specs`),
  'GET group': path('group', (id) => `${COMPUTE}/os-server-groups/${id}`),
  'GET keypair': path('keypair', (id) => `${COMPUTE}/os-keypairs/${id}`),
  'GET image': path('image', (id) => `/image/v2/images/${id}`),
  'PATCH image': path('image', (id) => `/image/v2/images/${id}`, 'PATCH', {
    body: JSON.stringify(patch),
    headers: patchType,
  }),
  'PUT image tag': path('image', (id) => `/image/v2/images/${id}/tags/new`, 'PUT'),
  'PUT image data': path('image', (id) => `/image/v2/images/${id}/file`, 'PUT', {
    body: Buffer.from('data'),
    headers: { 'content-type': 'application/octet-stream' },
  }),
  'DELETE image': path('image', (id) => `/image/v2/images/${id}`, 'DELETE'),
  'DELETE server': path('server', (id) => `${COMPUTE}/servers/${id}`, 'DELETE'),
  'DELETE group': path('group', (id) => `${COMPUTE}/os-server-groups/${id}`, 'DELETE'),
  'DELETE keypair': path('keypair', (id) => `${COMPUTE}/os-keypairs/${id}`, 'DELETE'),
};

const REFERENCES: readonly (readonly [string, Reference])[] = [
  ...Object.entries(BODIES),
  ...Object.entries(QUERIES),
  ...Object.entries(PATHS).map(([name, row]) => [name, row()] as const),
];

/** Places that only administrators choose: nothing tells whether the host exists. */
const PLACES: Readonly<Record<string, (host: string) => TestRequest>> = {
  'server.availability_zone': (host) => creation({ availability_zone: `nova:${host}` }),
  'server.availability_zone with a node': (host) => creation({ availability_zone: `nova::${host}` }),
  'server.host': (host) => creation({ host }),
  'server.hypervisor_hostname': (host) => creation({ hypervisor_hostname: host }),
  migrate: (host) => action(STRANGER, { migrate: { host } }),
  'os-migrateLive': (host) => action(STRANGER, { 'os-migrateLive': { host, block_migration: 'auto' } }),
  evacuate: (host) => action(STRANGER, { evacuate: { host } }),
  unshelve: (host) => action(STRANGER, { unshelve: { host } }),
  'GET os-hypervisors': (host) => ({ path: `${COMPUTE}/os-hypervisors/${host}` }),
  'GET os-aggregates': (host) => ({ path: `${COMPUTE}/os-aggregates/${host}` }),
  'POST /scheduler/select_destinations': (host) =>
    post('/scheduler/select_destinations', { flavor: FLAVOR, project_id: 'demo', user_id: 'kim', force_hosts: [host] }),
};

const COMPUTE_VERSION = 'compute 2.91';

describe.each(testDatabaseKinds())('references to objects of another project, on %s', (kind) => {
  let service: TestService;
  const ask = (request: TestRequest, as: string): Promise<TestResponse> =>
    service.request({
      version: null,
      ...request,
      headers: {
        'x-auth-token': as,
        'x-roles': as.startsWith('admin') ? null : 'member,reader',
        'openstack-api-version': COMPUTE_VERSION,
        ...request.headers,
      },
    });
  const ok = async (request: TestRequest, as: string): Promise<any> => {
    const { status, text, json } = await ask(request, as);
    if (status >= 300) throw new Error(`${request.path}: ${status} ${text}`);
    return json;
  };
  /** The answer without its own id and the one that was asked for. */
  const textOf = ({ status, text }: TestResponse, id: string): string =>
    `${status} ${text.replaceAll(id, 'ID').replaceAll(/req-[0-9a-f-]+/g, 'REQUEST')}`;

  beforeAll(async () => {
    service = await startTestService(kind, { env: { BERTH_PRACTICE_CLOUD__ENABLED: 'true' } });
    await reportHost(service, 'cn1', { vcpus_total: 64 });
    const flavor = { name: 'small', ram: 64, vcpus: 1, disk: 0 };
    await ok(post(`${COMPUTE}/flavors`, { flavor: { ...flavor, id: FLAVOR } }), 'admin:ops');
    const hidden = { ...flavor, name: 'hidden', id: OWN.flavor, 'os-flavor-access:is_public': false };
    await ok(post(`${COMPUTE}/flavors`, { flavor: hidden }), 'admin:ops');
    await ok(post(`${COMPUTE}/flavors/${OWN.flavor}/action`, { addTenantAccess: { tenant: 'demo' } }), 'admin:ops');
    await ok(post('/image/v2/images', { id: IMAGE, name: 'public', visibility: 'public' }), 'admin:ops');
    await ok(post('/image/v2/images', { id: OWN.image, name: 'mine', visibility: 'private' }), OWNER);
    await ok(post(`${COMPUTE}/os-keypairs`, { keypair: { name: OWN.keypair, type: 'ssh' } }), OWNER);
    const group = { name: OWN.groupName, policy: 'soft-affinity' };
    OWN.group = (await ok(post(`${COMPUTE}/os-server-groups`, { server_group: group }), OWNER)).server_group.id;
    for (const as of [OWNER, STRANGER]) servers.set(as, (await ok(creation({}), as)).server.id as string);
    OWN.server = servers.get(OWNER) ?? '';
  });
  afterAll(() => service.stop());

  it.each(REFERENCES)('%s: does not exist for the other project', async (_name, { kind: of, status, request }) => {
    const before = await stateOf(service.database);
    const hidden = await ask(request(OWN[of], STRANGER), STRANGER);
    const unknown = await ask(request(UNKNOWN[of], STRANGER), STRANGER);
    expect(hidden.status).toBe(status);
    expect(textOf(hidden, OWN[of])).toBe(textOf(unknown, UNKNOWN[of]));
    expect(await stateOf(service.database)).toBe(before);
  });

  it.each(Object.entries(PLACES))('%s: a place is for administrators', async (_name, request) => {
    const before = await stateOf(service.database);
    const known = await ask(request('cn1'), STRANGER);
    const unknown = await ask(request('nowhere'), STRANGER);
    expect(known.status).toBe(403);
    expect(textOf(known, 'cn1')).toBe(textOf(unknown, 'nowhere'));
    expect(await stateOf(service.database)).toBe(before);
  });

  it('exist for the owner, who can delete them afterwards', async () => {
    const wrong: string[] = [];
    for (const [name, { kind: of, request }] of REFERENCES) {
      if (name === 'DELETE image') {
        const { json } = await ask({ path: `${COMPUTE}/servers?all_tenants=1` }, 'admin:ops');
        for (const { id } of json.servers as { id: string }[])
          if (id !== OWN.server) await ask({ method: 'DELETE', path: `${COMPUTE}/servers/${id}` }, 'admin:ops');
      }
      const { status, text } = await ask(request(OWN[of], OWNER), OWNER);
      if (status >= 400 && status !== 409) wrong.push(`${name}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });
});
