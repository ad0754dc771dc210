/** @jest-environment node */
import { worldGraph } from '../../../test/world/world';
import { parseQuery } from '../../../test/world/world-query';
import type { RegisteredFlavor } from '../../compute/flavors/flavor.entity';
import { TooManyRequests } from '../../platform/values/errors';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Cloud, CloudReader } from '../../scheduler/cloud/cloud-reader';
import type { FlavorRequest, FlavorRequests } from '../../scheduler/decide/flavor-requests';
import type { NewestFinding } from './findings-cache';
import { FindingsCache } from './findings-cache';

jest.mock('../../platform/config/limits/reports', () => {
  const actual = jest.requireActual<{ REPORT_LIMITS: object }>('../../platform/config/limits/reports');
  const small = { strandedWaitMs: 100, flavorSetsKept: 2, flavorSetsWaiting: 3, hostsCheckedForCauses: 5 };
  return { ...actual, REPORT_LIMITS: { ...actual.REPORT_LIMITS, ...small } };
});

const MAX_AGE_SECONDS = 10;
const SMALL = 'resources=VCPU:1';
const LARGE = 'resources=VCPU:3';

const flavorOf = (name: string, query: string | null): FlavorRequest => ({
  flavor: { id: `id-${name}`, name } as RegisteredFlavor,
  request: query === null ? null : parseQuery(query),
  fallback: null,
  error: query === null ? 'asks for nonsense' : null,
});

/** A cloud that the test changes, with the number of its reads and a gate that blocks them. */
class Rig {
  nowMs = 1_000_000;
  looks = 0;
  warnings: unknown[] = [];
  world = 'a VCPU:4\nb VCPU:8';
  status: CloudHost['status'] = 'up';
  flavors: readonly FlavorRequest[] = [flavorOf('small', SMALL), flavorOf('odd', null), flavorOf('large', LARGE)];
  fault: Error | undefined;
  readonly findings: FindingsCache;
  private graph: { readonly world: string; readonly graph: Cloud['graph'] } | undefined;
  private door: Promise<void> = Promise.resolve();

  constructor() {
    jest.spyOn(Date, 'now').mockImplementation(() => this.nowMs);
    const clouds = { current: () => this.cloud() } as unknown as CloudReader;
    const requests = {
      all: () => Promise.resolve({ flavors: this.flavors, isCut: false }),
      named: (name: string) => Promise.resolve(this.flavors.find(({ flavor }) => flavor.name === name)),
    } as unknown as FlavorRequests;
    const log = { warn: (fields: object) => void this.warnings.push(fields) };
    this.findings = new FindingsCache(clouds, requests, MAX_AGE_SECONDS, log);
  }

  /** Repeats the request until the result for these flavors is current. */
  async settled(names: readonly string[] = []): Promise<NewestFinding> {
    for (;;) {
      const newest = await this.findings.newest(names);
      if (newest.state === 'current') return newest;
      await new Promise(setImmediate);
    }
  }

  /** Blocks reads of the cloud until the returned function is called. */
  shut(): () => void {
    let open = (): void => undefined;
    this.door = new Promise((resolve) => (open = resolve));
    return open;
  }

  later(seconds: number): void {
    this.nowMs += seconds * 1_000;
  }

  private async cloud(): Promise<Cloud> {
    this.looks += 1;
    await this.door;
    if (this.fault !== undefined) throw this.fault;
    if (this.graph?.world !== this.world) this.graph = { world: this.world, graph: worldGraph(this.world) };
    const { graph } = this.graph;
    const hosts = graph.rootIds.map((id) => ({ tree: graph.findTree(id), status: this.status }) as CloudHost);
    return { graph, atMs: this.nowMs, hosts, hostAggregates: [] };
  }
}

const countsOf = ({ finding }: NewestFinding): readonly unknown[] =>
  (finding?.flavors ?? []).map(({ flavor, total }) => [flavor.name, total?.count ?? null]);

