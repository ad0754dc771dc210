// Which request classes are kept when more are asked than fit.
import { ChangedHosts } from '../../scheduling-rules/host-state/changed-hosts';
import { DEFAULT_SCHEDULER_OPTIONS } from '../assemble/default-options.fixture';
import { assembleScheduler } from '../assemble/scheduler-pipeline';
import { fixedEnvironment, FixtureCloud, FLAVOR } from '../scheduler.fixture';
import { SchedulerService } from '../scheduler.service';

const CLASSES_KEPT = 500;
const MINUTE_MS = 60_000;

it('a class is not kept in the place of one that was asked within the last minute', async () => {
  const cloud = new FixtureCloud([{ name: 'a', memoryMb: 1_000_000 }]);
  const hosts = Object.assign(cloud, { changes: new ChangedHosts() });
  let nowMs = MINUTE_MS;
  const env = { ...fixedEnvironment(), now: () => nowMs };
  const options = { ...DEFAULT_SCHEDULER_OPTIONS, verifySample: 0 };
  const service = new SchedulerService(assembleScheduler(options), cloud, hosts, cloud, null, env);
  const isKept = async (number: number, instances = 1): Promise<boolean> => {
    const before = service.classes.counts.kept;
    await service.decide({
      body: { project_id: 'p', user_id: 'u', num_instances: instances, flavor: { ...FLAVOR, memory_mb: number } },
      requestId: 'req-1',
      dryRun: true,
      explains: 'empty',
    });
    return service.classes.counts.kept > before;
  };
  for (let number = 1; number <= CLASSES_KEPT; number += 1) {
    expect([await isKept(number), await isKept(number)]).toEqual([false, true]);
  }
  expect([await isKept(501), await isKept(501), await isKept(501)]).toEqual([false, false, false]);
  expect(await isKept(1)).toBe(true);
  // A batch asks for each of its instances, so it takes the place of class 2 at once.
  expect([await isKept(502, 3), await isKept(2)]).toEqual([true, false]);
  // Class 3 is the least recently used one now.
  nowMs += MINUTE_MS + 1;
  expect([await isKept(501), await isKept(501)]).toEqual([true, true]);
  expect([await isKept(1), service.classes.sizes.classes]).toEqual([true, CLASSES_KEPT]);
});
