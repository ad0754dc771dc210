// Candidates over HTTP, from OpenStack's Placement and from Berth's, equal those of the search in process.
import { remotePlacementOf } from '../../src/nova/conf/placement-conf';
import type { Candidate, RequestGroup, ResourceRequest } from '../../src/placement/candidate-search';
import { buildGraph, findInventory } from '../../src/placement/candidate-search';
import { capacityOf, INVENTORY_DEFAULTS } from '../../src/placement/domain/inventory';
import { InvalidInput, Unavailable } from '../../src/platform/values/errors';
import { StartRefused } from '../../src/platform/values/start-refused';
import { RemoteCandidates } from '../../src/scheduler/remote-placement/remote-candidates';
import { RemotePlacement } from '../../src/scheduler/remote-placement/remote-placement';
import { GraphCandidates } from '../../src/scheduler/simulate/simulated-candidates';
import { FOREIGN_KINDS, ForeignPlacement, hasOpenStack } from './foreign-placement';

const isInstalled = hasOpenStack();
if (!isInstalled && process.env['BERTH_REQUIRE_CLIENTS'] === '1') throw new Error('python3-placement is missing');

const uuid = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const SHARES = 'MISC_SHARES_VIA_AGGREGATE';

interface Node {
  readonly id: number;
  readonly parent?: number;
  readonly totals?: Readonly<Record<string, number>>;
  readonly traits?: readonly string[];
  readonly aggregates?: readonly number[];
}

/** Two hosts with NUMA nodes and cards, one flat host, one that uses shared storage, and the storage. */
const WORLD: readonly Node[] = [
  { id: 1, totals: { DISK_GB: 100 }, traits: ['CUSTOM_GOLD', 'COMPUTE_NODE'], aggregates: [90] },
  { id: 2, parent: 1, totals: { VCPU: 8, MEMORY_MB: 4096 }, traits: ['HW_CPU_X86_AVX2'] },
  { id: 3, parent: 1, totals: { VCPU: 8, MEMORY_MB: 4096 } },
  { id: 4, parent: 2, totals: { CUSTOM_CARD: 2 }, traits: ['CUSTOM_FAST'] },
  { id: 5, parent: 3, totals: { CUSTOM_CARD: 1 } },
  { id: 11, totals: { DISK_GB: 100 }, traits: ['COMPUTE_NODE'], aggregates: [90, 91] },
  { id: 12, parent: 11, totals: { VCPU: 4, MEMORY_MB: 2048 } },
  { id: 13, parent: 11, totals: { VCPU: 4, MEMORY_MB: 2048, CUSTOM_CARD: 1 }, traits: ['HW_CPU_X86_AVX2'] },
  { id: 21, totals: { VCPU: 16, MEMORY_MB: 8192, DISK_GB: 50 }, traits: ['HW_CPU_X86_AVX2', 'HW_CPU_X86_SSE'] },
  { id: 31, totals: { VCPU: 16, MEMORY_MB: 8192 }, traits: ['COMPUTE_NODE'], aggregates: [92] },
  { id: 41, totals: { DISK_GB: 1_000 }, traits: [SHARES], aggregates: [92] },
];

const group = (resources: Readonly<Record<string, number>>, more: Partial<RequestGroup> = {}): RequestGroup => ({
  suffix: '',
  resources: new Map(Object.entries(resources)),
  requiredTraits: [],
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
  ...more,
});
const ask = (groups: readonly RequestGroup[], more: Partial<ResourceRequest> = {}): ResourceRequest => ({
  groups,
  groupPolicy: groups.filter(({ suffix }) => suffix !== '').length > 1 ? 'none' : null,
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [],
  limit: 1_000,
  nestedAware: true,
  ...more,
});
const SMALL = { VCPU: 1, MEMORY_MB: 512 };
const cell = (suffix: string, more: Partial<RequestGroup> = {}): RequestGroup => group(SMALL, { suffix, ...more });

