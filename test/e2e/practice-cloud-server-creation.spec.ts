// The creation of servers when its process stops between the claim and its conclusion, on both databases: another
// process undoes the claim, and no incomplete server remains.
import { ClaimBatches } from '../../src/scheduler/claim/claim-batches';
import type { Claims } from '../../src/scheduler/ports';
import { CLAIMS } from '../../src/scheduler/ports';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { books } from './scheduler-cloud';
import { operatorOf } from './scheduler-operator';

const IMAGE = 'f0000000-0000-4000-8000-000000000001';

/** Holds the service before it concludes claims, until released. */
function stopBeforeConclusion(service: TestService): { readonly reached: Promise<void>; readonly goOn: () => void } {
  const claims = service.app.get<Claims>(CLAIMS, { strict: false });
  const finish = claims.finish.bind(claims);
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<void>((resolve) => {
    claims.finish = async (...given) => {
      resolve();
      await held;
      return finish(...given);
    };
  });
  return { reached, goOn: () => goOn() };
}

describe.each(testDatabaseKinds())('servers whose process stops, on %s', (kind) => {
  let first: TestService;
  let other: TestService;
  beforeEach(async () => {
    first = await startTestService(kind);
    other = await startTestService(kind, { sameDatabaseAs: first });
    const operator = operatorOf(other);
    await operator.report('alpha', 4096);
    await operator.ok('POST', '/scheduler/images', { uuid: IMAGE, name: 'cirros', disk_format: 'qcow2' });
    await operator.ok('POST', '/scheduler/flavors', { id: '1', name: 'tiny', vcpus: 0, memory_mb: 64 });
  });
  afterEach(async () => {
    await other.stop();
    await first.stop();
  });

  const compute = (service: TestService, path: string, body?: object): Promise<TestResponse> =>
    service.request({
      method: body === undefined ? 'GET' : 'POST',
      path: `/compute/v2.1/${path}`,
      version: null,
      headers: { 'x-auth-token': 'admin' },
      body,
    });
  const create = (): Promise<TestResponse> =>
    compute(first, 'servers', { server: { name: 'srv', flavorRef: '1', imageRef: IMAGE, networks: 'none' } });
  const serverNames = async (): Promise<readonly string[]> =>
    ((await compute(other, 'servers')).json.servers as { name: string }[]).map(({ name }) => name);

  it('leave neither a server nor a claim', async () => {
    const { reached, goOn } = stopBeforeConclusion(first);
    const answer = create();
    await reached;
    expect(await books(other)).toMatchObject({ consumers: 1 });
    expect(await serverNames()).toEqual([]);
    await other.database.write((tx) => tx.run('UPDATE scheduler_batches SET lease_until = 0'));
    expect(await other.app.get(ClaimBatches, { strict: false }).recover()).toBe(1);
    expect(await books(other)).toEqual({ consumers: 0, faults: [] });
    goOn();
    expect(await answer).toMatchObject({ status: 503 });
    expect(await serverNames()).toEqual([]);
    expect(await books(other)).toEqual({ consumers: 0, faults: [] });
  });

  it('exist once their claims are concluded', async () => {
    const answer = await create();
    expect(answer.status).toBe(202);
    expect(await other.app.get(ClaimBatches, { strict: false }).recover()).toBe(0);
    expect(await serverNames()).toEqual(['srv']);
    expect(await books(other)).toEqual({ consumers: 1, faults: [] });
  });
});
