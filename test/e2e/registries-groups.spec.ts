// Host aggregates, availability zones and server groups over HTTP: documents, filters, and refusals without changes.
import { testDatabaseKinds } from '../support/databases';
import type { Method } from './registries-service';
import { OTHER, refusal, SOME, startRegistries, TIME, UUID } from './registries-service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, refusesField, name } = startRegistries(kind);

  describe('host aggregates', () => {
    it('are created, changed and deleted', async () => {
      const [called, host, other] = [name('agg'), name('host'), name('host')];
      const zone = name('zone');
      const { json } = await ok('POST', 'host_aggregates', {
        name: called,
        availability_zone: zone,
        metadata: { ssd: true, tier: 3 },
        hosts: [host, host],
      });
      expect(json).toEqual({
        uuid: expect.stringMatching(UUID),
        name: called,
        availability_zone: zone,
        hosts: [host],
        generation: 0,
        metadata: { availability_zone: zone, ssd: 'true', tier: '3' },
        created_at: expect.stringMatching(TIME),
        updated_at: null,
        warnings: [],
      });
      const path = `host_aggregates/${json.uuid}`;
      expect((await ok('PATCH', `${path}/metadata`, { metadata: { ssd: null, new: 'x' } })).json).toMatchObject({
        metadata: { availability_zone: zone, tier: '3', new: 'x' },
        generation: 1,
      });
      expect((await ok('POST', `${path}/hosts`, { host: other })).json.hosts).toEqual([host, other].sort());
      expect((await ok('POST', `${path}/hosts`, { host: other })).json.generation).toBe(2);
      expect((await ok('PATCH', path, { name: `${called}x`, availability_zone: null })).json).toMatchObject({
        name: `${called}x`,
        availability_zone: null,
        metadata: { tier: '3', new: 'x' },
      });
      const put = await ok('PUT', path, { name: called, hosts: [other], generation: 3 });
      expect(put.json).toMatchObject({ name: called, hosts: [other], metadata: {}, generation: 4 });
      expect(await ask('DELETE', path)).toMatchObject(refusal(409, 'scheduler.in_use'));
      await ok('DELETE', `${path}/hosts/${other}`);
      expect(await ask('DELETE', `${path}/hosts/${other}`)).toMatchObject(refusal(404, 'scheduler.not_found'));
      await ok('DELETE', path);
      expect(await ask('GET', path)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('are listed by name, host and zone', async () => {
      const [called, host, zone] = [name('agg'), name('host'), name('zone')];
      await ok('POST', 'host_aggregates', { name: called, hosts: [host], availability_zone: zone });
      for (const filter of [`name=${called}`, `host=${host}`, `zone=${zone}`]) {
        expect((await ok('GET', `host_aggregates?${filter}`)).json.host_aggregates).toMatchObject([{ name: called }]);
      }
    });

    it.each<[string, Method, string, unknown]>([
      ['name', 'POST', '', {}],
      ['name', 'POST', '', { name: ' x' }],
      ['name', 'POST', '', { name: 'x'.repeat(256) }],
      ['uuid', 'POST', '', { name: 'x', uuid: 'x' }],
      ['metadata.a', 'POST', '', { name: 'x', metadata: { a: null } }],
      ['metadata.a', 'POST', '', { name: 'x', metadata: { a: 'x'.repeat(256) } }],
      ['metadata', 'POST', '', { name: 'x', metadata: { '': 'x' } }],
      ['hosts', 'POST', '', { name: 'x', hosts: [''] }],
      ['availability_zone', 'POST', '', { name: 'x', availability_zone: 'a:b' }],
      ['availability_zone', 'POST', '', { name: 'x', metadata: { availability_zone: '' } }],
      ['availability_zone', 'POST', '', { name: 'x', availability_zone: 'a', metadata: { availability_zone: 'b' } }],
      ['members', 'POST', '', { name: 'x', members: [] }],
      ['uuid', 'PUT', `/${SOME}`, { name: 'x', uuid: OTHER }],
      ['uuid', 'PUT', '/nonsense', { name: 'x' }],
      ['host', 'POST', `/${SOME}/hosts`, { host: '' }],
      ['hosts', 'POST', `/${SOME}/hosts`, { hosts: ['x'] }],
      ['metadata', 'PATCH', `/${SOME}/metadata`, { metadata: [] }],
      ['metadata', 'PATCH', `/${SOME}/metadata`, {}],
    ])('refuse %s by field: %s %s', async (field, method, path, body) => {
      await refusesField(field, method, `host_aggregates${path}`, body);
    });
  });

  describe('availability zones', () => {
    it('are derived from host aggregates and hosts, reported or not', async () => {
      const [zone, empty] = [name('zone'), name('zone')];
      const [up, down, silent] = [name('host'), name('host'), name('host')];
      for (const host of [up, down]) await ok('PUT', `hosts/${host}/n`, {});
      await ok('PATCH', `services/${down}`, { forced_down: true });
      const { json } = await service().request({ method: 'POST', path: '/resource_providers', body: { name: silent } });
      await service().request({
        method: 'POST',
        path: `/resource_providers/${json.uuid}/inventories`,
        body: { resource_class: 'VCPU', total: 4 },
      });
      await ok('POST', 'host_aggregates', { name: name('agg'), availability_zone: zone, hosts: [up, down, silent] });
      await ok('POST', 'host_aggregates', { name: name('agg'), availability_zone: empty });
      expect((await ok('GET', `availability_zones?name=${zone}`)).json).toEqual({
        availability_zones: [
          {
            name: zone,
            default: false,
            available: true,
            hosts_total: 3,
            hosts_up: 2,
            hosts: [
              { host: up, state: 'up', status: 'enabled' },
              { host: down, state: 'down', status: 'enabled' },
              { host: silent, state: 'up', status: 'enabled' },
            ].sort((a, b) => (a.host < b.host ? -1 : 1)),
          },
        ],
        next_marker: null,
      });
      expect((await ok('GET', `availability_zones?name=${empty}`)).json.availability_zones).toMatchObject([
        { available: false, hosts_total: 0 },
      ]);
      expect((await ok('GET', `availability_zones?host=${up}`)).json.availability_zones).toHaveLength(1);
    });

    it('include one for hosts without a zone', async () => {
      const host = name('host');
      await ok('PUT', `hosts/${host}/n`, {});
      const { json } = await ok('GET', 'availability_zones?name=nova');
      expect(json.availability_zones).toMatchObject([{ name: 'nova', default: true }]);
      expect(json.availability_zones[0].hosts).toContainEqual({ host, state: 'up', status: 'enabled' });
    });

    it('cannot be written', async () => {
      expect((await ask('POST', 'availability_zones', { name: 'x' })).status).toBe(405);
    });
  });

  describe('server groups', () => {
    const CREATE = { policy: 'anti-affinity', rules: { max_server_per_host: 2 } };

    it('are created, changed and deleted', async () => {
      const called = name('group');
      const { json } = await ok('POST', 'server_groups', { name: called, project_id: 'p', ...CREATE });
      expect(json).toEqual({
        uuid: expect.stringMatching(UUID),
        name: called,
        project_id: 'p',
        user_id: null,
        ...CREATE,
        members: [],
        hosts: [],
        generation: 0,
        created_at: expect.stringMatching(TIME),
        updated_at: null,
        warnings: [],
      });
      const path = `server_groups/${json.uuid}`;
      expect((await ok('PATCH', path, { name: `${called}x`, project_id: null })).json).toMatchObject({
        name: `${called}x`,
        project_id: null,
        generation: 1,
      });
      const put = { name: called, policy: 'affinity', members: [SOME, OTHER] };
      expect((await ok('PUT', path, { ...put, generation: 1 })).json).toMatchObject({
        rules: {},
        policy: 'affinity',
        members: [SOME, OTHER],
        generation: 2,
      });
      const other = await ask('PUT', path, { name: called, policy: 'anti-affinity', generation: 2 });
      expect(other).toMatchObject(refusal(409, 'scheduler.in_use'));
      expect((await ok('PUT', path, { name: `${called}y`, policy: 'affinity', generation: 2 })).json).toMatchObject({
        name: `${called}y`,
        members: [SOME, OTHER],
      });
      expect(await ask('DELETE', path)).toMatchObject(refusal(409, 'scheduler.in_use'));
      await ok('PUT', path, { name: called, policy: 'affinity', members: [], generation: 3 });
      await ok('DELETE', path);
      expect(await ask('DELETE', path)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('are listed by name, project, policy and member', async () => {
      const [called, project] = [name('group'), name('project')];
      const member = 'bbbbbbbb-0000-4000-8000-000000000001';
      const body = { name: called, project_id: project, policy: 'soft-affinity', members: [member] };
      await ok('POST', 'server_groups', body);
      for (const filter of [`name=${called}`, `project_id=${project}&policy=soft-affinity`, `member=${member}`]) {
        expect((await ok('GET', `server_groups?${filter}`)).json.server_groups).toMatchObject([{ name: called }]);
      }
    });

    it.each<[string, object]>([
      ['name', { policy: 'affinity' }],
      ['policy', { name: 'g' }],
      ['policy', { name: 'g', policy: 'near' }],
      ['rules.max_server_per_host', { name: 'g', policy: 'anti-affinity', rules: { max_server_per_host: 0 } }],
      ['rules.max_server_per_host', { name: 'g', policy: 'affinity', rules: { max_server_per_host: 1 } }],
      ['rules.max', { name: 'g', policy: 'anti-affinity', rules: { max: 1 } }],
      ['members', { name: 'g', policy: 'affinity', members: ['x'] }],
      ['hosts', { name: 'g', policy: 'affinity', hosts: [] }],
    ])('refuse %s by field', async (field, body) => {
      await refusesField(field, 'POST', 'server_groups', body);
    });
  });
});
