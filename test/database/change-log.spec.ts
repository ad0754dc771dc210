// The change log, route by route: a reader with the graph before a write gets the graph after it from the new log rows.
// Unchanged parts write no rows, and a refused write changes nothing.
import type { ProviderGraph } from '../../src/placement/candidate-search';
import type { ChangeRow } from '../../src/platform/database/change-log';
import { TREE_CHANGE, USAGE_CHANGE } from '../../src/platform/database/change-log';
import { testDatabaseKinds } from '../support/databases';
import { dumpGraph, graphEquals } from '../support/graph-dump';
import { GraphFollower, loadedGraph, readChangeLog } from '../support/graph-follower';
import type { TestRequest, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { dumpTables } from '../support/table-dump';
import type { Accepted } from './change-log-accepted';
import { ACCEPTED } from './change-log-accepted';
import { REFUSED } from './change-log-refused';
import type { Ask, World } from './change-log-world';
import {
  at,
  build,
  consumerBody,
  postAllocations,
  putAggregates,
  putAllocations,
  putInventories,
  worldOf,
} from './change-log-world';

const MUTATING = ['POST', 'PUT', 'DELETE', 'PATCH'];
/** Their uuids are made by the service, and no reader of the graph follows them. */
const PLANS = /^\/scheduler\/plans\b/;
/** Routes of the scheduler's registries are in registries-change-log.spec.ts. */
const REGISTRIES = /^\/scheduler\/(hosts|services|host_aggregates|server_groups|flavors|images|instances)\b/;
/** These write through the services of registries and scheduler; searches do not read their own tables. */
const PRACTICE_CLOUD = /^\/(compute|identity|image|network)(\/|$)/;
/** Calls the Identity service, and writes nothing in the database. */
const LOGIN = '/console/login';

function kindsOf(rows: readonly ChangeRow[]): Accepted['leaves'] {
  const kinds = new Set(rows.map((row) => row.kind));
  if (kinds.size === 0) return 'nothing';
  if (kinds.size === 2) return 'both';
  return kinds.has(TREE_CHANGE) ? 'trees' : 'usage';
}

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  return items
    .map((item, index) => [(index * 7919 + seed * 104_729) % 101, item] as const)
    .sort(([first], [second]) => first - second)
    .map(([, item]) => item);
}

