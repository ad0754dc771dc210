// A real Prometheus scrapes a running service, loads the rules, and answers every query of the dashboard.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hasPrometheus, Prometheus } from '../support/prometheus';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { instance, loadWorld, OWNER, SMALL } from './scheduler-cloud';

const DEPLOY = join(__dirname, '../../deploy');
const RULES = join(DEPLOY, 'prometheus/berth.rules.yml');

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const dashboard = JSON.parse(readFileSync(join(DEPLOY, 'grafana/berth.dashboard.json'), 'utf8')) as Dashboard;
const PANELS = dashboard.panels.filter(({ targets }) => targets !== undefined);
const QUERIES = PANELS.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));

/** With the values that Grafana inserts. */
const filled = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');

const isRequired = process.env['BERTH_REQUIRE_PROMETHEUS'] === '1';

(hasPrometheus() || isRequired ? describe : describe.skip)('a real Prometheus (Debian’s package prometheus)', () => {
  let service: TestService;
  let prometheus: Prometheus;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    await loadWorld(service, 'host VCPU:8 MEMORY_MB:4096');
    await service.request({ method: 'POST', path: '/scheduler/host_aggregates', body: { name: 'a', hosts: ['host'] } });
    const { json } = await service.request({ path: '/scheduler/host_aggregates' });
    const { uuid } = json.host_aggregates[0];
    const path = `/scheduler/host_aggregates/${uuid}/hosts`;
    await service.request({ method: 'POST', path, body: { host: 'host' } });
    await traffic();
    prometheus = await Prometheus.start(`127.0.0.1:${port}`, RULES);
    await prometheus.until(
      async () => (await prometheus.query('count_over_time(up{job="berth"}[1m]) > 1'))[0] !== undefined,
    );
    await traffic();
    await prometheus.until(async () => (await prometheus.query('rate(berth_claims_refused_total[1m]) > 0')).length > 0);
  }, 120_000);
  afterAll(async () => {
    await prometheus?.stop();
    await service.stop();
  });

  let rounds = 0;
  async function traffic(): Promise<void> {
    rounds += 1;
    await service.request({ path: '/allocation_candidates?resources=VCPU:1' });
    const body = {
      allocations: { [providerUuid('host')]: { resources: { VCPU: 1 } } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    };
    await service.request({ method: 'PUT', path: `/allocations/${instance(rounds)}`, body });
    await service.request({ method: 'PUT', path: `/allocations/${instance(rounds)}`, body });
    for (const vcpus of [1, 100]) {
      const request = { flavor: { ...SMALL, vcpus }, ...OWNER, num_instances: 1 };
      await service.request({ method: 'POST', path: '/scheduler/select_destinations', body: request });
    }
  }

  it.each(QUERIES)('answers the query of the panel "%s"', async (_title, expression) => {
    const values = await prometheus.query(filled(expression));
    expect(values.length).toBeGreaterThan(0);
  });

  it('has the metrics of the service', async () => {
    expect(await prometheus.query('berth_capacity_total{job="berth",resource_class="VCPU"}')).toEqual([8]);
    expect(await prometheus.query('sum(berth_claims_granted_total{by="placement"})')).toEqual([2]);
  });

  it('raises no alert', async () => {
    const names = 'ALERTS{alertstate="firing"}';
    expect(await prometheus.query(names)).toEqual([]);
  });
});

it('the dashboard and the rules use only metrics that the service exports', () => {
  const page = readFileSync(join(DEPLOY, '../docs/metrics.md'), 'utf8');
  const known = new Set([...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name));
  const texts = [...QUERIES.map(([, expression]) => expression), readFileSync(RULES, 'utf8')];
  const named = texts.flatMap((text) => [...text.matchAll(/\b(?:berth|nodejs|process)_\w+/g)].map(([name]) => name));
  const unknown = named.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, '')));
  expect(new Set(named).size).toBeGreaterThan(20);
  expect(unknown).toEqual([]);
});
