import { HistoryService } from '../../src/reports/history/history.service';
// The time line over HTTP on both databases: what two processes see is recorded once, equal changes are one entry, and a
// limit counts what it leaves out.
import { HostChanges } from '../../src/reports/history/host-changes';
import { EVENTS_KEPT } from '../../src/reports/history/host-events.repository';
import { DecisionStore } from '../../src/scheduler/decisions/decision-store';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { instance, loadWorld, select } from './scheduler-cloud';

const WORLD = `
cn1    VCPU:16 MEMORY_MB:32768
  numa0 CUSTOM_SLOT:4
cn2    VCPU:16 MEMORY_MB:32768
cn3    VCPU:16 MEMORY_MB:32768
`;
const HOSTS = ['cn1', 'cn2', 'cn3'];
const REPORT = {
  vcpus_total: 16,
  memory_mb: 32768,
  local_gb: 10,
  hypervisor: { type: 'QEMU', version: 1, hostname: 'x' },
};
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(testDatabaseKinds())('the time line on %s', (kind) => {
  let service: TestService;
  let other: TestService;
  let now = Date.now();
  const done = async (method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Json> => {
    const answer = await service.request({ method, path, version: '1.39', ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  /** Both processes look, twice, in turn and at once. */
  const look = async (at = now): Promise<void> => {
    const both = [service, other].map(({ app }) => app.get(HostChanges, { strict: false }));
    for (const each of both) await each.record(at);
    await Promise.all(both.map((each) => each.record(at)));
  };
  const timeline = async (query = ''): Promise<Json> => {
    await service.app.get(DecisionStore, { strict: false }).flush();
    const { status, json, text } = await service.request({ path: `/reports/timeline?since=1h${query}` });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json;
  };
  const found = async (): Promise<unknown[]> =>
    (await timeline()).entries.map(({ fact, was, became, changes, hosts }: Json) => [
      `${fact}: ${was} → ${became}`,
      changes,
      [...(hosts as string[])].sort(),
    ]);
  const query = <T>(sql: string): Promise<readonly T[]> => service.database.read((reader) => reader.query<T>(sql, []));
  const run = (sql: string, params: readonly (string | number)[] = []): Promise<number> =>
    service.database.write((tx) => tx.run(sql, params));

  beforeAll(async () => {
    const overrides = { berth: { history_interval_seconds: 60, stranded_max_age_seconds: 1 } };
    service = await startTestService(kind, { overrides });
    other = await startTestService(kind, { overrides, sameDatabaseAs: service });
    await loadWorld(service, WORLD);
    for (const host of HOSTS) await done('PUT', `/scheduler/hosts/${host}/${host}`, REPORT);
    await look();
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });
  beforeEach(async () => {
    await look();
    await run('DELETE FROM host_events');
    await run('DELETE FROM scheduler_decisions');
    now = Date.now();
  });

  it('is empty if nothing changed, also after claims and reports', async () => {
    await done('POST', '/scheduler/flavors', { id: 'small', name: 'small', vcpus: 1, memory_mb: 512 });
    expect((await select(service, { flavor: 'small', instances: [instance(1)] })).status).toBe(200);
    await done('PUT', '/scheduler/hosts/cn1/cn1', REPORT);
    await look();
    expect(await timeline()).toMatchObject({ entries: [], left_out: 0 });
  });

  it('has what operators do to hosts, once, with the reason, and equal changes together', async () => {
    const disabled = { status: 'disabled', disabled_reason: 'broken fan' };
    for (const host of HOSTS) await done('PATCH', `/scheduler/services/${host}`, disabled);
    await look();
    await done('PATCH', '/scheduler/services/cn1', { status: 'enabled' });
    await done('PATCH', '/scheduler/services/cn2', { forced_down: true });
    now += 1_000;
    await look();
    const [first, second, third] = await found();
    expect(new Set([first, second])).toEqual(
      new Set([
        ['state: up → forced down', 1, ['cn2']],
        ['status: disabled: broken fan → enabled', 1, ['cn1']],
      ]),
    );
    expect(third).toEqual(['status: enabled → disabled: broken fan', 3, HOSTS]);
    await done('PATCH', '/scheduler/services/cn2', { forced_down: false });
    for (const host of HOSTS) await done('PATCH', `/scheduler/services/${host}`, { status: 'enabled' });
  });

  it('has hosts that stop reporting and come back, each time', async () => {
    for (const at of [now + 48 * HOUR, now, now + 96 * HOUR, now + 30 * MINUTE]) await look(at);
    const { entries } = await timeline();
    expect(entries.map(({ fact, became, changes }: Json) => `${fact} ${became} ${changes}`).sort()).toEqual([
      'state down 3',
      'state down 3',
      'state up 3',
      'state up 3',
    ]);
  });

  it('has traits, aggregates and inventories of all providers, with what was before', async () => {
    const generationOf = async (name: string): Promise<number> => {
      const { json } = await service.request({ path: `/resource_providers/${providerUuid(name)}`, version: '1.39' });
      return json.generation as number;
    };
    const put = async (name: string, path: string, body: object): Promise<void> => {
      const generation = { resource_provider_generation: await generationOf(name) };
      await done('PUT', `/resource_providers/${providerUuid(name)}/${path}`, { ...generation, ...body });
    };
    await done('PUT', '/traits/CUSTOM_CRANE');
    await put('cn1', 'traits', { traits: ['CUSTOM_CRANE'] });
    await put('cn2', 'inventories/VCPU', { total: 32, reserved: 2 });
    await put('numa0', 'inventories', { inventories: {} });
    await done('POST', '/scheduler/host_aggregates', { name: 'rack', hosts: ['cn1'] });
    await look();
    expect((await found()).sort()).toEqual([
      ['aggregate rack: null → yes', 1, ['cn1']],
      ['inventory CUSTOM_SLOT: 4, reserved 0, ratio 1 → null', 1, ['numa0']],
      ['inventory VCPU: 16, reserved 0, ratio 1 → 32, reserved 2, ratio 1', 1, ['cn2']],
      ['trait CUSTOM_CRANE: null → yes', 1, ['cn1']],
    ]);
    await put('cn1', 'traits', { traits: [] });
    await look();
    expect(await found()).toContainEqual(['trait CUSTOM_CRANE: yes → null', 1, ['cn1']]);
  });

  it('counts refusals by flavor, with the sentence and the newest request', async () => {
    await done('POST', '/scheduler/flavors', { id: 'huge', name: 'huge', vcpus: 500, memory_mb: 512 });
    for (let round = 0; round < 3; round += 1) {
      expect((await select(service, { flavor: 'huge', num_instances: 1 })).status).toBe(409);
    }
    const { entries } = await timeline();
    const [refusals] = entries;
    expect(entries).toHaveLength(1);
    expect(refusals).toMatchObject({ fact: 'refusals of huge', changes: 3, hosts: [], was: null });
    const { json } = await service.request({ path: `/scheduler/decisions/${refusals.decision as string}` });
    expect(json.summary.sentence).toBe(refusals.became);
  });

  it('has the use at both ends', async () => {
    const sampler = service.app.get(HistoryService, { strict: false });
    await sampler.look(now - 3 * MINUTE);
    expect((await select(service, { flavor: 'small', instances: [instance(2)] })).status).toBe(200);
    await sampler.look(now + MINUTE);
    const use = (await found()).filter((entry) => String((entry as [string])[0]).startsWith('use of VCPU'));
    expect(use).toEqual([[expect.stringMatching(/^use of VCPU: 1 of \d+ → 2 of \d+$/), 1, []]]);
  });

  it('counts what a limit leaves out', async () => {
    for (const status of ['disabled', 'enabled', 'disabled', 'enabled']) {
      await done('PATCH', '/scheduler/services/cn3', { status });
      await look();
    }
    await run("DELETE FROM report_samples WHERE document <> ''");
    const [whole, cut] = [await timeline(), await timeline('&limit=1')];
    const changesOf = ({ entries }: Json): number =>
      (entries as { changes: number }[]).reduce((sum, { changes }) => sum + changes, 0);
    expect([changesOf(whole), whole.left_out]).toEqual([4, 0]);
    expect([cut.entries.length, cut.left_out]).toEqual([1, 4 - changesOf(cut)]);
  });

  it('keeps the newest rows', async () => {
    const insert =
      'INSERT INTO host_events (id, at, provider_uuid, name, fact, became, previous) VALUES (?, ?, ?, ?, ?, ?, 0)';
    const [newest] = await query<{ id: number | null }>('SELECT MAX(id) AS id FROM host_events');
    const first = Number(newest?.id ?? 0) + 1_000;
    for (const [id, name] of [
      [first, 'old'],
      [first + EVENTS_KEPT, 'new'],
    ] as const) {
      await run(insert, [id, now, providerUuid(name), name, 'state', 'down']);
    }
    await done('PATCH', '/scheduler/services/cn3', { status: 'disabled' });
    await look();
    const rows = await query<{ name: string }>('SELECT name FROM host_events ORDER BY name');
    expect(rows.map(({ name }) => name)).toEqual(['cn3', 'new']);
    await done('PATCH', '/scheduler/services/cn3', { status: 'enabled' });
  });

  it('is what `berth changes` prints', async () => {
    await service.app.listen(0, '127.0.0.1');
    const command = async (...args: readonly string[]) =>
      berth({ BERTH_URL: await service.app.getUrl() }, ['changes', ...args]);
    for (const status of ['disabled', 'enabled']) {
      await done('PATCH', '/scheduler/services/cn3', { status });
      await look();
    }
    const { code, out, err } = await command('--limit', '1');
    expect([code, err]).toEqual([0, '… and 1 more changes; --limit N shows more entries\n']);
    expect(out).toMatch(/^when +changes +hosts +fact +was +became\n\d+ s ago +1 +cn3 +status +/);
    expect(JSON.parse((await command('--since', 'yesterday', '--json')).out).entries).toHaveLength(2);
    expect(await command('--since', 'soon')).toMatchObject({
      code: 2,
      err: expect.stringContaining('such as 1h, 2d, yesterday, 2026-11-27'),
    });
  });

  it.each(['?since=soon', '?since=2999-01-01', '?since=1h&since=2h', '?limit=0', '?limit=5001', '?days=1'])(
    'refuses %s',
    async (text) => {
      const answer = await service.request({ path: `/reports/timeline${text}` });
      expect(answer.status).toBe(400);
      if (text === '?since=soon') expect(answer.text).toContain('such as 1h, 2d, yesterday, 2026-11-27');
    },
  );
});
