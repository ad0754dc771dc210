// Plans over HTTP on both databases: what a goal takes, what is kept and for how long, and the outcomes of moves.
import { SCHEDULER_LIMITS } from '../../src/platform/config/limits/scheduler';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { move, planned, plansWith } from './plans-planner';

const uuidOf = (number: number): string => `cccccccc-0000-4000-8000-${String(number).padStart(12, '0')}`;
const UNKNOWN = uuidOf(999);

describe.each(testDatabaseKinds())('plans on %s', (kind) => {
  let service: TestService;
  const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<TestResponse> =>
    service.request({ method, path: `/scheduler/${path}`, ...(body !== undefined && { body }) });
  const get = (path: string): Promise<TestResponse> => service.request({ path: `/scheduler/${path}` });
  const plan = async (body: object = { goal: 'drain', hosts: ['h1'] }): Promise<any> => {
    const { status, json, text } = await send('POST', 'plans', body);
    if (status !== 201) throw new Error(text);
    return json;
  };

  beforeAll(async () => {
    service = await startTestService(kind);
    for (const host of ['h1', 'h2', 'h3']) {
      await send('PUT', `hosts/${host}/${host}`, { vcpus_total: 4, memory_mb: 4_096, report_providers: true });
    }
    await send('POST', 'host_aggregates', { name: 'rack', hosts: ['h1', 'h2'] });
    await send('POST', 'host_aggregates', { name: 'zone', availability_zone: 'az1', hosts: ['h2', 'h3'] });
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.database.write((tx) => tx.run('DELETE FROM scheduler_plans'));
  });

  const TWELVE = planned({
    moves: [move(1, uuidOf(1), 'h2'), move(2, uuidOf(2), 'h3'), move(3, uuidOf(3), 'h2', { stage: 2, after: [1] })],
    unmovable: [
      {
        instance: { uuid: uuidOf(4), name: null, projectId: 'p' },
        host: { host: 'h1', node: 'h1' },
        sentence: '0 of 2 hosts fit.',
        remedy: 'Enable h4.',
      },
    ],
    isReached: false,
    leastMoves: 3,
    warnings: ['One.'],
  });

  it('are made, kept, listed newest first and deleted', async () => {
    plansWith(service, TWELVE);
    const made = await send('POST', 'plans', { goal: 'drain', hosts: ['h1'], seed: 7 });
    expect(made.status).toBe(201);
    const { id, request_id: requestId, created_at: at } = made.json;
    expect(made.headers['location']).toMatch(new RegExp(`/scheduler/plans/${id}$`));
    expect(made.json).toMatchObject({
      goal: 'drain',
      ask: { goal: 'drain', hosts: ['h1'], seed: 7 },
      hosts: ['h1'],
      sentence: '3 of 4 instances of h1 can leave: 3 moves in 2 stages, at least 3 are needed; 1 cannot move.',
      complete: false,
      outcomes: { waiting: 3, running: 0, done: 0, failed: 0, skipped: 0 },
      stages: [
        [
          {
            number: 1,
            stage: 1,
            after: [],
            instance: { uuid: uuidOf(1), name: 'vm-1', project_id: 'p' },
            source: { host: 'h1', node: 'h1' },
            target: { host: 'h2', node: 'h2' },
            amounts: { VCPU: 1 },
            reason: 'h2 has the most free memory.',
            outcome: null,
          },
          { number: 2 },
        ],
        [{ number: 3, after: [1] }],
      ],
      cannot_move: [{ instance: { uuid: uuidOf(4) }, sentence: '0 of 2 hosts fit.', remedy: 'Enable h4.' }],
      bound: 3,
      before: { used_hosts: 3, spread: 12.5, places: null },
      after: { used_hosts: 2, spread: 6.25 },
      warnings: ['One.'],
      time_up: false,
    });
    expect(Date.parse(made.json.expires_at as string) - Date.parse(at as string)).toBe(7 * 86_400_000);
    expect((await get(`plans/${id}`)).json).toEqual(made.json);

    const second = await plan();
    const page = (await get('plans?limit=1')).json;
    expect(page).toMatchObject({ plans: [{ id: second.id, goal: 'drain' }], next_marker: second.id });
    expect(Object.keys(page.plans[0] as object)).not.toContain('stages');
    const next = (await get(`plans?limit=1&marker=${page.next_marker}`)).json;
    expect(next).toMatchObject({ plans: [{ id, request_id: requestId, complete: false }], next_marker: null });

    expect((await send('DELETE', `plans/${id}`)).status).toBe(204);
    expect((await send('DELETE', `plans/${id}`)).status).toBe(404);
    expect((await get(`plans/${id}`)).status).toBe(404);
    expect((await get('plans')).json.plans).toHaveLength(1);
    expect((await get(`plans?marker=${UNKNOWN}`)).status).toBe(400);
    expect((await get('plans?goal=drain')).status).toBe(400);
  });

  it('pass on what is asked, with the hosts of aggregates and zones', async () => {
    const commands = plansWith(service);
    await plan({ goal: 'drain', hosts: ['h3'], host_aggregates: ['rack'], max_moves: 9, max_moves_per_host: 1 });
    await plan({ goal: 'drain', availability_zones: ['az1'], stay: { projects: ['p'] }, time_limit: 60 });
    await plan({ goal: 'room', flavor: 'm1', count: 3, move_types: ['live'], seed: 5 });
    await plan({ goal: 'balance', resource_classes: ['VCPU'], over: 'zones', min_gain: 1.5 });
    await plan({ goal: 'pack' });
    await plan({ goal: 'waves', host_aggregates: ['rack'], at_a_time: 3 });
    const defaults = {
      hosts: [],
      atATime: 1,
      flavor: null,
      count: null,
      classes: [],
      over: 'hosts',
      stay: { instances: [], hosts: [], projects: [] },
      maxMoves: 5_000,
      maxMovesPerHost: 2,
      minGain: 0,
      seed: 0,
      timeLimitMs: 5_000,
    };
    expect(commands).toEqual([
      { ...defaults, goal: 'drain', hosts: ['h3', 'h1', 'h2'], maxMoves: 9, maxMovesPerHost: 1 },
      {
        ...defaults,
        goal: 'drain',
        hosts: ['h2', 'h3'],
        stay: { instances: [], hosts: [], projects: ['p'] },
        timeLimitMs: 60_000,
      },
      { ...defaults, goal: 'room', flavor: 'm1', count: 3, seed: 5 },
      { ...defaults, goal: 'balance', classes: ['VCPU'], over: 'zones', minGain: 1.5 },
      { ...defaults, goal: 'pack' },
      { ...defaults, goal: 'waves', hosts: ['h1', 'h2'], atATime: 3 },
    ]);
  });

  it.each([
    [{ goal: 'drain' }, 'hosts'],
    [{ goal: 'drain', hosts: [] }, 'hosts'],
    [{ goal: 'drain', hosts: ['h1'], flavor: 'm1' }, 'flavor'],
    [{ goal: 'drain', hosts: ['h1'], min_gain: 1 }, 'min_gain'],
    [{ goal: 'drain', host_aggregates: ['rack', 'nowhere'] }, 'host_aggregates.1'],
    [{ goal: 'drain', availability_zones: ['nowhere'] }, 'availability_zones.0'],
    [{ goal: 'waves' }, 'hosts'],
    [{ goal: 'drain', hosts: ['h1'], at_a_time: 2 }, 'at_a_time'],
    [{ goal: 'room' }, 'flavor'],
    [{ goal: 'room', flavor: 'm1', hosts: ['h1'] }, 'hosts'],
    [{ goal: 'balance' }, 'resource_classes'],
    [{ goal: 'balance', resource_classes: ['VCPU'], count: 2 }, 'count'],
    [{ goal: 'pack', over: 'zones' }, 'over'],
    [{ goal: 'pack', move_types: ['warm'] }, 'move_types.0'],
    [{ goal: 'pack', move_types: [] }, 'move_types'],
    [{ goal: 'pack', time_limit: 61 }, 'time_limit'],
    [{ goal: 'pack', max_moves: 5_001 }, 'max_moves'],
    [{ goal: 'repaint' }, 'goal'],
  ])('are refused by field: %j', async (body, field) => {
    const commands = plansWith(service);
    const { status, json } = await send('POST', 'plans', body);
    expect([status, json.errors[0].detail]).toEqual([400, expect.stringContaining(`'${field}' `)]);
    expect([commands, (await get('plans')).json.plans]).toEqual([[], []]);
  });

  it('record the outcomes of moves, but of a move that is done no other', async () => {
    plansWith(service, TWELVE);
    const { id } = await plan();
    const report = (number: number | string, body: object): Promise<TestResponse> =>
      send('POST', `plans/${id}/moves/${number}`, body);
    const running = await report(1, { state: 'running' });
    expect([running.status, running.json]).toMatchObject([200, { id, outcomes: { waiting: 2, running: 1 } }]);
    expect(await report(1, { state: 'running' })).toMatchObject({
      status: 409,
      json: {
        errors: [{ code: 'scheduler.generation_conflict', detail: 'Move 1 is running already.' }],
      },
    });
    await report(1, { state: 'failed', message: 'No valid host was found.' });
    await report(1, { state: 'running' });
    await report(1, { state: 'done' });
    for (const state of ['running', 'failed', 'skipped', 'done']) expect((await report(1, { state })).status).toBe(409);
    await report(2, { state: 'failed', message: 'No valid host was found.' });
    await report(3, { state: 'skipped', reason: 'the tenant asked' });
    const { json } = await get(`plans/${id}`);
    expect(json.outcomes).toEqual({ waiting: 0, running: 0, done: 1, failed: 1, skipped: 1 });
    const moves = json.stages.flat() as { outcome: object }[];
    expect(moves.map(({ outcome }) => outcome)).toMatchObject([
      { state: 'done', message: null, reason: null },
      { state: 'failed', message: 'No valid host was found.' },
      { state: 'skipped', reason: 'the tenant asked' },
    ]);
    expect((await get('plans')).json.plans[0].outcomes).toEqual(json.outcomes);
    for (const number of [0, 4, 'x', '1.5']) expect((await report(number, { state: 'done' })).status).toBe(404);
    expect((await send('POST', `plans/${UNKNOWN}/moves/1`, { state: 'done' })).status).toBe(404);
    expect((await report(2, { state: 'waiting' })).status).toBe(400);
  });

  it('record every one of concurrent outcomes', async () => {
    const moves = Array.from({ length: 40 }, (_, at) => move(at + 1, uuidOf(at), 'h2'));
    plansWith(service, planned({ moves }));
    const { id } = await plan();
    const reports = moves.map(({ number }) => send('POST', `plans/${id}/moves/${number}`, { state: 'done' }));
    expect(new Set((await Promise.all(reports)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await get(`plans/${id}`)).json.outcomes).toMatchObject({ waiting: 0, done: 40 });
  });

  it('are deleted after a week, and beyond their number', async () => {
    plansWith(service);
    const old = await plan();
    await service.database.write((tx) =>
      tx.run('UPDATE scheduler_plans SET created_at = created_at - ?', [SCHEDULER_LIMITS.planAgeSeconds * 1_000 + 1]),
    );
    const kept = await plan();
    expect((await get(`plans/${old.id}`)).status).toBe(404);
    await service.database.write((tx) =>
      tx.run('UPDATE scheduler_plans SET id = id + ?', [SCHEDULER_LIMITS.plansKept * 10]),
    );
    for (let more = 1; more < SCHEDULER_LIMITS.plansKept; more += 1) {
      await service.database.write((tx) =>
        tx.run(
          'INSERT INTO scheduler_plans (id, uuid, request_id, created_at, head, document, outcomes) ' +
            'SELECT ?, ?, request_id, created_at, head, document, outcomes FROM scheduler_plans WHERE uuid = ?',
          [more, uuidOf(more), kept.id],
        ),
      );
    }
    await plan();
    expect((await get('plans')).json.plans).toHaveLength(SCHEDULER_LIMITS.plansKept);
    expect((await get(`plans/${uuidOf(1)}`)).status).toBe(404);
    expect((await get(`plans/${uuidOf(2)}`)).status).toBe(200);
    expect((await get(`plans/${kept.id}`)).status).toBe(200);
  });

  it('are kept with as many moves as a plan can have', async () => {
    const moves = Array.from({ length: SCHEDULER_LIMITS.planMoves }, (_, at) => move(at + 1, uuidOf(at), 'h2'));
    plansWith(service, planned({ moves }));
    const { id } = await plan({ goal: 'pack' });
    const last = await send('POST', `plans/${id}/moves/5000`, { state: 'done' });
    expect([last.status, last.json.outcomes]).toMatchObject([200, { waiting: 4_999, done: 1 }]);
  });

  it.each([
    [{ goal: 'drain', hosts: ['h1'] }, {}, 'No instance is on h1: nothing has to move.'],
    [
      { goal: 'drain', host_aggregates: ['rack', 'zone'] },
      { moves: [move(1, uuidOf(1), 'h4')], leastMoves: 1, isTimeUp: true },
      '1 of 1 instance of h1, h2, h3 can leave: 1 move in 1 stage, at least 1 is needed. The time limit ended the search: this is the best plan so far.',
    ],
    [
      { goal: 'waves', host_aggregates: ['rack'], at_a_time: 2 },
      { moves: [move(1, uuidOf(1), 'h3')], rounds: [{ hosts: ['h1'], moves: 1 }], leastMoves: 1, isReached: false },
      '1 of 2 hosts can be emptied in 1 round of at most 2, at least 1 is needed: 1 move in 1 stage.',
    ],
    [
      { goal: 'room', flavor: 'm1', count: 2 },
      { moves: [move(1, uuidOf(1), 'h2')], after: { ...planned().after, places: 2 } },
      '1 move in 1 stage: places for m1 go from 0 to 2, 2 asked.',
    ],
    [
      { goal: 'room', flavor: 'm1', count: 2 },
      { before: { ...planned().before, places: 3 }, after: { ...planned().after, places: 3 } },
      'No move is needed: places for m1 go from 3 to 3, 2 asked.',
    ],
    [
      { goal: 'room', flavor: { name: 'm2', vcpus: 1, memory_mb: 1 } },
      { isReached: false },
      'No plan is better than the cloud as it is: places for m2 go from 0 to 0.',
    ],
    [
      { goal: 'balance', resource_classes: ['VCPU'] },
      { moves: [move(1, uuidOf(1), 'h2'), move(2, uuidOf(2), 'h2')] },
      '2 moves in 1 stage: the spread of the use of hosts goes from 12.5 to 6.3 percentage points.',
    ],
    [{ goal: 'pack' }, {}, 'No plan is better than the cloud as it is: empty hosts go from 1 to 2.'],
  ])('say in one sentence what they do: %j', async (body, part, sentence) => {
    plansWith(service, planned(part));
    expect((await plan(body)).sentence).toBe(sentence);
  });
});
