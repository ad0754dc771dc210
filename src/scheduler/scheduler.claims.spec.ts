import { MAX_DECISION_TRIES } from '../scheduling-rules/pipeline/limits';
import type { ClaimRefusal, HeldInstance } from './ports';
import type { SelectDestinationsDto } from './request/request.schema';
import { chosenHosts, decideOn, FixtureCloud, uuidOf } from './scheduler.fixture';

const big = { name: 'big', memoryMb: 8192 };
const mid = { name: 'mid', memoryMb: 4096 };
const small = { name: 'small', memoryMb: 2048 };

/** Refused once in every try of the decision. */
const lostInEveryTry = (outcome: ClaimRefusal['outcome']): ClaimRefusal['outcome'][] =>
  Array.from({ length: MAX_DECISION_TRIES }, () => outcome);

/** Two filters whose rejections are easy to provoke: one runs for every instance, the other once. */
const FILTERS = { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'] };

describe('claims', () => {
  it('go to the next host when the best one has become full', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['no_capacity']);
    const { decision, placements } = await decideOn(cloud);
    expect(placements[0]?.selected?.state.host).toBe('mid');
    expect(decision.passes[0]?.claims.map(({ host, outcome, attempts }) => [host, outcome, attempts])).toEqual([
      ['big', 'no_capacity', 1],
      ['mid', 'claimed', 1],
    ]);
  });

  it('are retried on the same host after conflicts, with growing pauses', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['conflict', 'conflict', 'conflict']);
    const pauses: number[] = [];
    const decided = await decideOn(cloud, { pauses });
    expect(chosenHosts(decided)).toEqual(['big']);
    expect(pauses).toEqual([25, 50, 75]);
  });

  it('give up a host after four conflicts', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['conflict', 'conflict', 'conflict', 'conflict']);
    expect(chosenHosts(await decideOn(cloud))).toEqual(['mid']);
    expect(cloud.attempts).toEqual(['big', 'big', 'big', 'big', 'mid']);
  });

  it('try all candidates of a host before the next host', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 3 }, mid]);
    cloud.failures.set('big', ['no_capacity', 'no_capacity']);
    await decideOn(cloud);
    expect(cloud.claimed.get(uuidOf(1))).toBe('big+big.2');
  });

  it('request further candidates of a host after its first ones failed', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 12 }, mid]);
    cloud.failures.set(
      'big',
      Array.from({ length: 9 }, () => 'no_capacity' as const),
    );
    const { decision } = await decideOn(cloud);
    expect(cloud.claimed.get(uuidOf(1))).toBe('big+big.9');
    expect(cloud.queries[1]?.onlyRoots).toEqual(['big']);
    expect(decision.passes[0]?.claims.map(({ candidate }) => candidate)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('request further candidates of every host after a truncated answer, however few it had', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 3 }, mid]);
    const search = cloud.search.bind(cloud);
    cloud.search = async (query, bounds) => {
      const answer = await search(query, bounds);
      const first = answer.requests.filter(({ rootUuid }, at, all) => all[at - 1]?.rootUuid !== rootUuid);
      return bounds.perRoot === 8 ? { ...answer, requests: first, truncated: true } : answer;
    };
    cloud.failures.set('big', ['no_capacity']);
    await decideOn(cloud);
    expect(cloud.claimed.get(uuidOf(1))).toBe('big+big.1');
  });

  it('of a batch request further candidates of a host once, before the next host', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 12 }, mid]);
    const instances = Array.from({ length: 12 }, (_, at) => uuidOf(at + 1));
    const decided = await decideOn(cloud, { body: { instances }, options: { weightClasses: ['RAMWeigher'] } });
    const nine = Array.from({ length: 9 }, () => 'big');
    expect(chosenHosts(decided)).toEqual([...nine, 'mid', 'big', 'mid']);
    expect(cloud.queries).toHaveLength(2);
  });

  it('report claims_lost, not a lack of hosts, if all fail', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.failures.set('big', lostInEveryTry('no_capacity'));
    const pauses: number[] = [];
    const { refusal, decision } = await decideOn(cloud, { pauses });
    expect(cloud.queries).toHaveLength(MAX_DECISION_TRIES);
    expect(pauses).toEqual(Array.from({ length: MAX_DECISION_TRIES - 1 }, (_, at) => 25 * (at + 1)));
    expect(refusal).toMatchObject({ code: 'scheduler.claims_lost' });
    expect(decision.summary.sentence).toBe('0 of 1 host fits: big passed, not claimed (no capacity left).');
  });

  it('that were all lost are tried again with fresh data, for the same instance', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.failures.set('big', ['no_capacity']);
    const { decision, placements } = await decideOn(cloud);
    expect(placements).toMatchObject([{ instanceUuid: uuidOf(1), selected: { state: { host: 'big' } } }]);
    expect(cloud.queries).toHaveLength(2);
    expect(decision).toMatchObject({ outcome: 'placed', passesMade: 1 });
  });

  it('of a later instance name claims that other requests won, not the earlier instances', async () => {
    const cloud = new FixtureCloud(['a', 'b'].map((name) => ({ name, memoryMb: 512 })));
    cloud.failures.set('b', [...lostInEveryTry('no_capacity'), 'no_capacity']);
    const { refusal, decision } = await decideOn(cloud, { body: { instances: [uuidOf(1), uuidOf(2)] } });
    expect(refusal).toMatchObject({ code: 'scheduler.claims_lost' });
    expect(decision.summary.sentence).toBe(
      '1 of 2 instances fits; no host is left for instance 2: ' +
        'both hosts passed and none could be claimed (no capacity left).',
    );
  });

  it('end the request for an instance that has allocations', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['consumer_exists']);
    const { refusal } = await decideOn(cloud);
    expect(refusal).toMatchObject({ code: 'scheduler.generation_conflict' });
    expect(cloud.attempts).toEqual(['big']);
    expect(cloud.released).toEqual([]);
  });

  it.each<[string, Partial<SelectDestinationsDto>, HeldInstance['placed'], boolean, boolean]>([
    ['unknown here', {}, null, false, true],
    ['on a host that is ignored', { ignore_hosts: ['old'] }, { host: 'old', isMoving: false }, false, true],
    ['on another host than the target', { force_hosts: ['mid'] }, { host: 'old', isMoving: false }, false, true],
    ['on the target', { force_hosts: ['mid'] }, { host: 'mid', isMoving: false }, false, false],
    ['on a host that the request does not name', {}, { host: 'old', isMoving: false }, false, false],
    ['on a host that the request does not name, as in nova', {}, { host: 'old', isMoving: false }, true, true],
    ['being moved', { ignore_hosts: ['old'] }, { host: 'old', isMoving: true }, true, false],
  ])('for an instance that has allocations and is %s', async (_, body, placed, novaCompat, isClaimed) => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['consumer_exists']).set('mid', ['consumer_exists']);
    cloud.holdings.set(uuidOf(1), { generation: 4, allocations: { old: { resources: { VCPU: 2 } } }, placed });
    const { refusal } = await decideOn(cloud, { body: { instances: [uuidOf(1)], ...body }, options: { novaCompat } });
    expect(refusal?.code ?? null).toBe(isClaimed ? null : 'scheduler.generation_conflict');
    expect(cloud.attempts).toHaveLength(isClaimed ? 2 : 1);
    if (!isClaimed) return;
    const last = cloud.requests.at(-1)?.[0];
    expect(last).toMatchObject({ existing: { generation: 4 }, allocations: { old: { resources: { VCPU: 2 } } } });
    expect(Object.keys(last?.allocations ?? {})).toHaveLength(2);
  });
});

