// Reports of hosts, their root providers and their services: the statements and log rows of each, concurrent reports, and
// the marks in Placement within the same commit.
import { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import { SERVICE_CHANGE } from '../../src/platform/database/change-log';
import { testDatabaseKinds } from '../support/databases';
import { readChangeLog } from '../support/graph-follower';
import { startRegistries } from './registries-service';

const DISABLED = 'COMPUTE_STATUS_DISABLED';

describe.each(testDatabaseKinds())('a ratio of the configuration, on %s', (kind) => {
  const env = { BERTH_DEFAULT__CPU_ALLOCATION_RATIO: '3' };
  const { ok, name, report } = startRegistries(kind, { env });

  it('holds at every report, also at an equal one', async () => {
    const host = name('h');
    const body = { vcpus_total: 4, report_providers: true };
    const uuid = (await report(host, body)).json.uuid as string;
    const path = `/resource_providers/${uuid}/inventories/VCPU`;
    const { resource_provider_generation: generation, allocation_ratio: ratio } = (await ok('GET', path)).json;
    expect(ratio).toBe(3);
    await ok('PUT', path, { total: 4, allocation_ratio: 16, resource_provider_generation: generation });
    expect((await report(host, body)).json).toMatchObject({ changed: [], providers: { outcome: 'updated' } });
    expect((await ok('GET', path)).json.allocation_ratio).toBe(3);
  });
});

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const {
    service,
    counter,
    ask,
    ok,
    fresh,
    name,
    report,
    provider,
    traitsOf,
    aggregatesOf,
    factsOf,
    placed,
    place,
    record,
    newsOf,
  } = startRegistries(kind);

  describe('a report', () => {
    const cost = async (host: string, body: object): Promise<readonly string[]> =>
      (await counter().during(() => report(host, body))).map((text) => text.split(' ').slice(0, 3).join(' '));

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
      const rows = (await readChangeLog(service().database)).filter((row) => row.ref_id === id && row.kind > 2);
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
      const graphs = service().app.get(GraphSource);
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
    it('created once, changed only if the report says so, otherwise unchanged', async () => {
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

    it('keeping what an operator set, until a report names it', async () => {
      const host = name('h');
      const body = { vcpus_total: 4, memory_mb: 512, report_providers: true };
      const uuid = (await report(host, body)).json.uuid as string;
      const set = { total: 4, reserved: 1, min_unit: 2, max_unit: 2, step_size: 2, allocation_ratio: 8 };
      const vcpu = async (): Promise<object> => (await ok('GET', `/resource_providers/${uuid}/inventories/VCPU`)).json;
      const generation = async (): Promise<number> => (await ok('GET', `/resource_providers/${uuid}`)).json.generation;
      const change = { ...set, resource_provider_generation: await generation() };
      await ok('PUT', `/resource_providers/${uuid}/inventories/VCPU`, change);
      await ok('PUT', '/traits/CUSTOM_RACK');
      const traits = { traits: ['CUSTOM_RACK'], resource_provider_generation: await generation() };
      await ok('PUT', `/resource_providers/${uuid}/traits`, traits);
      const aggregates = { aggregates: [fresh()], resource_provider_generation: await generation() };
      await ok('PUT', `/resource_providers/${uuid}/aggregates`, aggregates);
      await report(host, { ...body, vcpus_total: 8, memory_mb: 1_024 });
      expect(await vcpu()).toMatchObject({ ...set, total: 8 });
      expect([await traitsOf(uuid), await aggregatesOf(uuid)]).toEqual([['CUSTOM_RACK'], aggregates.aggregates]);
      await report(host, { ...body, vcpus_total: 8, reserved_host_cpus: 0, cpu_allocation_ratio: 2 });
      expect(await vcpu()).toMatchObject({ ...set, total: 8, reserved: 0, allocation_ratio: 2 });
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
});