describe('the findings', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = new Rig();
  });
  afterEach(() => jest.restoreAllMocks());

  it('have one total for each flavor, in order; a flavor with an invalid request has none', async () => {
    const newest = await rig.settled();
    expect(newest.state).toBe('current');
    expect(countsOf(newest)).toEqual([
      ['small', 12],
      ['odd', null],
      ['large', 3],
    ]);
    expect(newest.finding?.flavors[1]?.error).toBe('asks for nonsense');
  });

  it('have the cause of a flavor that fits nowhere, not what each host lacks first', async () => {
    rig.world = 'a VCPU:4 {CUSTOM_T}\nb VCPU:8';
    rig.flavors = [
      flavorOf('small', SMALL),
      flavorOf('odd', null),
      flavorOf('both', 'resources=VCPU:6&required=CUSTOM_T'),
      flavorOf('huge', 'resources=VCPU:9'),
    ];
    const causes = (await rig.settled()).finding?.flavors.map(({ cause }) => cause);
    expect(causes).toEqual([
      null,
      null,
      '1 has 6 VCPU free and 1 has trait CUSTOM_T, none has both',
      'no host can hold 9 VCPU (largest 8)',
    ]);
  });

  it('have causes as far as the limit of checked hosts allows: of two hosts, those of two flavors', async () => {
    rig.flavors = Array.from({ length: 3 }, (_, at) => flavorOf(`huge-${at}`, 'resources=VCPU:9'));
    const causes = (await rig.settled()).finding?.flavors.map(({ cause }) => cause !== null);
    expect(causes).toEqual([true, true, false]);
  });

  it('are computed once, and again when they are too old', async () => {
    const first = await rig.settled();
    rig.world = 'a VCPU:4';
    rig.later(MAX_AGE_SECONDS - 1);
    expect((await rig.findings.newest()).finding).toBe(first.finding);
    expect(rig.looks).toBe(1);
    rig.later(1);
    const second = await rig.settled();
    expect(rig.looks).toBe(2);
    expect([second.finding?.atMs, countsOf(second)[0]]).toEqual([rig.nowMs, ['small', 4]]);
  });

  it('stay available while newer ones are computed', async () => {
    const first = await rig.settled();
    rig.later(MAX_AGE_SECONDS);
    const open = rig.shut();
    expect(await rig.findings.newest()).toEqual({ state: 'computing', finding: first.finding });
    open();
    expect((await rig.settled()).finding?.atMs).toBe(rig.nowMs);
    expect(rig.looks).toBe(2);
  });

  it('are awaited by the first caller for a limited time only', async () => {
    const open = rig.shut();
    expect(await rig.findings.newest()).toEqual({ state: 'computing', finding: null });
    open();
    await rig.settled();
    expect(rig.looks).toBe(1);
  });

  it('change when a host becomes unusable, even if no amount changes', async () => {
    await rig.settled();
    rig.status = 'down';
    rig.later(MAX_AGE_SECONDS);
    const down = await rig.settled();
    expect([down.finding?.unusable, countsOf(down)[0]]).toEqual([2, ['small', 0]]);
  });

  it('change when a flavor with the same name has another request', async () => {
    await rig.settled();
    rig.flavors = [flavorOf('small', LARGE)];
    rig.later(MAX_AGE_SECONDS);
    expect(countsOf(await rig.settled())).toEqual([['small', 3]]);
  });

  it('stay when the next computation fails, which is logged and repeated', async () => {
    const first = await rig.settled();
    rig.later(MAX_AGE_SECONDS);
    rig.fault = new Error('the database is away');
    await rig.findings.newest();
    while (rig.warnings.length === 0) await new Promise(setImmediate);
    rig.fault = undefined;
    expect(rig.warnings).toEqual([{ err: new Error('the database is away') }]);
    expect(await rig.findings.newest()).toEqual({ state: 'computing', finding: first.finding });
    expect((await rig.settled()).finding?.atMs).toBe(rig.nowMs);
  });
});

describe('requested sets of flavors', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = new Rig();
  });
  afterEach(() => jest.restoreAllMocks());

  it('do not depend on the order of the names', async () => {
    const { finding } = await rig.settled(['small', 'large']);
    expect((await rig.findings.newest(['large', 'small'])).finding).toBe(finding);
    expect(rig.looks).toBe(1);
  });

  it('count a flavor once if it is named twice', async () => {
    expect(countsOf(await rig.settled(['small', 'small']))).toEqual([['small', 12]]);
  });

  it('are refused without a log line if no flavor has the name', async () => {
    await expect(rig.findings.newest(['unknown'])).rejects.toThrow("names no flavor: 'unknown'");
    expect(rig.warnings).toEqual([]);
    // A flavor can get the name later.
    rig.flavors = [flavorOf('unknown', SMALL)];
    expect(countsOf(await rig.settled(['unknown']))).toEqual([['unknown', 12]]);
  });

  it('are evicted least recently used first, except the set of all flavors', async () => {
    await rig.settled();
    for (const names of [['small'], ['large'], ['small'], ['small', 'large']]) await rig.settled(names);
    expect(rig.looks).toBe(4);
    for (const names of [[], ['small'], ['small', 'large']]) await rig.settled(names);
    expect(rig.looks).toBe(4);
    await rig.settled(['large']);
    expect(rig.looks).toBe(5);
  });

  it('are computed one after the other, and refused if too many wait', async () => {
    const open = rig.shut();
    const asked = [[], ['small'], ['large']].map((names) => rig.findings.newest(names));
    await Promise.all(asked);
    expect(rig.looks).toBe(1);
    await expect(rig.findings.newest(['small', 'large'])).rejects.toBeInstanceOf(TooManyRequests);
    open();
    await rig.settled(['large']);
    expect(rig.looks).toBe(3);
    expect(countsOf(await rig.settled(['small', 'large']))).toHaveLength(2);
  });

  it('judge no host without flavors', async () => {
    rig.flavors = [];
    expect((await rig.settled()).finding?.cloud.hosts.size).toBe(0);
  });

  it('are awaited by a computation that needs them up to date', async () => {
    await rig.settled();
    rig.world = 'a VCPU:4';
    rig.nowMs += MAX_AGE_SECONDS * 1_000;
    expect((await rig.findings.upToDate())?.cloud.hosts.size).toBe(1);
  });
});