/** Compares the dumps only to show a difference, because that is slow. */
function expectSame(graph: ProviderGraph, loaded: ProviderGraph): void {
  if (!graphEquals(graph, loaded)) expect(dumpGraph(graph)).toEqual(dumpGraph(loaded));
}

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let worlds = 0;

  const ok: Ask = async (request) => {
    const response = await service.request(request);
    if (response.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.text}`);
    return response;
  };
  const freshWorld = async (): Promise<World> => {
    worlds += 1;
    const world = worldOf(worlds);
    await build(world, ok);
    return world;
  };

  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  it('has an accepted and a refused case for every writing route', () => {
    const routes = [...service.routes].flatMap(([path, methods]) =>
      REGISTRIES.test(path) || PLANS.test(path) || PRACTICE_CLOUD.test(path) || path === LOGIN
        ? []
        : methods.filter((method) => MUTATING.includes(method)).map((method) => `${method} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(20);
    expect([...new Set(ACCEPTED.map((each) => each.route))].sort()).toEqual([...routes].sort());
    expect([...new Set(REFUSED.map((each) => each.route))].sort()).toEqual([...routes].sort());
  });

  describe('a refused write changes nothing and writes no log rows', () => {
    let world: World;
    let before = '';
    let log: readonly ChangeRow[] = [];
    beforeAll(async () => {
      world = await freshWorld();
      before = await dumpTables(service.database);
      log = await readChangeLog(service.database);
    });

    it.each(REFUSED.map((each) => [each.route, each.name, each.status, each] as const))(
      '%s: %s (%d)',
      async (_route, _name, status, { request }) => {
        const response = await service.request(request(world));
        expect([response.status, response.text]).toEqual([status, expect.any(String)]);
        expect(await dumpTables(service.database)).toBe(before);
        expect(await readChangeLog(service.database)).toEqual(log);
      },
    );
  });

  describe('an accepted write gives readers all they need', () => {
    it.each(ACCEPTED.map((each) => [each.route, each.name, each.leaves, each] as const))(
      '%s: %s (%s)',
      async (_route, _name, leaves, { before, request }) => {
        const world = await freshWorld();
        for (const step of before?.(world) ?? []) await ok(step);
        const follower = await GraphFollower.start(service.database);
        const known = follower.graph;
        await ok(request(world));
        const rows = await follower.news();
        expect(kindsOf(rows)).toBe(leaves);
        expectSame(await follower.apply(rows), await loadedGraph(service.database));
        // The snapshot of running searches is unchanged.
        expect(follower.graph === known).toBe(leaves === 'nothing');
      },
    );
  });

  describe('the order of application does not matter', () => {
    const claims = async (world: World): Promise<void> => {
      await ok(putAllocations(world.newcomer, null, { [world.child]: { VCPU: 1, DISK_GB: 5 } }));
      await ok(putAllocations(world.second, null, { [world.child]: { VCPU: 2 }, [world.other]: { VCPU: 1 } }));
      await ok(putAllocations(world.newcomer, 1, { [world.child]: { VCPU: 3 } }));
      await ok({ method: 'DELETE', path: `/allocations/${world.vm}` });
      await ok(
        postAllocations({
          [world.second]: consumerBody(1, {}),
          [world.newcomer]: consumerBody(2, { [world.other]: { VCPU: 4 } }),
        }),
      );
    };

    it.each([1, 2, 3, 4])('of usage rows, in any order and repeated (%d)', async (seed) => {
      const world = await freshWorld();
      const follower = await GraphFollower.start(service.database);
      await claims(world);
      const rows = await follower.news();
      expect(new Set(rows.map((row) => row.kind))).toEqual(new Set([USAGE_CHANGE]));
      expect(rows.length).toBeGreaterThan(8);
      const loaded = await loadedGraph(service.database);
      const mixed = shuffled([...rows, ...shuffled(rows, seed + 1)], seed);
      expectSame(await follower.apply(mixed), loaded);
      // One at a time, the newest first, and then all of them again.
      for (const row of [...rows].reverse()) await follower.apply([row]);
      expectSame(follower.graph, loaded);
    });

    it('of usage rows and of trees reloaded in the meantime', async () => {
      const world = await freshWorld();
      const follower = await GraphFollower.start(service.database);
      await ok(putAllocations(world.newcomer, null, { [world.child]: { VCPU: 1 }, [world.other]: { VCPU: 1 } }));
      await ok(putInventories(world.other, 2, { VCPU: { total: 4 }, VGPU: { total: 1 } }));
      await ok(putAllocations(world.second, null, { [world.other]: { VCPU: 1, VGPU: 1 } }));
      // Deleted and created again: the record is new, and the usage of the old one must not apply to it.
      await ok({ method: 'DELETE', path: `/allocations/${world.second}` });
      await ok({ method: 'DELETE', path: at(world.other, '/inventories/VGPU') });
      await ok({ method: 'POST', path: at(world.other, '/inventories'), body: { resource_class: 'VGPU', total: 5 } });
      const rows = await follower.news();
      const loaded = await loadedGraph(service.database);
      for (const row of [...rows].reverse()) await follower.apply([row]);
      expectSame(follower.graph, loaded);
      expectSame(await follower.apply(shuffled(rows, 5)), loaded);
    });
  });

  it('a write and a concurrent move of the same provider reach every reader', async () => {
    const world = await freshWorld();
    const follower = await GraphFollower.start(service.database);
    const requests: TestRequest[] = [
      { method: 'PUT', path: at(world.child), body: { name: 'mover', parent_provider_uuid: world.other } },
      putAllocations(world.newcomer, null, { [world.child]: { VCPU: 1 } }),
      putAllocations(world.second, null, { [world.other]: { VCPU: 1 } }),
      { method: 'DELETE', path: `/allocations/${world.vm}` },
      { method: 'POST', path: at(world.other, '/inventories'), body: { resource_class: 'VGPU', total: 5 } },
      putAggregates(world.leaf, 0, [world.aggregate]),
    ];
    const responses = await Promise.all(requests.map((request) => service.request(request)));
    expect(responses.map((response) => response.status)).toEqual([200, 204, 204, 204, 201, 200]);
    expectSame(await follower.follow(), await loadedGraph(service.database));
  });
});
