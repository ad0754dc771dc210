// Batches: planned and claimed together, and one by one after a failure. Each instance sees the earlier ones.
import { CallerGone } from '../../platform/event-loop/caller';
import { defineFilter } from '../../scheduling-rules/pipeline/define-filter';
import { INSTANCES_CLAIMED_TOGETHER, MAX_DECISION_TRIES, PASSES_KEPT } from '../../scheduling-rules/pipeline/limits';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import type { InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import type { Decided } from '../decide/decision-run';
import type { InstanceGroupDto } from '../request/request.schema';
import type { FixtureHost } from '../scheduler.fixture';
import { chosenHosts, decideOn, FixtureCloud, uuidOf } from '../scheduler.fixture';

const RAM = { weightClasses: ['RAMWeigher'] };
const uuids = (count: number): string[] => Array.from({ length: count }, (_, at) => uuidOf(at + 1));
const cells = (cell: string, ...names: readonly string[]): FixtureHost[] =>
  names.map((name, at) => ({ name, memoryMb: 8192 - 512 * at, state: { cell } }));
const [A, B, C] = [
  { name: 'a', memoryMb: 8192 },
  { name: 'b', memoryMb: 6144 },
  { name: 'c', memoryMb: 4096 },
];

describe('a batch', () => {
  it('is claimed in one transaction', async () => {
    const cloud = new FixtureCloud([A, B]);
    const { decision } = await decideOn(cloud, { body: { instances: uuids(3) }, options: RAM });
    expect(cloud.requests.map((joint) => joint.map(({ consumerUuid }) => consumerUuid))).toEqual([uuids(3)]);
    for (const { claims } of decision.passes) expect(claims).toMatchObject([{ outcome: 'claimed', attempts: 1 }]);
  });

  it('of more than fit in one transaction takes several', async () => {
    const cloud = new FixtureCloud([{ name: 'a', memoryMb: 1_000_000, vcpus: 1_000 }]);
    const many = 2 * INSTANCES_CLAIMED_TOGETHER + 1;
    const decided = await decideOn(cloud, { body: { instances: uuids(many) }, options: RAM });
    expect(chosenHosts(decided)).toHaveLength(many);
    const sizes = [INSTANCES_CLAIMED_TOGETHER, INSTANCES_CLAIMED_TOGETHER, 1];
    expect(cloud.requests.map((joint) => joint.length)).toEqual(sizes);
    expect(cloud.opened).toEqual([0]);
  });

  it('of one transaction is not recorded in advance', async () => {
    const cloud = new FixtureCloud([{ name: 'a', memoryMb: 1_000_000, vcpus: 1_000 }]);
    await decideOn(cloud, { body: { instances: uuids(INSTANCES_CLAIMED_TOGETHER) }, options: RAM });
    expect(cloud.opened).toEqual([]);
  });

  it('stops and releases its claims after the client disconnected', async () => {
    let asked = 0;
    const counting = defineFilter({
      name: 'Counting',
      summary: 'Counts.',
      rejections: { never: 'never' },
      check: (_host, _spec, { pass }) => {
        asked += 1;
        return pass;
      },
    });
    const plugins: SchedulerExtension[] = [{ source: 'spec', exports: { filters: [counting] } }];
    const hosts = Array.from({ length: 500 }, (_, at) => ({ name: `h${at}`, memoryMb: 8192 }));
    const caller = {
      requestId: 'req-1',
      globalRequestId: null,
      principal: undefined,
      get isGone(): boolean {
        return asked >= 2 * INSTANCES_CLAIMED_TOGETHER * hosts.length;
      },
    };
    const cloud = new FixtureCloud(hosts);
    const body = { instances: uuids(3 * INSTANCES_CLAIMED_TOGETHER) };
    const options = { ...RAM, enabledFilters: ['Counting'] };
    await expect(decideOn(cloud, { body, options, plugins, command: { caller } })).rejects.toThrow(CallerGone);
    expect(asked).toBeLessThan(3 * INSTANCES_CLAIMED_TOGETHER * hosts.length);
    expect(cloud.released.length).toBeGreaterThanOrEqual(INSTANCES_CLAIMED_TOGETHER);
    expect(cloud.claimed.size).toBe(0);
  });

  it('keeps the first passes and the last, and counts them all', async () => {
    const cloud = new FixtureCloud([{ name: 'a', memoryMb: 512 * 120, vcpus: 1_000 }]);
    const { decision } = await decideOn(cloud, { body: { instances: uuids(130) }, options: RAM });
    expect(decision.passes.map(({ index }) => index)).toEqual([
      ...Array.from({ length: PASSES_KEPT }, (_, at) => at),
      120,
    ]);
    expect(decision.passesMade).toBe(121);
    expect(decision.summary.sentence).toMatch(
      /^120 of 130 instances fit; no host is left for instance 121: a is filled by the earlier instances\.$/,
    );
    expect(decision.hostsTried).toEqual(['a']);
  });

  it.each(['no_capacity', 'conflict', 'policy'] as const)(
    'whose joint claim meets %s is planned again with fresh data, and placed singly at last',
    async (met) => {
      const cloud = new FixtureCloud([A, B]);
      cloud.failures.set('a', [met]);
      await decideOn(cloud, { body: { instances: uuids(3) }, options: RAM });
      expect(cloud.requests.splice(0).map((joint) => joint.length)).toEqual([3, 3]);
      expect(cloud.opened).toEqual([]);
      cloud.claimed.clear();
      const tries = Array.from({ length: MAX_DECISION_TRIES }, () => 3);
      cloud.failures.set(
        'a',
        tries.map(() => met),
      );
      const { decision, placements } = await decideOn(cloud, { body: { instances: uuids(3) }, options: RAM });
      expect(placements.every(({ selected }) => selected !== null)).toBe(true);
      expect(cloud.requests.map((joint) => joint.length)).toEqual([...tries, 1, 1, 1]);
      expect([...cloud.claimed.keys()]).toEqual(uuids(3));
      expect(decision.passes.map(({ index }) => index)).toEqual([0, 1, 2]);
    },
  );

  it('whose joint claim failed chooses as if it had never been planned', async () => {
    const lost = new FixtureCloud([A, B, C]);
    lost.failures.set(
      'a',
      Array.from({ length: MAX_DECISION_TRIES }, () => 'conflict'),
    );
    const body = { instances: uuids(6) };
    const plain = chosenHosts(await decideOn(new FixtureCloud([A, B, C]), { body, options: RAM }));
    expect(chosenHosts(await decideOn(lost, { body, options: RAM }))).toEqual(plain);
  });

  it('names a member that already has allocations, and keeps nothing of the others', async () => {
    const cloud = new FixtureCloud([A]);
    cloud.failures.set('a', ['consumer_exists', 'consumer_exists']);
    const { refusal } = await decideOn(cloud, { body: { instances: uuids(2), min_count: 1 }, options: RAM });
    expect(refusal).toMatchObject({ code: 'scheduler.generation_conflict', outcome: 'failed' });
    expect(refusal?.message).toContain(uuidOf(1));
    expect(cloud.claimed.size).toBe(0);
  });

  it('excludes rejected hosts from then on', async () => {
    let asked = 0;
    const failing = defineFilter({
      name: 'Moody',
      summary: 'Rejects b the first time only.',
      rejections: { failing: 'not now' },
      check: ({ host }, _spec, { pass, reject }) => (host === 'b' && (asked += 1) === 1 ? reject('failing') : pass),
    });
    const plugins: SchedulerExtension[] = [{ source: 'spec', exports: { filters: [failing] } }];
    const options = { ...RAM, enabledFilters: ['Moody'] };
    const decided = await decideOn(new FixtureCloud([A, B]), { body: { instances: uuids(4) }, options, plugins });
    expect(chosenHosts(decided)).toEqual(['a', 'a', 'a', 'a']);
    expect(asked).toBe(1);
  });

  it('passes the configured values to its driver', async () => {
    const service = { disabled: false, disabledReason: null, forcedDown: false, createdAtMs: 0, lastSeenUpMs: -31_000 };
    const cloud = new FixtureCloud([{ ...A, state: { service } }]);
    const given = { driver: 'chance_scheduler', enabledFilters: [] };
    expect(chosenHosts(await decideOn(cloud, { options: given }))).toEqual(['a']);
    const values = { DEFAULT: { service_down_time: 30 } };
    expect((await decideOn(new FixtureCloud(cloud.hosts), { options: { ...given, values } })).refusal).not.toBeNull();
  });

  it('draws distinct hosts at random while there are enough', async () => {
    const options = { driver: 'chance' };
    for (let seed = 0; seed < 10; seed += 1) {
      const given = { body: { instances: uuids(3) }, options, command: { seed } };
      expect(chosenHosts(await decideOn(new FixtureCloud([A, B, C]), given)).sort()).toEqual(['a', 'b', 'c']);
    }
  });
});

describe('members of a server group', () => {
  const place = async (
    group: InstanceGroupDto,
    count: number,
    hosts: readonly FixtureHost[] = [A, B, C],
  ): Promise<string[] | string | undefined> => {
    const cloud = new FixtureCloud(hosts);
    const decided = await decideOn(cloud, { body: { instances: uuids(count), instance_group: group } });
    if (decided.refusal !== null) expect(cloud.claimed.size).toBe(0);
    return decided.refusal?.code ?? chosenHosts(decided);
  };

  it.each<[string, InstanceGroupDto, number, string[] | string]>([
    ['go apart', { policy: 'anti-affinity' }, 3, ['a', 'b', 'c']],
    ['find no host when there are none left', { policy: 'anti-affinity' }, 4, 'scheduler.no_valid_host'],
    [
      'go apart by the number allowed',
      { policy: 'anti-affinity', rules: { max_server_per_host: 2 } },
      6,
      ['a', 'a', 'b', 'b', 'c', 'c'],
    ],
    ['stay together', { policy: 'affinity' }, 3, ['a', 'a', 'a']],
    ['join those that are placed', { policy: 'affinity', hosts: ['c'] }, 2, ['c', 'c']],
    ['stay together by weight', { policy: 'soft-affinity' }, 3, ['a', 'a', 'a']],
    ['go apart by weight', { policy: 'soft-anti-affinity' }, 3, ['a', 'b', 'c']],
    ['go apart by weight as long as they can', { policy: 'soft-anti-affinity' }, 4, ['a', 'b', 'c', 'a']],
  ])('%s', async (_, group, count, expected) => {
    const answer = await place(group, count);
    if (group.rules === undefined || typeof answer === 'string') expect(answer).toEqual(expected);
    else expect([...(answer ?? [])].sort()).toEqual(expected);
  });

  it('of affinity find no host if the host of the group is full', async () => {
    expect(await place({ policy: 'affinity' }, 3, [{ name: 'a', memoryMb: 1024 }, B])).toEqual(['b', 'b', 'b']);
    expect(await place({ policy: 'affinity', hosts: ['a'] }, 3, [{ name: 'a', memoryMb: 1024 }, B])).toBe(
      'scheduler.no_valid_host',
    );
  });

  it('join the hosts that a refused claim reports for the group', async () => {
    const cloud = new FixtureCloud([A, B, C]);
    const claim = cloud.claim.bind(cloud);
    cloud.claim = async (requests, batch) => {
      const other = requests.find(({ host }) => host.host !== 'c');
      if (other === undefined) return claim(requests, batch);
      cloud.attempts.push(other.host.host);
      const groupHosts = { kind: 'only', hosts: new Set(['c']) } as const;
      return { outcome: 'policy', message: 'the group runs on c', groupHosts };
    };
    const { decision, placements } = await decideOn(cloud, { body: { instance_group: { policy: 'affinity' } } });
    expect(placements[0]?.selected?.state.host).toBe('c');
    expect(decision.passes[0]?.claims).toMatchObject([
      { host: 'a', outcome: 'policy', attempts: 1, message: 'the group runs on c' },
      { host: 'b', outcome: 'policy', attempts: 0, message: 'the server group runs on c now' },
      { host: 'c', outcome: 'claimed', attempts: 1 },
    ]);
  });
});

describe('a server group and hosts that the request forces', () => {
  const HINT = { group: uuidOf(900) };
  const group = (given: Partial<InstanceGroup>): InstanceGroup => ({
    uuid: uuidOf(900),
    policy: 'anti-affinity',
    maxServerPerHost: null,
    members: new Set([uuidOf(70)]),
    hosts: new Set(['a']),
    ...given,
  });
  const there = [{ ...A, instances: [uuidOf(70)] }, B, C];
  const forced = async (
    given: Partial<InstanceGroup>,
    body: object,
    dryRun: boolean,
  ): Promise<{ readonly cloud: FixtureCloud; readonly decided: Decided }> => {
    const cloud = new FixtureCloud(there);
    cloud.groups.push(group(given));
    const request = { scheduler_hints: HINT, ...body };
    return { cloud, decided: await decideOn(cloud, { body: request, command: { dryRun } }) };
  };

  it.each<[string, Partial<InstanceGroup>, object, (string | null)[] | null]>([
    ['anti-affinity, a member there', {}, { force_hosts: ['a'] }, null],
    ['anti-affinity, a member elsewhere', {}, { force_hosts: ['b'] }, ['b']],
    ['anti-affinity by the forced node', {}, { force_nodes: ['a'] }, null],
    ['anti-affinity, room for a second', { maxServerPerHost: 2 }, { force_hosts: ['a'] }, ['a']],
    ['anti-affinity, two at once', {}, { force_hosts: ['b'], instances: uuids(2) }, null],
    [
      'anti-affinity, two at once, one will do',
      {},
      { force_hosts: ['b'], instances: uuids(2), min_count: 1 },
      ['b', null],
    ],
    ['affinity, members elsewhere', { policy: 'affinity' }, { force_hosts: ['b'] }, null],
    ['affinity, members there', { policy: 'affinity' }, { force_hosts: ['a'] }, ['a']],
    [
      'affinity, no members',
      { policy: 'affinity', members: new Set(), hosts: new Set() },
      { force_hosts: ['b'] },
      ['b'],
    ],
    ['a soft policy', { policy: 'soft-anti-affinity' }, { force_hosts: ['a'] }, ['a']],
    [
      'a rebuild, which claims nothing',
      {},
      { scheduler_hints: { ...HINT, _nova_check_type: 'rebuild' }, force_hosts: ['a'] },
      ['a'],
    ],
  ])('of %s: a dry run gives the result of the claim', async (_of, given, body, expected) => {
    for (const dryRun of [true, false]) {
      const { placements, refusal } = (await forced(given, body, dryRun)).decided;
      if (expected === null) expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
      else expect(placements.map(({ selected }) => selected?.state.host ?? null)).toEqual(expected);
    }
  });

  it('report why the group forbids a forced host, and claim nothing there', async () => {
    const { cloud, decided } = await forced({}, { force_hosts: ['a'] }, false);
    expect(decided.decision.passes[0]?.claims).toMatchObject([
      { host: 'a', outcome: 'policy', attempts: 0, message: expect.stringMatching(/as many members/) as string },
    ]);
    expect(cloud.attempts).toEqual([]);
  });
});

describe('a batch with a smaller min_count', () => {
  const two = [{ name: 'a', memoryMb: 1100 }];
  it.each<[number, number, (string | null)[] | string]>([
    [1, 3, ['a', 'a', null]],
    [2, 3, ['a', 'a', null]],
    [3, 3, 'scheduler.no_valid_host'],
    [2, 2, ['a', 'a']],
  ])('at least %d of %d', async (least, count, expected) => {
    const cloud = new FixtureCloud(two);
    const { refusal, placements, decision } = await decideOn(cloud, {
      body: { instances: uuids(count), min_count: least },
    });
    expect(refusal?.code ?? placements.map(({ selected }) => selected?.state.host ?? null)).toEqual(expected);
    expect(cloud.claimed.size).toBe(typeof expected === 'string' ? 0 : 2);
    expect(cloud.requests.map((joint) => joint.length)).toEqual(typeof expected === 'string' ? [] : [2]);
    expect(cloud.opened).toEqual([]);
    expect(decision.outcome).toBe(typeof expected === 'string' ? 'no_valid_host' : 'placed');
  });

  it('reports the number of instances, and those without a host', async () => {
    const { decision } = await decideOn(new FixtureCloud(two), { body: { instances: uuids(3), min_count: 1 } });
    const [one, other, last] = uuids(3);
    expect(decision.summary.sentence).toBe(
      `Placed 2 of 3 instances: ${one ?? ''} on a, ${other ?? ''} on a; ${last ?? ''} found no host.`,
    );
  });

  it('gives the same result in a dry run', async () => {
    const given = { body: { instances: uuids(3), min_count: 1 } };
    const dry = await decideOn(new FixtureCloud(two), { ...given, command: { dryRun: true } });
    expect(dry.placements.map(({ selected }) => selected?.state.host ?? null)).toEqual(['a', 'a', null]);
  });
});

describe('alternates', () => {
  const offered = async (hosts: readonly FixtureHost[], count: number, options = {}): Promise<(string[] | null)[]> => {
    const cloud = new FixtureCloud(hosts);
    const given = { body: { instances: uuids(count), min_count: 1 }, options: { ...RAM, ...options } };
    const { placements } = await decideOn(cloud, { ...given, command: { returnAlternates: true } });
    const claimed = cloud.requests.flat().map(({ consumerUuid, alternates }) => [consumerUuid, alternates] as const);
    const stored = [...claimed, ...cloud.offers.map((offer) => [offer.instanceUuid, offer.alternates] as const)];
    const remembered = new Map(stored.map(([uuid, hosts]) => [uuid, hosts.map(({ host }) => host)]));
    expect(cloud.offers.length > 0 && count === 1).toBe(false);
    return placements.map(({ instanceUuid, selected, alternates }) => {
      const names = alternates.map(({ state }) => state.host);
      expect(remembered.get(instanceUuid) ?? []).toEqual(names);
      return selected === null ? null : names;
    });
  };

  it('stay in the cell of the host', async () => {
    const hosts = [...cells('one', 'a', 'b', 'c'), ...cells('two', 'd', 'e')];
    expect(await offered(hosts, 1)).toEqual([['b', 'c']]);
    expect(await offered([...cells('one', 'a'), ...cells('two', 'd', 'e')], 1)).toEqual([[]]);
  });

  it('of a batch are offered per cell, the same to all instances of a cell', async () => {
    const hosts = [...cells('one', 'a', 'b', 'c', 'd'), ...cells('two', 'k', 'l', 'm', 'n')];
    const options = { enabledFilters: ['NumInstancesFilter'] };
    const values = { filter_scheduler: { max_instances_per_host: 1 } };
    expect(await offered(hosts, 3, { ...options, values })).toEqual([
      ['c', 'd'],
      ['l', 'm'],
      ['c', 'd'],
    ]);
  });

  it.each<[number, string[]]>([
    [1, []],
    [2, ['b']],
    [3, ['b', 'c']],
    [9, ['b', 'c', 'd']],
  ])('with %d attempts are %j', async (maxAttempts, expected) => {
    expect(await offered(cells('one', 'a', 'b', 'c', 'd'), 1, { maxAttempts })).toEqual([expected]);
  });

  it('are hosts with room after all instances were placed', async () => {
    const hosts = [A, { name: 'b', memoryMb: 500 }];
    expect(await offered(hosts, 1)).toEqual([[]]);
  });

  it('are empty for an instance that was not placed', async () => {
    expect(
      await offered(
        [
          { name: 'a', memoryMb: 600 },
          { name: 'b', memoryMb: 500 },
        ],
        2,
      ),
    ).toEqual([[], null]);
  });

  it('can be hosts whose claim failed', async () => {
    const cloud = new FixtureCloud([A, B]);
    cloud.failures.set('a', ['no_capacity']);
    const { placements } = await decideOn(cloud, { command: { returnAlternates: true }, options: RAM });
    expect(placements.map(({ alternates }) => alternates.map(({ state }) => state.host))).toEqual([['a']]);
  });

  it('are stored once, and removed with the claims if that fails', async () => {
    const cloud = new FixtureCloud([A, B]);
    cloud.finish = () => Promise.reject(new Error('wires cut'));
    await expect(decideOn(cloud, { command: { returnAlternates: true } })).rejects.toThrow('wires cut');
    expect(cloud.released).toEqual([uuidOf(1)]);
  });

  it('of a dry run are not stored', async () => {
    const cloud = new FixtureCloud([A, B]);
    await decideOn(cloud, { command: { returnAlternates: true, dryRun: true } });
    expect(cloud.offers).toEqual([]);
  });
});
