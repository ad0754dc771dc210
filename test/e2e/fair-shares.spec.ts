// Shares of clients over HTTP with tokens: a flooding client waits after others, and is refused beyond the queue; a
// cloud behind one token never is. Asserts order and counts, never times: a clock that advances with each reading, that
// is with each step of work, makes the slices of the event loop the same on a loaded machine.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SHARE_LIMITS } from '../../src/platform/config/limits/placement';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { instance, loadWorld, OWNER, SMALL } from './scheduler-cloud';

const HOSTS = 20;
const WORLD = Array.from({ length: HOSTS }, (_, host) => `host${host}  VCPU:4000 MEMORY_MB:4000000`).join('\n');
const QUEUE = 8;
/** Number of checks, one every 50 ms. */
const HEARD_WITHIN = 100;
/** Long enough for many slices. */
const EXPENSIVE = { ...OWNER, flavor: SMALL, num_instances: 15 };
const SEARCH = '/allocation_candidates?resources=VCPU:1';

/** One reading of the clock, in milliseconds. */
const STEP_MS = 0.1;

beforeAll(() => {
  let readings = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (readings += 1) * STEP_MS);
});
afterAll(() => jest.restoreAllMocks());

interface User {
  readonly headers: Readonly<Record<string, string | null>>;
  readonly explain: () => Promise<TestResponse>;
  readonly search: () => Promise<TestResponse>;
}

/** The service with the given queue limit, and users with tokens. */
async function cloudWith(
  queue: number,
): Promise<{ readonly service: TestService; readonly user: (name: string) => Promise<User> }> {
  // The order does not depend on the database.
  const service = await startTestService(testDatabaseKinds()[0] ?? 'sqlite', {
    overrides: { api: { auth_strategy: 'static' }, berth: { share_queue_limit: queue } },
  });
  const user = async (name: string): Promise<User> => {
    const args = [
      'token',
      'create',
      `of-${name}`,
      '--user',
      name,
      '--project',
      'p',
      '--role',
      'admin',
      '--role',
      'service',
    ];
    const { out: token } = await berth({ DATABASE_URL: service.databaseUrl }, args);
    const headers = { 'x-auth-token': token.trim(), 'x-roles': null };
    return {
      headers,
      explain: () => service.request({ method: 'POST', path: '/scheduler/explain', body: EXPENSIVE, headers }),
      search: () => service.request({ path: SEARCH, headers }),
    };
  };
  const operator = await user('operator');
  const asOperator: TestService = {
    ...service,
    request: (request) => service.request({ ...request, headers: { ...operator.headers, ...request.headers } }),
  };
  await loadWorld(asOperator, WORLD);
  return { service, user };
}

/** Requests sent together, and their results so far. Decisions are large, so only refusals are kept. */
class Flood {
  readonly statuses: number[] = [];
  readonly refusals: TestResponse[] = [];
  readonly all: Promise<unknown>;

  constructor(count: number, send: () => Promise<TestResponse>) {
    this.all = Promise.all(
      Array.from({ length: count }, async () => {
        const answer = await send();
        this.statuses.push(answer.status);
        if (answer.status !== 200) this.refusals.push(answer);
      }),
    );
  }

  count(status: number): number {
    return this.statuses.filter((each) => each === status).length;
  }

  async until(count: number, status: number): Promise<void> {
    while (this.count(status) < count) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a flooding client', () => {
  let service: TestService;
  let heavy: User;
  let quiet: User;
  beforeAll(async () => {
    const cloud = await cloudWith(QUEUE);
    service = cloud.service;
    [heavy, quiet] = [await cloud.user('heavy'), await cloud.user('quiet')];
    // The first requests include compilation and loading.
    await Promise.all([heavy.explain(), quiet.search(), quiet.explain()]);
  });
  afterAll(() => service.stop());

  const most = SHARE_LIMITS.underWayOfClient + QUEUE;

  it('is served up to the limit, and refused beyond it with Retry-After', async () => {
    const flood = new Flood(most + 25, heavy.explain);
    await flood.all;
    expect([flood.count(200), flood.count(429)]).toEqual([most, 25]);
    const [refused] = flood.refusals;
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.json.errors[0]).toMatchObject({ status: 429, code: 'scheduler.too_many_requests' });
    expect((await heavy.explain()).status).toBe(200);
  });

