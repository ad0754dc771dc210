// docs/metrics.md names every metric of a scrape. UPDATE_DOCS=1 writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '../../src/platform/metrics/metrics';
import { renderMetricsReference } from '../../src/platform/metrics/metrics-page.fixture';
import { processRegistry } from '../../src/platform/metrics/process.metrics';
import { linesOf } from '../support/samples';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const PAGE = join(__dirname, '../../docs/metrics.md');

let service: TestService;
beforeAll(async () => (service = await startTestService('sqlite')));
afterAll(() => service.stop());

it('docs/metrics.md matches the families (UPDATE_DOCS=1 writes it)', async () => {
  const rendered = renderMetricsReference(
    service.app.get(Metrics).families,
    await processRegistry().getMetricsAsJSON(),
  );
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, rendered);
  expect(readFileSync(PAGE, 'utf8')).toBe(rendered);
});

it('has every name and every label of a scrape', async () => {
  const { families } = service.app.get(Metrics);
  const labels = new Map(families.map(({ name, labels: own = {} }) => [name, new Set(Object.keys(own))]));
  const page = readFileSync(PAGE, 'utf8');
  const lines = linesOf((await service.request({ path: '/metrics' })).text);
  expect(lines.length).toBeGreaterThan(200);
  for (const line of lines) {
    const name = labels.has(line.name) ? line.name : line.name.replace(/_(bucket|sum|count)$/, '');
    expect(page).toContain(`\`${name}\``);
    if (!name.startsWith('berth_')) continue;
    const undeclared = Object.keys(line.labels).filter(
      (label) => label !== 'le' && labels.get(name)?.has(label) !== true,
    );
    expect({ name, undeclared }).toEqual({ name, undeclared: [] });
  }
});
