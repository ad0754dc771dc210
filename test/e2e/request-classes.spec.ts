// Law: a decision from the kept hosts of its request class equals one that asks every host anew: the same hosts pass, for
// the same reasons, with the same raw values and weights, and the same host and alternates are chosen for the same seed.
// In any order of reports, claims, batches, releases, changes of traits, inventories, aggregates and services, and of time.
import { seededRandom } from '../../src/platform/values/random';
import type { DecideCommand, Decided } from '../../src/scheduler/decide/decision-run';
import { SchedulerService } from '../../src/scheduler/scheduler.service';
import type { PassRecord } from '../../src/scheduling-rules/pipeline/decision';
import { rejectionsByCode } from '../../src/scheduling-rules/pipeline/run-filters';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const [ROUNDS, STEPS] = [Number(process.env['BERTH_ROUNDS'] ?? 2), 40];
/** More than the best hosts that a decision keeps. */
const HOSTS = Array.from({ length: 130 }, (_, at) => `h${String(at).padStart(3, '0')}`);
const FILTERS =
  'AvailabilityZoneFilter,ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,NumInstancesFilter,RamFilter,' +
  'DifferentHostFilter,AggregateInstanceExtraSpecsFilter,AggregateMultiTenancyIsolation,ServerGroupAntiAffinityFilter,' +
  'NUMATopologyFilter,PciPassthroughFilter,IoOpsFilter,MetricsFilter';
const CLASSES: readonly object[] = [
  { flavor: { name: 'a', vcpus: 1, memory_mb: 512, root_gb: 1 } },
  { flavor: { name: 'b', vcpus: 2, memory_mb: 4_096, root_gb: 5, extra_specs: { 'trait:CUSTOM_FAST': 'required' } } },
  { flavor: { name: 'c', vcpus: 1, memory_mb: 256, extra_specs: { 'aggregate_instance_extra_specs:ssd': 'true' } } },
  { flavor: { name: 'd', vcpus: 4, memory_mb: 1_024, extra_specs: { 'hw:numa_nodes': '1' } } },
  { flavor: { name: 'e', vcpus: 1, memory_mb: 1_024 }, availability_zone: 'west' },
  { flavor: { name: 'f', vcpus: 1, memory_mb: 1_024 }, ignore_hosts: ['H001', 'h002'] },
];

