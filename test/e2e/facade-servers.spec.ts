// Servers of the Compute API: created, shown, listed, moved and deleted. While placed, each is an instance of the
// registry, and its allocations match.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Compute, ComputeRequest } from './facade-cloud';
import { computeOf, reportHost, succeeding } from './facade-cloud';
import { allocationsOf, books } from './scheduler-cloud';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TENANT = 'kim:demo';
const NOVA_SENTENCE = 'No valid host was found. There are not enough hosts available.';
const IMAGE = 'aaaaaaaa-0000-4000-8000-00000000000a';
const WINDOWS = 'aaaaaaaa-0000-4000-8000-00000000000b';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let ask: Compute;
  let ok: Compute;
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: {
        BERTH_FILTER_SCHEDULER__ENABLED_FILTERS:
          'ComputeFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,' +
          'SameHostFilter,DifferentHostFilter',
      },
    });
    ask = computeOf(service);
    ok = succeeding(ask);
    for (const host of ['cn1', 'cn2', 'cn3']) {
      await reportHost(service, host, { supported_instances: [['x86_64', 'qemu', 'hvm']] });
    }
    const flavors = [
      { id: '1', name: 'm1.small', ram: 512, vcpus: 1, disk: 1 },
      { id: '2', name: 'm1.medium', ram: 1_024, vcpus: 2, disk: 2 },
      { id: '9', name: 'm1.huge', ram: 512_000, vcpus: 64, disk: 1 },
    ];
    for (const flavor of flavors) await ok('flavors', { method: 'POST', body: { flavor } });
    const images = [
      { uuid: IMAGE, name: 'cirros', disk_format: 'qcow2' },
      { uuid: WINDOWS, name: 'arm', disk_format: 'qcow2', properties: { hw_architecture: 'aarch64' } },
    ];
    for (const body of images) {
      const { status, text } = await service.request({ method: 'POST', path: '/scheduler/images', body });
      if (status !== 201) throw new Error(text);
    }
  });
  afterAll(() => service.stop());

  const body = (server: object = {}, hints?: object): object => ({
    server: { name: 'srv', flavorRef: '1', imageRef: IMAGE, ...server },
    ...(hints !== undefined && { 'os:scheduler_hints': hints }),
  });
  const make = (server: object = {}, request: ComputeRequest = {}, hints?: object): Promise<TestResponse> =>
    ask('servers', { method: 'POST', body: body(server, hints), ...request });
  const create = async (server: object = {}, request: ComputeRequest = {}, hints?: object): Promise<string> => {
    const answer = await make(server, request, hints);
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.json.server.id as string;
  };
  const show = async (id: string, request: ComputeRequest = {}): Promise<any> =>
    (await ok(`servers/${id}`, request)).json.server;
  const hostOf = async (id: string): Promise<string> => (await show(id))['OS-EXT-SRV-ATTR:host'] as string;
  const act = (id: string, action: object, request: ComputeRequest = {}): Promise<TestResponse> =>
    ask(`servers/${id}/action`, { method: 'POST', body: action, ...request });
  const remove = (id: string, request: ComputeRequest = {}): Promise<TestResponse> =>
    ask(`servers/${id}`, { method: 'DELETE', ...request });
  const actions = async (id: string): Promise<any[]> =>
    (await ok(`servers/${id}/os-instance-actions`)).json.instanceActions as any[];
  const lastAction = async (id: string): Promise<any> => {
    const [{ request_id: request }] = await actions(id);
    return (await ok(`servers/${id}/os-instance-actions/${request}`, { version: '2.84' })).json.instanceAction;
  };

  afterEach(async () => {
    const { json } = await ok('servers?all_tenants=1');
    for (const { id } of json.servers as { id: string }[]) await remove(id);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  describe('a server', () => {
    it('is active on its host right after creation, and an instance of the registry', async () => {
      const answer = await make({ name: 'web', metadata: { tier: 'front' } }, { as: TENANT });
      expect(answer.json.server).toMatchObject({ id: expect.stringMatching(UUID), 'OS-DCF:diskConfig': 'MANUAL' });
      const { id } = answer.json.server;
      expect(answer.headers['location']).toMatch(new RegExp(`/compute/v2.1/servers/${id}$`));
      const server = await show(id);
      expect(server).toMatchObject({ name: 'web', status: 'ACTIVE', tenant_id: 'demo', user_id: 'kim' });
      expect(server).toMatchObject({ metadata: { tier: 'front' }, image: { id: IMAGE }, flavor: { id: '1' } });
      expect(server).toMatchObject({ 'OS-EXT-AZ:availability_zone': 'nova', 'OS-EXT-STS:task_state': null });
      expect(server).not.toHaveProperty('fault');
      const addresses = server.addresses.practice as { addr: string }[];
      expect(addresses.map(({ addr }) => addr)).toEqual([expect.stringMatching(/^10\.\d+\.\d+\.\d+$/)]);
      expect((await show(await create({ networks: 'none' }, { version: '2.37' }))).addresses).toEqual({});
      const instance = await service.request({ path: `/scheduler/instances/${id}` });
      expect(instance.json).toMatchObject({ host: server['OS-EXT-SRV-ATTR:host'], flavor_id: '1', image_uuid: IMAGE });
      expect(Object.values(await allocationsOf(service, id))).toMatchObject([
        { resources: { VCPU: 1, MEMORY_MB: 512, DISK_GB: 1 } },
      ]);
    });

    it('shows its owner no hosts', async () => {
      const server = await show(await create({}, { as: TENANT }), { as: TENANT, version: '2.96' });
      expect(Object.keys(server).filter((key) => key.startsWith('OS-EXT-SRV-ATTR'))).toEqual([]);
      expect(server).not.toHaveProperty('host_status');
      expect(server.hostId).toMatch(/^[0-9a-f]{56}$/);
    });

    it('has the fields of later versions only at those versions', async () => {
      const id = await create();
      const [old, now] = [await show(id), await show(id, { version: '2.96' })];
      expect(old.flavor).toEqual({ id: '1', links: [expect.objectContaining({ rel: 'bookmark' })] });
      expect(now.flavor).toMatchObject({ original_name: 'm1.small', vcpus: 1, ram: 512, extra_specs: {} });
      expect(now).toMatchObject({ host_status: 'UP', locked: false, description: null, tags: [], server_groups: [] });
      expect(now).toMatchObject({ pinned_availability_zone: null, 'OS-EXT-SRV-ATTR:hostname': 'srv' });
      for (const key of ['host_status', 'locked', 'description', 'tags', 'server_groups']) {
        expect(old).not.toHaveProperty(key);
      }
    });

    it("is in error with nova's message and Berth's reason if no host fits", async () => {
      const id = await create({ flavorRef: '9' }, { as: TENANT });
      const { status, fault } = await show(id);
      expect(status).toBe('ERROR');
      expect(fault).toMatchObject({ code: 500, message: expect.stringContaining(NOVA_SENTENCE) });
      expect(fault.details).toContain('MEMORY_MB');
      expect((await show(id, { as: TENANT })).fault).not.toHaveProperty('details');
      expect(await lastAction(id)).toMatchObject({
        action: 'create',
        message: 'Error',
        events: [{ result: 'Error', details: fault.details }],
      });
      expect((await service.request({ path: `/scheduler/instances/${id}` })).status).toBe(404);
    });

    it('is deleted, which frees its resources', async () => {
      const id = await create({}, { as: TENANT });
      expect((await remove(id, { as: 'lee:other' })).status).toBe(404);
      expect((await remove(id, { as: TENANT })).status).toBe(204);
      expect(await ask(`servers/${id}`)).toMatchObject({ status: 404, json: { itemNotFound: { code: 404 } } });
      expect((await service.request({ path: `/scheduler/instances/${id}` })).status).toBe(404);
    });

    it('is placed as requested: zone, forced host, wanted host, hints', async () => {
      const zone = { aggregate: { name: 'east', availability_zone: 'east' } };
      const { id: aggregate } = (await ok('os-aggregates', { method: 'POST', body: zone })).json.aggregate;
      const member = (action: string): Promise<TestResponse> =>
        ok(`os-aggregates/${aggregate}/action`, { method: 'POST', body: { [action]: { host: 'cn2' } } });
      await member('add_host');
      const inZone = await show(await create({ availability_zone: 'east' }));
      expect([inZone['OS-EXT-SRV-ATTR:host'], inZone['OS-EXT-AZ:availability_zone']]).toEqual(['cn2', 'east']);
      await member('remove_host');
      expect(await hostOf(await create({ availability_zone: 'nova:cn3' }))).toBe('cn3');
      expect(await hostOf(await create({ availability_zone: 'nova:cn1:cn1' }))).toBe('cn1');
      expect(await hostOf(await create({ host: 'cn2' }, { version: '2.74' }))).toBe('cn2');
      const first = await create({ availability_zone: 'nova:cn2' });
      expect(await hostOf(await create({}, {}, { same_host: first }))).toBe('cn2');
      expect(await hostOf(await create({}, {}, { different_host: [first] }))).not.toBe('cn2');
      expect(await hostOf(await create({ hypervisor_hostname: 'cn3' }, { version: '2.74' }))).toBe('cn3');
    });

    it('joins its group by uuid or by name', async () => {
      const group = { server_group: { name: 'apart', policies: ['anti-affinity'] } };
      const made = await ok('os-server-groups', { method: 'POST', as: TENANT, body: group });
      const { id } = made.json.server_group;
      const hints = [{ group: id }, { group: 'apart' }, { group: [id] }];
      const servers: string[] = [];
      for (const hint of hints) servers.push(await create({}, { as: TENANT }, hint));
      expect(new Set(await Promise.all(servers.map(hostOf))).size).toBe(3);
      const full = await create({}, { as: TENANT }, { group: 'apart' });
      expect(await show(full)).toMatchObject({
        status: 'ERROR',
        fault: { message: expect.stringContaining('No valid host') },
      });
      const shown = await ok(`os-server-groups/${id}`, { as: TENANT });
      expect([...shown.json.server_group.members].sort()).toEqual([...servers].sort());
      expect((await show(servers[0] ?? '', { version: '2.71' })).server_groups).toEqual([id]);
      expect((await make({}, { as: 'lee:other' }, { group: id })).status).toBe(400);
      expect((await ask(`os-server-groups/${id}`, { method: 'DELETE', as: TENANT })).status).toBe(204);
    });

    it('is one of several if several are requested', async () => {
      const answer = await make({ name: 'n', min_count: 1, max_count: '3', return_reservation_id: true });
      expect(answer.json.reservation_id).toMatch(/^r-/);
      const { json } = await ok('servers?name=n');
      expect((json.servers as { name: string }[]).map(({ name }) => name).sort()).toEqual(['n-1', 'n-2', 'n-3']);
    });

    it('can be in error while others of its request found a host', async () => {
      const id = await create({ name: 'many', min_count: 1, max_count: 15 });
      expect(id).toMatch(UUID);
      const { json } = await ok('servers/detail?name=many');
      const statuses = (json.servers as { status: string }[]).map(({ status }) => status);
      expect(statuses.filter((status) => status === 'ACTIVE')).toHaveLength(12);
      expect(statuses.filter((status) => status === 'ERROR')).toHaveLength(3);
    });

    it.each([
      ['a flavor', { flavorRef: '77' }, 'flavorRef'],
      ['an image', { imageRef: '77777777-0000-4000-8000-000000000001' }, 'imageRef'],
      ['anything to start from', { imageRef: '' }, 'imageRef'],
      ['a zone', { availability_zone: 'nowhere' }, 'availability_zone'],
      ['a network', { networks: [{ uuid: '77777777-0000-4000-8000-000000000001' }] }, 'networks'],
      ['a security group', { security_groups: [{ name: 'tight' }] }, 'security_groups'],
      ['an order of numbers', { min_count: 3, max_count: 2 }, 'min_count'],
      ['a bounded number', { max_count: 100_000 }, 'max_count'],
      ['known fields', { colour: 'red' }, 'colour'],
      ['the version of its fields', { description: 'x' }, 'description'],
      ['the version of its place', { host: 'cn1' }, 'host'],
      ['a place', { availability_zone: 'a:b:c:d' }, 'availability_zone'],
    ])('is refused without %s, and leaves nothing behind', async (_what, server, field) => {
      const answer = await make(server);
      expect(answer.status).toBe(400);
      expect(answer.json.badRequest.message).toContain(field);
      expect((await ok('servers?all_tenants=1')).json.servers).toEqual([]);
    });

    it('is forced on a host by administrators only, and always through the scheduler', async () => {
      expect((await make({ availability_zone: 'nova:cn1' }, { as: TENANT })).status).toBe(400);
      expect((await make({ host: 'cn1' }, { as: TENANT, version: '2.74' })).status).toBe(400);
      const answer = await make({}, {}, { _nova_check_type: ['rebuild'] });
      expect(answer.status).toBe(400);
      expect(answer.json.badRequest.message).toContain('_nova_check_type');
    });

    it('requests no disk of the host for boot from volume', async () => {
      const device = { boot_index: 0, uuid: IMAGE, source_type: 'image', destination_type: 'volume', volume_size: 1 };
      const id = await create({ imageRef: '', block_device_mapping_v2: [device] });
      expect((await show(id)).image).toBe('');
      expect(Object.values(await allocationsOf(service, id))).toEqual([
        { generation: expect.any(Number), resources: { VCPU: 1, MEMORY_MB: 512 } },
      ]);
    });

    it('can be renamed and described, and has metadata', async () => {
      const id = await create();
      const change = { server: { name: 'other', description: 'for tests' } };
      const changed = await ok(`servers/${id}`, { method: 'PUT', version: '2.19', body: change });
      expect(changed.json.server).toMatchObject({ name: 'other', description: 'for tests' });
      await ok(`servers/${id}/metadata`, { method: 'POST', body: { metadata: { a: '1', b: '2' } } });
      await ok(`servers/${id}/metadata/a`, { method: 'DELETE' });
      expect((await ok(`servers/${id}/metadata`)).json.metadata).toEqual({ b: '2' });
      expect((await ask(`servers/${id}/metadata/a`, { method: 'DELETE' })).status).toBe(404);
    });
  });

  describe('the list', () => {
    it('shows the servers of the project, the newest first, and all servers to administrators on request', async () => {
      const [first, second] = [
        await create({ name: 'a' }, { as: TENANT }),
        await create({ name: 'b' }, { as: TENANT }),
      ];
      const other = await create({ name: 'c' }, { as: 'lee:other' });
      const ids = async (query: string, as: string): Promise<string[]> =>
        ((await ok(`servers${query}`, { as })).json.servers as { id: string }[]).map(({ id }) => id);
      expect(await ids('', TENANT)).toEqual([second, first]);
      expect(await ids('?all_tenants=1', TENANT)).toEqual([second, first]);
      expect(await ids('', 'admin:ops')).toEqual([]);
      expect(await ids('?all_tenants=1', 'admin:ops')).toEqual([other, second, first]);
      expect(await ids('?project_id=other', 'admin:ops')).toEqual([other]);
      expect(await ids('?name=^a$', TENANT)).toEqual([first]);
      expect(await ids('?status=ACTIVE', TENANT)).toHaveLength(2);
      expect(await ids('?status=ERROR', TENANT)).toEqual([]);
      expect(await ids('?flavor=2', TENANT)).toEqual([]);
      expect(await ids(`?image=${IMAGE}`, TENANT)).toHaveLength(2);
      expect(await ids('?image=%C3%A4', TENANT)).toEqual([]);
      expect(await ids(`?all_tenants=1&host=${await hostOf(other)}`, 'admin:ops')).toContain(other);
      const page = await ok('servers?limit=1', { as: TENANT });
      expect(page.json.servers_links[0].href).toContain(`marker=${second}`);
      expect(await ids(`?limit=1&marker=${second}`, TENANT)).toEqual([first]);
      expect((await ask('servers?marker=none', { as: TENANT })).status).toBe(400);
      expect((await ask('servers?limit=many', { as: TENANT })).status).toBe(400);
    });
  });

  describe('moves', () => {
    it('resizes, and keeps both places until the confirmation', async () => {
      const id = await create();
      const before = await hostOf(id);
      expect((await act(id, { resize: { flavorRef: '2' } })).status).toBe(202);
      const resized = await show(id);
      expect(resized).toMatchObject({ status: 'VERIFY_RESIZE', flavor: { id: '2' } });
      expect(resized['OS-EXT-SRV-ATTR:host']).not.toBe(before);
      expect((await books(service)).consumers).toBe(2);
      expect((await act(id, { resize: { flavorRef: '1' } })).status).toBe(409);
      expect((await act(id, { confirmResize: null })).status).toBe(204);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '2' } });
      expect((await books(service)).consumers).toBe(1);
      expect((await actions(id)).map(({ action }) => action as string)).toEqual(['confirmResize', 'resize', 'create']);
    });

    it('returns to its old place when the resize is reverted', async () => {
      const id = await create();
      const before = await hostOf(id);
      await act(id, { resize: { flavorRef: '2' } });
      expect((await act(id, { revertResize: null })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '1' }, 'OS-EXT-SRV-ATTR:host': before });
      expect((await act(id, { resize: { flavorRef: '2' } })).status).toBe(202);
      await act(id, { revertResize: null });
    });

    it('shows in its actions why a resize found no host, and stays unchanged', async () => {
      const id = await create();
      expect((await act(id, { resize: { flavorRef: '9' } })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '1' }, 'OS-EXT-STS:task_state': null });
      expect(await lastAction(id)).toMatchObject({ action: 'resize', message: 'Error', events: [{ result: 'Error' }] });
      expect((await lastAction(id)).events[0].details).toContain('MEMORY_MB');
      expect((await act(id, { resize: { flavorRef: '1' } })).status).toBe(400);
      expect((await act(id, { resize: { flavorRef: 'none' } })).status).toBe(400);
      expect((await show(id))['OS-EXT-STS:task_state']).toBeNull();
    });

    it('migrates cold, in new versions to a chosen host', async () => {
      const id = await create({ availability_zone: 'nova:cn1' });
      expect((await act(id, { migrate: { host: 'cn3' } })).status).toBe(400);
      expect((await act(id, { migrate: { host: 'cn3' } }, { version: '2.56' })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'VERIFY_RESIZE', 'OS-EXT-SRV-ATTR:host': 'cn3' });
      await act(id, { confirmResize: null });
      expect((await act(id, { migrate: null })).status).toBe(202);
      expect(await hostOf(id)).not.toBe('cn3');
      expect((await act(id, { migrate: null }, { as: TENANT })).status).toBe(404);
    });

    it('migrates live, to a chosen host or to any other', async () => {
      const id = await create({ availability_zone: 'nova:cn1' }, {});
      const live = (host: string | null, version: string): Promise<TestResponse> =>
        act(id, { 'os-migrateLive': { host, block_migration: 'auto' } }, { version });
      expect((await live('cn2', '2.30')).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'cn2' });
      expect((await live(null, '2.30')).status).toBe(202);
      expect(await hostOf(id)).not.toBe('cn2');
      expect((await books(service)).consumers).toBe(1);
      expect((await live(await hostOf(id), '2.30')).status).toBe(400);
      expect((await live('nowhere', '2.30')).status).toBe(404);
      expect((await act(id, { 'os-migrateLive': { host: 'cn1', force: true } })).status).toBe(400);
    });

    it('reports a live migration without a host in the response in old versions, asynchronously in new ones', async () => {
      const group = { server_group: { name: 'all', policies: ['anti-affinity'] } };
      const made = (await ok('os-server-groups', { method: 'POST', body: group })).json.server_group.id as string;
      const id = await create({}, {}, { group: made });
      for (let others = 0; others < 2; others++) await create({}, {}, { group: made });
      const live = { 'os-migrateLive': { host: null, block_migration: 'auto' } };
      const old = await act(id, live, { version: '2.33' });
      expect([old.status, old.json?.badRequest?.message]).toEqual([400, expect.stringContaining('No valid host')]);
      expect((await act(id, live, { version: '2.34' })).status).toBe(202);
      expect(await lastAction(id)).toMatchObject({ action: 'live-migration', events: [{ result: 'Error' }] });
      await ok(`os-server-groups/${made}`, { method: 'DELETE' });
    });

    it('is evacuated from a host only while that is down', async () => {
      const id = await create({ availability_zone: 'nova:cn1' });
      const evacuate = (): Promise<TestResponse> => act(id, { evacuate: { onSharedStorage: 'False' } });
      const force = (isDown: boolean): Promise<TestResponse> =>
        ok('os-services/force-down', {
          method: 'PUT',
          version: '2.11',
          body: { host: 'cn1', binary: 'nova-compute', forced_down: isDown },
        });
      const refused = await evacuate();
      expect([refused.status, refused.json.badRequest.message]).toEqual([400, expect.stringContaining('still in use')]);
      await force(true);
      expect((await evacuate()).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE' });
      expect(await hostOf(id)).not.toBe('cn1');
      await force(false);
    });

    it('is shelved, which frees its resources, and unshelved', async () => {
      const id = await create();
      expect((await act(id, { shelve: null })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'SHELVED_OFFLOADED', 'OS-EXT-SRV-ATTR:host': null, hostId: '' });
      expect((await books(service)).consumers).toBe(0);
      expect((await act(id, { unshelve: { host: 'cn2' } })).status).toBe(400);
      expect((await act(id, { unshelve: { host: 'cn2' } }, { version: '2.91' })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'cn2' });
      await act(id, { shelve: null });
      expect((await act(id, { unshelve: null })).status).toBe(202);
      expect((await act(id, { unshelve: null })).status).toBe(409);
    });

    it('is rebuilt from an image that fits its host, and in error from another', async () => {
      const id = await create();
      expect((await act(id, { rebuild: { imageRef: IMAGE, name: 'again' } })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', name: 'again' });
      const { json } = await service.request({ method: 'POST', path: '/scheduler/images', body: { name: 'later' } });
      expect((await act(id, { rebuild: { imageRef: json.uuid as string } })).status).toBe(202);
      const instance = await service.request({ path: `/scheduler/instances/${id}` });
      expect(instance.json).toMatchObject({ image_uuid: json.uuid, image: { name: 'later' } });
      expect(instance.json.request).toMatchObject({ image: { id: json.uuid } });
      expect((await act(id, { rebuild: { imageRef: WINDOWS } })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ERROR', fault: { details: expect.stringContaining('arch') } });
      expect((await act(id, { rebuild: { imageRef: IMAGE } })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', image: { id: IMAGE } });
      expect((await act(id, { rebuild: { imageRef: 'none' } })).status).toBe(400);
    });
  });

  describe('a key pair', () => {
    const addKey = (name: string): Promise<TestResponse> =>
      ok('os-keypairs', { method: 'POST', as: TENANT, body: { keypair: { name } } });

    it('is named by servers of its owner, which keep the name after its deletion', async () => {
      await addKey('first');
      const id = await create({ key_name: 'first' }, { as: TENANT });
      await ok('os-keypairs/first', { method: 'DELETE', as: TENANT });
      expect((await show(id)).key_name).toBe('first');
      for (const request of [{ as: TENANT }, {}]) {
        const refused = await make({ key_name: 'first' }, request);
        expect(refused).toMatchObject({ status: 400, json: { badRequest: { code: 400 } } });
        expect(refused.json.badRequest.message).toContain("'server.key_name' names the key pair first");
      }
    });

    it('is replaced or removed by a rebuild', async () => {
      await addKey('second');
      const id = await create({}, { as: TENANT });
      const rebuild = async (keyName: string | null): Promise<[number, string | null]> => {
        const { status } = await act(id, { rebuild: { imageRef: IMAGE, key_name: keyName } }, { as: TENANT });
        return [status, (await show(id)).key_name as string | null];
      };
      expect(await rebuild('second')).toEqual([202, 'second']);
      expect(await rebuild('unknown')).toEqual([400, 'second']);
      expect(await rebuild(null)).toEqual([202, null]);
    });
  });

  it("sums the resources of a project's servers, for its quotas and limits", async () => {
    const usageOf = async (project: string, request: ComputeRequest = {}): Promise<any> =>
      (await ok(`os-quota-sets/${project}/detail`, request)).json.quota_set;
    for (const flavorRef of ['1', '2']) await create({ flavorRef }, { as: TENANT });
    await create();
    await ok('os-server-groups', {
      method: 'POST',
      as: TENANT,
      body: { server_group: { name: 'counted', policies: ['affinity'] } },
    });
    const inUse = (amount: number): object => ({ limit: -1, in_use: amount, reserved: 0 });
    const expected = { instances: inUse(2), cores: inUse(3), ram: inUse(1_536), server_groups: inUse(1) };
    expect(await usageOf('demo')).toMatchObject({ id: 'demo', ...expected });
    expect(await usageOf('demo', { as: TENANT })).toMatchObject(expected);
    expect((await ask('os-quota-sets/ops/detail', { as: TENANT })).status).toBe(404);
    expect((await ok('limits', { as: TENANT })).json.limits.absolute).toMatchObject({
      totalInstancesUsed: 2,
      totalCoresUsed: 3,
      totalRAMUsed: 1_536,
      totalServerGroupsUsed: 1,
    });
  });

  describe('the console of a server', () => {
    it('has a log that explains why it is empty, and changes nothing', async () => {
      const id = await create({}, { as: TENANT });
      for (const argument of [{}, { length: null }, { length: '10' }]) {
        const answer = await act(id, { 'os-getConsoleOutput': argument }, { as: TENANT });
        expect(answer).toMatchObject({
          status: 200,
          json: { output: expect.stringMatching(/no console output\.\n$/) },
        });
      }
      expect((await act(id, { 'os-getConsoleOutput': {} }, { as: 'lee:other' })).status).toBe(404);
      expect((await actions(id)).map(({ action }) => action)).toEqual(['create']);
    });

    it("is refused in nova's words, as an action in old versions and by its route in new ones", async () => {
      const id = await create({}, { as: TENANT });
      const refusal = {
        status: 400,
        json: { badRequest: { message: expect.stringMatching(/^Unavailable console type x\. .* no consoles\.$/) } },
      };
      for (const name of ['VNC', 'SPICE', 'RDP', 'Serial']) {
        expect(await act(id, { [`os-get${name}Console`]: { type: 'x' } }, { as: TENANT })).toMatchObject(refusal);
      }
      const open = (version: string, as = TENANT): Promise<TestResponse> =>
        ask(`servers/${id}/remote-consoles`, {
          method: 'POST',
          version,
          as,
          body: { remote_console: { protocol: 'vnc', type: 'x' } },
        });
      expect(await open('2.6')).toMatchObject(refusal);
      expect((await open('2.5')).status).toBe(404);
      expect((await open('2.6', 'lee:other')).status).toBe(404);
    });
  });

  describe('changes inside the guest', () => {
    it('change only the state of the server', async () => {
      const id = await create({}, { as: TENANT });
      const states: [string, string][] = [];
      for (const action of ['os-stop', 'os-start', 'pause', 'unpause', 'suspend', 'resume']) {
        expect((await act(id, { [action]: null }, { as: TENANT })).status).toBe(202);
        states.push([action, (await show(id)).status as string]);
      }
      expect(states).toEqual([
        ['os-stop', 'SHUTOFF'],
        ['os-start', 'ACTIVE'],
        ['pause', 'PAUSED'],
        ['unpause', 'ACTIVE'],
        ['suspend', 'SUSPENDED'],
        ['resume', 'ACTIVE'],
      ]);
      expect((await act(id, { reboot: { type: 'SOFT' } })).status).toBe(202);
      expect((await act(id, { 'os-start': null })).status).toBe(409);
    });

    it('are forbidden to the owner of a locked server', async () => {
      const id = await create({}, { as: TENANT });
      expect((await act(id, { lock: { locked_reason: 'audit' } }, { version: '2.73' })).status).toBe(202);
      expect(await show(id, { version: '2.73' })).toMatchObject({ locked: true, locked_reason: 'audit' });
      expect((await act(id, { 'os-stop': null }, { as: TENANT })).status).toBe(409);
      expect((await remove(id, { as: TENANT })).status).toBe(409);
      expect((await act(id, { unlock: null })).status).toBe(202);
      expect((await act(id, { 'os-stop': null }, { as: TENANT })).status).toBe(202);
    });

    it('are reset by administrators', async () => {
      const id = await create({}, { as: TENANT });
      await act(id, { 'os-resetState': { state: 'error' } });
      expect((await show(id)).status).toBe('ERROR');
      await act(id, { 'os-resetState': { state: 'active' } });
      expect((await show(id)).status).toBe('ACTIVE');
      expect((await act(id, { 'os-resetState': { state: 'active' } }, { as: TENANT })).status).toBe(400);
    });

    it.each([
      ['one action', {}],
      ['no more than one', { 'os-stop': null, 'os-start': null }],
      ['one that there is', { createImage: { name: 'image' } }],
      ['its arguments', { resize: {} }],
    ])('require %s', async (_what, action) => {
      const id = await create();
      expect((await act(id, action)).status).toBe(400);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', 'OS-EXT-STS:task_state': null });
    });
  });
});
