import { Unavailable, UnknownReference } from '../errors/domain-errors';
import type { Decision } from './pipeline/decision';
import type { HeldInstance } from './ports';
import type { FlavorBody, RequestBody } from './request/request-body';
import { FixtureCloud, chosenHosts, decideOn, uuidOf } from './scheduler.fixture';
import type { FixtureHost } from './scheduler.fixture';

const big = { name: 'big', memoryMb: 8192 };
const mid = { name: 'mid', memoryMb: 4096 };
const small = { name: 'small', memoryMb: 2048 };

/** Two filters whose rejections are easily provoked: one runs for every instance, the other once. */
const FILTERS = { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'] };

/** Every host placement returned is rejected by exactly one stage or is in the ranking. */
function expectEveryHostInOnePlace({ passes, placement }: Decision): void {
  const [first] = passes;
  const rejected = first?.stages.flatMap((stage) => stage.rejected.map(({ host }) => host)) ?? [];
  const ranked = first?.ranking.map(({ state }) => state.host) ?? [];
  const places = [...rejected, ...ranked];
  expect(new Set(places).size).toBe(places.length);
  expect(places).toHaveLength(placement?.hosts ?? 0);
  for (const stage of passes.flatMap((pass) => pass.stages)) expect(stage.in).toBe(stage.out + stage.rejected.length);
}

describe('one instance', () => {
  it('goes to the host with most free memory and is claimed there', async () => {
    const cloud = new FixtureCloud([small, big, mid]);
    const decided = await decideOn(cloud);
    expect(chosenHosts(decided)).toEqual(['big']);
    expect(cloud.claimed).toEqual(new Map([[uuidOf(1), 'big']]));
    expect(decided.decision).toMatchObject({ outcome: 'placed', code: null, seed: 7, driver: 'filter_scheduler' });
    expectEveryHostInOnePlace(decided.decision);
  });

  it('asks placement with the status trait, the bound on hosts and the bound per host', async () => {
    const cloud = new FixtureCloud([big]);
    const { decision } = await decideOn(cloud);
    expect(cloud.queries[0]).toMatchObject({ limit: 1000, perRoot: 8, rootForbidden: ['COMPUTE_STATUS_DISABLED'] });
    expect(decision.placement?.query).toBe(
      'limit=1000&resources=MEMORY_MB:512,VCPU:1&root_required=!COMPUTE_STATUS_DISABLED',
    );
  });

  it('stays off ignored hosts, whatever the case of their names', async () => {
    const { decision, placements } = await decideOn(new FixtureCloud([big, mid]), { body: { ignore_hosts: ['BIG'] } });
    expect(placements[0]?.selected?.state.host).toBe('mid');
    expect(decision.passes[0]?.stages[0]).toMatchObject({ kind: 'preselection', in: 2, out: 1 });
    expect(decision.summary.rejected).toEqual({ 'preselection.ignored': 1 });
    expectEveryHostInOnePlace(decision);
  });

  it('explains every host that fell out, by stage, code and values', async () => {
    const cloud = new FixtureCloud([
      { ...big, instances: [uuidOf(90)] },
      { ...mid, instances: [uuidOf(91), uuidOf(92)] },
      { ...small, isUnknown: true },
    ]);
    const { decision, refusal } = await decideOn(cloud, {
      body: { scheduler_hints: { different_host: uuidOf(90) } },
      options: { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 2 } } },
    });
    expect(refusal).toMatchObject({ status: 409, code: 'scheduler.no_valid_host' });
    const fell = decision.passes[0]?.stages.map(({ name, rejected }) => [name, rejected.map((one) => one.message)]);
    expect(fell).toEqual([
      ['preselection', ['no host is known for root provider small']],
      ['NumInstancesFilter', ['host runs 2 instances; the limit is 2']],
      ['DifferentHostFilter', [`host runs ${uuidOf(90)}, named by the hint different_host`]],
    ]);
    expect(decision.summary.sentence).toBe(
      `3 hosts have room; 1 host (big) was rejected by DifferentHostFilter: host runs ${uuidOf(90)}, named by the ` +
        'hint different_host; 1 host (mid) was rejected by NumInstancesFilter: host runs 2 instances; the limit is 2; ' +
        '1 host (small) was rejected by preselection: no host is known for root provider small.',
    );
    expectEveryHostInOnePlace(decision);
  });

  it('is asked of placement without a bound when a hint compares hosts with instances', async () => {
    const cloud = new FixtureCloud([big]);
    await decideOn(cloud, { body: { scheduler_hints: { different_host: [uuidOf(5)] } } });
    expect(cloud.queries[0]?.limit).toBeNull();
  });
});