describe.each(testDatabaseKinds())('decisions from kept hosts, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  let scheduler: SchedulerService;
  let later = 0;
  /** Both decisions of a comparison are made at one moment. */
  let frozenMs: number | null = null;
  const reports = new Map<string, object>();
  beforeAll(async () => {
    const env = {
      BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: FILTERS,
      BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '3',
      BERTH_METRICS__WEIGHT_SETTING: 'load=-1.0',
      BERTH_METRICS__REQUIRED: 'false',
      BERTH_METRICS__MAX_AGE: '300',
      BERTH_SCHEDULER__VERIFY_SAMPLE: '5',
    };
    service = await startTestService(kind, { env });
    operator = operatorOf(service);
    scheduler = service.app.get(SchedulerService, { strict: false });
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => frozenMs ?? now() + later);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });
  afterEach(() => operator.clear());

  const decide = (body: object, more: Partial<DecideCommand>): Promise<Decided> =>
    scheduler.decide({
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
    for (const each of CLASSES) {
      const many = random() < 0.3 ? { num_instances: 1 + Math.floor(random() * 4) } : {};
      const instances = Array.from({ length: many.num_instances ?? 1 }, (_, at) => instance(900 + at));
      const seed = Math.floor(random() * 1e6);
      frozenMs = Date.now();
      const body = { ...each, ...many, instances };
      const kept = await decide(body, { seed });
      const anew = await decide(body, { seed, explains: 'always' });
      frozenMs = null;
      expect([each, shown(kept)]).toEqual([each, shown(anew)]);
    }
  }

  const report = async (host: string, random: () => number): Promise<void> => {
    const more = {
      memory_mb: 2_048 * (1 + Math.floor(random() * 8)),
      free_ram_mb: 1_024 * (1 + Math.floor(random() * 4)),
      stats: { failed_builds: String(random() < 0.1 ? 1 : 0), num_instances: String(Math.floor(random() * 3)) },
      metrics: random() < 0.5 ? [{ name: 'load', value: Math.floor(random() * 3) }] : [],
      ...(random() < 0.5 && {
        numa_topology: { cells: [{ id: 0, cpuset: [0, 1, 2, 3], pcpuset: [], memory: 8_192, mempages: [] }] },
      }),
    };
    reports.set(host, more);
    await operator.report(host, 2_048, more);
  };

  async function step(random: () => number, placed: string[]): Promise<string> {
    const host = HOSTS[Math.floor(random() * HOSTS.length)] as string;
    const dice = random();
    if (dice < 0.2) {
      await report(host, random);
      return `report ${host}`;
    }
    if (dice < 0.3) {
      // Nothing but the time of the report changes.
      for (const each of HOSTS.filter(() => random() < 0.5)) await operator.report(each, 2_048, reports.get(each));
      return 'same reports';
    }
    if (dice < 0.5) {
      const instances = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        instance(1 + placed.length + Math.floor(random() * 1e6)),
      );
      const { status } = await select(service, { instances, ...CLASSES[Math.floor(random() * CLASSES.length)] });
      if (status === 200) placed.push(...instances);
      return `claim ${instances.length}: ${status}`;
    }
    if (dice < 0.6) {
      const uuid = placed.splice(Math.floor(random() * placed.length), 1)[0];
      if (uuid !== undefined) await operator.release(uuid);
      return 'release';
    }
    if (dice < 0.7) {
      await operator.ok(
        'PATCH',
        `/scheduler/services/${host}`,
        random() < 0.5 ? { status: 'disabled', disabled_reason: 'law' } : { status: 'enabled' },
      );
      return `switch ${host}`;
    }
    if (dice < 0.8) {
      const { uuid } = (await operator.ok('GET', `/resource_providers?name=${host}`)).json.resource_providers[0];
      const { json } = await operator.ok('GET', `/resource_providers/${uuid}/traits`);
      const others = (json.traits as string[]).filter((name) => name !== 'CUSTOM_FAST');
      await operator.setTraits(host, random() < 0.6 ? [...others, 'CUSTOM_FAST'] : others);
      return `traits ${host}`;
    }
    if (dice < 0.88) {
      const name = `agg${Math.floor(random() * 1e9)}`;
      const metadata =
        random() < 0.5
          ? { ssd: 'true' }
          : random() < 0.5
            ? { availability_zone: 'west' }
            : { ram_weight_multiplier: '-2' };
      const free = HOSTS.filter(() => random() < 0.05);
      const answer = await service.request({
        method: 'POST',
        path: '/scheduler/host_aggregates',
        body: { name, hosts: free, metadata },
      });
      return `aggregate ${name}: ${answer.status}`;
    }
    if (dice < 0.94) {
      later += random() < 0.3 ? 61_000 : 10_000;
      return `time ${later}`;
    }
    const { uuid, generation } = (await operator.ok('GET', `/resource_providers?name=${host}`)).json
      .resource_providers[0];
    const body = { resource_provider_generation: generation, total: 4 + Math.floor(random() * 64) };
    const answer = await service.request({ method: 'PUT', path: `/resource_providers/${uuid}/inventories/VCPU`, body });
    return `inventory ${host}: ${answer.status}`;
  }

  it('equal decisions that ask every host anew', async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const random = seededRandom(seed);
      later = 0;
      await operator.ok('PUT', '/traits/CUSTOM_FAST');
      for (const host of HOSTS) await report(host, random);
      const placed: string[] = [];
      const steps: string[] = [];
      await check(random);
      for (let at = 0; at < STEPS; at += 1) {
        steps.push(await step(random, placed));
        try {
          await check(random);
        } catch (error) {
          throw new Error(`seed ${seed}, after: ${steps.slice(-12).join('; ')}`, { cause: error });
        }
      }
      await operator.clear();
    }
    expect(scheduler.classes.checks).toMatchObject({ same: expect.any(Number) as number, different: 0 });
    expect(scheduler.classes.checks.same).toBeGreaterThan(ROUNDS * 10);
    expect(scheduler.classes.counts.kept).toBeGreaterThan(scheduler.classes.counts.anew / 4);
  }, 600_000);
});
