// A host whose service or node was removed gets no instances: its provider is deleted if a report created it, otherwise
// it is never a host by its inventory alone. Nothing with allocations disappears.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { computeOf } from './practice-cloud';
import { hostsOf, instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

describe.each(testDatabaseKinds())('a removed host, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => operator.report('small', 4_096));
  afterEach(() => operator.clear());

  const SIZE = { vcpus_total: 64, memory_mb: 655_360, local_gb: 5_000, report_providers: true };
  const report = (host: string): Promise<unknown> => operator.ok('PUT', `/scheduler/hosts/${host}/${host}`, SIZE);
  const remove = (path: string): Promise<{ status: number; json: any }> => service.request({ method: 'DELETE', path });
  const rootOf = async (name: string): Promise<string | undefined> =>
    (await operator.ok('GET', `/resource_providers?name=${name}`)).json.resource_providers[0]?.uuid;
  /** A provider that no report created. */
  const providerOf = async (name: string): Promise<string> => {
    const uuid = instance(77);
    await operator.ok('POST', '/resource_providers', { name, uuid });
    const inventories = { VCPU: { total: 64 }, MEMORY_MB: { total: 655_360 }, DISK_GB: { total: 5_000 } };
    await operator.ok('PUT', `/resource_providers/${uuid}/inventories`, {
      inventories,
      resource_provider_generation: 0,
    });
    return uuid;
  };
  const chosen = async (): Promise<string[]> => hostsOf(await select(service, { dry_run: true }));
  const zoneHosts = async (): Promise<string[]> =>
    (await operator.ok('GET', '/scheduler/availability_zones')).json.availability_zones.flatMap(({ hosts }: any) =>
      hosts.map(({ host }: any) => host as string),
    );

  const ROUTES: readonly [string, () => Promise<{ status: number; json: any }>][] = [
    ['DELETE services', () => remove('/scheduler/services/decom')],
    ['DELETE hosts', () => remove('/scheduler/hosts/decom/decom')],
    [
      'openstack compute service delete',
      async () => {
        const compute = computeOf(service);
        const { services } = (await compute('os-services?host=decom', { version: '2.53' })).json;
        return compute(`os-services/${services[0].id}`, { method: 'DELETE', version: '2.53' });
      },
    ],
  ];

  it.each(ROUTES)('by %s loses the provider that its report created', async (_, removeIt) => {
    await report('decom');
    expect(await chosen()).toEqual(['decom']);
    expect((await removeIt()).status).toBe(204);
    expect([await chosen(), await rootOf('decom')]).toEqual([['small'], undefined]);
    await report('decom');
    expect(await chosen()).toEqual(['decom']);
  });

  it.each(ROUTES)('by %s is no host by the inventory of a provider that was there before', async (name, removeIt) => {
    const uuid = await providerOf('decom');
    expect(await chosen()).toEqual(['decom']);
    await report('decom');
    expect((await removeIt()).status).toBe(204);
    expect([await chosen(), await rootOf('decom')]).toEqual([['small'], uuid]);
    // A service without nodes stays in its zone.
    expect(await zoneHosts()).toEqual(name === 'DELETE hosts' ? ['decom', 'small'] : ['small']);
    const forced = await select(service, { dry_run: true, force_hosts: ['decom'] });
    expect(forced.status).not.toBe(200);
    const { hosts } = (await operator.ok('GET', '/reports/hosts')).json;
    expect(hosts.find(({ name: root }: any) => root === 'decom')).toMatchObject({
      status: 'down',
      status_reason: 'its compute host was removed',
    });
    const restarted = await startTestService(kind, { sameDatabaseAs: service });
    try {
      expect(hostsOf(await select(restarted, { dry_run: true }))).toEqual(['small']);
    } finally {
      await restarted.stop();
    }
    await report('decom');
    expect(await chosen()).toEqual(['decom']);
  });

  it.each(ROUTES)('by %s stays while it has allocations, of any client', async (_, removeIt) => {
    await report('decom');
    const uuid = String(await rootOf('decom'));
    const claim = { ...OWNER, consumer_generation: null, consumer_type: 'INSTANCE' };
    const allocations = { [uuid]: { resources: { VCPU: 1 } } };
    await operator.ok('PUT', `/allocations/${instance(1)}`, { ...claim, allocations });
    const refused = await removeIt();
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.json)).toContain(uuid);
    expect([await chosen(), await rootOf('decom')]).toEqual([['decom'], uuid]);
    expect((await operator.ok('GET', '/scheduler/services/decom')).json.nodes).toEqual(['decom']);
  });

  it('keeps a provider with children, which is no host either', async () => {
    await report('decom');
    const parent_provider_uuid = await rootOf('decom');
    await operator.ok('POST', '/resource_providers', { name: 'child', uuid: instance(78), parent_provider_uuid });
    await operator.ok('DELETE', '/scheduler/services/decom');
    expect([await chosen(), await rootOf('decom')]).toEqual([['small'], parent_provider_uuid]);
  });

  it('is not the host of a provider that its node left', async () => {
    const [one, two] = [await providerOf('decom'), instance(79)];
    await report('decom');
    await operator.ok('POST', '/resource_providers', { name: 'decom-2', uuid: two });
    await operator.ok('PUT', '/scheduler/hosts/decom/decom', { ...SIZE, memory_mb: 256, uuid: two });
    expect([await chosen(), await rootOf('decom')]).toEqual([['small'], one]);
  });
});
