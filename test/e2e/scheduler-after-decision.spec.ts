// The steps after a decision, over HTTP on both databases: failed builds, moves, and the data they leave behind.
import { testDatabaseKinds } from '../support/databases';
import { naming } from '../support/naming';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { allocationsOf, books, clear, hostsOf, instance, loadWorld, select } from './scheduler-cloud';

const GROUP = '00000000-0000-4000-8000-00000000bbbb';
const FOUR = 'a VCPU:8 MEMORY_MB:8192\nb VCPU:8 MEMORY_MB:6144\nc VCPU:8 MEMORY_MB:4096\nd VCPU:8 MEMORY_MB:2048';
const VM = instance(1);

describe.each(testDatabaseKinds())('after the decision on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    const { json } = await service.request({ path: '/scheduler/instances' });
    for (const { uuid } of json.instances as { uuid: string }[]) {
      expect((await service.request({ method: 'DELETE', path: `/scheduler/instances/${uuid}` })).status).toBe(204);
    }
    // A released instance leaves nothing behind, even after moves.
    expect((await books(service)).consumers).toBe(0);
    await service.request({ method: 'DELETE', path: `/scheduler/server_groups/${GROUP}` });
    await clear(service);
  });

  const post = (what: string, body?: object, uuid = VM): Promise<TestResponse> =>
    service.request({
      method: 'POST',
      path: `/scheduler/instances/${uuid}/${what}`,
      ...(body !== undefined && { body }),
    });
  const failed = (host: string, more: object = {}): Promise<TestResponse> =>
    post('build_failed', { host, node: host, reason: 'no such image', ...more });
  const shown = async (uuid = VM): Promise<Json> =>
    (await service.request({ path: `/scheduler/instances/${uuid}` })).json;
  const placesOf = async (consumer: string): Promise<string[]> => {
    const uuids = Object.keys(await allocationsOf(service, consumer));
    return ['a', 'b', 'c', 'd'].filter((name) => uuids.includes(providerUuid(name)));
  };
  const codeOf = ({ status, json }: TestResponse): [number, string] => [status, json.errors?.[0]?.code];
  const group = (policy: string, members: readonly string[] = []): Promise<TestResponse> =>
    service.request({
      method: 'PUT',
      path: `/scheduler/server_groups/${GROUP}`,
      body: { name: 'g', policy, members },
    });
  const groupHosts = async (): Promise<string[]> =>
    (await service.request({ path: `/scheduler/server_groups/${GROUP}` })).json.hosts;
  const disable = (host: string, status = 'disabled'): Promise<TestResponse> =>
    service.request({ method: 'PATCH', path: `/scheduler/services/${host}`, body: { status } });

  describe('a failed build', () => {
    it('moves the claim to the remembered alternates, one after the other, then ends', async () => {
      await loadWorld(service, FOUR);
      expect(hostsOf(await select(service, { instances: [VM] }))).toEqual(['a']);
      const second = await failed('a');
      expect(hostsOf(second)).toEqual(['b']);
      expect(second.json).toMatchObject({ attempts: 2, selections: [{ alternates: [{ host: 'c' }] }] });
      expect(await placesOf(VM)).toEqual(['b']);
      expect(await shown()).toMatchObject({
        host: 'b',
        state: 'placed',
        attempts: 2,
        alternates: [{ host: 'c' }],
        tried: [{ host: 'a', reason: 'no such image' }],
      });
      expect(hostsOf(await failed('b'))).toEqual(['c']);
      const over = await failed('c');
      expect(codeOf(over)).toEqual([409, 'scheduler.attempts_exhausted']);
      expect(over.json.errors[0]).toMatchObject({
        detail: expect.stringContaining(
          `Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance ${VM}.`,
        ),
        decision: { outcome: 'no_valid_host', code: 'scheduler.attempts_exhausted' },
      });
      expect((await service.request({ path: `/scheduler/instances/${VM}` })).status).toBe(404);
      expect((await books(service)).consumers).toBe(0);
    });

    it('skips an alternate that no longer fits', async () => {
      await loadWorld(service, FOUR);
      await select(service, { instances: [VM] });
      await select(service, { instances: [instance(2)], force_hosts: ['b'], flavor: { vcpus: 1, memory_mb: 6144 } });
      const again = await failed('a');
      expect(hostsOf(again)).toEqual(['c']);
      expect(again.json.selections[0].alternates).toEqual([]);
    });

    it('runs the pipeline again if no alternate is left, without the hosts already tried', async () => {
      await loadWorld(service, FOUR);
      await select(service, { instances: [VM], return_alternates: false });
      const again = await failed('a');
      expect(hostsOf(again)).toEqual(['b']);
      expect(again.json).toMatchObject({ attempts: 2, selections: [{ alternates: [{ host: 'c' }, { host: 'd' }] }] });
      expect((await shown()).request.ignore_hosts).toEqual(['a']);
    });

    it('ends if no other host is found, or if one host was forced', async () => {
      await loadWorld(service, 'a VCPU:8 MEMORY_MB:8192');
      await select(service, { instances: [VM] });
      expect(codeOf(await failed('a'))).toEqual([409, 'scheduler.attempts_exhausted']);
      await loadWorld(service, 'b VCPU:8 MEMORY_MB:8192');
      await select(service, { instances: [VM], force_hosts: ['a'] });
      expect(codeOf(await failed('a'))).toEqual([409, 'scheduler.attempts_exhausted']);
    });

    it('must be reported for the current host of the instance', async () => {
      await loadWorld(service, FOUR);
      await select(service, { instances: [VM] });
      expect(codeOf(await failed('b'))).toEqual([409, 'scheduler.generation_conflict']);
      expect((await failed('b')).json.errors[0].detail).toContain("'host' is not a, where the instance is");
      expect(codeOf(await failed('a', { node: 'x' }))).toEqual([409, 'scheduler.generation_conflict']);
      expect((await failed('a', { nodes: 'a' })).status).toBe(400);
      expect((await post('build_failed', { host: 'a' }, instance(9))).status).toBe(404);
      expect(await shown()).toMatchObject({ host: 'a', attempts: 1 });
    });

    it('reported twice at once moves the instance once', async () => {
      await loadWorld(service, FOUR);
      await select(service, { instances: [VM] });
      const answers = await Promise.all([failed('a'), failed('a')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await shown()).toMatchObject({ host: 'b', attempts: 2 });
      expect(await placesOf(VM)).toEqual(['b']);
    });

    it.each([
      ['anti-affinity', 'c', ['b', 'c']],
      ['affinity', 'b', ['b']],
    ])('satisfies the policy %s, with which the instance does not conflict itself', async (policy, expected, hosts) => {
      await loadWorld(service, FOUR);
      await group(policy);
      const other = { instances: [instance(2)], instance_group: GROUP };
      await select(service, { instances: [VM], instance_group: GROUP });
      if (policy === 'anti-affinity') await select(service, other);
      expect(hostsOf(await failed('a'))).toEqual([expected]);
      expect((await groupHosts()).sort()).toEqual(hosts);
    });

    it('is a stored decision', async () => {
      await loadWorld(service, FOUR);
      await select(service, { instances: [VM] });
      const { json } = await failed('a');
      let kept = 404;
      for (let tries = 0; tries < 100 && kept === 404; tries += 1) {
        await new Promise((resume) => setTimeout(resume, 20));
        kept = (await service.request({ path: `/scheduler/decisions/${json.request_id}` })).status;
      }
      expect(kept).toBe(200);
    });
  });

  describe('the reports of hosts', () => {
    const NAMES = ['a', 'b'];
    const report = (host: string, instances: readonly string[]): Promise<TestResponse> =>
      service.request({
        method: 'PUT',
        path: `/scheduler/hosts/${host}/${host}`,
        body: { uuid: providerUuid(host), instances: instances.map((uuid) => ({ uuid })) },
      });
    /** The number of instances of each host, as filters see it. */
    const counts = async (): Promise<Record<string, number>> => {
      const { json } = await service.request({
        method: 'POST',
        path: '/scheduler/explain',
        body: { num_instances: 1, flavor: { vcpus: 0, memory_mb: 1 }, project_id: 'p', user_id: 'u', explain: 'all' },
      });
      const { weighers } = json.decision.passes[0];
      const { hosts } = weighers.find(({ name }: Json) => name === 'NumInstancesWeigher');
      return Object.fromEntries(NAMES.map((name) => [name, hosts.find(({ host }: Json) => host === name).raw]));
    };
    beforeEach(async () => {
      await loadWorld(service, 'a VCPU:8 MEMORY_MB:8192\nb VCPU:8 MEMORY_MB:6144');
      for (const name of NAMES) await report(name, []);
      await select(service, { instances: [VM] });
    });
    afterEach(async () => {
      await service.request({ method: 'DELETE', path: `/scheduler/instances/${VM}` });
      for (const name of NAMES) {
        await service.request({ method: 'DELETE', path: `/scheduler/hosts/${name}/${name}` });
        await service.request({ method: 'DELETE', path: `/scheduler/services/${name}` });
      }
    });

    it('count the instance on its new host after a failed build', async () => {
      expect(await counts()).toEqual({ a: 1, b: 0 });
      await failed('a');
      expect(await counts()).toEqual({ a: 0, b: 1 });
    });

    it('count it on both sides of a move, and on one after its end', async () => {
      await report('a', [VM]);
      await post('move', { type: 'cold_migrate' });
      expect(await counts()).toEqual({ a: 1, b: 1 });
      await post('revert_move');
      expect(await counts()).toEqual({ a: 1, b: 0 });
      await post('move', { type: 'cold_migrate' });
      await report('b', [VM]);
      await post('confirm_move');
      expect(await counts()).toEqual({ a: 0, b: 1 });
    });

    it('do not count it after its deletion during a move', async () => {
      await report('a', [VM]);
      await post('move', { type: 'cold_migrate' });
      await report('b', [VM]);
      await service.request({ method: 'DELETE', path: `/scheduler/instances/${VM}` });
      expect(await counts()).toEqual({ a: 0, b: 0 });
    });
  });

  describe('a move', () => {
    beforeEach(async () => {
      await loadWorld(service, FOUR);
      await select(service, { instances: [VM] });
    });
    const BIG = { name: 'big', vcpus: 2, memory_mb: 1024 };

    it('claims the target and keeps the old allocations for a migration until the confirmation', async () => {
      const before = await allocationsOf(service, VM);
      const moved = await post('move', { type: 'resize', flavor: BIG });
      expect(moved.json).toMatchObject({
        type: 'resize',
        selections: [{ selected: { host: 'b' }, alternates: [{ host: 'c' }, { host: 'd' }] }],
      });
      const migration = String(moved.json.migration_uuid);
      expect(await placesOf(VM)).toEqual(['b']);
      expect(await allocationsOf(service, migration)).toMatchObject({
        [providerUuid('a')]: { resources: (Object.values(before) as { resources: object }[])[0]?.resources },
      });
      const consumer = (await service.request({ path: `/allocations/${migration}` })).json;
      expect(consumer.consumer_type).toBe('MIGRATION');
      expect(await shown()).toMatchObject({
        host: 'b',
        state: 'moving',
        flavor: { name: 'big' },
        move: { type: 'resize', migration_uuid: migration, source: { host: 'a' } },
      });
      expect((await post('confirm_move')).json).toMatchObject({ host: 'b', state: 'placed', move: null });
      expect(await placesOf(migration)).toEqual([]);
      expect((await books(service)).consumers).toBe(1);
    });

    it('is reverted to exactly the old state', async () => {
      const [before, record] = [await allocationsOf(service, VM), await shown()];
      const { json } = await post('move', { type: 'cold_migrate' });
      const reverted = await post('revert_move');
      expect(reverted.status).toBe(200);
      const left = ({ updated_at: _time, allocations: _allocations, ...rest }: Json): Json => rest;
      expect(left(reverted.json)).toEqual(left(record));
      const resources = (each: Record<string, unknown>): unknown[] =>
        Object.entries(each).map(([uuid, one]) => [uuid, (one as { resources: object }).resources]);
      expect(resources(await allocationsOf(service, VM))).toEqual(resources(before));
      expect(await placesOf(String(json.migration_uuid))).toEqual([]);
      expect((await books(service)).consumers).toBe(1);
    });

    it.each([
      ['resize', { flavor: BIG }, 2],
      ['cold_migrate', {}, 2],
      ['live_migrate', {}, 0],
      ['evacuate', {}, 0],
    ])('of type %s leaves the source, with %j', async (type, more, alternates) => {
      const { json } = await post('move', { type, ...more });
      expect(json.selections).toMatchObject([{ selected: { host: 'b' } }]);
      expect(json.selections[0].alternates).toHaveLength(alternates);
    });

    it('of type unshelve can stay on the host, and needs no existing allocations', async () => {
      expect((await post('move', { type: 'unshelve' })).json.selections[0].selected.host).toBe('a');
      await post('revert_move');
      await service.request({ method: 'DELETE', path: `/allocations/${VM}` });
      const answer = await post('move', { type: 'unshelve' });
      expect(answer.json).toMatchObject({ migration_uuid: null, selections: [{ selected: { host: 'a' } }] });
      expect(await shown()).toMatchObject({ state: 'placed', move: null });
      expect(codeOf(await post('confirm_move'))).toEqual([409, 'scheduler.in_use']);
    });

    it('goes to the named target only, which must pass the filters', async () => {
      expect((await post('move', { type: 'live_migrate', target: 'd' })).json.selections[0].selected.host).toBe('d');
      await post('revert_move');
      await service.request({ method: 'PUT', path: '/scheduler/hosts/c/c', body: { uuid: providerUuid('c') } });
      await disable('c');
      expect(codeOf(await post('move', { type: 'evacuate', target: { host: 'c' } }))).toEqual([
        409,
        'scheduler.no_candidates',
      ]);
      expect(await shown()).toMatchObject({ host: 'a', state: 'placed' });
      await disable('c', 'enabled');
      await service.request({ method: 'DELETE', path: '/scheduler/hosts/c/c' });
      await service.request({ method: 'DELETE', path: '/scheduler/services/c' });
    });

    it('skips hosts found unsuitable earlier', async () => {
      const { json } = await post('move', { type: 'live_migrate', ignore_hosts: ['b', 'c'] });
      expect(json.selections[0].selected.host).toBe('d');
    });

    it.each([
      [{ type: 'resize' }, 'flavor'],
      [{ type: 'cold_migrate', flavor: 'x' }, 'flavor'],
      [{ type: 'evacuate', target: 'a' }, 'target.host'],
      [{ type: 'teleport' }, 'type'],
      [{ type: 'evacuate', target: { node: 'a' } }, 'target.host'],
      [{ type: 'resize', flavor: { vcpus: 1 } }, 'flavor.memory_mb'],
      [{ type: 'resize', flavor: 'nobody' }, 'flavor'],
    ])('is refused with the name of the field: %j', async (body, field) => {
      const answer = await post('move', body);
      expect(answer.status).toBe(400);
      expect(answer.json.errors[0].detail).toMatch(naming(field));
      expect(await shown()).toMatchObject({ host: 'a', state: 'placed' });
    });

    it('without a host changes nothing, and gives the reason', async () => {
      const answer = await post('move', { type: 'resize', flavor: { vcpus: 1, memory_mb: 99_999 } });
      expect(codeOf(answer)).toEqual([409, 'scheduler.no_candidates']);
      expect(answer.json.errors[0].decision).toMatchObject({ outcome: 'no_valid_host' });
      expect(await shown()).toMatchObject({ host: 'a', state: 'placed', move: null });
      expect((await books(service)).consumers).toBe(1);
    });

    it('needs the end of the one before, and is confirmed or reverted once', async () => {
      await post('move', { type: 'cold_migrate' });
      expect(codeOf(await post('move', { type: 'cold_migrate' }))).toEqual([409, 'scheduler.in_use']);
      const answers = await Promise.all([post('confirm_move'), post('revert_move')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(codeOf(await post('confirm_move'))).toEqual([409, 'scheduler.in_use']);
      expect(codeOf(await post('revert_move'))).toEqual([409, 'scheduler.in_use']);
      expect((await books(service)).consumers).toBe(1);
      expect((await post('move', { type: 'cold_migrate' })).status).toBe(200);
    });

    it('that is requested twice at once is made once', async () => {
      const answers = await Promise.all([post('move', { type: 'cold_migrate' }), post('move', { type: 'evacuate' })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect((await books(service)).consumers).toBe(2);
    });

    it('whose build fails uses its alternates, and is reverted if none is left', async () => {
      const { json } = await post('move', { type: 'cold_migrate' });
      expect(hostsOf(await failed('b'))).toEqual(['c']);
      expect(await shown()).toMatchObject({ host: 'c', state: 'moving', move: { source: { host: 'a' } } });
      expect(hostsOf(await failed('c'))).toEqual(['d']);
      expect(codeOf(await failed('d'))).toEqual([409, 'scheduler.attempts_exhausted']);
      expect(await shown()).toMatchObject({ host: 'a', state: 'placed', attempts: 1, move: null });
      expect(await placesOf(VM)).toEqual(['a']);
      expect(await placesOf(String(json.migration_uuid))).toEqual([]);
    });

    it('moves the member of its group, and back', async () => {
      await service.request({ method: 'DELETE', path: `/scheduler/instances/${VM}` });
      await group('anti-affinity');
      await select(service, { instances: [VM], instance_group: GROUP });
      await select(service, { instances: [instance(2)], instance_group: GROUP });
      expect((await post('move', { type: 'cold_migrate' })).json.selections[0].selected.host).toBe('c');
      expect(await groupHosts()).toEqual(['b', 'c']);
      await post('revert_move');
      expect(await groupHosts()).toEqual(['a', 'b']);
    });

    it('of an instance that is deleted leaves nothing behind', async () => {
      await post('move', { type: 'cold_migrate' });
      expect((await service.request({ method: 'DELETE', path: `/scheduler/instances/${VM}` })).status).toBe(204);
      expect((await books(service)).consumers).toBe(0);
      const rows = await service.database.read((sql) => sql.query('SELECT id FROM scheduler_moves'));
      expect(rows).toEqual([]);
    });
  });
});