describe('a batch', () => {
  const instances = [uuidOf(11), uuidOf(12), uuidOf(13)];

  it('charges each host before it places the next instance', async () => {
    const cloud = new FixtureCloud([
      { name: 'a', memoryMb: 2048 },
      { name: 'b', memoryMb: 1792 },
    ]);
    expect(chosenHosts(await decideOn(cloud, { body: { instances } }))).toEqual(['a', 'b', 'a']);
  });

  it('counts its own instances towards the limit of a host', async () => {
    const cloud = new FixtureCloud([big, mid, small]);
    const decided = await decideOn(cloud, {
      body: { instances },
      options: { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 1 } } },
    });
    expect(chosenHosts(decided)).toEqual(['big', 'mid', 'small']);
  });

  it('runs filters that are once per request for the first instance only', async () => {
    const body = { instances, scheduler_hints: { different_host: uuidOf(90) } };
    const { decision } = await decideOn(new FixtureCloud([big]), { body, options: FILTERS });
    const skipped = decision.passes.map(
      ({ stages }) => stages.find(({ name }) => name === 'DifferentHostFilter')?.skipped,
    );
    expect(skipped).toEqual([false, true, true]);
  });

  it('is atomic: it claims nothing when one instance finds no host', async () => {
    const cloud = new FixtureCloud([{ name: 'a', memoryMb: 1100 }]);
    const { refusal, placements, decision } = await decideOn(cloud, { body: { instances } });
    expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
    expect(placements).toEqual([]);
    expect(cloud.attempts).toEqual([]);
    expect(cloud.claimed.size).toBe(0);
    expect(decision.passes[2]?.claims).toMatchObject([{ outcome: 'no_capacity', attempts: 0 }]);
  });

  it('releases its claims after an unexpected error', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('mid', [new Error('wires cut')]);
    cloud.failures.set('big', lostInEveryTry('conflict'));
    const limit = { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 1 } } };
    const two = instances.slice(0, 2);
    await expect(decideOn(cloud, { body: { instances: two }, options: limit })).rejects.toThrow('wires cut');
    expect(cloud.released).toEqual([uuidOf(11)]);
  });

  it('decides the same in a dry run and claims nothing', async () => {
    const hosts = [
      { name: 'a', memoryMb: 2048 },
      { name: 'b', memoryMb: 1792 },
    ];
    const dry = new FixtureCloud(hosts);
    const real = await decideOn(new FixtureCloud(hosts), { body: { instances } });
    const answer = await decideOn(dry, { body: { instances }, command: { dryRun: true } });
    expect(chosenHosts(answer)).toEqual(chosenHosts(real));
    expect(dry.attempts).toEqual([]);
  });

  it('uses each candidate of a host only as often as it fits', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 3 }]);
    await decideOn(cloud, { body: { instances } });
    expect([...cloud.claimed.values()]).toEqual(['big+big.0', 'big+big.1', 'big+big.2']);
  });
});
