// Law: a pass over kept columns equals the driver that asks every host, with filters that narrow, note, fail, run once or
// read the time, with weighers that fail or read the time, for every instance of a batch, and for members of server groups.
import { seededRandom } from '../../platform/values/random';
import { runToCompletion } from '../../platform/values/task';
import { filterSchedulerDriver } from '../drivers/filter-scheduler.driver';
import { BUILT_IN_FILTERS } from '../filters';
import type { HostService, HostState } from '../host-state/host-state';
import { withCandidates } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import { BUILT_IN_WEIGHERS } from '../weighers';
import { Asking } from './asking';
import { bind } from './bind';
import { ClassColumns } from './class-columns';
import { ClassHosts } from './class-hosts';
import type { DriverAnswer } from './define-driver';
import { driverTask } from './define-driver';
import { defineFilter } from './define-filter';
import { defineWeigher } from './define-weigher';
import { expectSame, hostState, instancesOf, requestSpec } from './pipeline.fixture';
import { preselect } from './preselect';
import type { StageRecord } from './run-filters';
import { rejectionsByCode } from './run-filters';

const HOSTS = 600;
const STEPS = Number(process.env['BERTH_STEPS'] ?? 100);
const SEED = Number(process.env['BERTH_SEED'] ?? 1);
const BATCH = 3;
const VALUES = {
  DEFAULT: { service_down_time: 60 },
  metrics: { weight_setting: ['load=-1.0'], required: false, max_age: 600 },
};

/** Passes until the uptime, in seconds since the epoch, that the host states in its stats. */
const untilFilter = defineFilter({
  name: 'UntilFilter',
  summary: '',
  rejections: { over: 'ended {ago} s ago' },
  reads: ['flavor.name'],
  validUntil: ({ stats }, { nowMs }) => (endOf(stats) > nowMs ? endOf(stats) : Number.POSITIVE_INFINITY),
  check: ({ stats }, _spec, { env, pass, reject }) =>
    endOf(stats) > env.nowMs ? pass : reject('over', { ago: (env.nowMs - endOf(stats)) / 1000 }),
});
const endOf = (stats: HostState['stats']): number => Number(stats['end'] ?? Number.POSITIVE_INFINITY);

const mixedFilter = defineFilter({
  name: 'MixedFilter',
  summary: '',
  rejections: { one: 'one', two: 'two' },
  notes: { odd: 'odd {disk}' },
  reads: ['flavor.name'],
  check: ({ freeDiskMb, candidates }, _spec, { pass, passWith, reject }) => {
    if (freeDiskMb === 7) throw new Error('seven');
    if (freeDiskMb === 8 || freeDiskMb === 9) return reject(freeDiskMb === 8 ? 'one' : 'two');
    if (freeDiskMb === 6) return passWith({ candidates: candidates.slice(0, 1), limits: { vcpu: 9 } });
    return freeDiskMb === 5 ? passWith({ note: { code: 'odd', params: { disk: freeDiskMb } } }) : pass;
  },
});
/** After the notes and narrowed candidates. */
const laterFilter = defineFilter({
  name: 'LaterFilter',
  summary: '',
  rejections: { many: 'many' },
  reads: ['flavor.name'],
  check: ({ numIoOps, candidates, limits }, _spec, { pass, reject }) =>
    numIoOps + candidates.length + (limits.vcpu ?? 0) > 11 ? reject('many') : pass,
});
const onceFilter = defineFilter({
  name: 'OnceFilter',
  summary: '',
  rejections: { no: 'no' },
  notes: { first: 'first' },
  reads: ['flavor.name'],
  once: true,
  check: ({ numInstances }, _spec, { pass, passWith, reject }) => {
    if (numInstances === 9) return reject('no');
    return numInstances === 8 ? passWith({ note: { code: 'first', params: {} } }) : pass;
  },
});
const failingWeigher = defineWeigher({
  name: 'FailingWeigher',
  summary: '',
  reads: ['flavor.name'],
  multiplier: () => 0.01,
  weigh: ({ failedBuilds, numIoOps }) => {
    if (failedBuilds === 2) throw new Error('two');
    return numIoOps;
  },
});

const BUILT_IN = ['ComputeFilter', 'ServerGroupAntiAffinityFilter', 'NumInstancesFilter', 'MetricsFilter'];
const filters = [
  ...BUILT_IN_FILTERS.filter(({ name }) => BUILT_IN.includes(name)),
  untilFilter,
  mixedFilter,
  laterFilter,
  onceFilter,
].map((part) => bind(part, VALUES));
const weighers = [...BUILT_IN_WEIGHERS, failingWeigher].map((part) => bind(part, VALUES));