describe('hosts that placement did not return', () => {
  const rejections = [
    {
      ...{ uuid: 'tiny', name: 'tiny', group: '', stage: 'room', code: 'not_enough_left' },
      params: { resource_class: 'VCPU', used: 3, asked: 1, capacity: 3, providers: 1, is_root: true },
    },
  ];
  const explained = (hosts: readonly FixtureHost[]): FixtureCloud => {
    const cloud = new FixtureCloud(hosts);
    const search = cloud.search.bind(cloud);
    cloud.search = async (query) => ({ ...(await search(query)), ...(query.isExplained === true && { rejections }) });
    return cloud;
  };

  it('are explained when somebody wants to know', async () => {
    const { decision } = await decideOn(explained([big]), { command: { explains: 'always' } });
    expect(decision.placement?.rejections).toEqual(rejections);
    expect(decision.summary.rejected).toEqual({ 'placement.not_enough_left': 1 });
  });

  it('are not asked about otherwise', async () => {
    const { decision } = await decideOn(explained([big]));
    expect(decision.placement?.rejections).toBeNull();
    expect(decision.summary.rejected).toEqual({});
  });

  it('are what the sentence speaks of when there is no candidate, nearest misses included', async () => {
    const cloud = explained([]);
    const search = cloud.search.bind(cloud);
    const candidate = { rootUuid: 'tiny', allocations: {}, mappings: {} };
    cloud.search = async (query) => {
      const answer = await search(query);
      return query.groups[0]?.resources.has('VCPU') === true ? answer : { ...answer, requests: [candidate] };
    };
    const { decision } = await decideOn(cloud, { command: { explains: 'always' } });
    expect(decision.summary.nearestMisses).toEqual([{ hosts: 1, lack: '1 VCPU' }]);
    expect(decision.summary.sentence).toBe(
      '1 host (tiny) has no room for 1 VCPU, asked by the flavor (3 used of 3); the nearest: 1 host lacks only 1 VCPU.',
    );
  });
});

