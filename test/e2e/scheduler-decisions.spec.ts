// Stored decisions over HTTP on both databases: which are stored, how they are found, and how they are deleted.
import { SCHEDULER_LIMITS } from '../../src/platform/config/limits/scheduler';
import { DecisionStore } from '../../src/scheduler/decisions/decision-store';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { clear, explain, instance, loadWorld, select } from './scheduler-cloud';

describe.each(testDatabaseKinds())('decisions on %s', (kind) => {
  let service: TestService;
  let store: DecisionStore;
  beforeAll(async () => {
    service = await startTestService(kind, {
      overrides: { berth: { decisions_max_count: 5, decisions_max_age_seconds: 3_600 } },
    });
    store = service.app.get(DecisionStore);
    await loadWorld(service, 'a VCPU:16 MEMORY_MB:8192\nb VCPU:16 MEMORY_MB:4096');
  });
  afterAll(async () => {
    await clear(service);
    await service.stop();
  });
  beforeEach(async () => {
    await store.flush();
    await service.database.write(async (tx) => {
      await tx.run('DELETE FROM scheduler_decision_subjects');
      await tx.run('DELETE FROM scheduler_decisions');
      await tx.run("UPDATE registry_locks SET version = 0 WHERE name = 'decisions'");
    });
    for (const { uuid } of (await get('/scheduler/instances')).json.instances as { uuid: string }[]) {
      await service.request({ method: 'DELETE', path: `/scheduler/instances/${uuid}` });
    }
  });

  const get = (path: string): Promise<TestResponse> => service.request({ path });
  const list = async (query = ''): Promise<Json[]> => {
    const { status, json, text } = await get(`/scheduler/decisions${query}`);
    if (status !== 200) throw new Error(text);
    return json.decisions;
  };
  const idOf = ({ json }: TestResponse): string => json.request_id ?? json.errors[0].request_id;
  const idsOf = (decisions: Json[]): string[] => decisions.map((each) => each.request_id);

  it('are stored after the answer, and shown as documents', async () => {
    const answer = await select(service, { instances: [instance(1)], explain: 'none' });
    await store.flush();
    const { status, json } = await get(`/scheduler/decisions/${idOf(answer)}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      request_id: idOf(answer),
      outcome: 'placed',
      request: { instances: [instance(1)] },
      passes: [{ selected: { host: 'a' }, ranking: [{ host: 'a' }, { host: 'b' }] }],
    });
    expect(await list()).toEqual([
      {
        request_id: idOf(answer),
        at: json.at,
        outcome: 'placed',
        code: null,
        project_id: 'project',
        instance: instance(1),
        instance_name: null,
        num_instances: 1,
        flavor: 'm1.small',
        image: null,
        duration_ms: json.duration_ms,
        hosts: ['a'],
        hosts_chosen: 1,
        sentence: json.summary.sentence,
        bytes: expect.any(Number),
      },
    ]);
  });

  it('show the request and the hosts, if known', async () => {
    const flavor = { name: 'm1.tiny', vcpus: 1, memory_mb: 1 };
    const image = { id: instance(9), name: 'cirros' };
    await select(service, { flavor, image, instances: [instance(1), instance(2)], force_hosts: ['b'] });
    await select(service, { flavor, image: { ...image, name: null }, instances: [instance(3)], ignore_hosts: ['a'] });
    // The first instance fits, and is released because the second does not.
    await select(service, { flavor: { ...flavor, vcpus: 16 }, instances: [instance(4), instance(5)] });
    await select(service, { flavor: 'nobody knows' });
    await store.flush();
    expect((await get('/scheduler/decisions?with=count&limit=1')).json).toMatchObject({ count: 4 });
    expect((await get('/scheduler/decisions?with=count&limit=1&outcome=placed')).json).toMatchObject({ count: 2 });
    const took = expect.any(Number) as number;
    expect(await list()).toMatchObject([
      { outcome: 'refused', flavor: null, image: null, duration_ms: took, hosts: [], hosts_chosen: 0 },
      { outcome: 'no_valid_host', flavor: 'm1.tiny', image: null, duration_ms: took, hosts: [], hosts_chosen: 0 },
      { outcome: 'placed', flavor: 'm1.tiny', image: instance(9), duration_ms: took, hosts: ['b'], hosts_chosen: 1 },
      { outcome: 'placed', flavor: 'm1.tiny', image: 'cirros', duration_ms: took, hosts: ['b'], hosts_chosen: 1 },
    ]);
  });

  it('name an instance, if it has a name and was placed', async () => {
    const names = { instance_names: { [instance(1)]: 'web', [instance(2)]: 'db' } };
    await select(service, { instances: [instance(1)], ...names });
    await select(service, { instances: [instance(2)], ...names, availability_zone: 'nowhere' });
    await store.flush();
    expect(await list()).toMatchObject([
      { project_id: 'project', instance: instance(2), instance_name: null },
      { project_id: 'project', instance: instance(1), instance_name: 'web' },
    ]);
  });

  it('name the first hosts of a batch, and count all', async () => {
    const decision = { ...((await decided()) as { hostsChosen: string[] }) };
    decision.hostsChosen = Array.from({ length: SCHEDULER_LIMITS.decisionHostsListed + 2 }, (_, at) => `cn${at}`);
    store.keep(decision as never);
    await store.flush();
    const [{ hosts, hosts_chosen: chosen }] = await list();
    expect(hosts).toEqual(decision.hostsChosen.slice(0, SCHEDULER_LIMITS.decisionHostsListed));
    expect(chosen).toBe(decision.hostsChosen.length);
  });

  it('omit fields that an earlier release did not store', async () => {
    await service.database.write((tx) =>
      tx.run(
        'INSERT INTO scheduler_decisions (request_id, at, outcome, code, project_id, num_instances, sentence, document, bytes) ' +
          "VALUES ('req-old', 1, 'placed', NULL, NULL, 1, 'Placed.', '', 0)",
      ),
    );
    const unknown = { flavor: null, image: null, duration_ms: null, hosts: null, hosts_chosen: null };
    expect(await list()).toMatchObject([{ request_id: 'req-old', ...unknown }]);
  });

  it('are written without any read', async () => {
    const answer = await select(service);
    for (let tries = 0; tries < 100 && (await list()).length === 0; tries += 1) {
      await new Promise((resume) => setTimeout(resume, 20));
    }
    expect(idsOf(await list())).toEqual([idOf(answer)]);
  });

  it('are not stored for dry runs, explanations, simulations and capacities', async () => {
    await select(service, { dry_run: true });
    await explain(service);
    const flavor = { vcpus: 1, memory_mb: 1 };
    const request = { project_id: 'p', user_id: 'u', num_instances: 1, flavor };
    const post = { method: 'POST' } as const;
    expect((await service.request({ ...post, path: '/scheduler/simulate', body: { request } })).status).toBe(200);
    expect((await service.request({ ...post, path: '/scheduler/capacity', body: { flavor } })).status).toBe(200);
    await store.flush();
    expect(await list()).toEqual([]);
  });

  it('are found by instance, host, outcome, code, project and time, newest first', async () => {
    const onA = await select(service, { instances: [instance(1)], force_hosts: ['a'] });
    const onB = await select(service, { instances: [instance(2)], force_hosts: ['b'], project_id: 'other' });
    const none = await select(service, { instances: [instance(3)], flavor: { vcpus: 99, memory_mb: 1 } });
    const refused = await select(service, { flavor: 'nobody knows' });
    await store.flush();
    expect(idsOf(await list())).toEqual([refused, none, onB, onA].map(idOf));
    expect(idsOf(await list(`?instance=${instance(2)}`))).toEqual([idOf(onB)]);
    expect(idsOf(await list(`?instance=${instance(3).toUpperCase()}`))).toEqual([idOf(none)]);
    expect(idsOf(await list('?host=a'))).toEqual([idOf(onA)]);
    expect(idsOf(await list(`?host=a&instance=${instance(2)}`))).toEqual([]);
    expect(idsOf(await list('?outcome=placed'))).toEqual([onB, onA].map(idOf));
    expect(idsOf(await list('?code=scheduler.no_candidates'))).toEqual([idOf(none)]);
    expect(idsOf(await list('?project_id=other'))).toEqual([idOf(onB)]);
    const [{ at }] = await list(`?instance=${instance(2)}`);
    const since = await list(`?since=${encodeURIComponent(String(at))}`);
    expect(idsOf(since)).toEqual(expect.arrayContaining([refused, none, onB].map(idOf)));
    expect(await list(`?since=${Date.parse(String((await list())[0].at)) + 1}`)).toEqual([]);
  });

  it('come in pages', async () => {
    for (let count = 0; count < 3; count += 1) await select(service);
    await store.flush();
    const all = idsOf(await list());
    const first = (await get('/scheduler/decisions?limit=2')).json;
    expect([idsOf(first.decisions), first.next_marker]).toEqual([all.slice(0, 2), all[1]]);
    const second = (await get(`/scheduler/decisions?limit=2&marker=${first.next_marker}`)).json;
    expect([idsOf(second.decisions), second.next_marker]).toEqual([all.slice(2), null]);
  });

  it.each([
    ['/scheduler/decisions/req-nobody', 404],
    ['/scheduler/decisions?marker=req-nobody', 400],
    ['/scheduler/decisions?outcome=good', 400],
    ['/scheduler/decisions?since=someday', 400],
    ['/scheduler/decisions?instance=x', 400],
    ['/scheduler/decisions?colour=red', 400],
  ])('%s is answered with %d', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it('are deleted above the maximum count, oldest first, by one process per round', async () => {
    for (let count = 0; count < 7; count += 1)
      await select(service, { dry_run: false, flavor: { vcpus: 0, memory_mb: 1 } });
    await store.flush();
    const all = idsOf(await list());
    const nowMs = Date.now();
    expect(await Promise.all([store.trim(nowMs), store.trim(nowMs)])).toEqual(expect.arrayContaining([0, 2]));
    expect(idsOf(await list())).toEqual(all.slice(0, 5));
    expect(await store.trim(nowMs)).toBe(0);
    const [row] = await service.database.read((sql) =>
      sql.query<{ count: number }>('SELECT COUNT(DISTINCT decision_id) AS count FROM scheduler_decision_subjects'),
    );
    expect(Number(row?.count)).toBe(5);
  });

  it('are deleted by age, exact to the second', async () => {
    await select(service);
    await store.flush();
    const [{ at }] = await list();
    const atMs = Date.parse(String(at));
    expect(await store.trim(atMs + 3_600_000)).toBe(0);
    expect(await store.trim(atMs + 3_600_001 + SCHEDULER_LIMITS.decisionTrimSeconds * 1000)).toBe(1);
    expect(await list()).toEqual([]);
  });

  it('are deleted above the maximum size', async () => {
    await select(service);
    await select(service);
    await store.flush();
    const [newest] = idsOf(await list());
    await service.database.write((tx) =>
      tx.run('UPDATE scheduler_decisions SET bytes = ?', [SCHEDULER_LIMITS.decisionsBytes / 2 + 1]),
    );
    expect(await store.trim()).toBe(1);
    expect(idsOf(await list())).toEqual([newest]);
  });

  it('above the queue limit are dropped and counted, without any delay', async () => {
    const decision = (await decided()) as never;
    const before = store.dropped;
    for (
      let count = 0;
      count < SCHEDULER_LIMITS.decisionsQueued + SCHEDULER_LIMITS.decisionsPerWrite + 10;
      count += 1
    ) {
      store.keep(decision);
    }
    expect(store.dropped - before).toBe(10);
    await store.flush();
    expect((await list('?limit=1000')).length).toBe(
      SCHEDULER_LIMITS.decisionsQueued + SCHEDULER_LIMITS.decisionsPerWrite,
    );
  });

  it('in the queue are written at shutdown', async () => {
    await select(service);
    await store.onModuleDestroy();
    expect(await list()).toHaveLength(1);
  });

  /** A decision in the form that the scheduler stores. */
  async function decided(): Promise<unknown> {
    const caught: unknown[] = [];
    const keep = jest.spyOn(store, 'keep').mockImplementation((decision) => void caught.push(decision));
    await select(service);
    keep.mockRestore();
    return caught[0];
  }
});
