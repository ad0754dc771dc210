// A resize on the host of the instance, with `allow_resize_to_same_host`, on both databases.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { allocationsOf, books, clear, instance, loadWorld, select } from './scheduler-cloud';

const VM = instance(1);
const GROUP = '00000000-0000-4000-8000-00000000cccc';
const BIG = { name: 'big', vcpus: 3, memory_mb: 512 };

describe.each(testDatabaseKinds())('a resize on the same host on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { env: { BERTH_DEFAULT__ALLOW_RESIZE_TO_SAME_HOST: 'true' } });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await loadWorld(service, 'a VCPU:4 MEMORY_MB:8192\nb VCPU:1 MEMORY_MB:1024');
    const body = { name: 'g', policy: 'anti-affinity', members: [] };
    await service.request({ method: 'PUT', path: `/scheduler/server_groups/${GROUP}`, body });
    await select(service, { instances: [VM], scheduler_hints: { group: [GROUP] } });
  });
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    await service.request({ method: 'DELETE', path: `/scheduler/instances/${VM}` });
    expect((await books(service)).consumers).toBe(0);
    await clear(service);
  });

  const post = (what: string, body?: object): Promise<TestResponse> =>
    service.request({
      method: 'POST',
      path: `/scheduler/instances/${VM}/${what}`,
      ...(body !== undefined && { body }),
    });
  const resize = async (more: object = {}): Promise<TestResponse> =>
    post('move', { type: 'resize', flavor: BIG, ...more });
  const used = async (consumer: string): Promise<unknown> => {
    const found = (await allocationsOf(service, consumer)) as Record<string, { resources: Record<string, number> }>;
    return found[providerUuid('a')]?.resources['VCPU'];
  };
  it('holds both flavors until it is confirmed', async () => {
    const { json } = await resize();
    expect(json.selections).toMatchObject([{ selected: { host: 'a' } }]);
    expect([await used(VM), await used(json.migration_uuid)]).toEqual([3, 1]);
    await post('confirm_move');
    expect([await used(VM), await used(json.migration_uuid)]).toEqual([3, undefined]);
  });

  it('gives the old flavor back if it is reverted', async () => {
    expect((await resize({ target: 'a' })).status).toBe(200);
    await post('revert_move');
    expect(await used(VM)).toBe(1);
  });

  it.each(['resize', 'unshelve'])('by %s does not release the instance on the host', async (type) => {
    const report = { uuid: providerUuid('a'), vcpus_total: 4 };
    await service.request({ method: 'PUT', path: '/scheduler/hosts/a/a', body: report });
    expect((await post('move', { type, ...(type === 'resize' && { flavor: BIG }), target: 'a' })).status).toBe(200);
    await post('confirm_move');
    const releases = await service.database.read((sql) => sql.query('SELECT host FROM scheduler_releases'));
    expect(releases).toEqual([]);
    await service.request({ method: 'DELETE', path: `/scheduler/instances/${VM}` });
    await service.request({ method: 'DELETE', path: '/scheduler/services/a' });
  });

  it('is not a cold migration', async () => {
    const answer = await post('move', { type: 'cold_migrate', target: 'a' });
    expect([answer.status, answer.json.errors[0].detail]).toEqual([400, expect.stringContaining('target.host')]);
  });
});
