// Names and texts that people read later are printable at every surface that takes one: no control characters, changes
// of direction or line breaks; names have no blanks at their ends. A refusal changes nothing. Provider names are those of
// the Placement API, which accepts any text; the commands make it printable.
import { berth } from '../support/command-line';
import type { TestRequest, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { stateOf } from './access-requests';
import { reportHost } from './practice-cloud';

const CONTROLS = ['\u001b[2J\u001b[31mRED', 'a\nb', '\u0085', '\u009b31m', '\u202eabc', '\u2067', '\u2028', '\ud83d'];
const BLANKS = [' a', 'a\u00a0', 'a\u3000'];

type Surface = (text: string) => TestRequest;

const post =
  (path: string, body: (text: string) => object): Surface =>
  (text) => ({ method: 'POST', path, body: body(text) });
const put =
  (path: string, body: (text: string) => object): Surface =>
  (text) => ({ method: 'PUT', path, body: body(text) });
const COMPUTE = '/compute/v2.1';
const RESOURCES = { vcpus: 1, memory_mb: 1 };
const SERVER = { flavorRef: '1', imageRef: 'aaaaaaaa-0000-4000-8000-00000000000a' };
const REQUEST = { flavor: RESOURCES, project_id: 'p', user_id: 'u' };
const server = (more: (text: string) => object): Surface =>
  post(`${COMPUTE}/servers`, (text) => ({ server: { name: 's', ...SERVER, ...more(text) } }));
const patchOfService =
  (more: (text: string) => object): Surface =>
  (text) => ({ method: 'PATCH', path: '/scheduler/services/cn1', body: more(text) });

const NAMES: Readonly<Record<string, Surface>> = {
  flavor: post('/scheduler/flavors', (name) => ({ name, ...RESOURCES })),
  'server group': post('/scheduler/server_groups', (name) => ({ name, policy: 'affinity' })),
  'host aggregate': post('/scheduler/host_aggregates', (name) => ({ name })),
  'zone of an aggregate': post('/scheduler/host_aggregates', (zone) => ({ name: 'a', availability_zone: zone })),
  'server of the practice cloud': server((name) => ({ name })),
  'server group of the practice cloud': post(`${COMPUTE}/os-server-groups`, (name) => ({
    server_group: { name, policy: 'affinity' },
  })),
  'flavor of the practice cloud': post(`${COMPUTE}/flavors`, (name) => ({
    flavor: { name, ram: 1, vcpus: 1, disk: 0 },
  })),
  'aggregate of the practice cloud': post(`${COMPUTE}/os-aggregates`, (name) => ({ aggregate: { name } })),
  'key pair of the practice cloud': post(`${COMPUTE}/os-keypairs`, (name) => ({ keypair: { name } })),
};

const TEXTS: Readonly<Record<string, Surface>> = {
  image: post('/scheduler/images', (name) => ({ name })),
  'project of a server group': post('/scheduler/server_groups', (project) => ({
    name: 'g',
    policy: 'affinity',
    project_id: project,
  })),
  'reason of disabling': patchOfService((reason) => ({ status: 'disabled', disabled_reason: reason })),
  'reason of disabling in the practice cloud': put(`${COMPUTE}/os-services/disable-log-reason`, (reason) => ({
    host: 'cn1',
    binary: 'nova-compute',
    disabled_reason: reason,
  })),
  'project of a request': post('/scheduler/select_destinations', (project) => ({ ...REQUEST, project_id: project })),
  'user of a request': post('/scheduler/select_destinations', (user) => ({ ...REQUEST, user_id: user })),
  'zone of a request': post('/scheduler/select_destinations', (zone) => ({ ...REQUEST, availability_zone: zone })),
  'inline flavor': post('/scheduler/select_destinations', (name) => ({ ...REQUEST, flavor: { ...RESOURCES, name } })),
  'inline image': post('/scheduler/select_destinations', (name) => ({ ...REQUEST, image: { name } })),
  'instance of a request': post('/scheduler/select_destinations', (name) => ({
    ...REQUEST,
    instances: ['aaaaaaaa-0000-4000-8000-0000000000aa'],
    instance_names: { 'aaaaaaaa-0000-4000-8000-0000000000aa': name },
  })),
  'hosts of a request': post('/scheduler/select_destinations', (host) => ({ ...REQUEST, force_hosts: [host] })),
  'description of a server': server((description) => ({ description })),
  'zone of a server': server((zone) => ({ availability_zone: zone })),
  'host name of a server': server((hostname) => ({ hostname })),
  'key of metadata': server((key) => ({ metadata: { [key]: 'value' } })),
  'tag of a server': server((tag) => ({ tags: [tag] })),
  'image of the Image API': post('/image/v2/images', (name) => ({ name })),
  'tag of an image': post('/image/v2/images', (tag) => ({ name: 'i', tags: [tag] })),
  'property of an image': post('/image/v2/images', (key) => ({ name: 'i', [key]: 'value' })),
  'owner of an image': post('/image/v2/images', (owner) => ({ name: 'i', owner })),
  'report of a host': put('/scheduler/hosts/cn1/cn1', (hostname) => ({ hypervisor: { hostname } })),
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', { env: { BERTH_PRACTICE_CLOUD__ENABLED: 'true' } });
  await service.app.listen(0, '127.0.0.1');
  await reportHost(service, 'cn1');
  const prepared: readonly TestRequest[] = [
    { method: 'POST', path: '/scheduler/flavors', body: { id: '1', name: 'small', ...RESOURCES } },
    { method: 'POST', path: '/scheduler/images', body: { uuid: SERVER.imageRef, name: 'image' } },
  ];
  for (const request of prepared) expect((await service.request(request)).status).toBe(201);
});
afterAll(() => service.stop());

