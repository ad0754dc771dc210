// Reports of hosts over HTTP, on both databases: what a cloud has, where it stands, and how its hosts are.
import { testDatabaseKinds } from '../support/databases';
import { startTestService } from '../support/service';
import type { TestService } from '../support/service';
import { aggregateUuid, providerUuid } from '../world/world-description';
import { loadWorld } from './scheduler-cloud';
import type { Json } from './scheduler-cloud';

const WORLD = `
cn1     VCPU:16/4 MEMORY_MB:32768(reserved=768)  {CUSTOM_FAST}      @rack
  numa0 CUSTOM_SLOT:8(ratio=1.5)/2               {HW_NUMA_ROOT}
  numa1 CUSTOM_SLOT:4                            {HW_NUMA_ROOT}
cn2     VCPU:4 MEMORY_MB:4096
pool    DISK_GB:2000/10                          {SHARES}           @rack
`;

describe.each(testDatabaseKinds())('reports of hosts on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, WORLD);
  });
  afterAll(() => service.stop());

  const get = async (path: string): Promise<Json> => {
    const answer = await service.request({ path, version: null });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json;
  };

  it('lists every root with what its tree has', async () => {
    const { count, hosts, next_marker: next } = await get('/reports/hosts');
    expect([count, next]).toEqual([3, null]);
    expect(hosts).toHaveLength(3);
    expect(hosts.find(({ name }: Json) => name === 'cn1')).toEqual({
      uuid: providerUuid('cn1'),
      name: 'cn1',
      host: null,
      node: null,
      availability_zone: null,
      host_aggregates: [],
      placement_aggregates: [aggregateUuid('rack')],
      traits: 2,
      providers: 3,
      instances: 2,
      status: 'unreported',
      status_reason: null,
      last_seen_up: null,
      resource_classes: {
        CUSTOM_SLOT: { total: 12, reserved: 0, capacity: 16, used: 2, free: 14 },
        MEMORY_MB: { total: 32768, reserved: 768, capacity: 32000, used: 0, free: 32000 },
        VCPU: { total: 16, reserved: 0, capacity: 16, used: 4, free: 12 },
      },
    });
    expect(hosts.map(({ name, status }: Json) => `${name} ${status}`).sort()).toEqual([
      'cn1 unreported',
      'cn2 unreported',
      'pool sharing',
    ]);
  });
});
