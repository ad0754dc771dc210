// `berth plan run` against the service and its practice cloud: what is true decides, and every outcome is recorded.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { PlanCloud } from './plan-cloud';
import { startPlanCloud } from './plan-cloud';
import { move, planned, plansWith } from './plans-planner';
import { books } from './scheduler-cloud';

interface Move {
  readonly number: number;
  readonly instance: { readonly uuid: string; readonly name: string };
  readonly target: { readonly host: string };
  readonly outcome: { readonly state: string; readonly message: string | null; readonly reason: string | null } | null;
}

describe.each(testDatabaseKinds())('berth plan run on %s', (kind) => {
  let cloud: PlanCloud;
  beforeAll(async () => {
    cloud = await startPlanCloud(kind);
  });
  afterAll(() => cloud.service.stop());
  afterEach(async () => {
    jest.restoreAllMocks();
    await cloud.clear();
    expect(await books(cloud.service)).toEqual({ consumers: 0, faults: [] });
  });

  /** Servers vm-1 … on cn1. */
  const servers = async (count: number): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1) ids.push(await cloud.create(`vm-${number}`, 'cn1'));
    return ids;
  };
  const drain = async (...options: readonly string[]): Promise<any> => cloud.json('drain', 'cn1', ...options);
  const movesOf = async (id: string): Promise<readonly Move[]> =>
    (await cloud.json('show', id)).stages.flat() as Move[];
  const outcomesOf = async (id: string): Promise<readonly (string | undefined)[]> =>
    (await movesOf(id)).map(({ outcome }) => outcome?.state);
  /** A plan of these moves: uuid and target of each. */
  const fixed = (moves: readonly (readonly [string, string, (readonly number[])?])[]): void => {
    plansWith(
      cloud.service,
      planned({ moves: moves.map(([id, to, after = []], at) => move(at + 1, id, to, { after, source: 'cn1' })) }),
    );
  };

  it('drains a host with groups and one instance that cannot leave', async () => {
    const ids = [...(await servers(9))];
    const group = { server_group: { name: 'ha', policies: ['anti-affinity'] } };
    const made = (await cloud.ok('os-server-groups', { method: 'POST', body: group })).json.server_group.id as string;
    ids.push(await cloud.create('ha-1', 'cn1', {}, { group: made }));
    const other = await cloud.create('ha-2', 'cn2', {}, { group: made });
    ids.push(await cloud.create('off', 'cn1'));
    await cloud.act(ids[10] ?? '', { 'os-stop': null });
    const huge = await cloud.create('huge', 'cn1', { flavorRef: '9' });

    const plan = await drain();
    expect(plan).toMatchObject({ complete: false, hosts: ['cn1'], cannot_move: [{ instance: { uuid: huge } }] });
    expect(plan.sentence).toMatch(
      /^11 of 12 instances of cn1 can leave: 11 moves in \d+ stages?, at least 11 are needed; 1 cannot move\.$/,
    );
    const { code, out, err } = await cloud.command(['run', plan.id as string]);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('cn1 is disabled.\n');
    expect(out).toMatch(/\d+: off, cn1 -> cn\d: cold migration\n/);
    expect(out).toMatch(/\d+: ha-1, cn1 -> cn[34]: live migration\n/);
    expect(out).toMatch(/11 of 11 moves are done\.\n1 cannot move: berth plan show [-0-9a-f]{36}\n$/);

    const targets = new Map(
      (await movesOf(plan.id as string)).map(({ instance, target }) => [instance.uuid, target.host]),
    );
    for (const id of ids) expect(await cloud.hostOf(id)).toBe(targets.get(id));
    expect(await cloud.hostOf(huge)).toBe('cn1');
    expect(await cloud.hostOf(other)).toBe('cn2');
    expect(await outcomesOf(plan.id as string)).toEqual(ids.map(() => 'done'));
    const { json } = await cloud.ok('os-services?host=cn1', { version: '2.53' });
    expect(json.services[0]).toMatchObject({ status: 'disabled', disabled_reason: `Berth plan ${plan.id}` });
    expect((await books(cloud.service)).consumers).toBe(13);
  });

  it('starts nothing new after Ctrl + C, and another run finishes the plan', async () => {
    const ids = await servers(6);
    const { id } = await drain();
    const stop = (text: string): void => {
      if (/^\d+: vm-\d, .*: live migration/.test(text)) process.emit('SIGINT');
    };
    const first = await cloud.command(['run', id as string, '--max-parallel', '2'], stop);
    expect(first.code).toBe(1);
    expect(first.out).toContain('Nothing new starts. The running moves are waited for');
    expect(first.out).toMatch(
      new RegExp(`^2 of 6 moves are done, 4 waiting\\.\\nContinue: berth plan run ${id}$`, 'm'),
    );
    expect((await outcomesOf(id as string)).filter((state) => state === 'done')).toHaveLength(2);
    expect(process.listenerCount('SIGINT')).toBe(0);

    const second = await cloud.command(['run', id as string]);
    expect(second.out).toMatch(/6 of 6 moves are done\.\n$/);
    expect(second.code).toBe(0);
    for (const each of ids) expect(await cloud.hostOf(each)).not.toBe('cn1');
  });

  it.each([
    [['--max-moves-per-host', '1'], [], 1],
    [['--max-moves-per-host', '6'], ['--max-parallel', '1'], 1],
    [[], [], 2],
    [['--max-moves-per-host', '6'], ['--max-parallel', '3'], 3],
  ])('moves at most as many at a time as %j %j allow', async (asked, options, most) => {
    await servers(6);
    const { id } = await drain(...asked);
    const { out } = await cloud.command(['run', id as string, ...options]);
    let [now, reached] = [0, 0];
    for (const [, what] of out.matchAll(/^\d+: .*: (live|done)/gm)) {
      now += what === 'live' ? 1 : -1;
      reached = Math.max(reached, now);
    }
    expect([now, reached]).toEqual([0, most]);
  });

  it('looks at what is true after a crash', async () => {
    const [first = '', second = '', third = '', fourth = ''] = await servers(4);
    fixed([
      [first, 'cn2'],
      [second, 'cn3'],
      [third, 'cn2'],
      [fourth, 'cn4'],
    ]);
    const { id } = await drain();
    const report = (number: number): Promise<unknown> =>
      cloud.service.request({
        method: 'POST',
        path: `/scheduler/plans/${id}/moves/${number}`,
        body: { state: 'running' },
      });
    // The first had arrived, the second waits for its confirmation, the third had not begun.
    for (const number of [1, 2, 3]) await report(number);
    await cloud.live(first, 'cn2');
    await cloud.act(second, { migrate: { host: 'cn3' } });
    // The tenant has resized it, which is not the plan's to confirm.
    await cloud.act(fourth, { migrate: { host: 'cn4' } });
    const { code, out } = await cloud.command(['run', id as string, '--no-replan']);
    expect(out).toMatch(/^1: vm-1, cn1 -> cn2: done\. It was there already\.$/m);
    expect(out).toMatch(/^2: vm-2, cn1 -> cn3: done$/m);
    expect(out).toMatch(/^3: vm-3, cn1 -> cn2: live migration$/m);
    expect(out).toMatch(/^4: vm-4, cn1 -> cn4: failed\. A resize or migration of the instance must be confirmed/m);
    expect(code).toBe(1);
    expect(await outcomesOf(id as string)).toEqual(['done', 'done', 'done', 'failed']);
    expect((await cloud.ok(`servers/${second}`)).json.server.status).toBe('ACTIVE');
    await cloud.act(fourth, { confirmResize: null });
    expect((await cloud.command(['run', id as string])).code).toBe(0);
    expect(await outcomesOf(id as string)).toEqual(['done', 'done', 'done', 'done']);
  });

  it('records why a move failed, starts nothing that depends on it, and goes on with others', async () => {
    const [first = '', second = '', third = ''] = await servers(3);
    await cloud.create('full', 'cn2', { flavorRef: '8' });
    fixed([
      [first, 'cn2'],
      [second, 'cn3', [1]],
      [third, 'cn4'],
    ]);
    const { id } = await drain();
    const { code, out } = await cloud.command(['run', id as string, '--no-replan']);
    expect(code).toBe(1);
    expect(out).toMatch(/1 of 3 moves are done, 1 failed, 1 waiting\.\nContinue: berth plan run/);
    const [failed, waiting, moved] = await movesOf(id as string);
    expect(failed?.outcome).toMatchObject({ state: 'failed', message: expect.stringContaining('VCPU') });
    expect([waiting?.outcome, moved?.outcome?.state]).toEqual([null, 'done']);
    expect(await Promise.all([first, second, third].map((each) => cloud.hostOf(each)))).toEqual(['cn1', 'cn1', 'cn4']);
    const shown = (await cloud.command(['show', id as string])).out;
    expect(shown).toMatch(/^1 +1 +- +vm-1 +cn1 +cn2 +failed: .*VCPU/m);
    expect(shown).toMatch(/^2 +1 +1 +vm-2 +cn1 +cn3 +-/m);
  });

  it('plans the rest again when a target goes down in between', async () => {
    const ids = await servers(4);
    const before = await drain();
    const target = (before.stages[0] as Move[])[0]?.target.host ?? '';
    await cloud.setService(target, { forced_down: true });
    const { code, out } = await cloud.command(['run', before.id as string]);
    expect([code, out]).toEqual([0, expect.stringContaining('What is left is planned again: plan ')]);
    const [again] = await cloud.json('list');
    expect(again.id).not.toBe(before.id);
    expect((await cloud.json('show', again.id as string)).ask).toEqual(before.ask);
    expect(await outcomesOf(before.id as string)).toContain('failed');
    for (const each of ids)
      expect(['cn2', 'cn3', 'cn4'].filter((host) => host !== target)).toContain(await cloud.hostOf(each));
  });

  it('stops after plans that move nothing', async () => {
    const [first = ''] = await servers(1);
    await cloud.create('full', 'cn2', { flavorRef: '8' });
    fixed([[first, 'cn2']]);
    await cloud.setService('cn1', { status: 'disabled', disabled_reason: 'broken fan' });
    const { id } = await drain();
    const { code, out } = await cloud.command(['run', id as string]);
    expect([code, out.match(/What is left is planned again/g)?.length]).toEqual([1, 1]);
    expect(await cloud.json('list')).toHaveLength(2);
    const { json } = await cloud.ok('os-services?host=cn1', { version: '2.53' });
    expect(json.services[0].disabled_reason).toBe('broken fan');
  });

  it('says what differs from the plan', async () => {
    const [gone = '', there = '', elsewhere = '', shelved = '', suspended = ''] = await servers(5);
    fixed([
      [gone, 'cn2'],
      [there, 'cn3'],
      [elsewhere, 'cn2'],
      [shelved, 'cn2'],
      [suspended, 'cn2'],
    ]);
    const { id } = await drain();
    await cloud.ok(`servers/${gone}`, { method: 'DELETE' });
    await cloud.live(there, 'cn3');
    await cloud.live(elsewhere, 'cn4');
    await cloud.act(shelved, { shelve: null });
    await cloud.act(suspended, { suspend: null });
    const { code } = await cloud.command(['run', id as string, '--no-replan']);
    expect(code).toBe(1);
    expect((await movesOf(id as string)).map(({ outcome }) => [outcome?.state, outcome?.message])).toEqual([
      ['done', 'The instance no longer exists.'],
      ['done', 'It was there already.'],
      ['skipped', 'The instance is on cn4, not on cn1.'],
      ['done', 'The instance is on no host (SHELVED_OFFLOADED).'],
      ['failed', 'An instance of status SUSPENDED cannot be moved, only ACTIVE, PAUSED, SHUTOFF.'],
    ]);
  });

  it('leaves out what the operator says, and cold migrations', async () => {
    const [first = '', off = '', third = ''] = await servers(3);
    await cloud.act(off, { 'os-stop': null });
    fixed([
      [first, 'cn2'],
      [off, 'cn3'],
      [third, 'cn4', [1]],
    ]);
    const { id } = await drain();
    const args = ['run', id as string, '--skip', 'vm-1', '--reason', 'its owner is on holiday', '--live-only'];
    expect((await cloud.command([...args, '--skip', 'vm-9'])).err).toContain("Instance 'vm-9' does not exist.");
    expect((await cloud.command(args)).code).toBe(1);
    expect((await movesOf(id as string)).map(({ outcome }) => outcome)).toMatchObject([
      { state: 'skipped', reason: 'its owner is on holiday' },
      { state: 'skipped', message: 'It is SHUTOFF, and the plan allows no cold migration.' },
      null,
    ]);
    const [again] = await cloud.json('list');
    expect((await cloud.json('show', again.id as string)).ask.stay.instances).toEqual([first]);
  });

  it('carries out a plan that packs, and disables nothing', async () => {
    const ids = [
      await cloud.create('vm-1', 'cn2'),
      await cloud.create('vm-2', 'cn3'),
      await cloud.create('vm-3', 'cn4'),
    ];
    const plan = await cloud.json('pack');
    expect(plan.sentence).toMatch(/^2 moves in \d+ stages?, at least 2 are needed: empty hosts go from 1 to 3\.$/);
    const { code, out, err } = await cloud.command(['run', plan.id as string, '--json']);
    expect([code, err.includes('disabled')]).toEqual([0, false]);
    expect(err).toMatch(/^\d+: vm-\d, .*: live migration$/m);
    expect((JSON.parse(out) as { outcomes: object }).outcomes).toMatchObject({ done: 2, waiting: 0 });
    expect(new Set(await Promise.all(ids.map((id) => cloud.hostOf(id)))).size).toBe(1);
  });

  it('empties hosts in rounds, one round for each run', async () => {
    const ids = [...(await servers(3)), await cloud.create('vm-4', 'cn2'), await cloud.create('vm-5', 'cn3')];
    const plan = await cloud.json('waves', 'cn1', 'cn2', 'cn3', '--at-a-time', '2');
    expect(plan).toMatchObject({ goal: 'waves', complete: true, ask: { at_a_time: 2 } });
    const rounds = plan.rounds as { hosts: string[]; moves: number }[];
    expect(rounds.flatMap(({ hosts }) => hosts).sort()).toEqual(['cn1', 'cn2', 'cn3']);
    expect(rounds.reduce((sum, { moves }) => sum + moves, 0)).toBe((plan.stages as Move[][]).flat().length);
    expect(plan.sentence).toMatch(
      /^3 of 3 hosts can be emptied in 2 rounds of at most 2, at least 2 are needed: \d+ moves in \d+ stages\.$/,
    );
    expect((await cloud.command(['show', plan.id as string])).out).toMatch(/^Round 2, \d+ moves: cn\d/m);
    for (const [at, { hosts }] of rounds.entries()) {
      const { code, out } = await cloud.command(['run', plan.id as string]);
      expect(out).toContain(`Round ${at + 1} has ended. Enable its hosts before the next one: ${hosts.join(', ')}\n`);
      expect(code).toBe(at + 1 === rounds.length ? 0 : 1);
      for (const id of ids) expect(hosts).not.toContain(await cloud.hostOf(id));
      for (const host of hosts) {
        expect((await cloud.ok(`os-services?host=${host}`)).json.services[0].status).toBe('disabled');
        await cloud.setService(host, { status: 'enabled' });
      }
    }
    const again = await cloud.command(['run', plan.id as string]);
    expect([again.code, again.out.includes('Round')]).toEqual([0, false]);
  });

  it('takes credentials from clouds.yaml, and a token; and says what is wrong with them', async () => {
    const [only = ''] = await servers(1);
    fixed([[only, 'cn2']]);
    const { id } = await drain();
    const folder = mkdtempSync(join(tmpdir(), 'berth-clouds-'));
    const { BERTH_URL, OS_AUTH_URL } = cloud.env as { BERTH_URL: string; OS_AUTH_URL: string };
    const run = (env: Record<string, string>): ReturnType<typeof berth> =>
      berth({ BERTH_URL, HOME: folder, ...env }, ['plan', 'run', id as string], folder);
    try {
      expect((await run({})).err).toContain('There are no credentials for OpenStack.');
      expect((await run({ OS_AUTH_URL })).err).toContain('There is no password, token or application credential.');
      expect((await run({ OS_AUTH_URL: 'http://127.0.0.1:1/v3', OS_TOKEN: 'x' })).err).toContain('does not answer');
      expect((await run({ OS_CLOUD: 'here' })).err).toContain("Cloud 'here' of OS_CLOUD is not in ");
      const tenant = { OS_AUTH_URL, OS_USERNAME: 'kim', OS_PASSWORD: 'any', OS_PROJECT_NAME: 'demo' };
      expect((await run(tenant)).code).toBe(1);
      const region = { ...cloud.env, OS_REGION_NAME: 'Nowhere' };
      expect((await run(region)).err).toContain("no public endpoint of the compute service in region 'Nowhere'");
      const text = (await berth(cloud.env, ['openrc', '--clouds', '--cloud', 'here', '--url', BERTH_URL])).out;
      writeFileSync(join(folder, 'clouds.yaml'), text);
      const ran = await run({ OS_CLOUD: 'here', OS_TOKEN: 'ignored' });
      expect([ran.err, ran.code]).toEqual(['', 0]);
      expect(await cloud.hostOf(only)).toBe('cn2');
      expect((await run({ OS_AUTH_URL, OS_TOKEN: 'admin:admin', OS_PROJECT_NAME: 'admin' })).code).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
