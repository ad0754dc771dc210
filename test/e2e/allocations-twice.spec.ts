// A transaction writes the allocations of a consumer once: its rows change at the commit, so a second write would count
// the old usage twice.
import { AllocationsService } from '../../src/placement/allocations/allocations.service';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const [PROVIDER, CONSUMER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const OWNER = { projectId: 'p', userId: 'u' };

describe.each(testDatabaseKinds())('two writes of one consumer in a transaction on %s', (kind) => {
  let service: TestService;
  let allocations: AllocationsService;

  beforeAll(async () => {
    service = await startTestService(kind);
    allocations = service.app.get(AllocationsService, { strict: false });
    await service.request({ method: 'POST', path: '/resource_providers', body: { uuid: PROVIDER, name: 'cn1' } });
    const inventories = { VCPU: { total: 8 } };
    const body = { resource_provider_generation: 0, inventories };
    await service.request({ method: 'PUT', path: `/resource_providers/${PROVIDER}/inventories`, body });
    // A second consumer, so that usage given back twice would not be negative.
    await claim('00000000-0000-4000-8000-000000000003');
    await claim(CONSUMER);
  });
  afterAll(() => service.stop());

  const writeOf = (uuid: string, amount: number, generation: number | null) => ({
    ...OWNER,
    consumerUuid: uuid,
    allocations: new Map(amount === 0 ? [] : [[PROVIDER, new Map([['VCPU', amount]])]]),
    consumerType: 'INSTANCE',
    expectedGeneration:
      generation === null ? ({ kind: 'mustBeNew' } as const) : ({ kind: 'expect', generation } as const),
  });

  async function claim(uuid: string): Promise<void> {
    const writes = [writeOf(uuid, 2, null)];
    const owners = await allocations.ensureOwners(writes);
    await service.database.write((tx) => allocations.replaceIn(tx, { writes, owners }, Date.now()));
  }

  it.each([
    ['a release after a replacement', false],
    ['a release after a release', true],
  ])('%s is refused, and nothing changes', async (_, isRelease) => {
    const writes = [writeOf(CONSUMER, 0, 1)];
    const owners = await allocations.ensureOwners(writes);
    const twice = service.database.write(async (tx) => {
      if (isRelease) await allocations.releaseIn(tx, [CONSUMER], Date.now());
      else await allocations.replaceIn(tx, { writes, owners }, Date.now());
      await allocations.releaseIn(tx, [CONSUMER], Date.now());
    });
    await expect(twice).rejects.toThrow(`writes the allocations of consumer ${CONSUMER} twice`);
    const { json } = await service.request({ path: `/resource_providers/${PROVIDER}/usages` });
    expect(json.usages).toEqual({ VCPU: 4 });
  });
});
