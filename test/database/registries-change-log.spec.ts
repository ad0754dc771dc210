// Every writing route of the registries: readers of the graph and of the hosts' facts reach the state of a fresh load;
// a refused write changes nothing and writes no log rows.
import { loadHostAggregates, loadServices } from '../../src/compute/host-facts.loader';
import { InstancesService } from '../../src/compute/instances/instances.service';
import type { LaneVector } from '../../src/placement/allocation-candidates/change-log.loader';
import { readNewChanges, readVector } from '../../src/placement/allocation-candidates/change-log.loader';
import type { HostAggregateFacts, ServiceFacts } from '../../src/scheduling-rules/host-state/host-facts';
import { tableDump } from '../e2e/registries-tables';
import { testDatabaseKinds } from '../support/databases';
import { dumpGraph } from '../support/graph-dump';
import { GraphFollower, loadedGraph, readChangeLog } from '../support/graph-follower';
import type { TestRequest, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { placedInstance } from './placed-instance';

const MUTATING = ['POST', 'PUT', 'DELETE', 'PATCH'];
const REGISTRIES = /^\/scheduler\/(hosts|services|host_aggregates|server_groups|flavors|images|instances)\b/;
/** Routes of the scheduler itself, for placed instances. */
const MOVES = /\/(build_failed|move|confirm_move|revert_move)$/;

const ID = 'dddddddd-0000-4000-8000-000000000001';
const OTHER = 'dddddddd-0000-4000-8000-000000000002';
const UNKNOWN_UUID = 'dddddddd-0000-4000-8000-00000000ffff';
const VM = 'dddddddd-0000-4000-8000-000000000003';
const REPORT = { vcpus_total: 4, memory_mb: 512, report_providers: true };

type Write = readonly [route: string, path: string, body?: object];

const nameOf = ([route, path, body]: Write): string => `${route} ${path} ${JSON.stringify(body ?? null)}`;

/** In order of execution: each needs the results of the earlier ones. */
const ACCEPTED: readonly Write[] = [
  ['PUT /scheduler/hosts/:host/:node', 'hosts/h1/n1', REPORT],
  ['PUT /scheduler/hosts/:host/:node', 'hosts/h1/n1', REPORT],
  ['PUT /scheduler/hosts/:host/:node', 'hosts/h1/n1', { ...REPORT, vcpus_total: 8 }],
  ['PUT /scheduler/hosts/:host/:node', 'hosts/h1/n2', { ...REPORT, instances: [{ uuid: OTHER }] }],
  ['PUT /scheduler/hosts/:host/:node', 'hosts/h2/n3', REPORT],
  ['PATCH /scheduler/services/:host', 'services/h1', { status: 'disabled', disabled_reason: 'x' }],
  ['POST /scheduler/host_aggregates', 'host_aggregates', { uuid: ID, name: 'one', hosts: ['h1'] }],
  ['PUT /scheduler/host_aggregates/:uuid', `host_aggregates/${OTHER}`, { name: 'two', availability_zone: 'z' }],
  ['PUT /scheduler/host_aggregates/:uuid', `host_aggregates/${ID}`, { name: 'uno', hosts: ['h2'], generation: 0 }],
  ['PATCH /scheduler/host_aggregates/:uuid', `host_aggregates/${ID}`, { name: 'one', availability_zone: 'y' }],
  ['PATCH /scheduler/host_aggregates/:uuid/metadata', `host_aggregates/${ID}/metadata`, { metadata: { a: 'b' } }],
  ['POST /scheduler/host_aggregates/:uuid/hosts', `host_aggregates/${ID}/hosts`, { host: 'h1' }],
  ['DELETE /scheduler/host_aggregates/:uuid/hosts/:host', `host_aggregates/${ID}/hosts/h1`],
  ['PATCH /scheduler/services/:host', 'services/h1', { status: 'enabled', forced_down: true }],
  ['POST /scheduler/server_groups', 'server_groups', { uuid: ID, name: 'g', policy: 'affinity', members: [VM] }],
  ['PUT /scheduler/server_groups/:uuid', `server_groups/${OTHER}`, { name: 'g', policy: 'affinity' }],
  ['PATCH /scheduler/server_groups/:uuid', `server_groups/${ID}`, { name: 'h' }],
  ['POST /scheduler/flavors', 'flavors', { id: '1', name: 'f', vcpus: 1, memory_mb: 1 }],
  ['PUT /scheduler/flavors/:id', 'flavors/2', { name: 'f2', vcpus: 1, memory_mb: 1 }],
  ['PATCH /scheduler/flavors/:id', 'flavors/1', { vcpus: 2 }],
  ['PATCH /scheduler/flavors/:id/extra_specs', 'flavors/1/extra_specs', { extra_specs: { 'hw:cpu_policy': 'shared' } }],
  ['POST /scheduler/images', 'images', { uuid: ID, name: 'i' }],
  ['PUT /scheduler/images/:uuid', `images/${OTHER}`, { name: 'i' }],
  ['PATCH /scheduler/images/:uuid', `images/${ID}`, { name: 'j' }],
  ['POST /scheduler/instances/:uuid/unpin_zone', `instances/${VM}/unpin_zone`],
  ['DELETE /scheduler/instances/:uuid', `instances/${VM}`],
  ['DELETE /scheduler/images/:uuid', `images/${ID}`],
  ['DELETE /scheduler/flavors/:id', 'flavors/1'],
  ['DELETE /scheduler/server_groups/:uuid', `server_groups/${OTHER}`],
  ['DELETE /scheduler/host_aggregates/:uuid', `host_aggregates/${OTHER}`],
  ['DELETE /scheduler/hosts/:host/:node', 'hosts/h1/n1'],
  ['DELETE /scheduler/services/:host', 'services/h1'],
];

/** After all of the above except the deletions at its end. */
const REFUSED: readonly (readonly [status: number, ...Write])[] = [
  [400, 'PUT /scheduler/hosts/:host/:node', 'hosts/h9/n', { uuid: 'x' }],
  [409, 'PUT /scheduler/hosts/:host/:node', 'hosts/h9/n3', { ...REPORT, uuid: UNKNOWN_UUID }],
  [404, 'DELETE /scheduler/hosts/:host/:node', 'hosts/h1/n9'],
  [409, 'DELETE /scheduler/hosts/:host/:node', 'hosts/h1/n1'],
  [400, 'PATCH /scheduler/services/:host', 'services/h1', { disabled_reason: 'x' }],
  [409, 'PATCH /scheduler/services/:host', 'services/h1', { status: 'disabled', generation: 99 }],
  [409, 'DELETE /scheduler/services/:host', 'services/h1'],
  [409, 'POST /scheduler/host_aggregates', 'host_aggregates', { name: 'one', hosts: ['h1'] }],
  [409, 'PUT /scheduler/host_aggregates/:uuid', `host_aggregates/${ID}`, { name: 'x', generation: 99 }],
  [409, 'PATCH /scheduler/host_aggregates/:uuid', `host_aggregates/${OTHER}`, { name: 'one' }],
  [
    404,
    'PATCH /scheduler/host_aggregates/:uuid/metadata',
    `host_aggregates/${UNKNOWN_UUID}/metadata`,
    { metadata: {} },
  ],
  [409, 'POST /scheduler/host_aggregates/:uuid/hosts', `host_aggregates/${OTHER}/hosts`, { host: 'h2' }],
  [404, 'DELETE /scheduler/host_aggregates/:uuid/hosts/:host', `host_aggregates/${ID}/hosts/h9`],
  [409, 'DELETE /scheduler/host_aggregates/:uuid', `host_aggregates/${ID}`],
  [409, 'POST /scheduler/server_groups', 'server_groups', { uuid: ID, name: 'g', policy: 'affinity' }],
  [409, 'PUT /scheduler/server_groups/:uuid', `server_groups/${ID}`, { name: 'g', policy: 'affinity' }],
  [404, 'PATCH /scheduler/server_groups/:uuid', `server_groups/${UNKNOWN_UUID}`, { name: 'h' }],
  [409, 'DELETE /scheduler/server_groups/:uuid', `server_groups/${ID}`],
  [409, 'POST /scheduler/flavors', 'flavors', { name: 'f', vcpus: 1, memory_mb: 1 }],
  [409, 'PUT /scheduler/flavors/:id', 'flavors/2', { name: 'f', vcpus: 1, memory_mb: 1, generation: 0 }],
  [409, 'PATCH /scheduler/flavors/:id', 'flavors/2', { name: 'f' }],
  [400, 'PATCH /scheduler/flavors/:id/extra_specs', 'flavors/1/extra_specs', { extra_specs: { 'resources:X': 1 } }],
  [409, 'DELETE /scheduler/flavors/:id', 'flavors/1'],
  [409, 'POST /scheduler/images', 'images', { uuid: ID }],
  [409, 'PUT /scheduler/images/:uuid', `images/${ID}`, { name: 'x' }],
  [400, 'PATCH /scheduler/images/:uuid', `images/${ID}`, { properties: { 'trait:CUSTOM_X': 'maybe' } }],
  [409, 'DELETE /scheduler/images/:uuid', `images/${ID}`],
  [404, 'POST /scheduler/instances/:uuid/unpin_zone', `instances/${UNKNOWN_UUID}/unpin_zone`],
  [404, 'DELETE /scheduler/instances/:uuid', `instances/${UNKNOWN_UUID}`],
];
const FIRST_OF_INSTANCE = ACCEPTED.findIndex(([route]) => route.includes('/scheduler/instances'));

/** Keeps the facts like any process: one load, and from then on the changes in the log. */
class FactsFollower {
  private services = new Map<number, ServiceFacts>();
  private aggregates = new Map<number, HostAggregateFacts>();
  private seen: LaneVector = new Map();

  constructor(private readonly service: TestService) {}

  async start(): Promise<void> {
    ({ vector: this.seen } = await this.service.database.read(readVector));
    const { services, aggregates } = await loadedFacts(this.service);
    for (const each of services) this.services.set(each.id, each);
    for (const each of aggregates) this.aggregates.set(each.id, each);
  }

  async follow(): Promise<object> {
    const news = await this.service.database.read((sql) => readNewChanges(sql, this.seen, 10_000));
    this.seen = news.vector;
    const stale = [...news.services].flatMap(([id, seenAtMs]) => (seenAtMs === null ? [id] : []));
    for (const [id, seenAtMs] of news.services) {
      const known = this.services.get(id);
      if (seenAtMs === null || known === undefined) continue;
      const lastSeenUpMs = Math.max(known.service.lastSeenUpMs ?? 0, seenAtMs);
      this.services.set(id, { ...known, service: { ...known.service, lastSeenUpMs } });
    }
    const aggregateIds = [...news.hostAggregates];
    const { services, aggregates } = await this.service.database.readSnapshot(async (sql) => ({
      services: await loadServices(sql, stale),
      aggregates: await loadHostAggregates(sql, aggregateIds),
    }));
    for (const id of stale) this.services.delete(id);
    for (const id of aggregateIds) this.aggregates.delete(id);
    for (const each of services) this.services.set(each.id, each);
    for (const each of aggregates) this.aggregates.set(each.id, each);
    const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
    return {
      services: [...this.services.values()].sort(byId),
      aggregates: [...this.aggregates.values()].sort(byId),
    };
  }
}

function loadedFacts(service: TestService): Promise<{
  readonly services: readonly ServiceFacts[];
  readonly aggregates: readonly HostAggregateFacts[];
}> {
  return service.database.readSnapshot(async (sql) => ({
    services: await loadServices(sql, null),
    aggregates: await loadHostAggregates(sql, null),
  }));
}

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(kind);
  });
  afterEach(() => service.stop());

  const requestOf = ([route, path, body]: Write): TestRequest => ({
    method: route.split(' ')[0] as NonNullable<TestRequest['method']>,
    path: `/scheduler/${path}`,
    ...(body !== undefined && { body }),
  });
  const make = async (write: Write): Promise<void> => {
    const answer = await service.request(requestOf(write));
    if (answer.status >= 300) throw new Error(`${nameOf(write)}: ${answer.status} ${answer.text}`);
  };
  /** The state after a claim: an instance on h1/n1 with its flavor, image and allocations. */
  const placeInstance = async (): Promise<void> => {
    const { json } = await service.request({ path: '/scheduler/hosts/h1/n1' });
    const hostUuid = String(json.uuid);
    await service.request({
      method: 'PUT',
      path: `/allocations/${VM}`,
      body: {
        allocations: { [hostUuid]: { resources: { VCPU: 1 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      },
    });
    const placed = placedInstance({
      uuid: VM,
      host: 'h1',
      node: 'n1',
      hostUuid,
      flavor: {},
      image: {},
      flavorId: '1',
      imageUuid: ID,
      groupUuid: ID,
    });
    await service.database.write((tx) => service.app.get(InstancesService).insertPlacedIn(tx, [placed], Date.now()));
  };

  it('has an accepted and a refused case for every writing route', () => {
    const routes = [...service.routes].flatMap(([path, methods]) =>
      REGISTRIES.test(path) && !MOVES.test(path)
        ? methods.filter((method) => MUTATING.includes(method)).map((method) => `${method} ${path}`)
        : [],
    );
    expect(routes.length).toBeGreaterThan(20);
    expect([...new Set(ACCEPTED.map(([route]) => route))].sort()).toEqual([...routes].sort());
    expect([...new Set(REFUSED.map(([, route]) => route))].sort()).toEqual([...routes].sort());
  });

  it('readers of the graph and of the facts follow every write', async () => {
    const graph = await GraphFollower.start(service.database);
    const facts = new FactsFollower(service);
    await facts.start();
    for (const [at, write] of ACCEPTED.entries()) {
      if (at === FIRST_OF_INSTANCE) await placeInstance();
      await make(write);
      const [followed, loaded] = [await facts.follow(), await loadedFacts(service)];
      expect([nameOf(write), followed]).toEqual([nameOf(write), loaded]);
      expect(dumpGraph(await graph.follow())).toEqual(dumpGraph(await loadedGraph(service.database)));
    }
  });

  it('a refused write changes nothing and writes no log rows', async () => {
    for (const write of ACCEPTED.slice(0, FIRST_OF_INSTANCE)) await make(write);
    await placeInstance();
    const before = await tableDump(service.database);
    const log = await readChangeLog(service.database);
    for (const [status, ...write] of REFUSED) {
      const answer = await service.request(requestOf(write));
      expect([nameOf(write), answer.status]).toEqual([nameOf(write), status]);
    }
    expect(await tableDump(service.database)).toEqual(before);
    expect(await readChangeLog(service.database)).toEqual(log);
  });
});
