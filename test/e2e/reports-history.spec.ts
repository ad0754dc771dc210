// The history over HTTP on both databases: one sample for each interval, whichever process takes it, for eight days.
import { HistoryService } from '../../src/reports/history/history.service';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { instance, loadWorld, select } from './scheduler-cloud';

const WORLD = `
cn1  VCPU:16 MEMORY_MB:32768
cn2  VCPU:16 MEMORY_MB:32768
`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe.each(testDatabaseKinds())('the history on %s', (kind) => {
  let service: TestService;
  let other: TestService;
  const overrides = { berth: { history_interval_seconds: 60, stranded_max_age_seconds: 1 } };
  const look = (at: number, which = service): Promise<void> =>
    which.app.get(HistoryService, { strict: false }).look(at);
  const samples = async (query = ''): Promise<Json[]> => {
    const { status, json, text } = await service.request({ path: `/reports/history${query}` });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json.samples as Json[];
  };

  beforeAll(async () => {
    service = await startTestService(kind, { overrides });
    other = await startTestService(kind, { overrides, sameDatabaseAs: service });
    await loadWorld(service, WORLD);
    await service.request({
      method: 'POST',
      path: '/scheduler/flavors',
      body: { id: 'small', name: 'small', vcpus: 4, memory_mb: 512 },
    });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  it('has one sample of each interval, and sums the requests of a step', async () => {
    const now = Date.now();
    expect(await samples()).toEqual([]);
    await look(now - 3 * MINUTE);
    expect((await select(service, { flavor: 'small', instances: [instance(1)] })).status).toBe(200);
    expect((await select(service, { flavor: 'small', num_instances: 1, ignore_hosts: ['cn1', 'cn2'] })).status).toBe(
      409,
    );
    await look(now);
    await look(now, other);
    const found = await samples('?hours=1');
    expect(found.map(({ hosts, instances }: Json) => [hosts, instances])).toEqual([
      [2, 0],
      [2, 1],
    ]);
    expect(found[1].resource_classes.VCPU).toMatchObject({ capacity: 32, used: 4, usable: 28 });
    expect(Date.parse(found[1].at as string) % MINUTE).toBe(0);
  });

  it('thins the samples of a long period', async () => {
    const now = Date.now();
    for (let at = 40; at > 30; at -= 1) await look(now - 5 * HOUR - at * MINUTE, other);
    // A round of the past is taken only by a process that has not seen a later one in the database.
    const sql = "UPDATE registry_locks SET version = 0 WHERE name = 'samples'";
    await service.database.write((tx) => tx.run(sql, []));
    const fresh = await startTestService(kind, { overrides, sameDatabaseAs: service });
    for (let at = 40; at > 30; at -= 1) await look(now - 5 * HOUR - at * MINUTE, fresh);
    await fresh.stop();
    const [day, week] = [await samples('?hours=24'), await samples('?hours=168')];
    expect(day.length).toBeGreaterThan(2);
    expect(week.length).toBeLessThan(day.length);
    expect(week.length).toBeGreaterThan(0);
  });

  it('keeps eight days', async () => {
    const now = Date.now();
    const insert = 'INSERT INTO report_samples (sampled_at, placed, refused, document) VALUES (?, 0, 0, ?)';
    const old = now - 9 * DAY;
    await service.database.write((tx) => tx.run(insert, [old, '{}']));
    await look(now + MINUTE);
    const left = await service.database.read((sql) =>
      sql.query('SELECT id FROM report_samples WHERE sampled_at <= ?', [old]),
    );
    expect(left).toEqual([]);
  });

  it('foresees when a class is full, in the report and as a metric', async () => {
    await service.database.write((tx) => tx.run('DELETE FROM report_samples', []));
    const sums = (used: number): object => ({ capacity: 32, used, usable: 32 - used, stranded: null });
    for (let hour = 0; hour <= 144; hour += 1) {
      const document = {
        hosts: 2,
        usable: 2,
        instances: 1,
        classes: { VCPU: sums(Math.round(2 * (4 - (144 - hour) / 48)) / 2), MEMORY_MB: sums(16) },
      };
      await service.database.write((tx) =>
        tx.run('INSERT INTO report_samples (sampled_at, placed, refused, document) VALUES (?, 0, 0, ?)', [
          Date.now() - (144 - hour) * HOUR,
          JSON.stringify(document),
        ]),
      );
    }
    const { when_full: full } = (await service.request({ path: '/reports/history?hours=1' })).json;
    const { text } = await service.request({ path: '/metrics' });
    expect(full).toEqual([
      {
        resource_class: 'VCPU',
        earliest_days: expect.any(Number) as number,
        latest_days: expect.any(Number) as number,
        sentence: expect.stringMatching(/^full in \d\d to \d\d days at the pace of the last 6 days$/) as string,
      },
      {
        resource_class: 'MEMORY_MB',
        earliest_days: null,
        latest_days: null,
        sentence: 'not foreseeable: use does not grow steadily',
      },
    ]);
    // 28 of 32 are left, and half of one is used each day.
    expect(full[0].earliest_days).toBeLessThan(56);
    expect(full[0].latest_days).toBeGreaterThan(56);
    const series = text.split('\n').filter((line) => line.startsWith('berth_capacity_full_seconds{'));
    expect(series.map((line) => line.replace(/ .*/, ''))).toEqual([
      'berth_capacity_full_seconds{resource_class="VCPU",bound="earliest"}',
      'berth_capacity_full_seconds{resource_class="VCPU",bound="latest"}',
    ]);
    expect(Number(series[1]?.split(' ')[1])).toBeCloseTo(full[0].latest_days * 86_400, 0);
  });

  it.each(['?hours=169', '?hours=x', '?days=1'])('refuses %s', async (query) => {
    expect((await service.request({ path: `/reports/history${query}` })).status).toBe(400);
  });
});
