// The law of each list that can be longer than a chunk: at every number of rows around the edge of a chunk, the text is
// the JSON of the document, and it has exactly these rows.
import { randomUUID } from 'node:crypto';
import { HTTP_LIMITS } from '../../src/platform/config/limits/http';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { OWNER, select } from './scheduler-cloud';

const EDGE = HTTP_LIMITS.bodyChunkCharacters;
const HOSTS = 220;
const CONSUMERS = 700;
/** Rows below and above the edge. */
const AROUND = 4;
const REPORT = { vcpus_total: 4_096, memory_mb: 65_536, local_gb: 500, report_providers: true };

let service: TestService;

beforeAll(async () => {
  service = await startTestService('sqlite');
});
afterAll(() => service.stop());

async function written(method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
  const { status, text } = await service.request({ method, path, body, version: '1.38' });
  if (status >= 300) throw new Error(`${status}: ${text}`);
}

/** Adds consumers to a provider. */
function placed(count: number, uuid: string): Promise<void> {
  const allocations = { [uuid]: { resources: { VCPU: 1 } } };
  const claim = { allocations, ...OWNER, consumer_generation: null, consumer_type: 'INSTANCE' };
  return written(
    'POST',
    '/allocations',
    Object.fromEntries(Array.from({ length: count }, () => [randomUUID(), claim])),
  );
}

/** Reads a document and checks its text. */
async function read(path: string): Promise<{ readonly json: Json; readonly bytes: number }> {
  const { status, text, headers } = await service.request({ path, version: '1.38' });
  const bytes = Buffer.byteLength(text);
  expect([status, headers['content-length'] ?? `${bytes}`]).toEqual([200, `${bytes}`]);
  const json = JSON.parse(text);
  expect(JSON.stringify(json) === text).toBe(true);
  return { json, bytes };
}

/** Reads a list with each limit around the edge. */
async function readWithLimits(path: string, rowsOf: (json: Json) => readonly unknown[]): Promise<void> {
  const all = await read(`${path}?limit=1000`);
  const rows = rowsOf(all.json);
  expect(all.bytes).toBeGreaterThan(EDGE);
  let middle = 0;
  for (let bytes = 0; bytes < EDGE; middle += 1) bytes += Buffer.byteLength(JSON.stringify(rows[middle])) + 1;
  const sizes: number[] = [];
  for (let limit = middle - AROUND; limit <= middle + AROUND; limit += 1) {
    const { json, bytes } = await read(`${path}?limit=${limit}`);
    expect(rowsOf(json)).toEqual(rows.slice(0, limit));
    sizes.push(bytes);
  }
  expect([Math.min(...sizes) < EDGE, Math.max(...sizes) > EDGE]).toEqual([true, true]);
}

it('/resource_providers', async () => {
  const wholeLists: number[] = [];
  for (let count = 1; ; count += 1) {
    await written('POST', '/resource_providers', { name: `provider-${'ä家'.repeat(count % 5)}-${count}` });
    if (count % 20 > 0 && wholeLists.length === 0) continue;
    const { json, bytes } = await read('/resource_providers');
    expect(json.resource_providers).toHaveLength(count);
    if (bytes > EDGE - (2 * AROUND * bytes) / count) wholeLists.push(bytes);
    if (bytes > EDGE + (AROUND * bytes) / count) break;
  }
  expect(wholeLists.some((bytes) => bytes < EDGE)).toBe(true);
});

describe('with hosts', () => {
  beforeAll(async () => {
    for (let at = 0; at < HOSTS; at += 1) {
      // Names of several lengths let the edge fall on different parts of a row.
      await written('PUT', `/scheduler/hosts/host-${at}${'x'.repeat(at % 7)}/node-${at}`, REPORT);
    }
  });

  it('/scheduler/hosts', () => readWithLimits('/scheduler/hosts', (json) => json.hosts as unknown[]));

  it('/reports/hosts', () => readWithLimits('/reports/hosts', (json) => json.hosts as unknown[]));

  it('/allocation_candidates', async () => {
    const path = '/allocation_candidates?resources=VCPU:1,MEMORY_MB:16,DISK_GB:1';
    const whole = await read(path);
    const all = whole.json.allocation_requests as object[];
    const middle = Math.floor((EDGE / whole.bytes) * all.length);
    for (let limit = middle - AROUND; limit <= middle + AROUND; limit += 1) {
      const { json } = await read(`${path}&limit=${limit}`);
      expect(json.allocation_requests).toHaveLength(limit);
      expect(Object.keys(json.provider_summaries as object)).toHaveLength(limit);
    }
  });

  it('/resource_providers/{uuid}/allocations', async () => {
    const { json } = await read('/allocation_candidates?resources=VCPU:1&limit=1');
    const [uuid = ''] = Object.keys(json.provider_summaries as object);
    const path = `/resource_providers/${uuid}/allocations`;
    await placed(CONSUMERS, uuid);
    const { bytes } = await read(path);
    let count = CONSUMERS + Math.max(1, Math.floor((EDGE - bytes) / (bytes / CONSUMERS)) - AROUND);
    await placed(count - CONSUMERS, uuid);
    for (let added = 0; added < 2 * AROUND; added += 1, count += 1) {
      expect(Object.keys((await read(path)).json.allocations as object)).toHaveLength(count);
      await placed(1, uuid);
    }
    expect((await read(path)).bytes).toBeGreaterThan(EDGE);
  });

  it('/reports/instances', async () => {
    for (let batch = 0; batch < 3; batch += 1) {
      expect((await select(service, { num_instances: 100 })).status).toBe(200);
    }
    await readWithLimits('/reports/instances', (json) => json.instances as unknown[]);
  });

  it.each([
    '/docs/openapi.json',
    '/reports/map',
    '/reports/capacity?group_by=availability_zone',
    '/scheduler/decisions',
  ])('%s', async (path) => {
    await read(path);
  });

  it('a decision', async () => {
    const { text } = await select(service, { num_instances: 1, explain: 'all' });
    expect(JSON.stringify(JSON.parse(text)) === text).toBe(true);
    expect(text.length).toBeGreaterThan(EDGE / 2);
  });
});
