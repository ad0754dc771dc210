// A request that exceeds the configured time is logged with its stages and statements.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { instance, loadWorld, OWNER } from './scheduler-cloud';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly request_id?: string;
  readonly route?: string;
  readonly status?: number;
  readonly pieces?: readonly { readonly kind: string; readonly name: string; readonly ms: number }[];
  readonly pieces_in_all?: number;
  readonly statements?: number;
  readonly statements_ms?: number;
}

const ANY_TIME = 0.000_001;
const AN_HOUR = 3_600;

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  const lines: Line[] = [];
  const start = async (seconds: number): Promise<void> => {
    service = await startTestService(kind, {
      overrides: { berth: { slow_request_seconds: seconds } },
      log: (line) => lines.push(JSON.parse(line) as Line),
    });
    await loadWorld(service, 'host VCPU:8 MEMORY_MB:4096');
    lines.splice(0);
  };
  const claim = async (): Promise<string> => {
    const body = {
      allocations: { [providerUuid('host')]: { resources: { VCPU: 1 } } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    };
    const answer = await service.request({ method: 'PUT', path: `/allocations/${instance(1)}`, body });
    expect(answer.status).toBe(204);
    return String(answer.headers['x-openstack-request-id']);
  };
  const slow = (): readonly Line[] => lines.filter(({ message }) => message === 'a request was slow');
  afterEach(() => service.stop());

  it('has its route, its status, its stages and the time of its statements, at WARN', async () => {
    await start(ANY_TIME);
    const requestId = await claim();
    const line = slow().find(({ request_id: id }) => id === requestId);
    expect(line).toMatchObject({ level: 'warn', route: '/allocations/:consumer_uuid', status: 204 });
    expect(line?.statements).toBeGreaterThan(0);
    expect(line?.statements_ms).toBeGreaterThan(0);
    expect(line?.pieces).toContainEqual(expect.objectContaining({ kind: 'stage', name: 'claim' }));
    expect(line?.pieces?.some(({ kind: what, name }) => what === 'statement' && /UPDATE inventories/i.test(name))).toBe(
      true,
    );
    expect(JSON.stringify(line)).not.toContain(instance(1));
  });

  it('is not logged if it was fast enough, or if the option is off', async () => {
    await start(AN_HOUR);
    await claim();
    expect(slow()).toEqual([]);
    await service.stop();
    await start(0);
    await claim();
    expect(slow()).toEqual([]);
  });
});
