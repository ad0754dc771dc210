// Berth in the place of nova-scheduler while its broker or its own process is away.
import { randomUUID } from 'node:crypto';
import { CallRecords } from '../../src/nova/decide/call-records';
import { Conductor } from '../nova/conductor';
import { NovaCloud } from '../nova/nova-cloud';
import { novaServer } from '../nova/nova-databases';
import { eventually, flavor, hostsOf, spec } from '../nova/requests';
import { testDatabaseKinds } from '../support/databases';
import { hasRabbit } from '../support/rabbit';
import type { TestService } from '../support/service';
import { ALL_POWERFUL, startTestService } from '../support/service';
import { TcpProxy } from '../support/tcp-proxy';

const kinds = testDatabaseKinds();
const isAble = kinds.includes('mysql') && hasRabbit();
if (!isAble && process.env['BERTH_REQUIRE_RABBITMQ'] === '1') throw new Error('RabbitMQ or MariaDB is missing');

/** How long a conductor waits for an answer or a heartbeat. */
const CALLER_WAITS_MS = 60_000;

(isAble ? describe.each(kinds) : describe.skip.each(kinds))('nova without a scheduler for a while, on %s', (kind) => {
  let cloud: NovaCloud;
  let placement: TestService;

  beforeAll(async () => {
    cloud = await NovaCloud.prepare();
    placement = await startTestService(kind);
    await cloud.report(placement);
    // The queue exists from the first start of a scheduler on.
    const first = await cloud.start(kind, { sameDatabaseAs: placement });
    await (await cloud.conductor()).close();
    await first.stop();
  }, 120_000);
  afterAll(async () => {
    await cloud.remove();
    await placement.stop();
  }, 60_000);

  const providersOf = async (uuid: string): Promise<string[]> =>
    Object.keys((await placement.request({ path: `/allocations/${uuid}` })).json.allocations as object);
  const records = async (): Promise<number> =>
    placement.database.read(async (sql) =>
      Number((await sql.query<{ calls: number }>('SELECT COUNT(*) AS calls FROM nova_calls'))[0]?.calls),
    );

  it.each<[string, number, number]>([
    ['can lose its answer, so its claim is judged', CALLER_WAITS_MS + 5_000, 0],
    ['of this moment is done with its answer', 0, 1],
  ])('a call that waited in the queue %s', async (_what, waitedMs, claims) => {
    const uuid = randomUUID();
    const requestedAtMs = Date.now() - waitedMs;
    const conductor = await Conductor.connect(cloud.rabbit.transportUrl);
    const answer = conductor.select({ instance_uuids: [uuid], spec_obj: spec() }, { requestedAtMs });
    const berth = await cloud.start(kind, { sameDatabaseAs: placement });
    expect((await answer).failure).toBeNull();
    expect(await providersOf(uuid)).toHaveLength(1);
    if (claims === 1) await eventually(async () => ((await records()) === 0 ? true : undefined));
    // The call has expired, and nova does not know the instance: its conductor has given up.
    await placement.database.write((tx) => tx.run('UPDATE nova_calls SET judge_at = 0'));
    await berth.app.get(CallRecords, { strict: false }).recover();
    expect(await providersOf(uuid)).toHaveLength(claims);
    expect(await records()).toBe(0);
    await conductor.close();
    await berth.stop();
  });

  it('shows the state of the broker in /readyz, and is not ready without it if it must have it', async () => {
    const [serves, schedules] = [
      await cloud.start(kind, { sameDatabaseAs: placement }),
      await cloud.start(kind, {
        sameDatabaseAs: placement,
        env: { BERTH_NOVA__READINESS_NEEDS_BROKER: 'true' },
      }),
    ];
    const ready = async (service: TestService): Promise<unknown> => {
      const { status, json } = await service.request({ path: '/readyz' });
      return [status, json.status, json.broker];
    };
    const whenAll = (...expected: readonly unknown[]): Promise<true> =>
      eventually(async () => {
        const shown = [await ready(serves), await ready(schedules)];
        return JSON.stringify(shown) === JSON.stringify(expected) ? true : undefined;
      });
    const works = [200, 'ready', { works: true }];
    const lost = { works: false, reason: 'The message broker is not connected. The log has the reason.' };
    await whenAll(works, works);
    await cloud.rabbit.stop();
    await whenAll([200, 'ready', lost], [503, 'unavailable', lost]);
    await cloud.rabbit.run();
    await whenAll(works, works);
    expect((await placement.request({ path: '/readyz' })).json.broker).toBeUndefined();
    await schedules.stop();
    await serves.stop();
  }, 60_000);
});

(isAble ? describe.each(kinds) : describe.skip.each(kinds))('the database of the only cell on %s', (kind) => {
  let cloud: NovaCloud;
  let proxy: TcpProxy;
  let berth: TestService;
  let conductor: Conductor;

  beforeAll(async () => {
    cloud = await NovaCloud.prepare();
    proxy = await TcpProxy.open({ host: novaServer.hostname, port: Number(novaServer.port || 3306) });
    const [cell = ''] = cloud.databases.cells;
    const url = cloud.databases.url(cell, proxy.port);
    await cloud.databases.run("UPDATE api.cell_mappings SET database_connection = ? WHERE name = 'cell1'", [url]);
    berth = await cloud.start(kind);
    await cloud.report(berth);
    conductor = await cloud.conductor();
  }, 120_000);
  afterAll(async () => {
    await conductor.close();
    await proxy.close();
    await cloud.remove();
  }, 60_000);

  const boot = (options = {}): ReturnType<Conductor['select']> =>
    conductor.select({ instance_uuids: [randomUUID()], spec_obj: spec() }, options);

  it('that stands still holds up the calls, and all are placed when it answers again', async () => {
    expect((await boot()).failure).toBeNull();
    proxy.freeze();
    let answered = 0;
    const boots = Array.from({ length: 10 }, () => boot().finally(() => (answered += 1)));
    await new Promise((resume) => setTimeout(resume, 4_000));
    expect(answered).toBe(0);
    proxy.cut();
    const answers = await Promise.all(boots);
    expect(answers.map(({ failure }) => failure)).toEqual(answers.map(() => null));
    expect(new Set(answers.flatMap((answer) => hostsOf(answer)[0]))).toEqual(new Set(['cmp1', 'cmp2', 'cmp3']));
  }, 60_000);

  it('that stands still until the call ends is named to the operator, and the tenant learns that it is no condition', async () => {
    proxy.freeze();
    const requestId = `req-${randomUUID()}`;
    const { failure } = await boot({ requestId, waitsMs: 8_000 });
    expect(failure.class).toBe('NoValidHost');
    expect(failure.args[0]).toContain('A part of the cloud does not answer. Try again later.');
    expect(failure.args[0]).not.toContain('cell1');
    const { summary } = await eventually(async () => {
      const found = await berth.request({ path: `/scheduler/decisions/${requestId}`, headers: ALL_POWERFUL });
      return found.status === 200 ? found.json : undefined;
    });
    expect(summary.sentence).toMatch(/Cell cell1 is unreachable, so its 3 hosts are left out: .* within \d+ s/);
    proxy.cut();
    await eventually(async () => ((await boot()).failure === null ? true : undefined));
  }, 60_000);

  it('delays no request that its hosts do not fit either', async () => {
    proxy.freeze();
    const huge = { instance_uuids: [randomUUID()], spec_obj: spec(flavor({ vcpus: 1_000 })) };
    expect((await conductor.select(huge, { waitsMs: 600_000 })).failure.class).toBe('NoValidHost');
    proxy.cut();
  }, 30_000);
});