  it('does not delay other clients: each of their searches is answered next, and a decision in turn with those that run', async () => {
    const flood = new Flood(most, heavy.explain);
    await flood.until(1, 200);
    for (let round = 0; round < 5; round += 1) {
      const before = flood.count(200);
      expect((await quiet.search()).status).toBe(200);
      expect(flood.count(200) - before).toBeLessThanOrEqual(1);
    }
    const before = flood.count(200);
    expect((await quiet.explain()).status).toBe(200);
    expect(flood.count(200) - before).toBeLessThanOrEqual(SHARE_LIMITS.underWayOfClient + 2);
    expect(flood.count(200)).toBeLessThan(most);
    await flood.all;
    expect(flood.count(429)).toBe(0);
  });

  it('is refused in the format of the Placement API there', async () => {
    const flood = new Flood(most + 25, heavy.explain);
    await flood.until(1, 429);
    const { status, json, headers } = await heavy.search();
    expect([status, json.errors[0].code, headers['retry-after']]).toEqual([429, 'placement.too_many_requests', '1']);
    await flood.all;
  });

  it('can claim, report and read in the meantime', async () => {
    const flood = new Flood(most + 5, heavy.explain);
    const host: TestRequest = { body: { vcpus_total: 64 }, method: 'PUT', path: '/scheduler/hosts/host1/host1' };
    const claim: TestRequest = {
      method: 'PUT',
      path: `/allocations/${instance(1)}`,
      body: {
        allocations: { [providerUuid('host1')]: { resources: { VCPU: 1 } } },
        ...OWNER,
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      },
    };
    const asked: readonly TestRequest[] = [
      claim,
      host,
      { path: '/traits' },
      { path: `/resource_providers/${providerUuid('host1')}/usages` },
    ];
    const answers = await Promise.all(asked.map((each) => service.request({ ...each, headers: heavy.headers })));
    for (const { status } of answers) expect([200, 201, 204]).toContain(status);
    expect(flood.count(200)).toBeLessThan(most);
    await flood.all;
  });

  it('frees its places when it disconnects', async () => {
    await service.app.listen(0, '127.0.0.1');
    const server: Server = service.app.getHttpServer();
    const { port } = server.address() as AddressInfo;
    const body = JSON.stringify(EXPENSIVE);
    const request =
      `POST /scheduler/explain HTTP/1.1\r\nhost: x\r\nx-auth-token: ${heavy.headers['x-auth-token']}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    // The requests of one connection arrive together.
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(request.repeat(most));
    await once(socket, 'data');
    const others = new Flood(most, heavy.explain);
    while (others.statuses.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // The places are taken: a refusal is faster than a decision.
    expect(others.count(429)).toBeGreaterThan(0);
    const end = once(socket, 'close');
    socket.destroy();
    await Promise.all([end, others.all]);
    await quiet.search();
    // The service detects disconnections after a while.
    let served = 0;
    for (let tries = 0; tries < HEARD_WITHIN && served < most; tries += 1) {
      await pause(50);
      const again = new Flood(most, heavy.explain);
      await again.all;
      served = again.count(200);
    }
    expect(served).toBe(most);
  });
});

describe('a cloud of 1 000 computes behind one token', () => {
  let service: TestService;
  afterAll(() => service.stop());

  it('gets no 429 while another client floods the service', async () => {
    const cloud = await cloudWith(SHARE_LIMITS.waitingOfClient);
    service = cloud.service;
    const [nova, heavy] = [await cloud.user('nova'), await cloud.user('heavy')];
    const ask = (request: TestRequest): Promise<TestResponse> => service.request({ ...request, headers: nova.headers });
    const uuidOf = (compute: number): string => providerUuid(`host${compute % HOSTS}`);
    const select = { ...OWNER, flavor: SMALL, num_instances: 1 };
    const flood = new Flood(100, heavy.explain);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, compute) => [
        ask({ path: `/resource_providers/${uuidOf(compute)}/allocations`, version: null }),
        ask({ path: `/resource_providers?in_tree=${uuidOf(compute)}`, version: '1.14' }),
        ask({ path: SEARCH, version: '1.36' }),
        ...(compute % 10 === 0 ? [ask({ method: 'POST', path: '/scheduler/select_destinations', body: select })] : []),
      ]).flat(),
    );
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect([...counts]).toEqual([[200, answers.length]]);
    await flood.all;
    expect(flood.count(200)).toBe(100);
  });
});