const REQUESTS: Readonly<Record<string, ResourceRequest>> = {
  'one group over the tree': ask([group({ ...SMALL, DISK_GB: 10 })]),
  'two NUMA cells that can share a node': ask([group({ DISK_GB: 10 }), cell('_A'), cell('_B')]),
  'two NUMA cells on different nodes': ask([group({ DISK_GB: 10 }), cell('_A'), cell('_B')], {
    groupPolicy: 'isolate',
  }),
  'a card next to its cell': ask([group({ DISK_GB: 10 }), cell('_A'), group({ CUSTOM_CARD: 1 }, { suffix: '_B' })], {
    sameSubtree: [['_A', '_B']],
  }),
  'all of several traits': ask([group(SMALL, { requiredTraits: [['HW_CPU_X86_AVX2'], ['HW_CPU_X86_SSE']] })]),
  'a trait of one group': ask([group({ DISK_GB: 1 }), cell('_A', { requiredTraits: [['HW_CPU_X86_AVX2']] })]),
  'a forbidden trait': ask([cell('_A', { forbiddenTraits: ['HW_CPU_X86_AVX2'] })]),
  'traits of the root': ask([group(SMALL)], { rootRequired: ['COMPUTE_NODE'], rootForbidden: ['CUSTOM_GOLD'] }),
  'one of several aggregates': ask([group({ ...SMALL, DISK_GB: 1 }, { memberOf: [[uuid(90), uuid(92)]] })]),
  'two aggregates': ask([group({ ...SMALL, DISK_GB: 1 }, { memberOf: [[uuid(90)], [uuid(91)]] })]),
  'a forbidden aggregate': ask([group({ ...SMALL, DISK_GB: 1 }, { forbiddenAggregates: [uuid(90)] })]),
  'one tree': ask([group({ ...SMALL, DISK_GB: 1 }, { inTree: uuid(13) })]),
  'only shared storage fits': ask([group({ ...SMALL, DISK_GB: 200 })]),
  'more than any host has': ask([group({ VCPU: 17 })]),
};

const graph = buildGraph({
  providers: WORLD.map(({ id, parent }) => ({
    id,
    uuid: uuid(id),
    name: uuid(id),
    parentId: parent ?? null,
    rootId: id - ((id % 10) - 1),
  })),
  inventories: WORLD.flatMap(({ id, totals = {} }) =>
    Object.entries(totals).map(([resourceClass, total], at) => ({
      ...INVENTORY_DEFAULTS,
      id: id * 10 + at,
      providerId: id,
      resourceClass,
      total,
      capacity: capacityOf({ ...INVENTORY_DEFAULTS, total }),
      used: 0,
      version: 0,
    })),
  ),
  traits: WORLD.flatMap(({ id, traits = [] }) => traits.map((trait) => ({ providerId: id, trait }))),
  aggregates: WORLD.flatMap(({ id, aggregates = [] }) =>
    aggregates.map((aggregate) => ({ providerId: id, aggregate: uuid(aggregate) })),
  ),
});

/** Without the order of providers, which services choose differently. */
const shown = (candidates: readonly Candidate[]): readonly string[] =>
  candidates
    .map(({ rootUuid, allocations, mappings }) => {
      const amounts = Object.entries(allocations).flatMap(([provider, { resources }]) =>
        Object.entries(resources).map(([name, amount]) => `${provider} ${name} ${amount}`),
      );
      const served = Object.entries(mappings).map(([suffix, uuids]) => `${suffix}=${[...uuids].sort().join()}`);
      return [rootUuid, ...amounts.sort(), ...served.sort()].join('; ');
    })
    .sort();

