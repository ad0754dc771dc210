import type { SelectDestinationsDto } from './request/request.schema';
import type { FixtureHost } from './scheduler.fixture';
import { chosenHosts, decideOn, FixtureCloud, uuidOf } from './scheduler.fixture';

const big = { name: 'big', memoryMb: 8192 };
const mid = { name: 'mid', memoryMb: 4096 };
const small = { name: 'small', memoryMb: 2048 };

/** Two filters whose rejections are easy to provoke: one runs for every instance, the other once. */
const FILTERS = { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'] };

describe('a target', () => {
  const hosts = [uuidOf(90), uuidOf(91)];
  const full = { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 2 } } };

  it.each<[string, Partial<SelectDestinationsDto>, string]>([
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

  it('bypasses all filters if it is forced', async () => {
    const cloud = new FixtureCloud([big, { ...mid, instances: hosts }]);
    const decided = await decideOn(cloud, { body: { force_hosts: ['mid'] }, options: full });
    expect(chosenHosts(decided)).toEqual(['mid']);
    expect(decided.decision.passes[0]?.stages.map(({ name }) => name)).toEqual(['preselection']);
  });

  it('goes through the filters if it is a destination', async () => {
    const cloud = new FixtureCloud([big, { ...mid, instances: hosts }]);
    const { refusal, decision } = await decideOn(cloud, {
      body: { requested_destination: { host: 'mid' } },
      options: full,
    });
    expect(refusal?.code).toBe('scheduler.no_valid_host');
    expect(decision.summary.rejected).toEqual({ 'NumInstancesFilter.too_many_instances': 1 });
  });

  it.each<[Partial<SelectDestinationsDto>, string]>([
    [{ force_hosts: ['nope'] }, 'No such host - host: nope node: None Known hosts: big.'],
    [{ force_nodes: ['nope'] }, 'No such host - host: None node: nope Known nodes: big.'],
    [{ requested_destination: { host: 'big', node: 'nope' } }, 'No such host - host: big node: nope Known nodes: big.'],
  ])('ends the request before the query to Placement if it is unknown: %j', async (body, message) => {
    const cloud = new FixtureCloud([big]);
    const { refusal } = await decideOn(cloud, { body });
    expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
    expect(refusal?.message).toBe(`No valid host was found. ${message}`);
    expect(cloud.queries).toEqual([]);
  });

  it('with several nodes is searched among all hosts', async () => {
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

  it('runs only the filters for rebuild checks and sends no query', async () => {
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
    ['fails where it may not', { ...big, ...arm }, { code: 'scheduler.no_valid_host' }],
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

  it('without a named host checks all hosts', async () => {
    const cloud = new FixtureCloud([big, mid]);
    const { decision } = await decideOn(cloud, { body: { scheduler_hints: hint }, options });
    expect(decision.passes[0]?.ranking).toHaveLength(2);
  });

  it('of an unknown host finds no valid host', async () => {
    const body = { scheduler_hints: hint, force_hosts: ['nope'] };
    const { refusal } = await decideOn(new FixtureCloud([big]), { body, options });
    expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
  });
});

describe('a server group', () => {
  const group = {
    policy: 'anti-affinity',
    maxServerPerHost: null,
    members: new Set<string>(),
    hosts: new Set<string>(),
  } as const;

  it('is joined if it is registered', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.groups.push({ ...group, uuid: uuidOf(3) });
    await decideOn(cloud, { body: { instance_group: uuidOf(3) } });
    expect(cloud.requests).toMatchObject([[{ group: { uuid: uuidOf(3), isEnforced: true } }]]);
  });

  it('is enforced but not joined if it is inline, whatever its uuid', async () => {
    const cloud = new FixtureCloud([{ ...big, instances: [uuidOf(9)] }, mid]);
    const body = { instance_group: { uuid: uuidOf(3), policy: 'anti-affinity', members: [uuidOf(9)] } } as const;
    expect(chosenHosts(await decideOn(cloud, { body }))).toEqual(['mid']);
    expect(cloud.requests).toMatchObject([[{ group: null }]]);
  });
});
