// A second placement of instances that have allocations, as for an evacuation by a caller that manages instances
// itself, on both databases: the new host is added to the allocations, once, and the record follows.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { allocationsOf, books, hostsOf, instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const VM = instance(1);
const FLAVOR = { name: 'f', vcpus: 1, memory_mb: 1_024 };
const SHARE = { MEMORY_MB: 1_024, VCPU: 1 };

describe.each(testDatabaseKinds())('an evacuation on %s', (kind) => {
  let service: TestService;
  let other: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind);
    other = await startTestService(kind, { sameDatabaseAs: service });
    operator = operatorOf(service);
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });
  beforeEach(async () => {
    for (const [at, host] of ['alpha', 'beta', 'gamma'].entries()) await operator.report(host, 16_384 - at * 1_024);
  });
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    await operator.clear();
  });

  const ask = (body: object = {}, on = service): Promise<TestResponse> =>
    select(on, { instances: [VM], flavor: FLAVOR, ...body });
  const providerOf = async (host: string): Promise<string> =>
    (await operator.ok('GET', `/resource_providers?name=${host}`)).json.resource_providers[0].uuid as string;
  const claim = async (resourcesOf: Readonly<Record<string, object>>): Promise<void> => {
    const shares = await Promise.all(
      Object.entries(resourcesOf).map(async ([host, resources]) => [await providerOf(host), { resources }] as const),
    );
    const allocations = Object.fromEntries(shares);
    const body = { ...OWNER, allocations, consumer_generation: null, consumer_type: 'INSTANCE' };
    await operator.ok('PUT', `/allocations/${VM}`, body);
  };
  /** Allocated resources by host. */
  const taken = async (): Promise<Json> => {
    const found = await allocationsOf(service, VM);
    const names = (await operator.ok('GET', '/resource_providers')).json.resource_providers as Json[];
    return Object.fromEntries(
      Object.entries(found).map(([uuid, share]) => [
        names.find((each) => each.uuid === uuid)?.name,
        (share as Json).resources,
      ]),
    );
  };
  const shown = async (): Promise<Json> => (await operator.ok('GET', `/scheduler/instances/${VM}`)).json;
  const refusalOf = ({ status, json }: TestResponse): unknown[] => [
    status,
    json.errors?.[0].code,
    json.errors?.[0].detail,
  ];

  it('of an instance that the scheduler placed adds a host to it, and updates the record', async () => {
    await ask();
    expect(hostsOf(await ask({ ignore_hosts: ['alpha'], return_alternates: false }))).toEqual(['beta']);
    expect(await taken()).toEqual({ alpha: SHARE, beta: SHARE });
    expect(await shown()).toMatchObject({ host: 'beta', node: 'beta', state: 'placed' });
    expect(await operator.instances()).toEqual([VM]);
  });

  it('of an instance unknown to the scheduler does the same', async () => {
    await claim({ alpha: { VCPU: 2, MEMORY_MB: 4_096 } });
    expect(hostsOf(await ask({ ignore_hosts: ['alpha'] }))).toEqual(['beta']);
    expect(await taken()).toEqual({ alpha: { VCPU: 2, MEMORY_MB: 4_096 }, beta: SHARE });
    expect(await shown()).toMatchObject({ host: 'beta', state: 'placed' });
  });

  it('adds nothing on a provider that the instance already uses', async () => {
    await claim({ alpha: { VCPU: 2 } });
    expect(hostsOf(await ask())).toEqual(['alpha']);
    expect(await taken()).toEqual({ alpha: { VCPU: 2 } });
  });

  it('goes to the named host, and from there again', async () => {
    await ask();
    expect(hostsOf(await ask({ requested_destination: { host: 'gamma' } }))).toEqual(['gamma']);
    expect(hostsOf(await ask({ ignore_hosts: ['gamma', 'alpha'] }))).toEqual(['beta']);
    expect(Object.keys(await taken()).sort()).toEqual(['alpha', 'beta', 'gamma']);
  });

  it('tries the next host if the first has no room, and changes nothing if there is none', async () => {
    await claim({ alpha: SHARE });
    const huge = { ...FLAVOR, memory_mb: 15_000 };
    expect(hostsOf(await ask({ flavor: huge, ignore_hosts: ['alpha'] }))).toEqual(['beta']);
    const before = await taken();
    const refused = await ask({ flavor: huge, ignore_hosts: ['beta', 'gamma', 'alpha'] });
    expect(refused.status).toBe(409);
    expect(await taken()).toEqual(before);
  });

  it('that is sent twice is made once', async () => {
    await ask();
    const [first, again] = [await ask({ ignore_hosts: ['alpha'] }), await ask({ ignore_hosts: ['alpha'] })];
    expect(hostsOf(first)).toEqual(['beta']);
    expect(refusalOf(again)).toEqual([
      409,
      'scheduler.generation_conflict',
      expect.stringContaining('placed on host beta already; one that is to leave it is sent with beta in ignore_hosts'),
    ]);
    expect(Object.keys(await taken()).sort()).toEqual(['alpha', 'beta']);
  });

  it('of an instance that is being moved is refused', async () => {
    await ask();
    await operator.ok('POST', `/scheduler/instances/${VM}/move`, { type: 'cold_migrate', target: 'gamma' });
    const answer = await ask({ ignore_hosts: ['gamma'] });
    expect(refusalOf(answer)).toEqual([
      409,
      'scheduler.generation_conflict',
      expect.stringContaining('is being moved: confirm or revert that first'),
    ]);
    await operator.ok('POST', `/scheduler/instances/${VM}/revert_move`);
    expect(await taken()).toEqual({ alpha: SHARE });
  });

  it('keeps the size of its server group, on the new host', async () => {
    const group = await operator.group('affinity');
    await ask({ instance_group: group });
    expect(hostsOf(await ask({ instance_group: group, ignore_hosts: ['alpha'] }))).toEqual(['beta']);
    expect(await operator.groupOf(group)).toMatchObject({ members: [VM], hosts: ['beta'] });
  });

  it('counts on the new host, and still on the old one', async () => {
    await ask();
    await operator.report('alpha', 16_384, { free_ram_mb: 15_360, instances: [{ uuid: VM }] });
    await ask({ ignore_hosts: ['alpha'] });
    const { json } = await select(service, { flavor: FLAVOR, dry_run: true });
    const ranking = json.decision.passes[0].weighers.find(({ name }: Json) => name === 'RAMWeigher').hosts as Json[];
    expect(Object.fromEntries(ranking.map(({ host, raw }) => [host, raw]))).toEqual({
      alpha: 15_360,
      beta: 14_336,
      gamma: 14_336,
    });
  });

  it('at the same time as another of the same instance: one is made, the other is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      await claim({ alpha: SHARE });
      const answers = await Promise.all([service, other].map((on) => ask({ ignore_hosts: ['alpha'] }, on)));
      const made = answers.filter(({ status }) => status === 200).flatMap(hostsOf);
      const others = answers.filter(({ status }) => status !== 200).map((answer) => refusalOf(answer).slice(0, 2));
      expect(others).toEqual([[409, 'scheduler.generation_conflict']]);
      expect(Object.keys(await taken()).sort()).toEqual(['alpha', ...made].sort());
      expect((await shown()).host).toBe(made[0]);
      await operator.release(VM);
    }
  });
});
