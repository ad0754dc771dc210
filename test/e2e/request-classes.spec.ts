// Law: a decision from the kept hosts of its request class equals one that asks every host anew: the same hosts pass, for
// the same reasons, with the same raw values and weights, and the same host and alternates are chosen for the same seed.
// In any order of reports, claims, batches, releases, changes of traits, inventories, aggregates and services, of time, and
// of restarts with another configuration.
import { join } from 'node:path';
import { seededRandom } from '../../src/platform/values/random';
import type { DecideCommand, Decided } from '../../src/scheduler/decide/decision-run';
import { SchedulerService } from '../../src/scheduler/scheduler.service';
import type { PassRecord } from '../../src/scheduling-rules/pipeline/decision';
import { rejectionsByCode } from '../../src/scheduling-rules/pipeline/run-filters';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { ChangingCloud, Clock, HOSTS, PCI_ALIAS } from './request-classes-steps';
import { instance, OWNER } from './scheduler-cloud';

const [ROUNDS, SEED] = [Number(process.env['BERTH_ROUNDS'] ?? 2), Number(process.env['BERTH_SEED'] ?? 1)];
/** Steps of a round, and of one configuration in it. */
const [STEPS, STEPS_OF_ONE] = [30, 6];
const FILTERS =
  'AvailabilityZoneFilter,ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,NumInstancesFilter,RamFilter,' +
  'DifferentHostFilter,AggregateInstanceExtraSpecsFilter,AggregateMultiTenancyIsolation,ServerGroupAntiAffinityFilter,' +
  'ServerGroupAffinityFilter,NUMATopologyFilter,PciPassthroughFilter,IoOpsFilter,MetricsFilter';
const COMMON = {
  BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: FILTERS,
  BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '3',
  BERTH_METRICS__WEIGHT_SETTING: 'load=-1.0',
  BERTH_METRICS__REQUIRED: 'false',
  BERTH_METRICS__MAX_AGE: '300',
  BERTH_SCHEDULER__VERIFY_SAMPLE: '5',
  BERTH_PCI__ALIAS: PCI_ALIAS,
  BERTH_DEFAULT__SERVICE_DOWN_TIME: '300',
};
const PLUGIN = { BERTH_BERTH__PLUGINS: './plugin.js', BERTH_FILTER_SCHEDULER__RACK_SEPARATOR: '0' };
/** The configurations of the service in turn; `keeps`: it keeps hosts of classes. */
const CONFIGURATIONS = [
  { env: COMMON, keeps: true },
  {
    env: { ...COMMON, ...PLUGIN, BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: `${FILTERS},RackFilter` },
    keeps: true,
  },
  {
    env: {
      ...COMMON,
      BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,NumInstancesFilter,PciPassthroughFilter',
      BERTH_FILTER_SCHEDULER__RAM_WEIGHT_MULTIPLIER: '-1.5',
      BERTH_FILTER_SCHEDULER__PCI_WEIGHT_MULTIPLIER: '3',
      BERTH_FILTER_SCHEDULER__HOST_SUBSET_SIZE: '4',
      BERTH_FILTER_SCHEDULER__SHUFFLE_BEST_SAME_WEIGHED_HOSTS: 'true',
      BERTH_DEFAULT__SERVICE_DOWN_TIME: '100',
    },
    keeps: true,
  },
  // Bounds the hosts of most requests, which then ask every host.
  { env: { ...COMMON, BERTH_SCHEDULER__NOVA_COMPAT: 'true' }, keeps: true },
  // Its weigher does not declare what it reads.
  {
    env: {
      ...COMMON,
      ...PLUGIN,
      BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'nova.scheduler.weights.all_weighers,ShortNameWeigher',
    },
    keeps: false,
  },
];

