// The registries on both databases: the cost of a report, the log rows of each write, concurrent writers, and the
// mirror in Placement within the same commit.
import { loadHostAggregates, loadServices } from '../../src/compute/host-facts.loader';
import type { PlacedInstance } from '../../src/compute/instances/instance.entity';
import { InstancesService } from '../../src/compute/instances/instances.service';
import { ServerGroupsService } from '../../src/compute/server-groups/server-groups.service';
import type { NewChanges } from '../../src/placement/allocation-candidates/change-log.loader';
import { readNewChanges, readVector } from '../../src/placement/allocation-candidates/change-log.loader';
import { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import type { ResidentGraphSource } from '../../src/placement/allocation-candidates/resident-graph-source';
import { HOST_AGGREGATE_CHANGE, SERVICE_CHANGE } from '../../src/platform/database/change-log';
import type { HostAggregateFacts, ServiceFacts } from '../../src/scheduling-rules/host-state/host-facts';
import { testDatabaseKinds } from '../support/databases';
import { readChangeLog } from '../support/graph-follower';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { StatementCounter } from '../support/statement-counter';
import { installStatementCounter } from '../support/statement-counter';

const DISABLED = 'COMPUTE_STATUS_DISABLED';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let counter: StatementCounter;
  let instances: InstancesService;
  let groups: ServerGroupsService;
  let made = 0;
  let pool: string | undefined;
  beforeAll(async () => {
    service = await startTestService(kind);
    counter = installStatementCounter();
    instances = service.app.get(InstancesService);
    groups = service.app.get(ServerGroupsService);
  });
  afterAll(async () => {
    counter.uninstall();
    await service.stop();
  });

  type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  const ask = (method: Method, path: string, body?: object): Promise<TestResponse> =>
    service.request({ method, path, ...(body !== undefined && { body }) });
  const ok = async (method: Method, path: string, body?: object): Promise<TestResponse> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const fresh = (): string => {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  };
  const name = (prefix: string): string => {
    made += 1;
    return `${prefix}${made}`;
  };
  const report = (host: string, body: object = {}, node = host): Promise<TestResponse> =>
    ok('PUT', `/scheduler/hosts/${host}/${node}`, body);
  /** Creates a root provider; returns its uuid. */
  const provider = async (called: string): Promise<string> => {
    const { json } = await ok('POST', '/resource_providers', { name: called });
    return String(json.uuid);
  };
  const traitsOf = async (uuid: string): Promise<readonly string[]> =>
    (await ok('GET', `/resource_providers/${uuid}/traits`)).json.traits as string[];
  const aggregatesOf = async (uuid: string): Promise<readonly string[]> =>
    ([...(await ok('GET', `/resource_providers/${uuid}/aggregates`)).json.aggregates] as string[]).sort();
  const servicesOf = async (ids: readonly number[] | null): Promise<readonly ServiceFacts[]> =>
    service.database.readSnapshot((sql) => loadServices(sql, ids));
  const factsOf = async (host: string): Promise<ServiceFacts> => {
    const found = (await servicesOf(null)).find((each) => each.host === host);
    if (found === undefined) throw new Error(`no service of ${host}`);
    return found;
  };
  const placed = (host: string, more: Partial<PlacedInstance> = {}): PlacedInstance => ({
    uuid: fresh(),
    name: null,
    host,
    node: host,
    hostUuid: fresh(),
    cell: null,
    projectId: 'project',
    userId: 'user',
    flavor: { vcpus: 1 },
    flavorId: null,
    image: null,
    imageUuid: null,
    groupUuid: null,
    requestId: 'req-1',
    isBfv: false,
    numaTopology: null,
    pciRequests: null,
    state: 'placed',
    attempts: 1,
    alternates: [],
    tried: [],
    request: {},
    ...more,
  });
  /** Records placements, each with its claim on a provider with enough room for all. */
  const place = async (...rows: readonly PlacedInstance[]): Promise<void> => {
    pool ??= await largeProvider();
    for (const { uuid } of rows) {
      await service.request({
        method: 'PUT',
        path: `/allocations/${uuid}`,
        body: {
          allocations: { [pool]: { resources: { VCPU: 1 } } },
          project_id: 'p',
          user_id: 'u',
          consumer_generation: null,
          consumer_type: 'INSTANCE',
        },
      });
    }
    await record(...rows);
  };
  const record = (...rows: readonly PlacedInstance[]): Promise<void> =>
    service.database.write((tx) => instances.insertPlacedIn(tx, rows, Date.now()));
  const largeProvider = async (): Promise<string> => {
    const uuid = await provider('pool');
    await service.request({
      method: 'POST',
      path: `/resource_providers/${uuid}/inventories`,
      body: { resource_class: 'VCPU', total: 100_000 },
    });
    return uuid;
  };
  /** The log rows of the writes in `work`. */
  const newsOf = async (work: () => Promise<unknown>): Promise<NewChanges> => {
    const { vector } = await service.database.read(readVector);
    await work();
    return service.database.read((sql) => readNewChanges(sql, vector, 1_000));
  };

  describe('a report', () => {
    const cost = async (host: string, body: object): Promise<readonly string[]> =>
      (await counter.during(() => report(host, body))).map((text) => text.split(' ').slice(0, 3).join(' '));

    // On MySQL one statement before the commit refuses a late transaction.
    const deadline = kind === 'mysql' ? 1 : 0;

    it('takes 5 statements if only the time is new, for any size', async () => {
      const host = name('h');
      const body = { vcpus_total: 4, instances: Array.from({ length: 300 }, () => ({ uuid: fresh() })) };
      await report(host, body);
      expect(await cost(host, body)).toEqual([
        kind === 'mysql' ? 'START TRANSACTION' : 'BEGIN IMMEDIATE',
        'UPDATE scheduler_services SET',
        'SELECT s.id AS',
        'INSERT INTO change_log',
        ...(kind === 'mysql' ? ['SET @berth_late ='] : []),
        'COMMIT',
      ]);
    });

    it('takes 7 statements if it changed, and one more if it settles instances', async () => {
      const host = name('h');
      await report(host, { vcpus_used: 1 });
      expect(await cost(host, { vcpus_used: 2 })).toHaveLength(7 + deadline);
      const row = placed(host);
      await place(row);
      expect(await cost(host, { vcpus_used: 3, instances: [{ uuid: row.uuid }] })).toHaveLength(8 + deadline);
      expect(await cost(host, { vcpus_used: 4, instances: [{ uuid: row.uuid }] })).toHaveLength(7 + deadline);
    });

    it('of a root provider that is up to date takes 2 more statements, even with other free memory', async () => {
      const host = name('h');
      const body = { vcpus_total: 4, memory_mb: 512, report_providers: true };
      await report(host, { ...body, free_ram_mb: 1 });
      expect(await cost(host, { ...body, free_ram_mb: 2 })).toHaveLength(9 + deadline);
    });

    it('writes only its time to the log if nothing else is new, and a reload otherwise', async () => {
      const host = name('h');
      await report(host, { vcpus_used: 1 });
      const { id } = await factsOf(host);
      const same = await newsOf(() => report(host, { vcpus_used: 1 }));
      const { service: seen } = await factsOf(host);
      expect([...same.services]).toEqual([[id, seen.lastSeenUpMs]]);
      const other = await newsOf(() => report(host, { vcpus_used: 2 }));
      expect([...other.services]).toEqual([[id, null]]);
      const rows = (await readChangeLog(service.database)).filter((row) => row.ref_id === id && row.kind > 2);
      expect(new Set(rows.map((row) => [row.kind, row.resource_provider_id].join()))).toEqual(
        new Set([`${SERVICE_CHANGE},0`]),
      );
    });

    it('is stored completely from one of many concurrent ones, without duplicate rows', async () => {
      const host = name('h');
      await Promise.all(Array.from({ length: 10 }, (_, used) => report(host, { vcpus_used: used }, 'node')));
      const { hosts } = await factsOf(host);
      expect(hosts.map(({ node }) => node)).toEqual(['node']);
      expect(Array.from({ length: 10 }, (_, used) => used)).toContain(hosts[0]?.report.vcpusUsed);
      const { json } = await ok('GET', `/scheduler/hosts/${host}/node`);
      expect(json.vcpus_used).toBe(hosts[0]?.report.vcpusUsed);
    });

    it('does not change the provider graph', async () => {
      const graphs = service.app.get<ResidentGraphSource>(GraphSource);
      await graphs.current();
      const before = graphs.counts;
      const graph = await graphs.current();
      await report(name('h'), { vcpus_total: 1 });
      await ok('POST', '/scheduler/host_aggregates', { name: name('a') });
      await record(placed(name('h')));
      // Compared with ===, because printing two graphs is useless.
      expect((await graphs.current()) === graph).toBe(true);
      expect(graphs.counts).toMatchObject({
        treeReloads: before.treeReloads,
        wholeReloads: before.wholeReloads,
        usageRows: before.usageRows,
      });
    });
  });

  describe('root providers follow reports', () => {
    it('created once, changed only where the report says so, otherwise unchanged', async () => {
      const node = name('n');
      const { json } = await report('compute', { vcpus_total: 4, memory_mb: 512, report_providers: true }, node);
      const uuid = json.uuid as string;
      expect(json.providers).toEqual({ outcome: 'created', in_use: [] });
      const inventories = async (): Promise<Record<string, object>> =>
        (await ok('GET', `/resource_providers/${uuid}/inventories`)).json.inventories as Record<string, object>;
      expect(await inventories()).toMatchObject({ VCPU: { total: 4, allocation_ratio: 4 }, MEMORY_MB: { total: 512 } });
      const { json: shown } = await ok('GET', `/resource_providers/${uuid}`);
      expect(shown).toMatchObject({ name: node, parent_provider_uuid: null });
      await ok('POST', `/resource_providers/${uuid}/inventories`, { resource_class: 'VGPU', total: 2 });
      const next = await report('compute', { vcpus_total: 8, memory_mb: 512, report_providers: true }, node);
      expect(next.json.providers.outcome).toBe('updated');
      expect(await inventories()).toMatchObject({ VCPU: { total: 8 }, MEMORY_MB: { total: 512 }, VGPU: { total: 2 } });
      const same = await report('compute', { vcpus_total: 8, memory_mb: 512, report_providers: true, cell: 'c' }, node);
      expect(same.json.providers.outcome).toBe('unchanged');
    });

    it('keeping a class that is in use, with a report of it', async () => {
      const host = name('h');
      const cells = (pcpuset: readonly number[]): object => ({ cells: [{ id: 0, cpuset: [0], pcpuset, memory: 1 }] });
      const body = { report_providers: true, numa_topology: cells([1, 2]) };
      const uuid = (await report(host, body)).json.uuid as string;
      const consumer = fresh();
      await ok('PUT', `/allocations/${consumer}`, {
        allocations: { [uuid]: { resources: { PCPU: 1 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      });
      const answer = await report(host, { ...body, numa_topology: cells([]) });
      expect(answer.json.providers).toEqual({ outcome: 'unchanged', in_use: ['PCPU'] });
      await ok('DELETE', `/allocations/${consumer}`);
      const later = await report(host, { ...body, numa_topology: cells([]), vcpus_used: 1 });
      expect(later.json.providers).toEqual({ outcome: 'updated', in_use: [] });
      expect(Object.keys((await ok('GET', `/resource_providers/${uuid}/inventories`)).json.inventories)).toEqual([
        'VCPU',
      ]);
    });

    it('and nothing of a refused report remains', async () => {
      const [host, uuid] = [name('h'), fresh()];
      await report(name('h'), { uuid });
      const answer = await ask('PUT', `/scheduler/hosts/${host}/${host}`, { uuid, report_providers: true });
      expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.duplicate_name' }] } });
      expect((await ask('GET', `/scheduler/services/${host}`)).status).toBe(404);
      expect((await ask('GET', `/resource_providers/${uuid}`)).status).toBe(404);
    });

    it('found by the name of the node if the report names none, even if created later', async () => {
      const host = name('h');
      expect((await report(host)).json.uuid).toBeNull();
      const aggregate = (await ok('POST', '/scheduler/host_aggregates', { name: name('a'), hosts: [host] })).json.uuid;
      await ok('PATCH', `/scheduler/services/${host}`, { status: 'disabled' });
      const uuid = await provider(host);
      expect(await aggregatesOf(uuid)).toEqual([]);
      const { json } = await report(host);
      expect(json).toMatchObject({ uuid, changed: [] });
      expect(await aggregatesOf(uuid)).toEqual([aggregate]);
      expect(await traitsOf(uuid)).toEqual([DISABLED]);
    });

    it('leaving the aggregates when another provider replaces them', async () => {
      const host = name('h');
      const [first, second] = [await provider(name('p')), await provider(name('p'))];
      await report(host, { uuid: first });
      const aggregate = (await ok('POST', '/scheduler/host_aggregates', { name: name('a'), hosts: [host] })).json.uuid;
      await ok('PATCH', `/scheduler/services/${host}`, { status: 'disabled' });
      await report(host, { uuid: second });
      expect([await aggregatesOf(first), await aggregatesOf(second)]).toEqual([[], [aggregate]]);
      expect([await traitsOf(first), await traitsOf(second)]).toEqual([[], [DISABLED]]);
    });
  });

  describe('a service', () => {
    it('is marked on every root provider of its host, and on no other, in one commit', async () => {
      const host = name('h');
      const [one, two, other] = [await provider(name('p')), await provider(name('p')), await provider(name('p'))];
      await report(host, { uuid: one }, 'n1');
      await report(host, { uuid: two }, 'n2');
      await report(name('h'), { uuid: other });
      const news = await newsOf(() => ok('PATCH', `/scheduler/services/${host}`, { status: 'disabled' }));
      expect([news.touched.size, [...news.services.values()]]).toEqual([2, [null]]);
      expect([await traitsOf(one), await traitsOf(two), await traitsOf(other)]).toEqual([[DISABLED], [DISABLED], []]);
      await ok('PATCH', `/scheduler/services/${host}`, { status: 'enabled' });
      expect([await traitsOf(one), await traitsOf(two)]).toEqual([[], []]);
    });

    it('increments the generation of its providers only when they change', async () => {
      const host = name('h');
      const uuid = await provider(name('p'));
      await report(host, { uuid });
      const generation = async (): Promise<number> => (await ok('GET', `/resource_providers/${uuid}`)).json.generation;
      const before = await generation();
      await ok('PATCH', `/scheduler/services/${host}`, { status: 'enabled' });
      expect(await generation()).toBe(before);
      await ok('PATCH', `/scheduler/services/${host}`, { status: 'disabled' });
      await ok('PATCH', `/scheduler/services/${host}`, { status: 'disabled', disabled_reason: 'disk' });
      expect(await generation()).toBe(before + 1);
    });

    it('ends with consistent marks after concurrent enabling and disabling', async () => {
      const host = name('h');
      const uuid = await provider(name('p'));
      await report(host, { uuid });
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          ok('PATCH', `/scheduler/services/${host}`, { status: at % 2 === 0 ? 'disabled' : 'enabled' }),
        ),
      );
      const { json } = await ok('GET', `/scheduler/services/${host}`);
      expect((await traitsOf(uuid)).includes(DISABLED)).toBe(json.status === 'disabled');
      expect(json.generation).toBe(10);
    });
  });

  describe('host aggregates', () => {
    const create = async (body: object): Promise<string> =>
      (await ok('POST', '/scheduler/host_aggregates', { name: name('a'), ...body })).json.uuid as string;

    it('are mirrored to every root provider of a host, reported or not', async () => {
      const [reported, silent] = [name('h'), name('h')];
      const [one, two] = [await provider(name('p')), await provider(name('p'))];
      await report(reported, { uuid: one }, 'n1');
      await report(reported, { uuid: two }, 'n2');
      const third = await provider(silent);
      const uuid = await create({ hosts: [reported, silent] });
      expect(await Promise.all([one, two, third].map(aggregatesOf))).toEqual([[uuid], [uuid], [uuid]]);
      await ok('DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${reported}`);
      expect(await Promise.all([one, two, third].map(aggregatesOf))).toEqual([[], [], [uuid]]);
    });

    it('keep other aggregates of the providers', async () => {
      const host = name('h');
      const uuid = await provider(host);
      const foreign = fresh();
      const { json } = await ok('GET', `/resource_providers/${uuid}`);
      await ok('PUT', `/resource_providers/${uuid}/aggregates`, {
        aggregates: [foreign],
        resource_provider_generation: json.generation,
      });
      const aggregate = await create({ hosts: [host] });
      expect(await aggregatesOf(uuid)).toEqual([foreign, aggregate].sort());
      await ok('DELETE', `/scheduler/host_aggregates/${aggregate}/hosts/${host}`);
      expect(await aggregatesOf(uuid)).toEqual([foreign]);
    });

    it('notify readers of their content and deletion', async () => {
      const host = name('h');
      let uuid = '';
      const load = (ids: readonly number[]): Promise<readonly HostAggregateFacts[]> =>
        service.database.readSnapshot((sql) => loadHostAggregates(sql, ids));
      const born = await newsOf(async () => {
        uuid = await create({ metadata: { a: 'b' }, hosts: [host] });
      });
      const [id] = [...born.hostAggregates];
      expect(await load([id ?? 0])).toMatchObject([{ id, uuid, metadata: { a: 'b' }, hosts: [host] }]);
      for (const [method, path, body] of [
        ['PATCH', `/scheduler/host_aggregates/${uuid}/metadata`, { metadata: { c: 'd' } }],
        ['DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${host}`, undefined],
        ['DELETE', `/scheduler/host_aggregates/${uuid}`, undefined],
      ] as const) {
        const news = await newsOf(() => ok(method, path, body));
        expect([...news.hostAggregates]).toEqual([id]);
      }
      expect(await load([id ?? 0])).toEqual([]);
      const kinds = (await readChangeLog(service.database)).map((row) => row.kind);
      expect(kinds).toContain(HOST_AGGREGATE_CHANGE);
    });

    it('put a host into one of two zones under concurrent requests', async () => {
      for (let round = 0; round < 5; round += 1) {
        const host = name('h');
        const zones = await Promise.all([
          create({ availability_zone: name('z') }),
          create({ availability_zone: name('z') }),
        ]);
        const answers = await Promise.all(
          zones.map((uuid) => ask('POST', `/scheduler/host_aggregates/${uuid}/hosts`, { host })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      }
    });

    it('refuse a zone that conflicts with that of a host, for every kind of write', async () => {
      const host = name('h');
      await create({ availability_zone: name('z'), hosts: [host] });
      const plain = await create({ hosts: [name('h'), host] });
      const zone = { availability_zone: name('z') };
      const attempts = await Promise.all([
        ask('PATCH', `/scheduler/host_aggregates/${plain}`, zone),
        ask('PATCH', `/scheduler/host_aggregates/${plain}/metadata`, { metadata: zone }),
        ask('PUT', `/scheduler/host_aggregates/${plain}`, { name: name('a'), hosts: [host], generation: 0, ...zone }),
        ask('POST', '/scheduler/host_aggregates', { name: name('a'), hosts: [host], ...zone }),
      ]);
      for (const { status, json } of attempts) {
        expect([status, json.errors[0].code]).toEqual([409, 'scheduler.in_use']);
        expect(json.errors[0].detail).toContain(host);
      }
      expect((await ok('GET', `/scheduler/host_aggregates/${plain}`)).json).toMatchObject({
        generation: 0,
        availability_zone: null,
      });
    });

    it('mirror a host whose first report arrives while it joins', async () => {
      for (let round = 0; round < 5; round += 1) {
        const host = name('h');
        const uuid = await provider(name('p'));
        const aggregate = await create({});
        await Promise.all([
          report(host, { uuid }),
          ok('POST', `/scheduler/host_aggregates/${aggregate}/hosts`, { host }),
        ]);
        expect(await aggregatesOf(uuid)).toEqual([aggregate]);
      }
    });
  });

  describe('placed instances', () => {
    it('are pending until a report lists them, and never again', async () => {
      const host = name('h');
      await report(host);
      const [one, two] = [placed(host), placed(host, { flavor: { vcpus: 7 }, isBfv: true })];
      const news = await newsOf(() => place(one, two));
      const { id } = await factsOf(host);
      expect([...news.services]).toEqual([[id, null]]);
      const pending = async (): Promise<readonly string[]> => (await factsOf(host)).pending.map(({ uuid }) => uuid);
      expect((await factsOf(host)).pending).toMatchObject([
        { uuid: one.uuid, node: host, isBfv: false, flavor: { vcpus: 1 } },
        { uuid: two.uuid, isBfv: true, flavor: { vcpus: 7 } },
      ]);
      await report(host, { instances: [{ uuid: one.uuid.toUpperCase() }] });
      expect(await pending()).toEqual([two.uuid]);
      await report(host, { instances: [] });
      expect(await pending()).toEqual([two.uuid]);
    });

    it('are recorded as released while the last report lists them', async () => {
      const host = name('h');
      await report(host);
      const [one, two] = [placed(host), placed(host)];
      await place(one, two);
      await report(host, { instances: [{ uuid: one.uuid }] });
      await ok('DELETE', `/scheduler/instances/${one.uuid}`);
      await ok('DELETE', `/scheduler/instances/${two.uuid}`);
      const released = async (): Promise<readonly string[]> => (await factsOf(host)).released.map(({ uuid }) => uuid);
      expect(await released()).toEqual([one.uuid]);
      await report(host, { instances: [{ uuid: one.uuid }], vcpus_used: 1 });
      expect(await released()).toEqual([one.uuid]);
      await report(host, { instances: [] });
      expect(await released()).toEqual([]);
    });

    it('release allocations, membership and record at once', async () => {
      const host = name('h');
      const uuid = (await report(host, { vcpus_total: 4, report_providers: true })).json.uuid as string;
      const group = (await ok('POST', '/scheduler/server_groups', { name: name('g'), policy: 'affinity' })).json.uuid;
      const row = placed(host, { hostUuid: uuid, groupUuid: group as string });
      await ok('PUT', `/allocations/${row.uuid}`, {
        allocations: { [uuid]: { resources: { VCPU: 3 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      });
      await service.database.write(async (tx) => {
        const held = await groups.lockGroupIn(tx, group as string);
        if (held === undefined) throw new Error('no group');
        await groups.addMembersIn(tx, held, [{ uuid: row.uuid, host }], Date.now());
        await instances.insertPlacedIn(tx, [row], Date.now());
      });
      expect((await ok('GET', `/scheduler/server_groups/${group}`)).json).toMatchObject({
        members: [row.uuid],
        hosts: [host],
      });
      expect((await ok('GET', `/scheduler/instances/${row.uuid}`)).json).toMatchObject({
        host,
        host_uuid: uuid,
        server_group: group,
        pending: true,
        allocations: { [uuid]: { resources: { VCPU: 3 } } },
      });
      await ok('DELETE', `/scheduler/instances/${row.uuid}`);
      expect((await ok('GET', `/allocations/${row.uuid}`)).json.allocations).toEqual({});
      expect((await ok('GET', `/resource_providers/${uuid}/usages`)).json.usages).toEqual({ VCPU: 0 });
      expect((await ok('GET', `/scheduler/server_groups/${group}`)).json).toMatchObject({ members: [], hosts: [] });
      expect((await ask('DELETE', `/scheduler/instances/${row.uuid}`)).status).toBe(404);
      await ok('DELETE', `/scheduler/server_groups/${group}`);
    });

    it('are released once by many concurrent requests', async () => {
      const row = placed(name('h'));
      await place(row);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => ask('DELETE', `/scheduler/instances/${row.uuid}`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
    });

    it('prevent the deletion of the objects that they name', async () => {
      const host = name('h');
      await report(host);
      const flavor = (await ok('POST', '/scheduler/flavors', { name: name('f'), vcpus: 1, memory_mb: 1 })).json.id;
      const image = (await ok('POST', '/scheduler/images', { name: 'i' })).json.uuid;
      const row = placed(host, { flavorId: flavor as string, imageUuid: image as string });
      await place(row);
      const paths = [`flavors/${flavor}`, `images/${image}`, `hosts/${host}/${host}`, `services/${host}`];
      for (const path of paths) {
        const { status, json } = await ask('DELETE', `/scheduler/${path}`);
        expect([path, status, json?.errors[0].code]).toEqual([path, 409, 'scheduler.in_use']);
      }
      await ok('DELETE', `/scheduler/instances/${row.uuid}`);
      for (const path of paths) expect([path, (await ask('DELETE', `/scheduler/${path}`)).status]).toEqual([path, 204]);
    });

    it('move together with their releases on the old host', async () => {
      const [from, to] = [name('h'), name('h')];
      await report(from);
      await report(to);
      const row = placed(from);
      await place(row);
      await report(from, { instances: [{ uuid: row.uuid }] });
      const moved = { ...row, host: to, node: to, attempts: 2 };
      const news = await newsOf(() => service.database.write((tx) => instances.replacePlacedIn(tx, moved, Date.now())));
      expect(news.services.size).toBe(2);
      expect([(await factsOf(from)).released, (await factsOf(to)).pending]).toMatchObject([
        [{ uuid: row.uuid }],
        [{ uuid: row.uuid }],
      ]);
    });
  });

  it('serialises claims for one group: each sees the earlier members', async () => {
    const { json } = await ok('POST', '/scheduler/server_groups', { name: name('g'), policy: 'anti-affinity' });
    const seen = await Promise.all(
      Array.from({ length: 8 }, () =>
        service.database.write(async (tx) => {
          const group = await groups.lockGroupIn(tx, json.uuid as string);
          if (group === undefined) throw new Error('no group');
          await groups.addMembersIn(tx, group, [{ uuid: fresh(), host: 'h' }], Date.now());
          return group.members.length;
        }),
      ),
    );
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('returns the document as read before the commit, so a later deletion cannot turn success into 404', async () => {
    const [aggregate, group, image] = [fresh(), fresh(), fresh()];
    const host = name('read-back');
    await report(host);
    const writes: readonly (readonly [Method, string, object])[] = [
      ['POST', 'host_aggregates', { name: name('a') }],
      ['PUT', `host_aggregates/${aggregate}`, { name: name('a') }],
      ['PATCH', `host_aggregates/${aggregate}`, { metadata: { a: 'b' } }],
      ['POST', `host_aggregates/${aggregate}/hosts`, { host }],
      ['POST', `host_aggregates/${aggregate}/hosts`, { host }],
      ['PATCH', `host_aggregates/${aggregate}/metadata`, { metadata: { a: null } }],
      ['POST', 'server_groups', { name: name('g'), policy: 'affinity' }],
      ['PUT', `server_groups/${group}`, { name: name('g'), policy: 'affinity' }],
      ['PATCH', `server_groups/${group}`, { name: name('g') }],
      ['POST', 'flavors', { name: name('f'), vcpus: 1, memory_mb: 1 }],
      ['PUT', 'flavors/read-back', { name: name('f'), vcpus: 1, memory_mb: 1 }],
      ['PATCH', 'flavors/read-back', { vcpus: 2 }],
      ['PATCH', 'flavors/read-back/extra_specs', { extra_specs: { a: 'b' } }],
      ['POST', 'images', { name: name('i') }],
      ['PUT', `images/${image}`, { name: name('i') }],
      ['PATCH', `images/${image}`, { name: name('i') }],
      ['PATCH', `services/${host}`, { status: 'disabled' }],
    ];
    for (const [method, path, body] of writes) {
      const statements = await counter.during(() => ok(method, `/scheduler/${path}`, body));
      expect([method, path, statements.at(-1)]).toEqual([method, path, 'COMMIT']);
    }
  });

  it('distinguishes names by code point: case, accents and blanks', async () => {
    const base = name('Ä');
    for (const called of [base, base.toLowerCase(), base.replace('Ä', 'A'), `${base} x`]) {
      await ok('POST', '/scheduler/host_aggregates', { name: called });
      await report(called);
    }
    const { json } = await ok('GET', `/scheduler/host_aggregates?name=${encodeURIComponent(base)}`);
    expect(json.host_aggregates).toHaveLength(1);
    expect(
      (await ok('GET', `/scheduler/hosts?host=${encodeURIComponent(base.toLowerCase())}`)).json.hosts,
    ).toHaveLength(1);
  });
});

describe.each(testDatabaseKinds())('a large cloud on %s', (kind) => {
  const HOSTS = 10_000;
  const INSTANCES = 100_000;

  it('is loaded by seven statements, and so are parts of it', async () => {
    const service = await startTestService(kind);
    const counter = installStatementCounter();
    try {
      await service.database.write(async (tx) => {
        const report = JSON.stringify({
          vcpus_total: 64,
          instances: Array.from({ length: 10 }, () => ({ uuid: 'x' })),
        });
        const numbers = (from: number): readonly number[] => Array.from({ length: 1_000 }, (_, at) => from + at);
        const marks = (columns: number): string => `(${Array(columns).fill('?').join(', ')})`;
        for (let from = 1; from <= HOSTS; from += 1_000) {
          await tx.run(
            `INSERT INTO scheduler_services (id, host, created_at) VALUES ${numbers(from)
              .map(() => marks(3))
              .join(', ')}`,
            numbers(from).flatMap((id) => [id, `h${id}`, 1]),
          );
          await tx.run(
            'INSERT INTO scheduler_hosts (service_id, node, report, report_digest, reported_at, created_at) VALUES ' +
              numbers(from)
                .map(() => marks(6))
                .join(', '),
            numbers(from).flatMap((id) => [id, 'n', report, '', 1, 1]),
          );
        }
        const project = await tx.insert("INSERT INTO projects (external_id, created_at) VALUES ('p', 1)");
        const user = await tx.insert("INSERT INTO users (external_id, created_at) VALUES ('u', 1)");
        const uuidOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
        const columns =
          'uuid, host, node, host_uuid, project_id, user_id, flavor, request_id, state, alternates, tried, request, listed_at, created_at';
        for (let from = 0; from < INSTANCES; from += 1_000) {
          await tx.run(
            `INSERT INTO scheduler_instances (${columns}) VALUES ${numbers(from)
              .map(() => marks(14))
              .join(', ')}`,
            numbers(from).flatMap((at) => [
              uuidOf(at),
              `h${1 + (at % HOSTS)}`,
              'n',
              '0',
              'p',
              'u',
              '{"vcpus":1}',
              'r',
              'placed',
              '[]',
              '[]',
              '{}',
              // One in a hundred is pending.
              at % 100 === 0 ? null : 1,
              1,
            ]),
          );
          await tx.run(
            'INSERT INTO consumers (uuid, generation, project_id, user_id, created_at) VALUES ' +
              numbers(from)
                .map(() => marks(5))
                .join(', '),
            numbers(from).flatMap((at) => [uuidOf(at), 1, project, user, 1]),
          );
        }
      });
      const load = (ids: readonly number[] | null): Promise<readonly ServiceFacts[]> =>
        service.database.readSnapshot((sql) => loadServices(sql, ids));
      let all: readonly ServiceFacts[] = [];
      const statements = await counter.during(async () => {
        all = await load(null);
        await service.database.readSnapshot((sql) => loadHostAggregates(sql, null));
      });
      expect(statements.filter((text) => text.startsWith('SELECT'))).toHaveLength(7);
      expect([all.length, all[0]?.hosts[0]?.report.instances.length]).toEqual([HOSTS, 10]);
      expect(all.reduce((sum, { pending }) => sum + pending.length, 0)).toBe(INSTANCES / 100);
      const some = await counter.during(async () => {
        expect((await load([5, 7, 999_999])).map(({ host }) => host)).toEqual(['h5', 'h7']);
      });
      expect(some.filter((text) => text.startsWith('SELECT'))).toHaveLength(4);
    } finally {
      counter.uninstall();
      await service.stop();
    }
  });
});
