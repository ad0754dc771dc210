// Why decisions placed no instance, over HTTP on both databases.
import { DecisionStore } from '../../src/scheduler/decisions/decision-store';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { instance, loadWorld, select } from './scheduler-cloud';

const HUGE = { flavor: { name: 'huge', vcpus: 500, memory_mb: 64 } };

describe.each(testDatabaseKinds())('refusals on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: {
        BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'NumInstancesFilter,ComputeFilter',
        BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '1',
      },
    });
    await loadWorld(service, 'a VCPU:16 MEMORY_MB:8192\nb VCPU:16 MEMORY_MB:8192');
  });
  afterAll(() => service.stop());

  const report = async (query = ''): Promise<Json> => {
    await service.app.get(DecisionStore).flush();
    const { status, json, text } = await service.request({ path: `/reports/refusals${query}` });
    if (status !== 200) throw new Error(text);
    return json;
  };
  const idOf = ({ json }: TestResponse): string => json.request_id ?? json.errors[0].request_id;

  it('are none without decisions', async () => {
    expect(await report()).toMatchObject({ decisions: 0, placed: 0, refused: 0, reasons: [], truncated: false });
  });

  it('are counted by the stage that rejected the hosts, with an example', async () => {
    for (const number of [1, 2]) expect((await select(service, { instances: [instance(number)] })).status).toBe(200);
    await select(service, { instances: [instance(3)] });
    const full = await select(service, { instances: [instance(4)] });
    const huge = await select(service, { ...HUGE, instances: [instance(5)] });
    const shown = await report();
    expect(shown).toMatchObject({ decisions: 5, placed: 2, refused: 3, truncated: false });
    expect(Date.parse(shown.at) - Date.parse(shown.since)).toBe(3_600_000);
    const of = (name: string): Json => shown.reasons.filter((reason: Json) => reason.name === name);
    expect(of('NumInstancesFilter')).toEqual([
      {
        name: 'NumInstancesFilter',
        code: expect.any(String),
        refusals: 2,
        hosts: 4,
        sentence: expect.stringContaining('1'),
        last: idOf(full),
      },
    ]);
    const [placement] = of('placement');
    expect(placement).toMatchObject({ refusals: 1, hosts: 2, last: idOf(huge) });
    expect(placement.sentence).toContain('VCPU');
    // In order of the number of refusals.
    expect(shown.reasons[0].name).toBe('NumInstancesFilter');
  });

  it('have the sentence of the decision', async () => {
    const { reasons } = await report();
    for (const { name, sentence, last } of reasons as Json[]) {
      const { json } = await service.request({ path: `/scheduler/decisions/${last}` });
      expect(JSON.stringify(json)).toContain(JSON.stringify(sentence));
      expect(Object.keys(json.summary.rejected).some((key) => key.startsWith(`${name}.`))).toBe(true);
    }
  });

  it('report faults of requests that reached no host', async () => {
    const before = await report();
    const refused = await select(service, { availability_zone: 'nowhere' });
    const after = await report();
    expect(after.refused).toBe(before.refused + 1);
    expect(after.reasons.find(({ last }: Json) => last === idOf(refused))).toMatchObject({
      name: 'request',
      hosts: 0,
      refusals: 1,
    });
  });

  it('are limited to the requested time', async () => {
    const before = await report();
    await service.database.write((tx) => tx.run('UPDATE scheduler_decisions SET at = at - ?', [2 * 3_600_000]));
    expect(await report()).toMatchObject({ decisions: 0, reasons: [] });
    expect((await report('?hours=3')).decisions).toBe(before.decisions);
  });

  it.each(['0', '169', '-1', '1.5', 'x', ''])('refuse %j hours', async (hours) => {
    const { status, json } = await service.request({ path: `/reports/refusals?hours=${hours}` });
    expect([status, json.errors[0].detail]).toEqual([400, expect.stringContaining('hours') as string]);
  });
});
