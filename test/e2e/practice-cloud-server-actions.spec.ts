// Actions on servers of the Compute API: moves, the console, and changes inside the guest.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse } from '../support/service';
import { IMAGE, startServersCloud, TENANT, WINDOWS } from './practice-cloud-servers';
import { books } from './scheduler-cloud';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, create, show, hostOf, act, remove, actions, lastAction } = startServersCloud(kind);

  describe('moves', () => {
    it('resizes, and keeps both places until the confirmation', async () => {
      const id = await create();
      const before = await hostOf(id);
      expect((await act(id, { resize: { flavorRef: '2' } })).status).toBe(202);
      const resized = await show(id);
      expect(resized).toMatchObject({ status: 'VERIFY_RESIZE', flavor: { id: '2' } });
      expect(resized['OS-EXT-SRV-ATTR:host']).not.toBe(before);
      expect((await books(service())).consumers).toBe(2);
      expect((await act(id, { resize: { flavorRef: '1' } })).status).toBe(409);
      expect((await act(id, { confirmResize: null })).status).toBe(204);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '2' } });
      expect((await books(service())).consumers).toBe(1);
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
      expect((await act(id, { resize: { flavorRef: 1 } })).status).toBe(400);
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
      expect((await books(service())).consumers).toBe(1);
      expect((await live(await hostOf(id), '2.30')).status).toBe(400);
      expect((await live('nowhere', '2.30')).status).toBe(400);
      expect((await act(id, { migrate: { host: 'nowhere' } }, { version: '2.56' })).status).toBe(400);
      expect((await show(id))['OS-EXT-STS:task_state']).toBeNull();
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
      expect((await act(id, { evacuate: { host: 'nowhere', onSharedStorage: false } })).status).toBe(404);
      expect(await evacuate()).toMatchObject({ status: 200, json: { adminPass: expect.any(String) } });
      expect(await show(id)).toMatchObject({ status: 'ACTIVE' });
      expect(await hostOf(id)).not.toBe('cn1');
      await force(false);
    });

    it('is shelved, which frees its resources, and unshelved', async () => {
      const id = await create();
      expect((await act(id, { shelve: null })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'SHELVED_OFFLOADED', 'OS-EXT-SRV-ATTR:host': null, hostId: '' });
      expect((await books(service())).consumers).toBe(0);
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
      const { json } = await service().request({ method: 'POST', path: '/scheduler/images', body: { name: 'later' } });
      expect((await act(id, { rebuild: { imageRef: json.uuid as string } })).status).toBe(202);
      const instance = await service().request({ path: `/scheduler/instances/${id}` });
      expect(instance.json).toMatchObject({ image_uuid: json.uuid, image: { name: 'later' } });
      expect(instance.json.request).toMatchObject({ image: { id: json.uuid } });
      expect((await act(id, { rebuild: { imageRef: WINDOWS } })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ERROR', fault: { details: expect.stringContaining('arch') } });
      expect((await act(id, { rebuild: { imageRef: IMAGE } })).status).toBe(202);
      expect(await show(id)).toMatchObject({ status: 'ACTIVE', image: { id: IMAGE } });
      expect((await act(id, { rebuild: { imageRef: 'none' } })).status).toBe(400);
    });
  });

  describe('a server that is stopped', () => {
    it.each([
      ['a confirmed resize', [{ resize: { flavorRef: '2' } }, { confirmResize: null }]],
      ['a reverted resize', [{ resize: { flavorRef: '2' } }, { revertResize: null }]],
      ['a migration', [{ migrate: null }, { confirmResize: null }]],
      ['a rebuild', [{ rebuild: { imageRef: IMAGE } }]],
    ])('stays so after %s', async (_what, steps) => {
      const id = await create();
      for (const step of [{ 'os-stop': null }, ...steps]) expect((await act(id, step)).status).toBeLessThan(300);
      expect(await show(id)).toMatchObject({ status: 'SHUTOFF', 'OS-EXT-STS:power_state': 4 });
      expect((await books(service())).consumers).toBe(1);
    });
  });

  describe('the states', () => {
    /** Steps that bring an active server into each state. */
    const STATES: Readonly<Record<string, readonly object[]>> = {
      active: [],
      stopped: [{ 'os-stop': null }],
      paused: [{ pause: null }],
      suspended: [{ suspend: null }],
      resized: [{ resize: { flavorRef: '2' } }],
      shelved_offloaded: [{ shelve: null }],
      error: [{ 'os-resetState': { state: 'error' } }],
    };
    /** Nova's states for each action: the others conflict. An evacuation is then refused, because its host is up. */
    const ALLOWED: readonly (readonly [action: object, status: number, states: string])[] = [
      [{ resize: { flavorRef: '2' } }, 202, 'active stopped'],
      [{ confirmResize: null }, 204, 'resized'],
      [{ revertResize: null }, 202, 'resized'],
      [{ migrate: null }, 202, 'active stopped'],
      [{ 'os-migrateLive': { host: null, block_migration: 'auto' } }, 202, 'active paused'],
      [{ evacuate: { onSharedStorage: false } }, 400, 'active stopped error'],
      [{ shelve: null }, 202, 'active stopped paused suspended'],
      [{ shelveOffload: null }, 202, ''],
      [{ unshelve: null }, 202, 'shelved_offloaded'],
      [{ rebuild: { imageRef: IMAGE } }, 202, 'active stopped error'],
      [{ reboot: { type: 'SOFT' } }, 202, 'active'],
      [{ reboot: { type: 'hard' } }, 202, 'active stopped paused suspended error'],
      [{ 'os-start': null }, 202, 'stopped'],
      [{ 'os-stop': null }, 202, 'active error'],
      [{ pause: null }, 202, 'active'],
      [{ unpause: null }, 202, 'paused'],
      [{ suspend: null }, 202, 'active'],
      [{ resume: null }, 202, 'suspended'],
      [{ lock: null }, 202, Object.keys(STATES).join(' ')],
      [{ unlock: null }, 202, Object.keys(STATES).join(' ')],
      [{ 'os-resetState': { state: 'active' } }, 202, Object.keys(STATES).join(' ')],
      [{ 'os-getConsoleOutput': {} }, 200, Object.keys(STATES).join(' ')],
      [{ forceDelete: null }, 202, Object.keys(STATES).join(' ')],
    ];
    const WITH_BODY = ['rebuild', 'os-getConsoleOutput'];

    it.each(ALLOWED)('%j answers %i in the states "%s", and 409 in the others', async (action, status, states) => {
      for (const [state, steps] of Object.entries(STATES)) {
        const id = await create();
        for (const step of steps) await act(id, step);
        const { 'OS-EXT-STS:vm_state': before } = await show(id);
        const answer = await act(id, action);
        const isAllowed = states.split(' ').includes(state);
        expect([state, before, answer.status]).toEqual([state, state, isAllowed ? status : 409]);
        if (isAllowed && status < 300)
          expect(answer.text === '').toBe(!WITH_BODY.includes(Object.keys(action)[0] ?? ''));
        if (!isAllowed) expect((await show(id))['OS-EXT-STS:vm_state']).toBe(state);
        await remove(id);
      }
    });

    it('conflict for a server that never had a host, except the deletion', async () => {
      const id = await create({ flavorRef: '9' });
      for (const action of [{ 'os-stop': null }, { rebuild: { imageRef: IMAGE } }, { reboot: { type: 'HARD' } }])
        expect((await act(id, action)).status).toBe(409);
      expect((await show(id)).status).toBe('ERROR');
      expect((await act(id, { forceDelete: null })).status).toBe(202);
    });

    it('decide whether metadata can change', async () => {
      const id = await create();
      const set = () => ask(`servers/${id}/metadata/k`, { method: 'PUT', body: { meta: { k: 'v' } } });
      expect((await set()).status).toBe(200);
      await act(id, { shelve: null });
      expect((await set()).status).toBe(409);
    });
  });

  it('records a reset of the state', async () => {
    const id = await create();
    await act(id, { 'os-resetState': { state: 'error' } });
    expect(await lastAction(id)).toMatchObject({ action: 'reset_state', events: [{ result: 'Success' }] });
  });

  it('answers a rebuild with the server, in the form of the version', async () => {
    const id = await create();
    const rebuild = (version: string, more: object = {}) =>
      act(id, { rebuild: { imageRef: IMAGE, ...more } }, { version });
    const old = await rebuild('2.1', { name: 'again', adminPass: 'secret' });
    expect(old.json.server).toMatchObject({ id, name: 'again', status: 'ACTIVE', adminPass: 'secret' });
    expect(old.headers['location']).toMatch(new RegExp(`/compute/v2.1/servers/${id}$`));
    for (const key of ['key_name', 'user_data', 'config_drive', 'OS-EXT-STS:vm_state', 'OS-EXT-SRV-ATTR:host'])
      expect(old.json.server).not.toHaveProperty([key]);
    expect((await rebuild('2.57')).json.server).toMatchObject({ key_name: null, user_data: null });
    const whole = (await rebuild('2.75')).json.server;
    expect(Object.keys(whole)).toEqual(expect.arrayContaining(Object.keys(await show(id, { version: '2.75' }))));
  });

  it('has an address, a security group, and neither ports, volumes nor migrations', async () => {
    const id = await create({}, { as: TENANT });
    const list = async (name: string): Promise<any> => (await ok(`servers/${id}/${name}`)).json;
    const [{ addr }] = (await show(id)).addresses.practice as [{ addr: string }];
    expect(await list('ips')).toEqual({ addresses: { practice: [{ version: 4, addr }] } });
    expect((await list('os-security-groups')).security_groups).toMatchObject([{ name: 'default' }]);
    const migrations = `servers/${id}/migrations`;
    expect((await ok(migrations, { version: '2.23' })).json).toEqual({ migrations: [] });
    expect((await ask(migrations, { version: '2.22' })).status).toBe(404);
    expect((await ask(`servers/${id}/os-surprise`)).status).toBe(404);
    expect(await list('os-interface')).toEqual({ interfaceAttachments: [] });
    expect(await list('os-volume_attachments')).toEqual({ volumeAttachments: [] });
    for (const name of ['ips', 'os-security-groups', 'os-interface', 'os-volume_attachments'])
      expect((await ask(`servers/${id}/${name}`, { as: 'lee:other' })).status).toBe(404);
  });

  it('lists actions in pages', async () => {
    const id = await create();
    for (const action of ['os-stop', 'os-start']) await act(id, { [action]: null });
    const list = async (query: string, version = '2.66'): Promise<any> =>
      (await ok(`servers/${id}/os-instance-actions?${query}`, { version })).json;
    const names = async (query: string, version?: string): Promise<string[]> =>
      ((await list(query, version)).instanceActions as { action: string }[]).map(({ action }) => action);
    expect(await names('')).toEqual(['start', 'stop', 'create']);
    const first = await list('limit=1');
    const [link] = first.links as { href: string }[];
    expect(first.instanceActions).toHaveLength(1);
    expect(await names(String(link?.href).replace(/^.*\?/, ''))).toEqual(['stop']);
    expect(await names('limit=1', '2.1')).toEqual(['start']);
    for (const [query, version] of [
      ['changes-since=2001-01-01T00:00:00Z', '2.66'],
      ['marker=req-none', '2.66'],
      ['surprise=1', '2.1'],
    ] as const) {
      const answer = await ask(`servers/${id}/os-instance-actions?${query}`, { version });
      const parameter = query.slice(0, query.indexOf('='));
      expect([answer.status, answer.json.badRequest?.message]).toEqual([
        400,
        expect.stringContaining(`'${parameter}'`),
      ]);
    }
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
      const metadata = { method: 'POST', as: TENANT, body: { metadata: { a: '1' } } } as const;
      expect((await ask(`servers/${id}/metadata`, metadata)).status).toBe(409);
      expect((await act(id, { unlock: null }, { as: TENANT })).status).toBe(403);
      await act(id, { lock: null }, { as: TENANT });
      expect((await act(id, { unlock: null }, { as: TENANT })).status).toBe(403);
      expect((await act(id, { unlock: null })).status).toBe(202);
      expect((await act(id, { 'os-stop': null }, { as: TENANT })).status).toBe(202);
    });

    it('are allowed again after the owner or an administrator has unlocked what the owner locked', async () => {
      const id = await create({}, { as: TENANT });
      for (const as of [TENANT, 'lee:demo', 'admin:ops']) {
        expect((await act(id, { lock: null }, { as: TENANT })).status).toBe(202);
        expect((await act(id, { 'os-stop': null }, { as: TENANT })).status).toBe(409);
        expect((await act(id, { unlock: null }, { as })).status).toBe(202);
        expect((await show(id, { version: '2.9' })).locked).toBe(false);
      }
      expect((await act(id, { unlock: null }, { as: 'lee:other' })).status).toBe(404);
    });

    it('are reset by administrators', async () => {
      const id = await create({}, { as: TENANT });
      await act(id, { 'os-resetState': { state: 'error' } });
      expect((await show(id)).status).toBe('ERROR');
      await act(id, { 'os-resetState': { state: 'active' } });
      expect((await show(id)).status).toBe('ACTIVE');
      expect((await act(id, { 'os-resetState': { state: 'active' } }, { as: TENANT })).status).toBe(403);
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
