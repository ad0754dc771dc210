// Instances that Berth placed and whose allocations are deleted through the Placement API, on both databases.
import { ReleasedInstances } from '../../src/compute/instances/released-instances';
import { SCHEDULER_LIMITS } from '../../src/platform/config/limits/scheduler';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { books, instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

describe.each(testDatabaseKinds())('instances released through the Placement API, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => operator.report('alpha', 16_384));
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    await operator.clear();
  });

  const VM = instance(1);
  const place = async (more: object = {}): Promise<void> => {
    const flavor = { name: 'f', vcpus: 0, memory_mb: 64 };
    expect((await select(service, { instances: [VM], flavor, ...more })).status).toBe(200);
  };
  const listed = async (query = ''): Promise<string[]> =>
    (await operator.ok('GET', `/scheduler/instances${query}`)).json.instances.map(({ uuid }: { uuid: string }) => uuid);
  const shown = async (): Promise<unknown> => (await operator.ok('GET', `/scheduler/instances/${VM}`)).json.state;
  const emptied = async (path: string, method: 'PUT' | 'POST', body: object): Promise<void> => {
    expect((await service.request({ method, path, body })).status).toBe(204);
  };
  const nothing = { ...OWNER, allocations: {}, consumer_generation: 1, consumer_type: 'INSTANCE' };
  /** A reshape that keeps the inventories of the host and gives the instance these allocations. */
  const reshaped = async (allocations: object): Promise<string> => {
    const { uuid } = (await operator.ok('GET', '/resource_providers?name=alpha')).json.resource_providers[0];
    const { json: inventories } = await operator.ok('GET', `/resource_providers/${uuid}/inventories`);
    const body = { inventories: { [uuid]: inventories }, allocations: { [VM]: { ...nothing, allocations } } };
    await emptied('/reshaper', 'POST', body);
    return uuid as string;
  };
  const round = (nowMs?: number): Promise<void> => service.app.get(ReleasedInstances, { strict: false }).round(nowMs);

  it.each<[string, () => Promise<unknown>]>([
    ['DELETE', () => operator.ok('DELETE', `/allocations/${VM}`)],
    ['PUT', () => emptied(`/allocations/${VM}`, 'PUT', nothing)],
    ['POST', () => emptied('/allocations', 'POST', { [VM]: nothing })],
    ['a reshape', () => reshaped({})],
  ])('by %s are no longer listed as placed, and block no host', async (_, release) => {
    await place();
    expect([await listed(), await listed('?state=placed'), await listed('?state=released')]).toEqual([[VM], [VM], []]);
    await release();
    expect([await listed(), await listed('?state=placed'), await listed('?state=released')]).toEqual([[], [], [VM]]);
    expect(await shown()).toBe('released');
    await round();
    expect([await listed(), await listed('?state=released'), await shown()]).toEqual([[], [VM], 'released']);
  });

  it('stay placed if a reshape moves their allocations', async () => {
    await place();
    const { uuid } = (await operator.ok('GET', '/resource_providers?name=alpha')).json.resource_providers[0];
    await reshaped({ [uuid]: { resources: { MEMORY_MB: 128 } } });
    await round();
    expect([await listed(), await listed('?state=released'), await shown()]).toEqual([[VM], [], 'placed']);
  });

  it('leave their group, flavor and image, and are deleted after the retention time', async () => {
    const group = await operator.group('anti-affinity');
    await operator.ok('PUT', '/scheduler/flavors/f1', { name: 'f1', vcpus: 0, memory_mb: 64 });
    await place({ instance_group: group, flavor: 'f1' });
    await operator.ok('DELETE', `/allocations/${VM}`);
    await round();
    expect(await operator.groupOf(group)).toMatchObject({ members: [], hosts: [] });
    await operator.ok('DELETE', '/scheduler/flavors/f1');
    await round(Date.now() + SCHEDULER_LIMITS.releasedKeptSeconds * 1000 - 60_000);
    expect(await listed('?state=released')).toEqual([VM]);
    await round(Date.now() + SCHEDULER_LIMITS.releasedKeptSeconds * 1000 + 60_000);
    expect(await listed('?state=released')).toEqual([]);
  });

  it('are placed again by unshelve, or by a new request', async () => {
    await place();
    await operator.ok('DELETE', `/allocations/${VM}`);
    await round();
    await operator.ok('POST', `/scheduler/instances/${VM}/move`, { type: 'unshelve' });
    expect([await listed(), await shown()]).toEqual([[VM], 'placed']);
    await operator.ok('DELETE', `/allocations/${VM}`);
    await place();
    await round();
    expect([await listed(), await shown()]).toEqual([[VM], 'placed']);
  });

  it('are not cleaned up if they are placed again in the meantime', async () => {
    await place();
    await round();
    expect([await listed(), await shown()]).toEqual([[VM], 'placed']);
  });
});
