// GET /metrics: each test performs an action and checks the metric that counts it.
import { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import { ProviderIds } from '../../src/placement/resource-providers/provider-ids';
import { testDatabaseKinds } from '../support/databases';
import { linesOf, sumOf } from '../support/samples';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { instance, loadWorld, OWNER, SMALL } from './scheduler-cloud';

const WORLD = `
up    VCPU:8/2 MEMORY_MB:4096
off   VCPU:4 MEMORY_MB:4096  {COMPUTE_STATUS_DISABLED}
`;
const BEYOND_ANY_HOST = { ...SMALL, vcpus: 100 };
const RETENTION = 3_600;
const AGGREGATE = '11111111-0000-4000-8000-000000000001';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let text = '';
  const scrape = async (): Promise<string> => (text = (await service.request({ path: '/metrics' })).text);

  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, WORLD);
    const aggregate = { uuid: AGGREGATE, name: 'racks', metadata: { availability_zone: 'east' } };
    await service.request({ method: 'POST', path: '/scheduler/host_aggregates', body: aggregate });
    const path = `/scheduler/host_aggregates/${AGGREGATE}/hosts`;
    await service.request({ method: 'POST', path, body: { host: 'up' } });
  });
  afterAll(() => service.stop());

  it('is in the text format of Prometheus, with each family and its help once, and without a version header', async () => {
    const answer = await service.request({ path: '/metrics' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers['openstack-api-version']).toBeUndefined();
    const families = [...answer.text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name]) => name);
    expect(new Set(families).size).toBe(families.length);
    expect(families).toEqual(expect.arrayContaining(['berth_build_info', 'nodejs_eventloop_lag_p99_seconds']));
    expect(sumOf(answer.text, 'berth_metrics_unread_total')).toBe(0);
  });

  it('counts requests by surface, route and status, and times them', async () => {
    const labels = { surface: 'placement', method: 'GET', route: '/resource_providers/:uuid' };
    const before = sumOf(await scrape(), 'berth_http_request_duration_seconds_count', labels) ?? 0;
    await service.request({ path: `/resource_providers/${providerUuid('up')}` });
    await service.request({ path: `/resource_providers/${providerUuid('up')}`, version: '1.19' });
    await service.request({ path: `/resource_providers/${instance(1)}` });
    await service.request({ path: `/resource_providers/${instance(1)}`, headers: { 'x-auth-token': null } });
    await scrape();
    const count = (more: Readonly<Record<string, string>>): number | undefined =>
      sumOf(text, 'berth_http_requests_total', { ...labels, ...more });
    expect(count({ status: '200' })).toBe(2);
    expect(count({ status: '404' })).toBe(1);
    expect(count({ status: '401' })).toBe(1);
    expect(sumOf(text, 'berth_http_request_duration_seconds_count', labels)).toBe(before + 4);
    expect(sumOf(text, 'berth_http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(before + 4);
  });

  it('counts unrouted requests and unknown methods without labels from them', async () => {
    await service.request({ path: '/no/such/path' });
    await service.request({ path: '/%ff' });
    await service.request({ method: 'PATCH', path: '/traits' });
    await scrape();
    const none = { surface: 'placement', method: 'other', route: 'none' };
    expect(sumOf(text, 'berth_http_requests_total', { ...none, status: '404' })).toBe(1);
    expect(sumOf(text, 'berth_http_requests_total', { ...none, status: '400' })).toBe(1);
    expect(sumOf(text, 'berth_http_requests_total', { method: 'other', route: '/traits', status: '405' })).toBe(1);
    expect(text).not.toMatch(/no\/such|zz/);
  });

  it('counts claims of both APIs, granted and refused by reason', async () => {
    const granted = sumOf(await scrape(), 'berth_claims_granted_total', { by: 'placement' }) ?? 0;
    const claim = (vcpus: number, generation: number | null = null): object => ({
      allocations: { [providerUuid('up')]: { resources: { VCPU: vcpus } } },
      ...OWNER,
      consumer_generation: generation,
      consumer_type: 'INSTANCE',
    });
    const put = (number: number, body: object): Promise<{ status: number }> =>
      service.request({ method: 'PUT', path: `/allocations/${instance(number)}`, body });
    expect((await put(10, claim(1))).status).toBe(204);
    expect((await put(11, claim(8))).status).toBe(409);
    expect((await put(10, claim(1))).status).toBe(409);
    const request = { flavor: SMALL, ...OWNER, num_instances: 1 };
    const placed = await service.request({ method: 'POST', path: '/scheduler/select_destinations', body: request });
    expect(placed.status).toBe(200);
    await scrape();
    expect(sumOf(text, 'berth_claims_granted_total', { by: 'placement' })).toBe(granted + 1);
    expect(sumOf(text, 'berth_claims_granted_total', { by: 'scheduler' })).toBe(1);
    expect(sumOf(text, 'berth_claims_refused_total', { by: 'placement', reason: 'no_capacity' })).toBe(1);
    expect(sumOf(text, 'berth_claims_refused_total', { by: 'placement', reason: 'consumer_generation' })).toBe(1);
    expect(sumOf(text, 'berth_claim_requests_written_total')).toBeGreaterThanOrEqual(3);
    expect(sumOf(text, 'berth_database_commits_total')).toBeGreaterThan(5);
  });

  it('counts decisions by outcome, with the stage and code of a refusal', async () => {
    const ask = (body: object): Promise<{ status: number }> =>
      service.request({ method: 'POST', path: '/scheduler/select_destinations', body: { ...OWNER, ...body } });
    await ask({ flavor: BEYOND_ANY_HOST, num_instances: 1 });
    await ask({ flavor: 'no-such-flavor', num_instances: 1 });
    const elsewhere = { flavor: SMALL, num_instances: 1, ignore_hosts: ['up'] };
    await ask(elsewhere);
    await scrape();
    const ended = (outcome: string): number | undefined =>
      sumOf(text, 'berth_decisions_total', { kind: 'decision', outcome });
    expect(ended('placed')).toBe(1);
    expect(ended('no_valid_host')).toBe(2);
    expect(ended('refused')).toBe(1);
    expect(sumOf(text, 'berth_decisions_refused_total', { stage: 'placement' })).toBe(1);
    expect(sumOf(text, 'berth_decisions_refused_total', { stage: 'request' })).toBe(1);
    expect(sumOf(text, 'berth_decisions_refused_total')).toBe(3);
    expect(sumOf(text, 'berth_hosts_rejected_total')).toBeGreaterThan(0);
    expect(sumOf(text, 'berth_decision_duration_seconds_count')).toBe(4);
  });

  it('counts searches, their stages and their candidates', async () => {
    await service.request({ path: '/allocation_candidates?resources=VCPU:1' });
    await scrape();
    expect(sumOf(text, 'berth_search_candidates_sum', { caller: 'placement' })).toBe(2);
    expect(sumOf(text, 'berth_search_candidates_count', { caller: 'scheduler' })).toBeGreaterThanOrEqual(2);
    expect(sumOf(text, 'berth_search_stage_duration_seconds_count', { stage: 'search' })).toBeGreaterThanOrEqual(2);
    expect(sumOf(text, 'berth_search_cut_total')).toBe(0);
  });

  it('has totals, usage and free amounts on hosts that are up, by zone and host aggregate', async () => {
    await scrape();
    const vcpus = (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
      sumOf(text, name, { resource_class: 'VCPU', ...labels });
    const used = vcpus('berth_capacity_used') ?? 0;
    expect(used).toBeGreaterThanOrEqual(2);
    expect(vcpus('berth_capacity_total')).toBe(12);
    expect(vcpus('berth_capacity_free')).toBe(8 - used);
    expect(vcpus('berth_zone_capacity_total', { zone: 'east' })).toBe(8);
    expect(vcpus('berth_zone_capacity_free', { zone: 'nova' })).toBe(0);
    expect(vcpus('berth_host_aggregate_capacity_free', { host_aggregate: 'racks', uuid: AGGREGATE })).toBe(8 - used);
    expect(sumOf(text, 'berth_hosts', { state: 'unreported' })).toBe(1);
    expect(sumOf(text, 'berth_hosts', { state: 'disabled' })).toBe(1);
    expect(sumOf(text, 'berth_providers')).toBe(2);
  });

  it('has the graph, the gates and the pool', async () => {
    await service.request({ path: '/allocation_candidates?resources=VCPU:1' });
    await scrape();
    expect(sumOf(text, 'berth_graph_trees')).toBe(2);
    expect(sumOf(text, 'berth_graph_age_seconds')).toBeLessThan(60);
    expect(sumOf(text, 'berth_graph_changes_behind')).toBeGreaterThanOrEqual(0);
    expect(sumOf(text, 'berth_graph_changes_applied_total', { kind: 'tree' })).toBeGreaterThan(0);
    expect(sumOf(text, 'berth_database_gate_waiting')).toBe(0);
    expect(sumOf(text, 'berth_share_gate_inside')).toBeGreaterThanOrEqual(0);
    expect(sumOf(text, 'berth_share_gate_waiting')).toBe(0);
    expect(text).toContain('berth_share_gate_refused_total{gate="weighed"}');
    expect(sumOf(text, 'berth_database_gate_inside')).toBeGreaterThanOrEqual(0);
    const connections = linesOf(text).filter(({ name }) => name === 'berth_database_pool_connections');
    expect(connections).toHaveLength(kind === 'sqlite' ? 0 : 2);
  });

  it('counts committed changes that were not read yet', async () => {
    // A source without a timer.
    const graphs = new GraphSource(service.database, RETENTION, service.app.get(ProviderIds), {
      info: () => undefined,
      warn: () => undefined,
    });
    await graphs.current();
    expect(await graphs.countUnread()).toBe(0);
    for (const number of [100, 101, 102]) {
      const body = { name: `new ${number}`, uuid: instance(number) };
      await service.request({ method: 'POST', path: '/resource_providers', body });
    }
    expect(await graphs.countUnread()).toBe(3);
    await graphs.current();
    expect(await graphs.countUnread()).toBe(0);
  });
});

describe('access to the metrics', () => {
  const scraped = async (
    env: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string | null>>,
  ): Promise<{ readonly status: number; readonly inside: number }> => {
    const service = await startTestService('sqlite', { env, overrides: { berth: { url_prefix: '/placement' } } });
    try {
      const { status } = await service.request({ path: '/metrics', headers: { 'x-auth-token': null, ...headers } });
      const inside = await service.request({ path: '/placement/metrics' });
      return { status, inside: inside.status };
    } finally {
      await service.stop();
    }
  };
  const BEYOND = { BERTH_HOST: '0.0.0.0', BERTH_ALLOW_NOAUTH: '1' };

  it.each([
    ['a client on this machine, if the service listens on loopback', {}, {}, 200],
    ['no client behind a proxy', {}, { 'x-forwarded-for': '192.0.2.1' }, 401],
    ['no foreign page', {}, { origin: 'https://evil.example' }, 401],
    ['no client by a foreign name', {}, { host: 'evil.example' }, 401],
    ['no client without a token beyond loopback', BEYOND, {}, 401],
    ['no reader', BEYOND, { 'x-auth-token': 'rita:p', 'x-roles': 'reader' }, 403],
    ['a service', BEYOND, { 'x-auth-token': 'prometheus:p', 'x-roles': 'service' }, 200],
  ] as const)('%s', async (_who, env, headers, status) => {
    expect(await scraped(env, headers)).toEqual({ status, inside: 404 });
  });
});