describe('refusals', () => {
  it('tells no candidates from no valid host', async () => {
    const { refusal, decision } = await decideOn(new FixtureCloud([]));
    expect(refusal).toMatchObject({ status: 409, code: 'scheduler.no_candidates' });
    expect(decision).toMatchObject({ outcome: 'no_valid_host', placement: { hosts: 0, candidates: 0 } });
  });

  it.each([
    ['flavor', { flavor: 'm1.small' }],
    ['image', { image: 'cirros' }],
    ['availability_zone', { availability_zone: 'az1' }],
    ['instance_group', { instance_group: uuidOf(3) }],
    ['scheduler_hints.group', { scheduler_hints: { group: uuidOf(3) } }],
    ['flavor.extra_specs.hw:numa_nodes', { flavor: flavorWith({ 'hw:numa_nodes': '2' }) }],
    ['flavor.extra_specs.pci_passthrough:alias', { flavor: flavorWith({ 'pci_passthrough:alias': 'a:1' }) }],
    ['flavor.extra_specs.hw:mem_encryption', { flavor: flavorWith({ 'hw:mem_encryption': 'True' }) }],
    ['image.properties.hw_cpu_policy', { image: { properties: { hw_cpu_policy: 'pinned' } } }],
  ])('name the field %s that cannot be honoured', async (field, body) => {
    const cloud = new FixtureCloud([big]);
    const { refusal, decision } = await decideOn(cloud, { body });
    expect(refusal).toMatchObject({ status: 400, code: 'scheduler.invalid_request' });
    expect(refusal?.message).toMatch(new RegExp(`^${field}: `));
    expect(decision.outcome).toBe('refused');
    expect(cloud.queries).toEqual([]);
  });

  it('accept fields that ask for nothing', async () => {
    const nothing = {
      force_hosts: [],
      numa_topology: 'auto',
      pci_requests: null,
      requested_destination: {},
      retry: null,
    };
    const flavor = flavorWith({ 'hw:cpu_policy': 'shared', 'hw:mem_encryption': 'false' });
    const { refusal } = await decideOn(new FixtureCloud([big]), { body: { ...nothing, flavor } });
    expect(refusal).toBeNull();
  });

  it('repeat what placement says of a bad query', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.search = () => Promise.reject(new UnknownReference('No such trait(s): CUSTOM_X.'));
    const { refusal } = await decideOn(cloud);
    expect(refusal).toMatchObject({ code: 'scheduler.invalid_request', message: 'No such trait(s): CUSTOM_X.' });
  });

  it('are 503 when placement cannot be reached', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.search = () => Promise.reject(new Unavailable('the database does not answer'));
    expect((await decideOn(cloud)).refusal).toMatchObject({ status: 503, code: 'scheduler.unavailable' });
  });

  it('report hints that nothing reads', async () => {
    const { decision } = await decideOn(new FixtureCloud([big]), { body: { scheduler_hints: { colour: 'blue' } } });
    expect(decision.ignored).toEqual([
      { field: 'scheduler_hints.colour', why: 'no enabled filter, weigher or prefilter reads it' },
    ]);
  });
});

