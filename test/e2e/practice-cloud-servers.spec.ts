// Servers of the Compute API: created, shown, listed, changed and deleted. While placed, each is an instance of the
// registry, and its allocations match.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse } from '../support/service';
import type { ComputeRequest } from './practice-cloud';
import { IMAGE, startServersCloud, TENANT } from './practice-cloud-servers';
import { allocationsOf } from './scheduler-cloud';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOVA_SENTENCE = 'No valid host was found. There are not enough hosts available.';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, make, create, show, hostOf, act, remove, lastAction } = startServersCloud(kind);

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
      const instance = await service().request({ path: `/scheduler/instances/${id}` });
      expect(instance.json).toMatchObject({ host: server['OS-EXT-SRV-ATTR:host'], flavor_id: '1', image_uuid: IMAGE });
      expect(Object.values(await allocationsOf(service(), id))).toMatchObject([
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
      expect((await service().request({ path: `/scheduler/instances/${id}` })).status).toBe(404);
    });

    it('is deleted, which frees its resources', async () => {
      const id = await create({}, { as: TENANT });
      expect((await remove(id, { as: 'lee:other' })).status).toBe(404);
      expect((await remove(id, { as: TENANT })).status).toBe(204);
      expect(await ask(`servers/${id}`)).toMatchObject({ status: 404, json: { itemNotFound: { code: 404 } } });
      expect((await service().request({ path: `/scheduler/instances/${id}` })).status).toBe(404);
    });

    it('is placed as requested: zone, forced host, wanted host, hints', async () => {
      const zone = { aggregate: { name: 'east', availability_zone: 'east' } };
      const { id: aggregate } = (await ok('os-aggregates', { method: 'POST', body: zone })).json.aggregate;
      const member = (action: string): Promise<TestResponse> =>
        ok(`os-aggregates/${aggregate}/action`, { method: 'POST', body: { [action]: { host: 'cn2' } } });
      await member('add_host');
      const pinned = await create({ availability_zone: 'east' });
      const inZone = await show(pinned);
      expect([inZone['OS-EXT-SRV-ATTR:host'], inZone['OS-EXT-AZ:availability_zone']]).toEqual(['cn2', 'east']);
      const unpinned = await service().request({
        method: 'POST',
        path: `/scheduler/instances/${pinned}/unpin_zone`,
        headers: { 'x-auth-token': 'admin' },
      });
      expect(unpinned.status).toBe(200);
      expect((await show(pinned, { version: '2.96' })).pinned_availability_zone).toBeNull();
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
      const texts = { flavorRef: 1, max_count: '3', return_reservation_id: 'yes', config_drive: 'True' };
      const answer = await make({ name: 'n', min_count: 1, ...texts });
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
      ['a port', { networks: [{ port: '77777777-0000-4000-8000-000000000001' }] }, 'networks'],
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
      expect((await make({ availability_zone: 'nova:cn1' }, { as: TENANT })).status).toBe(403);
      expect((await make({ host: 'cn1' }, { as: TENANT, version: '2.74' })).status).toBe(403);
      const answer = await make({}, {}, { _nova_check_type: ['rebuild'] });
      expect(answer.status).toBe(400);
      expect(answer.json.badRequest.message).toContain('_nova_check_type');
    });

    it('requests no disk of the host for boot from volume', async () => {
      const device = {
        boot_index: '0',
        uuid: IMAGE,
        source_type: 'image',
        destination_type: 'volume',
        volume_size: '1',
      };
      const id = await create({ imageRef: '', block_device_mapping_v2: [device] });
      expect((await show(id)).image).toBe('');
      expect(Object.values(await allocationsOf(service(), id))).toEqual([
        { generation: expect.any(Number), resources: { VCPU: 1, MEMORY_MB: 512 } },
      ]);
    });

    it('needs a flavor that has what its image needs', async () => {
      const image = async (needs: object): Promise<string> => {
        const headers = { 'x-auth-token': 'admin:ops', 'x-roles': null };
        const request = { method: 'POST', path: '/image/v2/images', version: null, headers, body: needs } as const;
        return (await service().request(request)).json.id as string;
      };
      const [large, wide] = [
        await image({ name: 'large', min_ram: 1_024 }),
        await image({ name: 'wide', min_disk: 2 }),
      ];
      for (const [imageRef, what] of [
        [large, 'memory'],
        [wide, 'disk'],
      ] as const) {
        const refused = await make({ imageRef });
        expect([refused.status, refused.json.badRequest?.message]).toEqual([400, expect.stringContaining(what)]);
        const id = await create();
        expect((await act(id, { rebuild: { imageRef } })).status).toBe(400);
        expect((await show(await create({ imageRef, flavorRef: '2' }))).status).toBe('ACTIVE');
      }
      const device = { boot_index: 0, uuid: wide, source_type: 'image', destination_type: 'volume', volume_size: 2 };
      expect((await make({ imageRef: '', block_device_mapping_v2: [device] })).status).toBe(202);
    });

    it('stays as it is when its image is deleted', async () => {
      const headers = { 'x-auth-token': 'admin:ops', 'x-roles': null };
      const ofImages = (method: 'POST' | 'DELETE', path: string, body?: object) =>
        service().request({ method, path: `/image/v2/images${path}`, version: null, headers, ...(body && { body }) });
      const { json } = await ofImages('POST', '', { name: 'short', os_type: 'linux' });
      const id = await create({ imageRef: json.id as string });
      expect((await ofImages('DELETE', `/${json.id}`)).status).toBe(204);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', image: { id: json.id } });
      const instance = await service().request({ path: `/scheduler/instances/${id}` });
      expect(instance.json).toMatchObject({ image_uuid: null, image: { properties: { os_type: 'linux' } } });
      expect((await act(id, { resize: { flavorRef: '2' } })).status).toBe(202);
      expect((await show(id)).status).toBe('VERIFY_RESIZE');
      await act(id, { confirmResize: null });
      expect((await make({ imageRef: json.id as string })).status).toBe(400);
    });

    it('can be renamed and described, and has metadata', async () => {
      const id = await create();
      const change = { server: { name: 'other', description: 'for tests' } };
      const changed = await ok(`servers/${id}`, { method: 'PUT', version: '2.19', body: change });
      expect(changed.json.server).toMatchObject({ name: 'other', description: 'for tests' });
      expect(changed.json.server).not.toHaveProperty(['OS-EXT-STS:vm_state']);
      const whole = await ok(`servers/${id}`, { method: 'PUT', version: '2.75', body: { server: { name: 'other' } } });
      expect(whole.json.server).toEqual(await show(id, { version: '2.75' }));
      await ok(`servers/${id}/metadata`, { method: 'POST', body: { metadata: { a: '1', b: '2' } } });
      await ok(`servers/${id}/metadata/a`, { method: 'DELETE' });
      expect((await ok(`servers/${id}/metadata`)).json.metadata).toEqual({ b: '2' });
      expect((await ok(`servers/${id}/metadata/b`)).json).toEqual({ meta: { b: '2' } });
      const put = (key: string, body: object) => ask(`servers/${id}/metadata/${key}`, { method: 'PUT', body });
      expect((await put('c', { meta: { c: 'x' } })).json).toEqual({ meta: { c: 'x' } });
      expect((await ok(`servers/${id}/metadata`)).json.metadata).toEqual({ b: '2', c: 'x' });
      for (const body of [{ meta: { d: 'x' } }, { meta: { c: 'x', d: 'x' } }, { meta: {} }, {}])
        expect((await put('c', body)).status).toBe(400);
      for (const key of ['a', 'constructor']) expect((await ask(`servers/${id}/metadata/${key}`)).status).toBe(404);
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
});
