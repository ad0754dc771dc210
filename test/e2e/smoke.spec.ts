// The main use case end to end, in one process: a provider with inventory, a search, a claim, a release.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const HOST = '4e8e5957-649f-477b-9e5b-f1f75b21c03c';
const INSTANCE = '00000000-0000-4000-8000-000000000001';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  it('finds a candidate, claims it, shows it and releases it', async () => {
    await service.request({ method: 'POST', path: '/resource_providers', body: { name: 'host 🐎', uuid: HOST } });
    const put = await service.request({
      method: 'PUT',
      path: `/resource_providers/${HOST}/inventories`,
      body: { resource_provider_generation: 0, inventories: { VCPU: { total: 4 } } },
    });
    expect(put.status).toBe(200);
    const found = await service.request({ path: '/allocation_candidates?resources=VCPU:3' });
    const [candidate] = found.json.allocation_requests;
    const claim = await service.request({
      method: 'PUT',
      path: `/allocations/${INSTANCE}`,
      body: { ...candidate, project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'INSTANCE' },
    });
    expect(claim.status).toBe(204);
    const usages = await service.request({ path: `/resource_providers/${HOST}/usages` });
    expect(usages.json).toEqual({ resource_provider_generation: 2, usages: { VCPU: 3 } });
    const none = await service.request({ path: '/allocation_candidates?resources=VCPU:3' });
    expect(none.json).toEqual({ allocation_requests: [], provider_summaries: {} });
    const release = await service.request({ method: 'DELETE', path: `/allocations/${INSTANCE}` });
    expect(release.status).toBe(204);
    const after = await service.request({ path: `/allocations/${INSTANCE}` });
    expect(after.json).toEqual({ allocations: {} });
  });
});