describe.each(testDatabaseKinds())('decisions from kept hosts, on %s', (kind) => {
  const clock = new Clock();
  /** Has the database, and makes a part of the changes. */
  let other: TestService;
  let service: TestService;
  let cloud: ChangingCloud;
  const sums = { kept: 0, anew: 0, same: 0 };
  beforeAll(async () => {
    other = await startTestService(kind, { env: COMMON });
    jest.spyOn(Date, 'now').mockImplementation(() => clock.read());
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await other.stop();
  });

  const start = async (at: number): Promise<void> => {
    const { env } = CONFIGURATIONS[at % CONFIGURATIONS.length] ?? {};
    const cwd = join(__dirname, '../support/foreign-plugin');
    service = await startTestService(kind, { env: { ...env }, cwd, sameDatabaseAs: other });
  };
  const stop = async (at: number): Promise<void> => {
    const { checks, counts, sizes } = scheduler().classes;
    expect(checks.different).toBe(0);
    if (counts.kept > 0) expect(sizes.bytes).toBeGreaterThan(10_000);
    const { keeps = true } = CONFIGURATIONS[at % CONFIGURATIONS.length] ?? {};
    if (!keeps) expect([counts.kept, checks.same]).toEqual([0, 0]);
    else expect(sizes.bytes).toBeGreaterThanOrEqual(sizes.classes * HOSTS.length * 100);
    sums.kept += counts.kept;
    sums.anew += keeps ? counts.anew : 0;
    sums.same += checks.same;
    await service.stop();
  };
  const scheduler = (): SchedulerService => service.app.get(SchedulerService, { strict: false });

  const decide = (body: object, more: Partial<DecideCommand>): Promise<Decided> =>
    scheduler().decide({
      body: { ...OWNER, num_instances: 1, ...body } as DecideCommand['body'],
      requestId: 'req-law',
      dryRun: true,
      explains: 'empty',
      returnAlternates: true,
      ...more,
    });

  const shownPass = ({ stages, ranking, ranked, weighers, drawnFrom, selected, notes }: PassRecord): object => ({
    stages: stages.map((stage) => ({
      name: stage.name,
      in: stage.in,
      out: stage.out,
      skipped: stage.skipped,
      byCode: rejectionsByCode(stage),
      first: stage.in - stage.out > 100 ? [] : stage.rejected.map(({ host, message }) => [host, message]).sort(),
    })),
    ranked: ranked ?? ranking.length,
    ranking: ranking.slice(0, 100).map(({ state, weight }) => [state.host, weight, state.candidates.length]),
    weighers: weighers.map((weigher) => [
      weigher.name,
      weigher.partsOf(ranking.slice(0, 20).map(({ state }) => state)),
    ]),
    drawnFrom,
    selected,
    notes,
  });
  const shown = ({ decision, placements, refusal }: Decided): object => ({
    outcome: decision.outcome,
    code: refusal?.code,
    placement: { ...decision.placement, rejections: null },
    passes: decision.passes.map(shownPass),
    sentence: decision.summary.sentence,
    placed: placements.map(({ selected, alternates }) => [
      selected?.state.host,
      selected?.candidate.allocations,
      alternates.map(({ state, candidate }) => [state.host, candidate.allocations]),
    ]),
  });

  async function check(random: () => number): Promise<void> {
    for (const each of cloud.requests) {
      const many = random() < 0.3 ? { num_instances: 1 + Math.floor(random() * 4) } : {};
      const instances = Array.from({ length: many.num_instances ?? 1 }, (_, at) => instance(900 + at));
      const seed = Math.floor(random() * 1e6);
      clock.frozenMs = clock.read();
      const body = { ...each, ...many, instances };
      const kept = await decide(body, { seed });
      const anew = await decide(body, { seed, explains: 'always' });
      clock.frozenMs = null;
      expect([each, shown(kept)]).toEqual([each, shown(anew)]);
    }
  }

  it(
    'equal decisions that ask every host anew',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const seed = SEED + round;
        const random = seededRandom(seed);
        clock.laterMs = 0;
        await start(0);
        cloud = new ChangingCloud(() => [service, other], clock);
        await cloud.fill(random);
        for (let at = 0; at < STEPS; at += 1) {
          const turn = Math.floor(at / STEPS_OF_ONE);
          if (at > 0 && at % STEPS_OF_ONE === 0) {
            await stop(turn - 1);
            await start(turn);
          }
          if (at % STEPS_OF_ONE === 0) await check(random);
          // Decisions of some classes run while the cloud changes.
          const some = cloud.requests.slice(at % 9, (at % 9) + 3);
          const meanwhile = [...some, ...some].map((body) => decide(body, { seed: at }));
          await Promise.all([cloud.step(random), ...meanwhile]);
          try {
            await check(random);
          } catch (error) {
            const last = cloud.steps.slice(-12).join('; ');
            throw new Error(`seed ${seed}, configuration ${turn % CONFIGURATIONS.length}, after: ${last}`, {
              cause: error,
            });
          }
        }
        await stop(STEPS / STEPS_OF_ONE - 1);
        await new ChangingCloud(() => [other, other], clock).clear();
      }
      expect(sums.same).toBeGreaterThan(ROUNDS * 10);
      expect(sums.kept).toBeGreaterThan(sums.anew / 4);
    },
    600_000 + ROUNDS * 60_000,
  );
});