describe('claims', () => {
  it('go to the next host when the best one is full by now', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['no_capacity']);
    const { decision, placements } = await decideOn(cloud);
    expect(placements[0]?.selected?.state.host).toBe('mid');
    expect(decision.passes[0]?.claims.map(({ host, outcome, attempts }) => [host, outcome, attempts])).toEqual([
      ['big', 'no_capacity', 1],
      ['mid', 'claimed', 1],
    ]);
  });

  it('are tried again on the same host while others write, with growing pauses', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['conflict', 'conflict', 'conflict']);
    const pauses: number[] = [];
    const decided = await decideOn(cloud, { pauses });
    expect(chosenHosts(decided)).toEqual(['big']);
    expect(pauses).toEqual([25, 50, 75]);
  });

  it('give a host up after four conflicts', async () => {
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

  it('ask a host for its further candidates when its first ones all failed', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 12 }, mid]);
    cloud.failures.set(
      'big',
      Array.from({ length: 9 }, () => 'no_capacity' as const),
    );
    const { decision } = await decideOn(cloud);
    expect(cloud.claimed.get(uuidOf(1))).toBe('big+big.9');
    expect(cloud.queries[1]?.groups[0]?.inTree).toBe('big');
    expect(decision.passes[0]?.claims.map(({ candidate }) => candidate)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('ask every host for further candidates when the answer was cut, however few it showed', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 3 }, mid]);
    const search = cloud.search.bind(cloud);
    cloud.search = async (query) => {
      const answer = await search(query);
      const first = answer.requests.filter(({ rootUuid }, at, all) => all[at - 1]?.rootUuid !== rootUuid);
      return query.perRoot === 8 ? { ...answer, requests: first, truncated: true } : answer;
    };
    cloud.failures.set('big', ['no_capacity']);
    await decideOn(cloud);
    expect(cloud.claimed.get(uuidOf(1))).toBe('big+big.1');
  });

  it('of a batch ask a host for its further candidates before the next host, once', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 12 }, mid]);
    const instances = Array.from({ length: 12 }, (_, at) => uuidOf(at + 1));
    const decided = await decideOn(cloud, { body: { instances }, options: { weightClasses: ['RAMWeigher'] } });
    const nine = Array.from({ length: 9 }, () => 'big');
    expect(chosenHosts(decided)).toEqual([...nine, 'mid', 'big', 'mid']);
    expect(cloud.queries).toHaveLength(2);
  });

  it('that all fail are claims lost, not a lack of hosts', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.failures.set('big', ['no_capacity']);
    const { refusal, decision } = await decideOn(cloud);
    expect(refusal).toMatchObject({ status: 409, code: 'scheduler.claims_lost' });
    expect(decision.summary.sentence).toContain('1 host passed and none could be claimed (no capacity left 1)');
  });

  it('of an instance that has allocations end the request at once', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['consumer_exists']);
    const { refusal } = await decideOn(cloud);
    expect(refusal).toMatchObject({ status: 409, code: 'scheduler.generation_conflict' });
    expect(cloud.attempts).toEqual(['big']);
    expect(cloud.released).toEqual([]);
  });

  it.each<[string, Partial<RequestBody>, HeldInstance['placed'], boolean, boolean]>([
    ['unknown here', {}, null, false, true],
    ['on a host that is ignored', { ignore_hosts: ['old'] }, { host: 'old', isMoving: false }, false, true],
    ['on another host than the target', { force_hosts: ['mid'] }, { host: 'old', isMoving: false }, false, true],
    ['on the target', { force_hosts: ['mid'] }, { host: 'mid', isMoving: false }, false, false],
    ['on a host that nobody named', {}, { host: 'old', isMoving: false }, false, false],
    ['on a host that nobody named, as in nova', {}, { host: 'old', isMoving: false }, true, true],
    ['being moved', { ignore_hosts: ['old'] }, { host: 'old', isMoving: true }, true, false],
  ])('of an instance that has allocations and is %s', async (_, body, placed, novaCompat, isClaimed) => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('big', ['consumer_exists']).set('mid', ['consumer_exists']);
    cloud.holdings.set(uuidOf(1), { generation: 4, allocations: { old: { resources: { VCPU: 2 } } }, placed });
    const { refusal } = await decideOn(cloud, { body: { instances: [uuidOf(1)], ...body }, options: { novaCompat } });
    expect(refusal?.code ?? null).toBe(isClaimed ? null : 'scheduler.generation_conflict');
    expect(cloud.attempts).toHaveLength(isClaimed ? 2 : 1);
    if (!isClaimed) return;
    const last = cloud.requests.at(-1)?.[0];
    expect(last).toMatchObject({ beside: { generation: 4 }, allocations: { old: { resources: { VCPU: 2 } } } });
    expect(Object.keys(last?.allocations ?? {})).toHaveLength(2);
  });
});

