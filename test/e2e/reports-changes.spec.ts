/** @jest-environment node */
// The change stream over real connections on both databases: two processes of one service that report each other's
// writes; positions that continue at another process; and the ends of streams.
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeEvent } from '../../client/src';
import { Client, noauth, Session } from '../../client/src';
import { CHANGE_LOG_LIMITS } from '../../src/platform/config/limits/database';
import { CHANGE_STREAM_LIMITS } from '../../src/platform/config/limits/reports';
import { ChangeFeed } from '../../src/reports/changes/change-feed';
import { positionOf, positionText } from '../../src/reports/changes/log-position';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { ChangeListener } from './change-listener';
import { instance, loadWorld, OWNER } from './scheduler-cloud';

jest.mock('../../src/platform/config/limits/reports', () => {
  const actual = jest.requireActual<{ CHANGE_STREAM_LIMITS: object }>('../../src/platform/config/limits/reports');
  const short = { lookEveryMs: 50, beatEveryMs: 300, silenceEveryMs: 100, unreadBytes: 16 * 1024 };
  const few = { streams: 7, streamsOfClient: 3 };
  return { ...actual, CHANGE_STREAM_LIMITS: { ...actual.CHANGE_STREAM_LIMITS, ...short, ...few } };
});

const WORLD = `
cn1   VCPU:1000 MEMORY_MB:32768
cn2   VCPU:1000 MEMORY_MB:32768
  numa0 VCPU:400
`;