describe.each(FOREIGN_KINDS)('candidates over HTTP from %s', (kind) => {
  const test = kind === 'openstack' && !isInstalled ? it.skip : it;
  let placement: ForeignPlacement;
  let remote: RemotePlacement;
  let candidates: RemoteCandidates;

  beforeAll(async () => {
    if (kind === 'openstack' && !isInstalled) return;
    placement = await ForeignPlacement.start(kind);
    for (const name of ['CUSTOM_CARD']) await placement.ask('PUT', `/resource_classes/${name}`);
    for (const { id, parent, totals = {}, traits = [], aggregates = [] } of WORLD) {
      await placement.provider(uuid(id), {
        ...(parent !== undefined && { parent: uuid(parent) }),
        inventories: Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, { total }])),
        traits,
        aggregates: aggregates.map(uuid),
      });
    }
    remote = new RemotePlacement(placement.settings);
    candidates = new RemoteCandidates(remote);
  }, 120_000);
  afterAll(async () => {
    await remote?.onApplicationShutdown();
    await placement?.stop();
  });

  test.each(Object.entries(REQUESTS))('%s', async (_, request) => {
    const bounds = { perRoot: 1_000 };
    const here = await new GraphCandidates({ current: graph }).search(request, bounds);
    const there = await candidates.search(request, bounds);
    expect(shown(there.requests)).toEqual(shown(here.requests));
    expect(there).toMatchObject({ truncated: false, hasFurtherOfHosts: false });
    for (const [name, known] of here.summaries) {
      const found = there.summaries.get(name);
      expect(found).toMatchObject({ rootUuid: known.rootUuid, parentUuid: known.parentUuid });
      expect([...(found?.traits ?? [])]).toEqual([...known.traits]);
      for (const { resourceClass, capacity, used } of known.inventories) {
        expect(found && findInventory(found, resourceClass)).toMatchObject({ capacity, used });
      }
    }
  });

  test('names the storage as the root of a candidate that takes nothing from a host', async () => {
    const request = ask([group({ DISK_GB: 200 })]);
    const { requests } = await candidates.search(request, { perRoot: 8 });
    expect(requests.map(({ rootUuid }) => rootUuid)).toEqual([uuid(41)]);
    const here = await new GraphCandidates({ current: graph }).search(request, { perRoot: 8 });
    expect(here.requests.map(({ rootUuid }) => rootUuid)).toEqual([uuid(31)]);
  });

  test('bounds the candidates of a host, and says so', async () => {
    const request = REQUESTS['two NUMA cells that can share a node'] as ResourceRequest;
    const answer = await candidates.search(request, { perRoot: 1 });
    expect(answer.requests.map(({ rootUuid }) => rootUuid).sort()).toEqual(
      [...new Set(answer.requests.map(({ rootUuid }) => rootUuid))].sort(),
    );
    expect(answer).toMatchObject({ truncated: false, hasFurtherOfHosts: true });
    const cut = await candidates.search({ ...request, limit: 1 }, { perRoot: 8 });
    expect(cut).toMatchObject({ truncated: true });
  });

  test('passes on what the service says of an unknown class', async () => {
    const unknown = candidates.search(ask([group({ CUSTOM_UNKNOWN: 1 })]), { perRoot: 8 });
    await expect(unknown).rejects.toThrow(InvalidInput);
    await expect(candidates.search(ask([group({ CUSTOM_UNKNOWN: 1 })]), { perRoot: 8 })).rejects.toThrow(
      /CUSTOM_UNKNOWN/,
    );
  });

  test('is unavailable while the service is down, and works afterwards', async () => {
    placement.proxy.shut();
    await expect(candidates.search(ask([group(SMALL)]), { perRoot: 8 })).rejects.toThrow(Unavailable);
    placement.proxy.reopen();
    expect((await candidates.search(ask([group(SMALL)]), { perRoot: 8 })).requests).not.toHaveLength(0);
    // A connection that the service closed meanwhile.
    placement.proxy.reset();
    expect((await candidates.search(ask([group(SMALL)]), { perRoot: 8 })).requests).not.toHaveLength(0);
  });

  test('logs in again when its token is refused', async () => {
    const before = placement.keystone.logins;
    placement.keystone.ownToken = 'bob';
    const other = new RemotePlacement(placement.settings);
    await expect(other.start()).rejects.toThrow(/with 403.*role service or admin/);
    placement.keystone.ownToken = 'admin';
    await other.onApplicationShutdown();
    expect(placement.keystone.logins).toBe(before + 1);
  });

  test.each([
    [{ password: 'wrong' }, /rejects the account of \[placement\] \(401\)/],
    [{ region_name: 'two' }, /catalog has no endpoint .* internal or public of region two/],
    [{ valid_interfaces: 'public' }, /no endpoint .* public of region one/],
    [{ endpoint_override: 'http://127.0.0.1:1' }, /Placement at http:\/\/127\.0\.0\.1:1 cannot be reached/],
  ])('does not start with %o', async (options, message) => {
    const other = new RemotePlacement(remotePlacementOf({ ...placement.options, ...options }).settings);
    await expect(other.start()).rejects.toThrow(StartRefused);
    await expect(other.start()).rejects.toThrow(message);
    await other.onApplicationShutdown();
  });

  test('starts with the address of the option, and names the newest version', async () => {
    await expect(remote.start()).resolves.toMatchObject({ newest: '1.39' });
  });
});