describe('a batch', () => {
  const instances = [uuidOf(11), uuidOf(12), uuidOf(13)];

  it('charges each host for what it got before the next instance is placed', async () => {
    const cloud = new FixtureCloud([
      { name: 'a', memoryMb: 2048 },
      { name: 'b', memoryMb: 1792 },
    ]);
    expect(chosenHosts(await decideOn(cloud, { body: { instances } }))).toEqual(['a', 'b', 'a']);
  });

  it('counts its own instances against the limit of a host', async () => {
    const cloud = new FixtureCloud([big, mid, small]);
    const decided = await decideOn(cloud, {
      body: { instances },
      options: { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 1 } } },
    });
    expect(chosenHosts(decided)).toEqual(['big', 'mid', 'small']);
  });

  it('asks filters that run once for the first instance only', async () => {
    const body = { instances, scheduler_hints: { different_host: uuidOf(90) } };
    const { decision } = await decideOn(new FixtureCloud([big]), { body, options: FILTERS });
    const skipped = decision.passes.map(
      ({ stages }) => stages.find(({ name }) => name === 'DifferentHostFilter')?.skipped,
    );
    expect(skipped).toEqual([false, true, true]);
  });

  it('is all or nothing: the claims made are released when one instance finds no host', async () => {
    const cloud = new FixtureCloud([{ name: 'a', memoryMb: 1100 }]);
    const { refusal, placements, decision } = await decideOn(cloud, { body: { instances } });
    expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
    expect(placements).toEqual([]);
    expect(cloud.released).toEqual([uuidOf(11), uuidOf(12)]);
    expect(cloud.claimed.size).toBe(0);
    expect(decision.passes[2]?.claims).toMatchObject([{ outcome: 'no_capacity', attempts: 0 }]);
  });

  it('is released as well when a claim breaks', async () => {
    const cloud = new FixtureCloud([big, mid]);
    cloud.failures.set('mid', [new Error('wires cut')]);
    const limit = { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 1 } } };
    await expect(decideOn(cloud, { body: { instances }, options: limit })).rejects.toThrow('wires cut');
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

  it('takes each candidate of a host only as often as it fits', async () => {
    const cloud = new FixtureCloud([{ ...big, slots: 3 }]);
    await decideOn(cloud, { body: { instances } });
    expect([...cloud.claimed.values()]).toEqual(['big+big.0', 'big+big.1', 'big+big.2']);
  });
});

describe('a target', () => {
  const crowd = [uuidOf(90), uuidOf(91)];
  const full = { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 2 } } };

  it.each<[string, Partial<RequestBody>, string]>([
    ['a forced host', { force_hosts: ['mid'] }, 'mid'],
    ['a forced node', { force_nodes: ['mid'] }, 'mid'],
    ['a destination', { requested_destination: { host: 'mid' } }, 'mid'],
    ['a destination before a forced host', { requested_destination: { host: 'mid' }, force_hosts: ['mid'] }, 'mid'],
  ])('confines the query to its tree: %s', async (_, body, host) => {
    const cloud = new FixtureCloud([big, mid]);
    const decided = await decideOn(cloud, { body });
    expect(chosenHosts(decided)).toEqual([host]);
    expect(cloud.queries.map(({ groups }) => groups[0]?.inTree)).toEqual([host]);
    expect(decided.decision.placement?.hosts).toBe(1);
  });

  it('that is forced passes all filters by', async () => {
    const cloud = new FixtureCloud([big, { ...mid, instances: crowd }]);
    const decided = await decideOn(cloud, { body: { force_hosts: ['mid'] }, options: full });
    expect(chosenHosts(decided)).toEqual(['mid']);
    expect(decided.decision.passes[0]?.stages.map(({ name }) => name)).toEqual(['preselection']);
  });

  it('that is a destination goes through the filters', async () => {
    const cloud = new FixtureCloud([big, { ...mid, instances: crowd }]);
    const { refusal, decision } = await decideOn(cloud, {
      body: { requested_destination: { host: 'mid' } },
      options: full,
    });
    expect(refusal?.code).toBe('scheduler.no_valid_host');
    expect(decision.summary.rejected).toEqual({ 'NumInstancesFilter.too_many_instances': 1 });
  });

  it.each<[Partial<RequestBody>, string]>([
    [{ force_hosts: ['nope'] }, 'No such host - host: nope node: None '],
    [{ force_nodes: ['nope'] }, 'No such host - host: None node: nope '],
    [{ requested_destination: { host: 'big', node: 'nope' } }, 'No such host - host: big node: nope '],
  ])('that nobody knows ends the request before placement is asked: %j', async (body, message) => {
    const cloud = new FixtureCloud([big]);
    const { refusal } = await decideOn(cloud, { body });
    expect(refusal).toMatchObject({ status: 409, code: 'scheduler.no_valid_host' });
    expect(refusal?.message).toBe(`No valid host was found. ${message}`);
    expect(cloud.queries).toEqual([]);
  });

  it('of several nodes is looked for among all hosts', async () => {
    const cloud = new FixtureCloud([big, mid, small]);
    cloud.targets = () => ['mid', 'small'].map((name) => ({ host: name, node: name, uuid: name }));
    await decideOn(cloud, { body: { force_hosts: ['mid'] } });
    expect(cloud.queries).toMatchObject([{ limit: null, groups: [{ inTree: null }] }]);
  });
});