const refused = async (surface: Surface, texts: readonly string[]): Promise<void> => {
  const before = await stateOf(service.database);
  const accepted: string[] = [];
  for (const text of texts) {
    const request = surface(text);
    const version = request.path.startsWith('/compute') ? { 'openstack-api-version': 'compute 2.91' } : undefined;
    const { status, text: answer } = await service.request({ ...request, ...(version && { headers: version }) });
    if (status !== 400) accepted.push(`${JSON.stringify(text)}: ${status} ${answer}`);
  }
  expect(accepted).toEqual([]);
  expect(await stateOf(service.database)).toBe(before);
};

it.each(Object.entries(NAMES))('the name of a %s is printable', (_what, surface) =>
  refused(surface, [...CONTROLS, ...BLANKS]),
);
it.each(Object.entries(TEXTS))('%s: the text is printable', (_what, surface) => refused(surface, CONTROLS));

it('the name of a host in a path is printable', async () => {
  const host: Surface = (text) => ({ method: 'PUT', path: `/scheduler/hosts/${encodeURIComponent(text)}/n`, body: {} });
  await refused(
    host,
    CONTROLS.filter((text) => text !== '\ud83d'),
  );
});

it('names of other scripts are accepted', async () => {
  for (const name of ['Größe', '漢字 1', 'naïve']) {
    const answer = await service.request(post('/scheduler/flavors', () => ({ name, ...RESOURCES }))(name));
    expect(answer.status).toBe(201);
  }
});

it('a command prints what others wrote in lines of its own, and as it is in JSON', async () => {
  const name = 'x\u001b[2J\nforged  row\u009b\u202e';
  const made = await service.request({ method: 'POST', path: '/resource_providers', body: { name } });
  expect(made.status).toBe(200);
  const specs = { name: 'specs', ...RESOURCES, extra_specs: { ':note': name } };
  expect((await service.request({ method: 'POST', path: '/scheduler/flavors', body: specs })).status).toBe(201);
  const env = { BERTH_URL: await service.app.getUrl() };
  for (const args of [
    ['flavors', '-o', 'wide'],
    ['hosts', '-o', 'wide'],
    ['host', name],
    ['candidates', 'VCPU=1'],
  ]) {
    const { out, err } = await berth(env, args);
    expect(`${out}${err}`).not.toMatch(/[^\P{C}\n\t]|^forged/mu);
  }
  const { out } = await berth(env, ['flavors', '-o', 'json']);
  expect(out).not.toMatch(/[^\P{C}\n\t]/u);
  expect(out).toContain('\\u001b');
  expect((JSON.parse(out) as { extra_specs: object }[]).map((flavor) => flavor.extra_specs)).toContainEqual({
    ':note': name,
  });
});
