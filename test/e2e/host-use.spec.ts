// Law: the use of a host is what Placement holds for it, plus what the host reports and Placement does not know. Each
// instance counts once, in any order of claim, report, release, move and restart. Hosts report much, little or nothing.
import { seededRandom } from '../../src/platform/values/random';
import { HOST_SOURCE } from '../../src/scheduler/ports';
import type { HostSource } from '../../src/scheduler/ports';
import type { HostState } from '../../src/scheduling-rules/host-state/host-state';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { computeOf, succeeding } from './practice-cloud';
import { instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const [ROUNDS, STEPS] = [Number(process.env['BERTH_ROUNDS'] ?? 2), 30];
const SIZE = { vcpus: 64, memoryMb: 262_144, diskGb: 2_000 };
const FLAVOR = { name: 'f', vcpus: 4, memory_mb: 2_048, root_gb: 10, swap: 512 };
/** Disk includes a whole GiB for the swap. */
const ONE = { vcpus: 4, memoryMb: 2_048, diskGb: 11 };
/** What runs on a host without the knowledge of Placement. */
const UNKNOWN = { vcpus: 3, memoryMb: 1_000, diskGb: 7 };
const NONE = { vcpus: 0, memoryMb: 0, diskGb: 0 };

interface Kind {
  readonly lists: boolean;
  readonly figures: boolean;
  readonly unknown: typeof UNKNOWN;
}

/** The hosts, by what they report. Only figures with a list can show what Placement does not know. */
const HOSTS: Readonly<Record<string, Kind>> = {
  much: { lists: true, figures: true, unknown: UNKNOWN },
  list: { lists: true, figures: false, unknown: NONE },
  figures: { lists: false, figures: true, unknown: NONE },
  nothing: { lists: false, figures: false, unknown: NONE },
};
const NAMES = Object.keys(HOSTS);
const perHost = (): ReadonlyMap<string, Set<string>> => new Map(NAMES.map((name) => [name, new Set()]));

/** The instances of the cloud: who holds allocations where, and what runs where. */
class Model {
  /** Host, and source host during a move. */
  readonly placed = new Map<string, { host: string; source: string | null }>();
  readonly running = perHost();
  /** In the last report of the host. */
  readonly reported = perHost();
  /** Placed on the host after its last report that had other figures than the one before. */
  readonly since = perHost();
  /** In a report of the host since it was placed there. */
  readonly listed = perHost();
  /** Known to have left the host after a report that has it. */
  readonly left = perHost();

  on(host: string): string[] {
    return [...this.placed].flatMap(([uuid, at]) => (at.host === host || at.source === host ? [uuid] : []));
  }

  /** The computes catch up with some instances. */
  settle(random: () => number): void {
    for (const host of NAMES) {
      const [running, here] = [this.running.get(host) ?? new Set<string>(), this.on(host)];
      for (const uuid of here) if (random() < 0.6) running.add(uuid);
      for (const uuid of running) if (!here.includes(uuid) && random() < 0.6) running.delete(uuid);
    }
  }

  report(host: string): void {
    const none = new Set<string>();
    const [running, reported] = [this.running.get(host) ?? none, this.reported.get(host) ?? none];
    if (running.size !== reported.size) this.since.get(host)?.clear();
    reported.clear();
    for (const uuid of running) {
      reported.add(uuid);
      if (this.placed.get(uuid)?.host === host) this.listed.get(host)?.add(uuid);
    }
    for (const uuid of this.left.get(host) ?? []) if (!running.has(uuid)) this.left.get(host)?.delete(uuid);
  }

  place(uuid: string, host: string, source: string | null = null): void {
    this.placed.set(uuid, { host, source });
    this.since.get(host)?.add(uuid);
    this.listed.get(host)?.delete(uuid);
  }

  leave(uuid: string, host: string, isSource = false): void {
    if (isSource || this.listed.get(host)?.has(uuid) === true) this.left.get(host)?.add(uuid);
  }

  release(uuid: string): void {
    const { host, source } = this.placed.get(uuid) as { host: string; source: string | null };
    this.placed.delete(uuid);
    this.leave(uuid, host);
    if (source !== null) this.leave(uuid, source, true);
  }

  endMove(uuid: string, isConfirmed: boolean): void {
    const { host, source } = this.placed.get(uuid) as { host: string; source: string };
    this.placed.set(uuid, { host: isConfirmed ? host : source, source: null });
    this.leave(uuid, isConfirmed ? source : host, isConfirmed);
  }

  /** What Placement holds for the host, and what the host reports and Placement does not know. */
  useOf(host: string): readonly string[] {
    const here = new Set(this.on(host));
    const left = this.left.get(host) ?? new Set();
    return HOSTS[host]?.lists === true
      ? [...new Set([...here, ...[...(this.reported.get(host) ?? [])].filter((uuid) => !left.has(uuid))])]
      : [...here];
  }

  /** The figures of the last report and what was placed since. */
  figure(host: string): number {
    const since = [...(this.since.get(host) ?? [])].filter((uuid) => this.placed.get(uuid)?.host === host);
    return (this.reported.get(host)?.size ?? 0) + since.length;
  }

  isMoving(host: string): boolean {
    return [...this.placed.values()].some(({ source }) => source === host);
  }
}

function reportOf(host: string, model: Model): object {
  const { lists, figures, unknown } = HOSTS[host] as Kind;
  const running = [...(model.running.get(host) ?? [])];
  const used = (key: keyof typeof ONE): number => unknown[key] + running.length * ONE[key];
  return {
    vcpus_total: SIZE.vcpus,
    memory_mb: SIZE.memoryMb,
    local_gb: SIZE.diskGb,
    report_providers: true,
    ...(figures && {
      vcpus_used: used('vcpus'),
      free_ram_mb: SIZE.memoryMb - used('memoryMb'),
      free_disk_gb: SIZE.diskGb - used('diskGb'),
      local_gb_used: used('diskGb'),
      ...(lists && { stats: { num_instances: running.length } }),
    }),
    ...(lists && { instances: running.map((uuid) => ({ uuid })) }),
  };
}

describe.each(testDatabaseKinds())('the use of a host, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    const env = { BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,RamFilter' };
    service = await startTestService(kind, { env });
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  afterEach(() => operator.clear());

  const report = (host: string, body: object): Promise<unknown> =>
    operator.ok('PUT', `/scheduler/hosts/${host}/${host}`, body);

  const statesOf = async ({ app }: TestService): Promise<ReadonlyMap<string, HostState>> => {
    const source = app.get<HostSource>(HOST_SOURCE, { strict: false });
    await source.refresh();
    const trees = new Map(source.targets({ host: null, node: null }).map(({ uuid }) => [uuid, []]));
    const states = await source.states(trees, { nowMs: Date.now(), novaCompat: false });
    return new Map([...states.values()].map((state) => [state.host, state]));
  };
  const useOf = (state: HostState | undefined): object => ({
    vcpus: state?.vcpusUsed,
    memoryMb: SIZE.memoryMb - (state?.freeRamMb ?? 0),
    diskGb: SIZE.diskGb - (state?.freeDiskMb ?? 0) / 1024,
    diskUsedGb: (state?.diskMbUsed ?? 0) / 1024,
  });

  async function check(model: Model, from: TestService): Promise<void> {
    const states = await statesOf(from);
    for (const host of NAMES) {
      const { lists, figures, unknown } = HOSTS[host] as Kind;
      const here = model.useOf(host);
      // Without a list the instances that left since the report cannot be distinguished from those that Placement does not know.
      const known = figures ? here : model.on(host);
      const count = Math.max(known.length, figures && !lists ? model.figure(host) : 0);
      const use = (key: keyof typeof ONE): number => unknown[key] + count * ONE[key];
      expect([host, useOf(states.get(host))]).toEqual([
        host,
        { vcpus: use('vcpus'), memoryMb: use('memoryMb'), diskGb: use('diskGb'), diskUsedGb: use('diskGb') },
      ]);
      if (model.isMoving(host)) continue;
      expect([host, states.get(host)?.numInstances]).toEqual([host, here.length]);
      expect([...(states.get(host)?.instances.keys() ?? [])].sort()).toEqual([...here].sort());
    }
  }

  async function step(model: Model, random: () => number): Promise<string> {
    const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
    const uuid = instance(1 + Math.floor(random() * 9));
    const at = model.placed.get(uuid);
    const host = pick(NAMES) ?? 'much';
    const dice = random();
    if (dice < 0.3) {
      await report(host, reportOf(host, model));
      model.report(host);
      return `report ${host}`;
    }
    if (dice < 0.4) {
      model.settle(random);
      return 'settle';
    }
    if (at === undefined) {
      const body = { instances: [uuid], flavor: FLAVOR, requested_destination: { host } };
      const answer = await select(service, body);
      if (answer.status !== 200) throw new Error(answer.text);
      model.place(uuid, host);
      return `claim ${uuid} on ${host}`;
    }
    const path = `/scheduler/instances/${uuid}`;
    if (at.source !== null) {
      const end = random() < 0.5 ? 'confirm_move' : 'revert_move';
      await operator.ok('POST', `${path}/${end}`);
      model.endMove(uuid, end === 'confirm_move');
      return `${end} ${uuid}`;
    }
    if (dice < 0.7) {
      const target = pick(NAMES.filter((name) => name !== at.host)) ?? 'much';
      await operator.ok('POST', `${path}/move`, { type: 'cold_migrate', target });
      model.place(uuid, target, at.host);
      return `move ${uuid} from ${at.host} to ${target}`;
    }
    await operator.release(uuid);
    model.release(uuid);
    return `release ${uuid}`;
  }

  it('counts each instance once, in any order', async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const random = seededRandom(seed);
      const model = new Model();
      for (const host of NAMES) await report(host, reportOf(host, model));
      const steps: string[] = [];
      for (let at = 0; at < STEPS; at += 1) {
        steps.push(await step(model, random));
        try {
          await check(model, service);
        } catch (error) {
          throw new Error(`seed ${seed}, after: ${steps.slice(-12).join('; ')}`, { cause: error });
        }
      }
      const restarted = await startTestService(kind, { sameDatabaseAs: service });
      try {
        await check(model, restarted);
      } finally {
        await restarted.stop();
      }
      await operator.clear();
    }
  });

  it('is one fact for filters and for hypervisor lists', async () => {
    const size = { vcpus_total: 16, memory_mb: 65_536, local_gb: 500, report_providers: true };
    await report('h1', size);
    const place = async (number: number, memory: number): Promise<number> =>
      (await select(service, { instances: [instance(number)], flavor: { vcpus: 4, memory_mb: memory } })).status;
    expect([await place(1, 40_960), await place(2, 8_192)]).toEqual([200, 200]);
    await report('h1', { ...size, instances: [{ uuid: instance(1) }, { uuid: instance(2) }] });
    const shown = async (): Promise<unknown> =>
      (await succeeding(computeOf(service))('os-hypervisors/detail')).json.hypervisors[0];
    expect(await shown()).toMatchObject({ vcpus_used: 8, memory_mb_used: 49_152, running_vms: 2 });
    await operator.release(instance(1));
    await operator.release(instance(2));
    expect(await shown()).toMatchObject({ vcpus_used: 0, memory_mb_used: 0, running_vms: 0 });
  });

  it('includes what other clients of Placement hold', async () => {
    await operator.report('h1', 65_536, { instances: [] });
    const { uuid } = (await operator.ok('GET', '/resource_providers?name=h1')).json.resource_providers[0];
    const allocations = { [uuid]: { resources: { VCPU: 6, MEMORY_MB: 4_096 } } };
    const claim = { allocations, ...OWNER, consumer_generation: null, consumer_type: 'INSTANCE' };
    await operator.ok('PUT', `/allocations/${instance(1)}`, claim);
    expect((await statesOf(service)).get('h1')).toMatchObject({ vcpusUsed: 6, freeRamMb: 61_440 });
  });
});