describe('a rebuild check', () => {
  const hint = { _nova_check_type: 'rebuild' };
  const arm = { state: { hypervisorType: 'QEMU', supportedInstances: [['aarch64', 'kvm', 'hvm']] } };
  const image = { properties: { hw_architecture: 'x86_64' } };
  const options = { enabledFilters: ['NumInstancesFilter', 'ImagePropertiesFilter'] };
  const crowded = { ...options, values: { filter_scheduler: { max_instances_per_host: 1 } } };
  const instances = [uuidOf(90), uuidOf(91)];

  it('asks only the filters that are for it, and nobody else', async () => {
    const cloud = new FixtureCloud([{ ...big, instances }, mid]);
    const body = { scheduler_hints: hint, force_hosts: ['big'], force_nodes: ['big'], image };
    const decided = await decideOn(cloud, { body, options: crowded });
    expect(decided.decision.passes[0]?.stages.map(({ name, skipped }) => [name, skipped])).toEqual([
      ['preselection', false],
      ['NumInstancesFilter', true],
      ['ImagePropertiesFilter', false],
    ]);
    expect([cloud.queries, cloud.attempts, cloud.offers, decided.decision.prefilters]).toEqual([[], [], [], []]);
    expect(decided.decision.placement).toBeNull();
  });

  it.each<[string, FixtureHost, object]>([
    ['passes where the image may run', big, {}],
    ['fails where it may not', { ...big, ...arm }, { code: 'scheduler.no_valid_host', status: 409 }],
  ])('%s', async (_, host, expected) => {
    const body = { scheduler_hints: hint, force_hosts: ['big'], image: { properties: { hw_architecture: 'x86_64' } } };
    const known = { hypervisorType: 'QEMU', supportedInstances: [['x86_64', 'kvm', 'hvm']] };
    const cloud = new FixtureCloud([{ ...host, state: { ...known, ...host.state } }]);
    const { refusal, placements } = await decideOn(cloud, { body, options });
    expect(refusal ?? {}).toMatchObject(expected);
    expect(placements.map(({ selected, alternates }) => [selected?.state.host, alternates])).toEqual(
      refusal === null ? [['big', []]] : [],
    );
    expect(cloud.claimed.size).toBe(0);
  });

  it('of hosts nobody named looks at all of them', async () => {
    const cloud = new FixtureCloud([big, mid]);
    const { decision } = await decideOn(cloud, { body: { scheduler_hints: hint }, options });
    expect(decision.passes[0]?.ranking).toHaveLength(2);
  });

  it('of a host that is not there finds no valid host', async () => {
    const body = { scheduler_hints: hint, force_hosts: ['nope'] };
    const { refusal } = await decideOn(new FixtureCloud([big]), { body, options });
    expect(refusal).toMatchObject({ status: 409, code: 'scheduler.no_valid_host' });
  });
});

