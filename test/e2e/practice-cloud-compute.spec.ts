// The Compute API on the registries: flavors, host aggregates, zones, services, hypervisors and server groups, as
// clients of various versions request them.
import { testDatabaseKinds } from '../support/databases';
import { naming } from '../support/naming';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Compute, ComputeRequest } from './practice-cloud';
import { computeOf, hostUuid, reportHost, succeeding } from './practice-cloud';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TENANT = 'kim:demo';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let ask: Compute;
  let ok: Compute;
  beforeAll(async () => {
    service = await startTestService(kind);
    ask = computeOf(service);
    ok = succeeding(ask);
    for (const host of ['cn1', 'cn2', 'cn3']) await reportHost(service, host);
  });
  afterAll(() => service.stop());

  describe('flavors', () => {
    const flavor = (name: string, more: object = {}): object => ({
      flavor: { name, ram: 512, vcpus: 1, disk: 2, ...more },
    });
    const create = async (name: string, more: object = {}): Promise<string> =>
      (await ok('flavors', { method: 'POST', body: flavor(name, more) })).json.flavor.id as string;

    it('are those of the registry, in the format of this API', async () => {
      const { json } = await ok('flavors', {
        method: 'POST',
        body: flavor('f.full', { id: '42', swap: 64, 'OS-FLV-EXT-DATA:ephemeral': 3, rxtx_factor: 1 }),
      });
      expect(json.flavor).toMatchObject({ id: '42', name: 'f.full', ram: 512, vcpus: 1, disk: 2, swap: 64 });
      expect(json.flavor).toMatchObject({ 'OS-FLV-EXT-DATA:ephemeral': 3, 'os-flavor-access:is_public': true });
      expect(json.flavor.links[0].href).toMatch(/\/compute\/v2\.1\/flavors\/42$/);
      const registered = await service.request({ path: '/scheduler/flavors/42' });
      expect(registered.json).toMatchObject({ name: 'f.full', memory_mb: 512, root_gb: 2, ephemeral_gb: 3, swap: 64 });
      expect((await ok('flavors/42')).json.flavor.name).toBe('f.full');
    });

    it('get an id if none or `auto` is given', async () => {
      expect(await create('f.auto', { id: 'auto' })).toMatch(UUID);
      expect(await create('f.none', { id: null })).toMatch(UUID);
    });

    it('have the fields of later versions only at those versions', async () => {
      const id = await create('f.versions');
      const shown = async (version: string): Promise<any> => (await ok(`flavors/${id}`, { version })).json.flavor;
      expect(await shown('2.54')).not.toHaveProperty('description');
      expect(await shown('2.55')).toMatchObject({ description: null });
      expect(await shown('2.60')).not.toHaveProperty('extra_specs');
      expect(await shown('2.61')).toMatchObject({ extra_specs: {}, swap: '' });
      expect(await shown('2.75')).toMatchObject({ swap: 0 });
    });

    it('accept extra specs one by one and together, and return them', async () => {
      const at = `flavors/${await create('f.specs')}/os-extra_specs`;
      const specs = { 'trait:HW_CPU_X86_AVX2': 'required', 'hw:cpu_policy': 'dedicated' };
      expect((await ok(at, { method: 'POST', body: { extra_specs: specs } })).json).toEqual({ extra_specs: specs });
      await ok(`${at}/quota:x`, { method: 'PUT', body: { 'quota:x': '7' } });
      expect((await ok(`${at}/quota:x`)).json).toEqual({ 'quota:x': '7' });
      await ok(`${at}/hw:cpu_policy`, { method: 'DELETE' });
      expect((await ok(at)).json.extra_specs).toEqual({ 'trait:HW_CPU_X86_AVX2': 'required', 'quota:x': '7' });
      expect(await ask(`${at}/hw:cpu_policy`, { method: 'DELETE' })).toMatchObject({
        status: 404,
        json: { itemNotFound: { code: 404 } },
      });
    });

    it('refuse extra specs that no request can satisfy, and keep the old ones', async () => {
      const at = `flavors/${await create('f.bad')}/os-extra_specs`;
      const bad = await ask(at, { method: 'POST', body: { extra_specs: { 'trait:CUSTOM_X': 'perhaps' } } });
      expect(bad).toMatchObject({ status: 400, json: { badRequest: { code: 400 } } });
      expect(bad.json.badRequest.message).toContain('extra_specs.trait:CUSTOM_X');
      expect((await ok(at)).json.extra_specs).toEqual({});
      expect((await ask(`${at}/a`, { method: 'PUT', body: { b: '1' } })).status).toBe(400);
    });

    it('that are private are visible to projects with access, and to administrators on request', async () => {
      const id = await create('f.private', { 'os-flavor-access:is_public': false });
      const names = async (as: string, query = ''): Promise<string[]> =>
        ((await ok(`flavors${query}`, { as })).json.flavors as { name: string }[]).map(({ name }) => name);
      expect((await ask(`flavors/${id}`, { as: TENANT })).status).toBe(404);
      expect(await names(TENANT)).not.toContain('f.private');
      expect(await names('admin:ops')).not.toContain('f.private');
      expect(await names('admin:ops', '?is_public=None')).toContain('f.private');
      const access = { method: 'POST', body: { addTenantAccess: { tenant: 'demo' } } } as const;
      expect((await ok(`flavors/${id}/action`, access)).json.flavor_access).toEqual([
        { flavor_id: id, tenant_id: 'demo' },
      ]);
      expect((await ask(`flavors/${id}/action`, access)).status).toBe(409);
      expect(await names(TENANT)).toContain('f.private');
      expect((await ok(`flavors/${id}/os-flavor-access`)).json.flavor_access).toHaveLength(1);
      await ok(`flavors/${id}/action`, { method: 'POST', body: { removeTenantAccess: { tenant: 'demo' } } });
      expect(await names(TENANT)).not.toContain('f.private');
    });

    it('come in pages', async () => {
      const first = await ok('flavors?limit=2');
      expect(first.json.flavors).toHaveLength(2);
      const next = first.json.flavors_links[0].href as string;
      const second = await ok(next.slice(next.indexOf('flavors?')));
      expect(second.json.flavors[0].id).not.toBe(first.json.flavors[1].id);
    });

    it('are deleted together with their access lists', async () => {
      const id = await create('f.gone', { 'os-flavor-access:is_public': false });
      await ok(`flavors/${id}/action`, { method: 'POST', body: { addTenantAccess: { tenant: 'demo' } } });
      expect((await ok(`flavors/${id}`, { method: 'DELETE' })).status).toBe(202);
      expect((await ask(`flavors/${id}`)).status).toBe(404);
      const left = await service.database.read((sql) =>
        sql.query('SELECT 1 FROM facade_flavor_access WHERE flavor_id = ?', [id]),
      );
      expect(left).toEqual([]);
    });

    it.each([
      ['a name', { ram: 1, vcpus: 1, disk: 1 }, 'flavor.name'],
      ['an amount that is one', { name: 'x', ram: 'much', vcpus: 1, disk: 1 }, 'flavor.ram'],
      ['nothing else', { name: 'x', ram: 1, vcpus: 1, disk: 1, colour: 'red' }, 'flavor.colour'],
      ['an id that a path can name', { name: 'x', ram: 1, vcpus: 1, disk: 1, id: '..' }, 'flavor.id'],
    ])('need %s', async (_what, body, field) => {
      const answer = await ask('flavors', { method: 'POST', body: { flavor: body } });
      expect(answer.status).toBe(400);
      expect(answer.json.badRequest.message).toMatch(naming(field));
    });

    it('accept numbers as text, words for booleans, and a number as id, as nova does', async () => {
      const loose = { id: 77, ram: '64', vcpus: '1', disk: '0', swap: '8', rxtx_factor: '1.5' };
      const of = { ...loose, 'OS-FLV-EXT-DATA:ephemeral': '3', 'os-flavor-access:is_public': 'no' };
      const made = (await ok('flavors', { method: 'POST', body: flavor('f.loose', of) })).json.flavor;
      expect(made).toMatchObject({ id: '77', ram: 64, vcpus: 1, disk: 0, swap: 8, 'OS-FLV-EXT-DATA:ephemeral': 3 });
      expect(made['os-flavor-access:is_public']).toBe(false);
      for (const [name, value] of [
        ['ram', '64x'],
        ['ram', '0'],
        ['vcpus', 1.5],
        ['disk', ''],
        ['swap', '9999999999'],
        ['id', 1.5],
        ['rxtx_factor', 'fast'],
        ['os-flavor-access:is_public', 'maybe'],
        ['os-flavor-access:is_public', 1],
      ] as const) {
        const refused = await ask('flavors', { method: 'POST', body: flavor('f.refused', { [name]: value }) });
        expect([name, refused.status, refused.json.badRequest?.message]).toEqual([
          name,
          400,
          expect.stringMatching(naming(`flavor.${name}`)),
        ]);
      }
    });

    it('are created by administrators', async () => {
      const answer = await ask('flavors', { method: 'POST', as: TENANT, body: flavor('f.tenant') });
      expect(answer).toMatchObject({ status: 403, json: { forbidden: { code: 403 } } });
    });
  });

  describe('host aggregates', () => {
    const create = async (name: string, zone?: string): Promise<number> => {
      const body = { aggregate: { name, ...(zone !== undefined && { availability_zone: zone }) } };
      return (await ok('os-aggregates', { method: 'POST', body })).json.aggregate.id as number;
    };
    const act = (id: number, action: object) => ask(`os-aggregates/${id}/action`, { method: 'POST', body: action });

    it('have numbers, metadata, hosts and a zone', async () => {
      const id = await create('agg1', 'az1');
      const made = (await ok('os-aggregates', { method: 'POST', body: { aggregate: { name: 'bare' } } })).json
        .aggregate;
      expect(made).not.toHaveProperty('hosts');
      expect(made).not.toHaveProperty('metadata');
      await act(id, { add_host: { host: 'cn1' } });
      const { json } = await act(id, { set_metadata: { metadata: { os_type: 'windows', gone: null } } });
      expect(json.aggregate).toMatchObject({ id, name: 'agg1', availability_zone: 'az1', hosts: ['cn1'] });
      expect(json.aggregate.metadata).toEqual({ availability_zone: 'az1', os_type: 'windows' });
      expect(json.aggregate).not.toHaveProperty('uuid');
      const listed = (await ok('os-aggregates', { version: '2.41' })).json.aggregates as { id: number; uuid: string }[];
      expect(listed.find((each) => each.id === id)?.uuid).toMatch(UUID);
      await ok(`os-aggregates/${id}`, { method: 'PUT', body: { aggregate: { name: 'agg1b' } } });
      expect((await ok(`os-aggregates/${id}`)).json.aggregate).toMatchObject({ name: 'agg1b', hosts: ['cn1'] });
    });

    it('report a host that is already in, in another zone, unknown, or not in', async () => {
      const [id, other] = [await create('agg2', 'az2'), await create('agg3', 'az3')];
      expect((await act(id, { add_host: { host: 'cn2' } })).status).toBe(200);
      expect(await act(id, { add_host: { host: 'cn2' } })).toMatchObject({
        status: 409,
        json: { conflictingRequest: { code: 409 } },
      });
      expect((await act(other, { add_host: { host: 'cn2' } })).status).toBe(409);
      expect((await act(id, { add_host: { host: 'nowhere' } })).status).toBe(404);
      expect((await act(id, { remove_host: { host: 'cn1' } })).status).toBe(404);
      expect((await act(id, {})).status).toBe(400);
      expect((await act(id, { remove_host: { host: 'cn2' } })).json.aggregate.hosts).toEqual([]);
    });

    it('can be deleted when they are empty', async () => {
      const id = await create('agg4');
      await act(id, { add_host: { host: 'cn3' } });
      expect((await ask(`os-aggregates/${id}`, { method: 'DELETE' })).status).toBe(409);
      await act(id, { remove_host: { host: 'cn3' } });
      await ok(`os-aggregates/${id}`, { method: 'DELETE' });
      expect((await ask(`os-aggregates/${id}`)).status).toBe(404);
      expect((await ask('os-aggregates/agg4')).status).toBe(404);
    });

    it('appear as zones, with hosts for administrators', async () => {
      const zones = (await ok('os-availability-zone', { as: TENANT })).json.availabilityZoneInfo;
      expect(zones).toContainEqual({ zoneName: 'az1', zoneState: { available: true }, hosts: null });
      const [detail] = ((await ok('os-availability-zone/detail')).json.availabilityZoneInfo as any[]).filter(
        ({ zoneName }) => zoneName === 'az1',
      );
      expect(detail.hosts).toEqual({ cn1: { 'nova-compute': { active: true, available: true, updated_at: null } } });
      expect((await ask('os-availability-zone/detail', { as: TENANT })).status).toBe(403);
    });
  });

  describe('services', () => {
    const service1 = async (host: string, version?: string): Promise<any> =>
      (await ok(`os-services?host=${host}`, version === undefined ? {} : { version })).json.services[0];

    it('have numbers in old versions and uuids in new ones, and the zone of their host', async () => {
      const old = await service1('cn1');
      expect(old).toMatchObject({ binary: 'nova-compute', host: 'cn1', zone: 'az1', status: 'enabled', state: 'up' });
      expect(Number.isSafeInteger(old.id)).toBe(true);
      expect(old).not.toHaveProperty('forced_down');
      expect(await service1('cn1', '2.53')).toMatchObject({ id: expect.stringMatching(UUID), forced_down: false });
      expect((await ok('os-services?binary=nova-conductor')).json.services).toEqual([]);
    });

    it('are disabled, enabled and forced down by host name', async () => {
      const put = (what: string, more: object = {}, version = '2.11') =>
        ask(`os-services/${what}`, { method: 'PUT', version, body: { host: 'cn3', binary: 'nova-compute', ...more } });
      expect((await put('disable-log-reason', { disabled_reason: 'disk' })).json.service).toMatchObject({
        status: 'disabled',
        disabled_reason: 'disk',
      });
      expect(await service1('cn3')).toMatchObject({ status: 'disabled', disabled_reason: 'disk' });
      expect((await put('enable')).status).toBe(200);
      expect((await put('force-down', { forced_down: true })).status).toBe(200);
      expect(await service1('cn3', '2.11')).toMatchObject({ status: 'enabled', state: 'down', forced_down: true });
      await put('force-down', { forced_down: 'False' });
      expect(await service1('cn3', '2.11')).toMatchObject({ forced_down: false });
      expect((await put('force-down', { forced_down: 'maybe' })).status).toBe(400);
      expect((await put('force-down', { forced_down: true }, '2.10')).status).toBe(404);
      expect((await put('enable', {}, '2.53')).status).toBe(400);
      expect((await put('enable', { host: 'nowhere' })).status).toBe(404);
      expect((await put('enable', { host: undefined })).status).toBe(400);
      expect((await put('restart')).status).toBe(404);
      expect((await put('disable-log-reason')).status).toBe(400);
    });

    it('are changed by uuid in new versions', async () => {
      const { id } = await service1('cn3', '2.53');
      const put = (body: object) => ask(`os-services/${id}`, { method: 'PUT', version: '2.53', body });
      expect((await put({ status: 'disabled', disabled_reason: 'test' })).json.service).toMatchObject({
        status: 'disabled',
      });
      expect((await put({ status: 'enabled' })).json.service).toMatchObject({ disabled_reason: null });
      expect((await put({ status: 'tired' })).status).toBe(400);
      expect((await put({ status: 'disabled', host: 'cn3' })).status).toBe(400);
      const spelled = `os-services/${String(id).toUpperCase()}`;
      const enabled = await ask(spelled, { method: 'PUT', version: '2.53', body: { status: 'enabled' } });
      expect(enabled.json.service).toMatchObject({ id });
    });
  });

  describe('hypervisors', () => {
    it('are the hosts, with their free amounts', async () => {
      const { json } = await ok('os-hypervisors/detail');
      const [cn1] = json.hypervisors as any[];
      expect(cn1).toMatchObject({
        hypervisor_hostname: 'cn1',
        state: 'up',
        status: 'enabled',
        vcpus: 4,
        vcpus_used: 0,
      });
      expect(cn1).toMatchObject({ memory_mb: 8_192, local_gb: 100, host_ip: '192.0.2.1', hypervisor_type: 'QEMU' });
      expect(cn1.service).toMatchObject({ host: 'cn1' });
      expect(JSON.parse(cn1.cpu_info)).toEqual({ arch: 'x86_64' });
      expect((await ok(`os-hypervisors/${cn1.id}`)).json.hypervisor.hypervisor_hostname).toBe('cn1');
      expect((await ok('os-hypervisors/statistics')).json.hypervisor_statistics).toMatchObject({ count: 3, vcpus: 12 });
      expect((await ok('os-hypervisors/cn/search')).json.hypervisors).toHaveLength(3);
      expect((await ok('os-hypervisors?hypervisor_hostname_pattern=cn3')).json.hypervisors).toHaveLength(1);
    });

    it('have uuids, pages and patterns in new versions', async () => {
      const { json } = await ok('os-hypervisors?hypervisor_hostname_pattern=cn2&with_servers=true', {
        version: '2.53',
      });
      expect(json.hypervisors).toEqual([
        { id: hostUuid('cn2'), hypervisor_hostname: 'cn2', state: 'up', status: 'enabled', servers: [] },
      ]);
      const first = await ok('os-hypervisors?limit=1', { version: '2.88' });
      expect(first.json.hypervisors_links[0].href).toContain(`marker=${hostUuid('cn1')}`);
      const lean = (await ok(`os-hypervisors/${hostUuid('cn1')}`, { version: '2.88' })).json.hypervisor;
      expect(lean).toMatchObject({ uptime: null });
      expect(lean).not.toHaveProperty('vcpus');
      const spelled = hostUuid('cn1').toUpperCase().replaceAll('-', '');
      expect((await ok(`os-hypervisors/${spelled}`, { version: '2.88' })).json.hypervisor).toEqual(lean);
      const behind = (await ok(`os-hypervisors?marker=${spelled}`, { version: '2.88' })).json.hypervisors as any[];
      expect(behind.map((each) => each.hypervisor_hostname)).toEqual(['cn2', 'cn3']);
      expect((await ask('os-hypervisors?marker=cn1', { version: '2.88' })).status).toBe(404);
      expect((await ask('os-hypervisors/statistics', { version: '2.88' })).status).toBe(404);
      expect((await ask('os-hypervisors/cn/search', { version: '2.53' })).status).toBe(404);
      expect((await ask('os-hypervisors/no-such')).status).toBe(404);
    });

    it('are for administrators only', async () => {
      expect((await ask('os-hypervisors', { as: TENANT })).status).toBe(403);
      expect((await ask('os-services', { as: TENANT })).status).toBe(403);
      expect((await ask('os-aggregates', { as: TENANT })).status).toBe(403);
    });
  });

  describe('server groups', () => {
    const create = (group: object, version?: string, as = TENANT) =>
      ask('os-server-groups', {
        method: 'POST',
        as,
        body: { server_group: group },
        ...(version !== undefined && { version }),
      });

    it('have a list with one policy in old versions, and a policy with rules in new ones', async () => {
      const old = await create({ name: 'g1', policies: ['affinity'] });
      expect(old.json.server_group).toMatchObject({ name: 'g1', policies: ['affinity'], members: [], metadata: {} });
      const rules = { max_server_per_host: 2 };
      const now = await create({ name: 'g2', policy: 'anti-affinity', rules }, '2.64');
      expect(now.json.server_group).toMatchObject({
        policy: 'anti-affinity',
        rules,
        project_id: 'demo',
        user_id: 'kim',
      });
      const asText = await create({ name: 'g2', policy: 'anti-affinity', rules: { max_server_per_host: '2' } }, '2.64');
      expect(asText.json.server_group).toMatchObject({ rules });
      expect((await create({ name: 'g3', policy: 'affinity' })).status).toBe(400);
      expect((await create({ name: 'g3', policies: ['affinity'] }, '2.64')).status).toBe(400);
      expect((await create({ name: 'g3', policies: ['nearby'] })).status).toBe(400);
    });

    it('are those of the project', async () => {
      const { id } = (await create({ name: 'mine', policies: ['affinity'] })).json.server_group;
      expect((await ask(`os-server-groups/${id}`, { as: 'lee:other' })).status).toBe(404);
      expect((await ask(`os-server-groups/${id}`, { method: 'DELETE', as: 'lee:other' })).status).toBe(404);
      expect((await ok('os-server-groups', { as: 'lee:other' })).json.server_groups).toEqual([]);
      const all = (await ok('os-server-groups?all_projects=True')).json.server_groups as { name: string }[];
      expect(all.map(({ name }) => name)).toContain('mine');
      expect((await ok(`os-server-groups/${id}`, { method: 'DELETE', as: TENANT })).status).toBe(204);
      expect((await ask(`os-server-groups/${id}`, { as: TENANT })).status).toBe(404);
    });
  });

  describe('key pairs', () => {
    const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICbLwKUd8WYSU5e9FsLqAyLOOX2lejbnSgZPfXAvd9Gi kim@laptop';
    /** Printed by `ssh-keygen -l -E md5`. */
    const FINGERPRINT = '04:5c:4c:fb:99:a4:9e:b0:bd:f4:de:32:a6:73:40:4d';
    const add = (keypair: object, request: ComputeRequest = {}) =>
      ask('os-keypairs', { method: 'POST', as: TENANT, body: { keypair }, ...request });
    const names = async (request: ComputeRequest = {}, query = ''): Promise<string[]> =>
      ((await ok(`os-keypairs${query}`, { as: TENANT, ...request })).json.keypairs as any[]).map(
        ({ keypair }) => keypair.name as string,
      );

    it('are imported with the fingerprint of their key, shown, listed and deleted', async () => {
      expect(await names()).toEqual([]);
      const made = await add({ name: 'k1', public_key: PUBLIC_KEY }, { version: '2.2' });
      const key = { name: 'k1', public_key: PUBLIC_KEY, fingerprint: FINGERPRINT, type: 'ssh' };
      expect(made).toMatchObject({ status: 201, json: { keypair: { ...key, user_id: 'kim' } } });
      expect(made.json.keypair).not.toHaveProperty('private_key');
      expect((await ok('os-keypairs/k1', { as: TENANT, version: '2.2' })).json.keypair).toEqual({
        ...key,
        id: expect.any(Number),
        user_id: 'kim',
        created_at: expect.any(String),
        updated_at: null,
        deleted: false,
        deleted_at: null,
      });
      expect((await ok('os-keypairs', { as: TENANT, version: '2.2' })).json).toEqual({ keypairs: [{ keypair: key }] });
      expect((await ask('os-keypairs/k1', { method: 'DELETE', as: TENANT, version: '2.2' })).status).toBe(204);
      expect((await ask('os-keypairs/k1', { as: TENANT })).status).toBe(404);
      expect((await ask('os-keypairs/k1', { method: 'DELETE', as: TENANT })).status).toBe(404);
    });

    it('have no type and other statuses in old versions, and can only be imported in the newest', async () => {
      const made = await add({ name: 'old' });
      expect([made.status, Object.keys(made.json.keypair).sort()]).toEqual([
        200,
        ['fingerprint', 'name', 'private_key', 'public_key', 'user_id'],
      ]);
      expect((await add({ name: 'typed', type: 'ssh' })).status).toBe(400);
      expect((await ask('os-keypairs/old', { method: 'DELETE', as: TENANT })).status).toBe(202);
      expect((await add({ name: 'new' }, { version: '2.92' })).status).toBe(400);
      expect((await add({ name: 'new', public_key: null }, { version: '2.92' })).status).toBe(400);
      expect((await add({ name: 'new', public_key: PUBLIC_KEY }, { version: '2.92' })).status).toBe(201);
      await ok('os-keypairs/new', { method: 'DELETE', as: TENANT });
    });

    it('are refused with a duplicate name, a name that is invalid in a path, or an invalid public key', async () => {
      expect((await add({ name: 'taken' })).status).toBe(200);
      expect(await add({ name: 'taken' })).toMatchObject({ status: 409, json: { conflictingRequest: { code: 409 } } });
      for (const name of ['', ' a', '..', 'a/b', 'ä'])
        expect([name, (await add({ name })).status]).toEqual([name, 400]);
      for (const key of ['', 'ssh-rsa', 'ssh-rsa AAAA', `ssh-rsa ${PUBLIC_KEY.split(' ')[1]}`]) {
        expect([key, (await add({ name: 'bad', public_key: key })).status]).toEqual([key, 400]);
      }
      expect((await add({ name: 'bad', type: 'x509' }, { version: '2.2' })).status).toBe(400);
      expect(await names()).toEqual(['taken']);
      await ok('os-keypairs/taken', { method: 'DELETE', as: TENANT });
    });

    it('belong to a user across projects; administrators can name another owner in new versions', async () => {
      await add({ name: 'mine' });
      expect(await names({ as: 'kim:other' })).toEqual(['mine']);
      expect(await names({ as: 'lee:demo' })).toEqual([]);
      const asAdmin = { as: 'admin:ops', version: '2.10' };
      expect((await add({ name: 'given', user_id: 'kim' }, asAdmin)).json.keypair.user_id).toBe('kim');
      expect(await names(asAdmin, '?user_id=kim')).toEqual(['given', 'mine']);
      const asOther = { as: 'lee:demo', version: '2.10' };
      expect((await ask('os-keypairs?user_id=kim', asOther)).status).toBe(400);
      expect((await ask('os-keypairs/mine?user_id=kim', { ...asOther, method: 'DELETE' })).status).toBe(400);
      expect((await add({ name: 'planted', user_id: 'kim' }, asOther)).status).toBe(400);
      expect((await add({ name: 'planted', user_id: 'kim' }, { as: 'admin:ops' })).status).toBe(400);
      expect(await names()).toEqual(['given', 'mine']);
    });

    it('come in pages, in the order of names', async () => {
      const first = (await ok('os-keypairs?limit=1', { as: TENANT, version: '2.35' })).json;
      expect(first.keypairs.map(({ keypair }: any) => keypair.name)).toEqual(['given']);
      expect(first.keypairs_links[0].href).toMatch(/\/os-keypairs\?limit=1&marker=given$/);
      expect(await names({ version: '2.35' }, '?limit=1&marker=given')).toEqual(['mine']);
    });
  });

  describe('quotas', () => {
    const quotaNames = async (version: string): Promise<string[]> =>
      Object.keys((await ok('os-quota-sets/demo', { version })).json.quota_set as object);

    it('have limits, in the form of the version; administrators read those of other projects', async () => {
      const limits = async (version: string, query = '', as = 'admin:ops'): Promise<any> =>
        (await ok(`limits${query}`, { version, as })).json.limits.absolute;
      const old = await limits('2.1');
      expect(old).toMatchObject({ maxTotalFloatingIps: -1, maxSecurityGroups: -1, maxSecurityGroupRules: -1 });
      expect(old).toMatchObject({ maxPersonality: -1, maxPersonalitySize: -1, maxImageMeta: 128, maxServerMeta: 128 });
      expect(old).toMatchObject({ totalFloatingIpsUsed: 0, totalSecurityGroupsUsed: 0 });
      const names = Object.keys(await limits('2.57', '?tenant_id=demo')).filter((name) => name.startsWith('max'));
      expect(names.sort()).toEqual(
        (
          'maxServerGroupMembers maxServerGroups maxServerMeta maxTotalCores maxTotalInstances maxTotalKeypairs ' +
          'maxTotalRAMSize'
        ).split(' '),
      );
      expect((await ask('limits?tenant_id=ops', { as: TENANT })).status).toBe(403);
      expect((await ask('limits?tenant_id=demo&reserved=1', { as: TENANT })).status).toBe(200);
    });

    it('are the same for every project, cannot be changed, and limit only metadata', async () => {
      const { id, ...quotas } = (await ok('os-quota-sets/demo', { as: TENANT })).json.quota_set;
      expect(id).toBe('demo');
      expect(quotas).toMatchObject({ instances: -1, cores: -1, ram: -1, key_pairs: -1, metadata_items: 128 });
      expect(quotas).toMatchObject({ floating_ips: -1, fixed_ips: -1, security_groups: -1, injected_files: -1 });
      expect(await quotaNames('2.36')).not.toContain('fixed_ips');
      expect(await quotaNames('2.56')).toContain('injected_file_path_bytes');
      expect(await quotaNames('2.57')).toEqual(
        'id,instances,cores,ram,metadata_items,key_pairs,server_groups,server_group_members'.split(','),
      );
      expect((await ok('os-quota-sets/demo/defaults', { as: TENANT })).json.quota_set).toEqual({ id, ...quotas });
      for (const method of ['PUT', 'DELETE'] as const)
        expect((await ask('os-quota-sets/demo', { method, body: {} })).status).toBe(405);
    });

    it('are not per user', async () => {
      for (const path of ['os-quota-sets/demo?user_id=kim', 'os-quota-sets/demo/detail?user_id=kim']) {
        const answer = await ask(path);
        expect([answer.status, answer.json.badRequest?.message]).toEqual([400, expect.stringContaining("'user_id'")]);
      }
    });
  });

  it.each(['flavors', 'flavors/detail', 'os-keypairs', 'os-services', 'os-server-groups', 'limits', 'os-hypervisors'])(
    'refuses an unknown parameter of %s by name, at each version',
    async (path) => {
      for (const version of ['2.1', '2.96']) {
        const refused = await ask(`${path}?surprise=1`, { version });
        expect([refused.status, refused.json.badRequest?.message]).toEqual([
          400,
          expect.stringContaining("'surprise'"),
        ]);
      }
    },
  );

  it('refuses flavors in another order than that of their creation', async () => {
    expect((await ask('flavors?sort_key=created_at&sort_dir=asc')).status).toBe(200);
    for (const query of ['sort_key=name', 'sort_dir=desc']) {
      const answer = await ask(`flavors?${query}`);
      expect([answer.status, answer.json.badRequest.message]).toEqual([400, expect.stringContaining('sort_')]);
    }
  });

  it('lists nothing for unsupported resources', async () => {
    expect((await ok('os-simple-tenant-usage?detailed=1', { as: TENANT })).json).toEqual({ tenant_usages: [] });
    expect((await ok('os-migrations')).json).toEqual({ migrations: [] });
    expect((await ok('extensions', { as: TENANT })).json).toEqual({ extensions: [] });
    expect((await ask('os-migrations', { as: TENANT })).status).toBe(403);
  });
});