/** Instances that can be members of a server group. */
const MEMBERS = Array.from({ length: 30 }, (_, at) => `m${at}`);
const POLICIES = ['anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

const AGGREGATES = [
  [],
  [{ uuid: 'a', name: 'a', metadata: { ram_weight_multiplier: '-2' } }],
  [{ uuid: 'b', name: 'b', metadata: { max_instances_per_host: '7' } }],
] as HostState['aggregates'][];

/** One host as the columns and the search see it; a null state: the root is no host. */
interface Known {
  readonly uuid: string;
  readonly name: string;
  readonly candidates: HostState['candidates'];
  readonly state: HostState | null;
}

class Cloud {
  readonly hosts = new Map<number, Known>();
  nowMs = 1_000_000;

  readonly columns = new ClassColumns(weighers.length, new ClassHosts(), ({ uuid }) => this.serviceOf(uuid));

  constructor(readonly random: () => number) {}

  private pick(most: number): number {
    return Math.floor(this.random() * most);
  }

  asking(spec: RequestSpec, index = 0): Asking {
    return new Asking({ spec, filters, weighers, env: { nowMs: this.nowMs, novaCompat: false }, index });
  }

  private service(): HostService {
    const isDown = this.random() < 0.05;
    return {
      disabledReason: null,
      disabled: this.random() < 0.05,
      forcedDown: isDown,
      lastSeenUpMs: this.nowMs - this.pick(55_000),
      createdAtMs: 0,
    };
  }

  set(at: number): void {
    const [host, uuid] = [`h${(at * 7_919) % 1_000}`, `u${at}`];
    const candidates = Array.from({ length: 1 + this.pick(3) }, () => ({
      rootUuid: uuid,
      allocations: {},
      mappings: {},
    }));
    const state = hostState({
      host: this.random() < 0.02 ? `a-${host}` : host,
      node: host,
      uuid,
      cell: at % 9 === 0 ? 'cell2' : 'cell1',
      freeRamMb: 512 * this.pick(4),
      freeDiskMb: this.pick(30),
      numInstances: this.pick(10),
      numIoOps: this.pick(4),
      failedBuilds: this.pick(40) === 0 ? 2 : 0,
      aggregates: AGGREGATES[at % 3] as HostState['aggregates'],
      instances: instancesOf(...(this.random() < 0.2 ? this.members(3) : [])),
      ...(this.random() < 0.8 && { service: this.service() }),
      ...(this.random() < 0.1 && { stats: { end: String(this.nowMs + this.pick(200_000)) } }),
      metrics:
        this.random() < 0.9
          ? [{ name: 'load', value: this.pick(3), unit: null, measuredAtMs: this.nowMs - this.pick(500_000) }]
          : [],
    });
    const isHost = this.random() > 0.03;
    this.hosts.set(at, { uuid, name: host, candidates, state: isHost ? withCandidates(state, candidates) : null });
    this.again(uuid);
  }

  states(): readonly HostState[] {
    return [...this.hosts.values()].flatMap(({ state }) => state ?? []);
  }

  members(most: number): readonly string[] {
    return Array.from({ length: this.pick(most + 1) }, () => MEMBERS[this.pick(MEMBERS.length)] as string);
  }

  /** Null: without a group. */
  group(): RequestSpec['instanceGroup'] {
    if (this.random() < 0.6) return null;
    const policy = POLICIES[this.pick(POLICIES.length)] as (typeof POLICIES)[number];
    const members = new Set(this.members(8));
    return { uuid: 'g', policy, maxServerPerHost: this.random() < 0.5 ? null : 2, members, hosts: new Set() };
  }

  serviceOf(uuid: string): HostService | null {
    return this.hosts.get(Number(uuid.slice(1)))?.state?.service ?? null;
  }

  /** Of some hosts, in capitals. */
  names(): readonly string[] {
    return Array.from({ length: 5 }, () => `H${(this.pick(HOSTS) * 7_919) % 1_000}`);
  }

  remove(at: number): void {
    this.hosts.delete(at);
    this.columns.remove(`u${at}`);
  }

  /** Nothing but the time of the last report of some hosts changes. */
  heartbeats(): void {
    for (let at = 0; at < HOSTS; at += 1) if (this.random() < 0.5) this.heartbeat(at);
  }

  private heartbeat(at: number): void {
    const known = this.hosts.get(at);
    if (!known?.state?.service) return;
    const { uuid } = known;
    const aheadMs = this.random() < 0.02 ? 70_000 : 0;
    const service = { ...known.state.service, lastSeenUpMs: this.nowMs + aheadMs };
    this.hosts.set(at, { ...known, state: { ...known.state, service } });
    if (!this.columns.reported(uuid, service, this.asking(requestSpec()), Number.POSITIVE_INFINITY)) this.again(uuid);
  }

  /** Hosts can report before those are asked again whose verdict is over. */
  pass(ms: number): void {
    this.nowMs += ms;
    if (this.random() < 0.3) this.heartbeats();
    for (const uuid of this.columns.expired(this.nowMs)) this.again(uuid);
  }

  private again(uuid: string): void {
    const known = this.hosts.get(Number(uuid.slice(1)));
    if (known === undefined) return;
    const asked = { ...known, expiresAtMs: Number.POSITIVE_INFINITY };
    this.columns.ask(asked, this.asking(requestSpec()));
  }
}

/** The kept columns name the first hundred of a filter's rejected hosts. */
const shownStage = (stage: StageRecord): unknown => [
  [stage.name, stage.in, stage.out, stage.skipped, rejectionsByCode(stage)],
  stage.in - stage.out > 100 ? [] : stage.rejected.map(({ host, message }) => [host, message]).sort(),
];

const shown = (preselection: StageRecord, answer: DriverAnswer, ranked: number): object => {
  const best = answer.order.slice(0, 100);
  return {
    ranked,
    stages: [preselection, ...answer.stages].map(shownStage),
    notes: (answer.notes ?? []).map(({ filter, host, message }) => [filter, host, message]).sort(),
    drawnFrom: answer.drawnFrom,
    best: best.map(({ state, weight }) => [state.uuid, weight, state.candidates.length, state.limits]),
    weighers: answer.weighers.map((weigher) => [weigher.name, weigher.partsOf(best.map(({ state }) => state))]),
  };
};

it(
  'passes over kept columns equal passes that ask every host, for every instance of a batch',
  () => {
    const random = seededRandom(SEED);
    const cloud = new Cloud(random);
    const { columns } = cloud;
    for (let at = 0; at < HOSTS; at += 1) cloud.set(at);
    let [compared, ranked, grouped] = [0, 0, 0];

    /** Both passes for one instance; the host that it gets, or null. */
    const compare = (
      of: ClassColumns,
      hosts: readonly HostState[],
      spec: RequestSpec,
      index: number,
    ): DriverAnswer | null => {
      const seed = Math.floor(random() * 1e6);
      const options = {
        hostSubsetSize: [3, 150][Math.floor(random() * 10)] ?? 1,
        shuffleBestSameWeighedHosts: random() < 0.1,
      };
      const asking = cloud.asking(spec, index);
      const selection = { ...options, random: seededRandom(seed), alternates: random() < 0.3 ? 2 : 0 };
      const members = index === 0 ? of.askMembers(asking) : [];
      grouped += members.length;
      const kept = of.pass(asking, selection);
      if (of === columns) of.askAgain(members, cloud.asking({ ...spec, instanceGroup: null }));
      const known = [...cloud.hosts.values()];
      const unknown = known.filter(({ state }) => state === null);
      const { survivors, stage } = preselect(hosts, spec, index === 0 ? unknown : []);
      const rest = { mode: 'first', selection: options, random: seededRandom(seed) } as const;
      const anew = runToCompletion(
        driverTask(filterSchedulerDriver, { ...asking.question, ...rest, hosts: survivors }),
      );
      if (index === 0) {
        const candidates = known.reduce((sum, each) => sum + each.candidates.length, 0);
        expect(of.found).toEqual({ hosts: known.length, candidates });
      }
      if (anew.order.length === 0) {
        expect(kept).toBeNull();
        return null;
      }
      expectSame(
        shown(kept?.preselection as StageRecord, kept as DriverAnswer, kept?.ranked ?? 0),
        shown(stage, anew, anew.order.length),
      );
      compared += 1;
      ranked += anew.order.length;
      return anew;
    };

    for (let step = 0; step < STEPS; step += 1) {
      const dice = random();
      if (dice < 0.2) cloud.pass(random() < 0.05 ? 61_000 : 3_000);
      else if (dice < 0.4) cloud.heartbeats();
      else {
        for (let changes = 0; changes < 1 + (step % 4); changes += 1) {
          const at = Math.floor(random() * HOSTS);
          if (random() < 0.1) cloud.remove(at);
          else cloud.set(at);
        }
      }
      const spec = requestSpec({
        ignoreHosts: random() < 0.2 ? cloud.names() : [],
        instanceGroup: cloud.group(),
        instanceUuid: cloud.members(1)[0] ?? 'new',
      });
      if (random() < 0.7) {
        compare(columns, cloud.states(), spec, 0);
        continue;
      }
      const copy = columns.copy();
      let hosts = cloud.states();
      for (let index = 0; index < BATCH; index += 1) {
        const anew = compare(copy, hosts, spec, index);
        const [chosen] = anew?.order ?? [];
        if (anew === null || chosen === undefined) break;
        const { uuid, freeRamMb, numInstances } = chosen.state;
        const charged = { ...chosen.state, freeRamMb: freeRamMb - 512, numInstances: numInstances + 1 };
        copy.advance(charged, cloud.asking(spec, index + 1));
        hosts = anew.order.map(({ state }) => (state.uuid === uuid ? charged : state));
      }
    }
    expect(compared).toBeGreaterThanOrEqual(STEPS);
    // More than the best hosts that a pass keeps.
    expect(ranked / compared).toBeGreaterThan(100);
    expect(grouped).toBeGreaterThan(STEPS);
  },
  Math.max(60_000, STEPS * 100),
);