const claim = (service: TestService, number: number, host = 'cn1'): Promise<unknown> =>
  done(service, {
    method: 'PUT',
    path: `/allocations/${instance(number)}`,
    body: {
      allocations: { [providerUuid(host)]: { resources: { VCPU: 1 } } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    },
  });

async function done(service: TestService, request: Parameters<TestService['request']>[0]): Promise<any> {
  const answer = await service.request(request);
  if (answer.status >= 300) throw new Error(`${request.path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

describe.each(testDatabaseKinds())('changes on %s', (kind) => {
  let one: TestService;
  let other: TestService;
  const listeners: ChangeListener[] = [];
  let claims = 0;
  const listen = async (service: TestService, position?: string, headers = {}): Promise<ChangeListener> => {
    const listener = await ChangeListener.open(service, position, headers);
    listeners.push(listener);
    return listener;
  };
  const opened = async (service: TestService, position?: string, headers = {}): Promise<ChangeListener> => {
    const listener = await listen(service, position, headers);
    await listener.until(() => listener.events.some(({ event }) => event === 'hello'));
    return listener;
  };
  const claimOn = (service: TestService, host?: string): Promise<unknown> => claim(service, (claims += 1), host);
  const isOver = async (service: TestService): Promise<void> => {
    while (service.app.get(ChangeFeed).count > 0) await pause(5);
  };

  beforeAll(async () => {
    one = await startTestService(kind);
    other = await startTestService(kind, { sameDatabaseAs: one });
    await loadWorld(one, WORLD);
    for (const service of [one, other]) await service.application.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    for (const listener of listeners.splice(0)) listener.leave();
    for (const service of [one, other]) await isOver(service);
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  it('starts with the current position, in uncached events', async () => {
    const listener = await opened(one);
    expect(listener.answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-openstack-request-id': expect.stringMatching(/^req-/) as string,
    });
    const [hello] = listener.events;
    expect(hello).toMatchObject({ event: 'hello', data: { position: hello?.id } });
  });

  it('reports at one process what another one wrote', async () => {
    const listener = await opened(one);
    await claimOn(other);
    await listener.until(() => listener.changes.length > 0);
    expect(listener.changes[0]?.data).toMatchObject({
      hosts: [providerUuid('cn1')],
      hosts_truncated: false,
      kinds: ['usage'],
    });
  });

  it('names the root of the tree of a changed child, and the kind of change', async () => {
    const listener = await opened(one);
    const path = `/resource_providers/${providerUuid('numa0')}/inventories`;
    const { resource_provider_generation: generation } = await done(other, { path });
    const inventories = { VCPU: { total: 500 } };
    await done(other, { method: 'PUT', path, body: { resource_provider_generation: generation, inventories } });
    await listener.until(() => listener.changes.length > 0);
    expect(listener.changes[0]?.data).toMatchObject({ hosts: [providerUuid('cn2')], kinds: ['inventory'] });
  });

  it('names created and deleted providers', async () => {
    const listener = await opened(one);
    const { uuid } = await done(other, { method: 'POST', path: '/resource_providers', body: { name: 'short-lived' } });
    await listener.until(() => listener.hosts.length > 0);
    await done(other, { method: 'DELETE', path: `/resource_providers/${uuid}` });
    await listener.until(() => listener.hosts.length > 1);
    expect(listener.hosts).toEqual([uuid, uuid]);
    expect(listener.changes.map(({ data }) => data.kinds)).toEqual([['provider'], ['provider']]);
  });

  it('reports changes of host reports, services and host aggregates', async () => {
    const listener = await opened(one);
    const uuid = providerUuid('cn1');
    await done(other, { method: 'PUT', path: '/scheduler/hosts/cn1/cn1', body: { uuid } });
    await listener.until(() => listener.hosts.includes(uuid));
    expect(listener.changes.at(-1)?.data.kinds).toContain('host');
    await done(other, { method: 'POST', path: '/scheduler/host_aggregates', body: { name: `of-${kind}` } });
    await listener.until(() => listener.changes.some(({ data }) => data.kinds.includes('registry')));
  });

  it.each([
    ['flavors', { id: 'told', name: 'told', vcpus: 1, memory_mb: 1 }, { vcpus: 2 }],
    ['images', { uuid: instance(901), name: 'told' }, { name: 'retold' }],
    ['server_groups', { uuid: instance(902), name: 'told', policy: 'affinity' }, { name: 'retold' }],
  ])('reports created, changed and deleted %s', async (registry, body: { id?: string; uuid?: string }, change) => {
    const path = `/scheduler/${registry}/${body.id ?? body.uuid ?? ''}`;
    const listener = await opened(one);
    await done(other, { method: 'POST', path: `/scheduler/${registry}`, body });
    await listener.until(() => listener.changes.length === 1);
    await done(other, { method: 'PATCH', path, body: change });
    await listener.until(() => listener.changes.length === 2);
    await done(other, { method: 'DELETE', path });
    await listener.until(() => listener.changes.length === 3);
    for (const { data } of listener.changes) expect(data).toMatchObject({ kinds: ['registry'], hosts: [] });
  });

  it('combines concurrent changes in one event', async () => {
    const listener = await opened(one);
    for (let number = 0; number < 30; number += 1) await claimOn(one, number % 2 === 0 ? 'cn1' : 'numa0');
    await listener.until(() => new Set(listener.hosts).size === 2);
    expect(listener.changes.length).toBeLessThan(30);
  });

  it('continues at another process after the last event, without a loss', async () => {
    const before = await opened(one);
    await claimOn(one);
    await before.until(() => before.changes.length > 0);
    const { position } = before;
    before.leave();
    await claimOn(one, 'numa0');
    const after = await opened(other, position);
    await after.until(() => after.changes.length > 0);
    expect(after.changes[0]?.data).toMatchObject({ hosts: [providerUuid('cn2')], kinds: ['usage'] });
    expect(after.events.map(({ event }) => event)).not.toContain('reset');
    // The stream continues after the missed events.
    await claimOn(other);
    await after.until(() => after.hosts.includes(providerUuid('cn1')));
  });

  it('loses nothing while streams start and end and two processes write', async () => {
    const wanted = new Set<string>();
    const heard = new Set<string>();
    let isWriting = true;
    const write = async (service: TestService, name: string): Promise<void> => {
      for (let number = 0; number < 20; number += 1) {
        const body = { name: `${kind}-${name}-${number}` };
        const { uuid } = await done(service, { method: 'POST', path: '/resource_providers', body });
        wanted.add(uuid as string);
      }
    };
    const first = await opened(one);
    let { position } = first;
    first.leave();
    const follow = async (): Promise<void> => {
      for (let turn = 0; isWriting || heard.size < wanted.size; turn += 1) {
        const listener = await opened(turn % 2 === 0 ? other : one, position);
        await pause(20 + (turn % 3) * 60);
        for (const host of listener.hosts) heard.add(host);
        expect(listener.events.map(({ event }) => event)).not.toContain('reset');
        ({ position } = listener);
        listener.leave();
      }
    };
    const following = follow();
    await Promise.all([write(one, 'a'), write(other, 'b')]);
    isWriting = false;
    await following;
    expect([...wanted].filter((uuid) => !heard.has(uuid))).toEqual([]);
  });

  it('requests a full reload if the position is too old, or from another database', async () => {
    const { position } = await opened(one);
    const known = positionOf(position) ?? { readAtSeconds: 0, vector: new Map<number, number>() };
    const hour = 3_600;
    const [lane = 1, seq = 0] = [...known.vector][0] ?? [];
    const strange = [
      { ...known, readAtSeconds: known.readAtSeconds - hour },
      { ...known, readAtSeconds: known.readAtSeconds + hour },
      { ...known, vector: new Map([...known.vector, [lane, seq + 1_000]]) },
      { ...known, vector: new Map([...known.vector, [1_000_000, 1]]) },
    ];
    for (const each of strange) {
      const listener = await listen(other, positionText(each), { 'x-auth-token': 'somebody-else' });
      await listener.until(() => listener.events.length > 1);
      expect(listener.events.map(({ event }) => event)).toEqual(['reset', 'hello']);
      expect(positionOf(listener.events[0]?.id ?? '')).toBeDefined();
      listener.leave();
      await isOver(other);
    }
  });

  it.each(['', '%', 'x'.repeat(20), 'AQ', 'A'.repeat(20_000)])('refuses an invalid position: %#', async (position) => {
    const { status, json } = await one.request({ path: `/reports/changes?position=${encodeURIComponent(position)}` });
    expect([status, json.errors[0].code]).toEqual([400, 'scheduler.invalid_request']);
    expect(json.errors[0].detail).toContain('position');
  });

  it('refuses unknown parameters', async () => {
    const { status, json } = await one.request({ path: '/reports/changes?since=1' });
    expect([status, json.errors[0].detail]).toEqual([400, expect.stringContaining('since') as string]);
  });

  it('sends heartbeats, which advance the position', async () => {
    const listener = await opened(one);
    await listener.until(() => listener.text.includes(': beat\nid: '));
  });

  it('reports hosts that become silent, and their return', async () => {
    const patient = await startTestService(kind, {
      sameDatabaseAs: one,
      env: { BERTH_DEFAULT__SERVICE_DOWN_TIME: '2', BERTH_DEFAULT__REPORT_INTERVAL: '1' },
    });
    try {
      await patient.application.listen(0, '127.0.0.1');
      const uuid = providerUuid('cn2');
      const report = (): Promise<unknown> =>
        done(patient, { method: 'PUT', path: '/scheduler/hosts/cn2/cn2', body: { uuid } });
      await report();
      const listener = await opened(patient);
      await listener.until(() => listener.hosts.includes(uuid));
      expect(listener.changes.at(-1)?.data.kinds).toEqual(['host']);
      const heard = listener.hosts.length;
      await report();
      await listener.until(() => listener.hosts.indexOf(uuid, heard) >= 0);
      expect(listener.changes.at(-1)?.data.kinds).toEqual(['host']);
      listener.leave();
    } finally {
      await patient.stop();
    }
  });

  it("ends when its client's token expires", async () => {
    const feed = one.app.get(ChangeFeed);
    const expiresAtMs = Date.now() + 1_000;
    const stream = await feed.open({ name: 'user short', expiresAtMs, request: { sentBytes: null } }, undefined);
    let text = '';
    for await (const part of stream) text += String(part);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAtMs - 1);
    expect(text).toMatch(/^event: hello\n.*event: bye\nid: \S+\n/s);
    expect(feed.count).toBe(0);
  });

  it('limits the streams of one client, and reports the limit', async () => {
    for (let count = 0; count < CHANGE_STREAM_LIMITS.streamsOfClient; count += 1) await opened(one);
    const refused = await listen(one);
    expect([refused.status, refused.answer.headers['retry-after']]).toEqual([429, '1']);
    expect((await opened(one, undefined, { 'x-auth-token': 'somebody-else' })).status).toBe(200);
  });

  it('limits the streams of all clients, including those being opened, and frees places', async () => {
    const { streams, streamsOfClient } = CHANGE_STREAM_LIMITS;
    const by = (client: number): object => ({ 'x-auth-token': `client-${client}` });
    // Each client stays below its own limit.
    const asked = Array.from({ length: streams + 4 }, (_, at) =>
      listen(one, undefined, by(Math.floor(at / (streamsOfClient - 1)))),
    );
    const answered = await Promise.all(asked);
    const refused = answered.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    expect(one.app.get(ChangeFeed).count).toBe(streams);
    const [late] = refused;
    await late?.ended();
    expect(late?.answer.headers['retry-after']).toBe('1');
    expect(JSON.parse(late?.text ?? '')).toMatchObject({
      errors: [{ status: 429, detail: expect.stringContaining('the maximum number of open streams') as string }],
    });
    // The other process has a limit of its own.
    expect((await opened(other)).status).toBe(200);
    answered.find(({ status }) => status === 200)?.leave();
    while (one.app.get(ChangeFeed).count === streams) await pause(5);
    expect((await opened(one, undefined, by(100))).status).toBe(200);
    expect((await listen(one, undefined, by(101))).status).toBe(429);
  });

  it('disconnects a client that does not read', async () => {
    const lazy = await opened(one);
    lazy.answer.pause();
    const feed = one.app.get(ChangeFeed);
    const large = 'x'.repeat(CHANGE_STREAM_LIMITS.unreadBytes);
    // Bytes in the network's buffers do not count as unread; the rest does.
    const streams = (feed as unknown as { streams: Map<{ report(event: Buffer): void }, string> }).streams;
    for (let reported = 0; reported < 10_000 && feed.count > 0; reported += 1) {
      for (const stream of streams.keys()) stream.report(Buffer.from(`: ${large}\n\n`));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(feed.count).toBe(0);
  });

  it('reads the log once for all streams, and never without streams', async () => {
    const graphs = one.app.get(ChangeFeed)['graphs'];
    await Promise.all([opened(one), opened(one), opened(one)]);
    const [before, began] = [graphs.counts.refreshes, performance.now()];
    await pause(CHANGE_STREAM_LIMITS.lookEveryMs * 10);
    const looks = (performance.now() - began) / CHANGE_STREAM_LIMITS.lookEveryMs;
    // One read per stream would triple the count.
    expect(graphs.counts.refreshes - before).toBeLessThanOrEqual(looks * 1.5 + 2);
    for (const listener of listeners) listener.leave();
    await isOver(one);
    const [after, ended] = [graphs.counts.refreshes, performance.now()];
    await pause(CHANGE_STREAM_LIMITS.lookEveryMs * 6);
    // Except for the idle refresh, which runs regardless.
    const idle = (performance.now() - ended) / CHANGE_LOG_LIMITS.idleRefreshMs;
    expect(graphs.counts.refreshes - after).toBeLessThanOrEqual(1 + Math.floor(idle));
  });

  it('is followed by the client from process to process', async () => {
    const third = await startTestService(kind, { sameDatabaseAs: one });
    await third.application.listen(0, '127.0.0.1');
    const portOf = (service: TestService): number => (service.app.getHttpServer().address() as AddressInfo).port;
    // Like a load balancer: uses any process that is available.
    let port = portOf(third);
    const client = new Client(
      new Session({
        endpoint: 'http://berth',
        credentials: noauth('admin', { roles: ['admin', 'service'] }),
        fetch: (url, init) => fetch(url.replace('berth', `127.0.0.1:${port}`), init),
      }),
      '1.39',
    );
    const signal = new AbortController();
    const heard: ChangeEvent[] = [];
    for await (const event of client.reports.changes({ signal: signal.signal })) {
      heard.push(event);
      if (heard.length === 1) {
        port = portOf(one);
        await third.stop();
        await claimOn(other);
      } else if (event.event === 'change' && event.hosts.includes(providerUuid('cn1'))) signal.abort();
    }
    expect(heard[0]?.event).toBe('hello');
    expect(heard.map(({ event }) => event)).not.toContain('reset');
    expect(heard.at(-1)).toMatchObject({ event: 'change', kinds: ['usage'] });
  });

  it('sends an end event at shutdown, and does not delay the shutdown', async () => {
    const third = await startTestService(kind, {
      sameDatabaseAs: one,
      overrides: { berth: { shutdown_drain_seconds: 2, shutdown_grace_seconds: 20 } },
    });
    await third.application.listen(0, '127.0.0.1');
    const listener = await opened(third);
    const stopping = third.stop();
    await listener.ended();
    expect(listener.events.at(-1)).toMatchObject({ event: 'bye' });
    // The service is still draining: it did not wait for the endless streams.
    const refused = await listen(third);
    expect(refused.status).toBe(503);
    await stopping;
    const goesOn = await opened(one, listener.position);
    expect(goesOn.events.map(({ event }) => event)).not.toContain('reset');
  });
});

it('writes one line to the access log when the stream ends', async () => {
  const lines: string[] = [];
  const service = await startTestService('sqlite', { log: (line) => lines.push(line) });
  try {
    await service.application.listen(0, '127.0.0.1');
    const listener = await ChangeListener.open(service);
    await listener.until(() => listener.events.length > 0);
    const about = (): readonly string[] =>
      lines.filter((line) => line.includes('/reports/changes') && line.includes('"status":200'));
    expect(about()).toEqual([]);
    listener.leave();
    while (about().length === 0) await pause(5);
    expect(about()).toHaveLength(1);
    expect(JSON.parse(about()[0] ?? '{}').bytes).toBeGreaterThanOrEqual(listener.text.length);
  } finally {
    await service.stop();
  }
});
