// Traces as received by a collector: one span per request, and below it those of its stages, filters and round trips.
import { tracing } from '../../src/platform/tracing/tracing';
import type { CollectedSpan } from '../support/collector';
import { Collector } from '../support/collector';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { instance, loadWorld, OWNER, SMALL } from './scheduler-cloud';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

interface Asked {
  readonly root: CollectedSpan;
  readonly below: readonly CollectedSpan[];
  readonly id: string;
}

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let collector: Collector;
  let service: TestService;
  let lines: readonly Readonly<Record<string, unknown>>[] = [];
  const requests = new Map<string, string>();

  const ask = async (name: string, request: Parameters<TestService['request']>[0]): Promise<void> => {
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, ...request.headers };
    const answer = await service.request({ ...request, headers });
    requests.set(name, String(answer.headers['x-openstack-request-id']));
  };
  const spansOf = (name: string): Asked => {
    const id = requests.get(name) ?? '';
    const root = collector.spans.find(({ attributes }) => attributes['berth.request_id'] === id);
    if (root === undefined) throw new Error(`${name} left no span`);
    const below: CollectedSpan[] = [];
    let parents = [root.spanId];
    while (parents.length > 0) {
      const next = collector.spans.filter(({ parentSpanId = '' }) => parents.includes(parentSpanId));
      below.push(...next);
      parents = next.map(({ spanId }) => spanId);
    }
    return { root, below, id };
  };

  beforeAll(async () => {
    collector = await Collector.start();
    const written: Readonly<Record<string, unknown>>[] = [];
    service = await startTestService(kind, {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
        OTEL_SERVICE_NAME: 'placement-east',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
      log: (line) => written.push(JSON.parse(line) as Readonly<Record<string, unknown>>),
    });
    await loadWorld(service, 'host VCPU:8 MEMORY_MB:4096');
    await ask('search', { path: '/allocation_candidates?resources=VCPU:1' });
    const body = {
      allocations: { [providerUuid('host')]: { resources: { VCPU: 1 } } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    };
    await ask('claim', { method: 'PUT', path: `/allocations/${instance(1)}`, body });
    const decision = { flavor: SMALL, ...OWNER, num_instances: 1 };
    await ask('decision', { method: 'POST', path: '/scheduler/select_destinations', body: decision });
    await ask('malformed', { path: '/traits', headers: { traceparent: `00-${TRACE}-0-01` } });
    await ask('refused', { path: '/traits', headers: { 'x-auth-token': null } });
    // The last spans are sent at shutdown.
    await service.stop();
    lines = written;
  });
  afterAll(() => collector.stop());

  it('are sent to the configured address, with the headers and the service name', () => {
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'a b' } });
    expect(spansOf('search').root.resource).toMatchObject({
      'service.name': 'placement-east',
      'deployment.environment.name': 'test',
    });
  });

  it("start below the caller's span, and name the route", () => {
    const { root } = spansOf('claim');
    expect(root).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      kind: 2,
      name: 'PUT /allocations/:consumer_uuid',
    });
    expect(root.attributes).toMatchObject({
      'http.request.method': 'PUT',
      'http.route': '/allocations/:consumer_uuid',
      'http.response.status_code': 204,
    });
    expect(spansOf('malformed').root.traceId).not.toBe(TRACE);
    expect(spansOf('refused').root.attributes['http.response.status_code']).toBe(401);
  });

  it('have the stages of a search', () => {
    const { root, below } = spansOf('search');
    const stages = below.filter(({ name }) => name.startsWith('search: '));
    expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(['search: refresh', 'search: search']));
    for (const stage of stages) expect(stage).toMatchObject({ traceId: TRACE, parentSpanId: root.spanId });
  });

  it('have the round trips of a claim', () => {
    const { below } = spansOf('claim');
    const claim = below.find(({ name }) => name === 'claim');
    const statements = below.filter(({ attributes }) => attributes['db.system.name'] === kind);
    expect(claim).toBeDefined();
    expect(statements.length).toBeGreaterThan(0);
    const texts = statements.map(({ attributes }) => String(attributes['db.query.text'])).join('\n');
    expect(texts).toMatch(/UPDATE inventories/i);
    expect(texts).toMatch(/COMMIT/);
    // Values are not part of a statement's text.
    expect(texts).not.toContain(instance(1));
  });

  it('have each filter of a decision, and its claim', () => {
    const { below } = spansOf('decision');
    const names = below.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['ComputeFilter', 'search: search', 'claim']));
    expect(below.find(({ name }) => name === 'ComputeFilter')?.attributes).toMatchObject({ in: 1, out: 1 });
  });

  it("have the id that the request's log line contains", () => {
    for (const name of ['search', 'claim', 'decision', 'refused']) {
      const { id, root } = spansOf(name);
      const own = lines.filter((line) => line['request_id'] === id);
      expect(own.length).toBeGreaterThan(0);
      expect(new Set(own.map((line) => line['trace_id']))).toEqual(new Set([root.traceId]));
    }
  });
});

it('are off, also in the log, unless an address is configured', async () => {
  const written: string[] = [];
  const service = await startTestService('sqlite', { log: (line) => written.push(line) });
  expect(tracing.requests).toBeUndefined();
  await service.request({ path: '/traits' });
  await service.stop();
  expect(written.join('')).toContain('GET /traits');
  expect(written.join('')).not.toContain('trace_id');
});