describe('a server group', () => {
  const group = {
    policy: 'anti-affinity',
    maxServerPerHost: null,
    members: new Set<string>(),
    hosts: new Set<string>(),
  } as const;

  it('is joined when it is registered', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.groups.push({ ...group, uuid: uuidOf(3) });
    await decideOn(cloud, { body: { instance_group: uuidOf(3) } });
    expect(cloud.requests).toMatchObject([[{ group: { uuid: uuidOf(3), isEnforced: true } }]]);
  });

  it('given inline is obeyed and joined by nobody, whatever its uuid', async () => {
    const cloud = new FixtureCloud([{ ...big, instances: [uuidOf(9)] }, mid]);
    const body = { instance_group: { uuid: uuidOf(3), policy: 'anti-affinity', members: [uuidOf(9)] } } as const;
    expect(chosenHosts(await decideOn(cloud, { body }))).toEqual(['mid']);
    expect(cloud.requests).toMatchObject([[{ group: null }]]);
  });
});

describe('alternates', () => {
  const alternatesOf = async (hosts: FixtureCloud, instances: readonly string[]): Promise<string[][]> => {
    const { placements } = await decideOn(hosts, { body: { instances }, command: { returnAlternates: true } });
    return placements.map(({ alternates }) => alternates.map(({ state }) => state.host));
  };

  it('are the next best hosts, one less than the attempts allowed', async () => {
    const cloud = new FixtureCloud([small, big, mid, { name: 'tiny', memoryMb: 1024 }]);
    expect(await alternatesOf(cloud, [uuidOf(1)])).toEqual([['mid', 'small']]);
  });

  it('are never a host that another instance of the batch got', async () => {
    const cloud = new FixtureCloud([
      { name: 'a', memoryMb: 2048 },
      { name: 'b', memoryMb: 1792 },
      { name: 'c', memoryMb: 600 },
    ]);
    expect(await alternatesOf(cloud, [uuidOf(1), uuidOf(2)])).toEqual([['c'], ['c']]);
  });

  it('are claimed by nobody', async () => {
    const cloud = new FixtureCloud([big, mid]);
    await alternatesOf(cloud, [uuidOf(1)]);
    expect([...cloud.claimed.values()]).toEqual(['big']);
  });
});

describe('seeds', () => {
  const hosts = Array.from({ length: 10 }, (_, at) => ({ name: `host-${at}` }));
  const draw = async (seed: number): Promise<string[]> => {
    const options = { hostSubsetSize: 10, shuffleBestSameWeighedHosts: true };
    const instances = [uuidOf(1), uuidOf(2), uuidOf(3)];
    return chosenHosts(await decideOn(new FixtureCloud(hosts), { body: { instances }, command: { seed }, options }));
  };

  it('reproduce a decision', async () => {
    for (const seed of [0, 1, 42, 4_294_967_295]) expect(await draw(seed)).toEqual(await draw(seed));
  });

  it('that differ spread decisions', async () => {
    const firsts = new Set<string | undefined>();
    for (let seed = 0; seed < 40; seed += 1) firsts.add((await draw(seed))[0]);
    expect(firsts.size).toBeGreaterThan(5);
  });

  it('do not matter where nothing is drawn: equal hosts come in order of their names', async () => {
    const chosen = await decideOn(new FixtureCloud([...hosts].reverse()));
    expect(chosenHosts(chosen)).toEqual(['host-0']);
  });
});

describe('mode all', () => {
  it('asks every filter about every host and decides the same', async () => {
    const cloud = new FixtureCloud([{ ...big, instances: [uuidOf(90)] }, mid]);
    const { decision, placements } = await decideOn(cloud, {
      body: { scheduler_hints: { different_host: uuidOf(90) } },
      options: { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 1 } } },
      command: { mode: 'all' },
    });
    expect(placements[0]?.selected?.state.host).toBe('mid');
    expect(decision.passes[0]?.stages.at(-1)).toMatchObject({ in: 1, out: 1, alsoRejects: [{ host: 'big' }] });
    expectEveryHostInOnePlace(decision);
  });
});

function flavorWith(extraSpecs: Readonly<Record<string, string>>): FlavorBody {
  return { vcpus: 1, memory_mb: 512, extra_specs: extraSpecs };
}
