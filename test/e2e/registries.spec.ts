// The registries over HTTP: documents, refusals without changes, pages and filters, generations, and access.
import { testDatabaseKinds } from '../support/databases';
import { naming } from '../support/naming';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { tableDump } from './registries-tables';

type Method = NonNullable<TestRequest['method']>;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SOME = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER = 'aaaaaaaa-0000-4000-8000-000000000002';
const refusal = (status: number, code: string): object => ({ status, json: { errors: [{ status, code }] } });

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let made = 0;
  beforeAll(async () => {
    service = await startTestService(kind, { env: { BERTH_DEFAULT__SERVICE_DOWN_TIME: '90' } });
  });
  afterAll(() => service.stop());

  const ask = (method: Method, path: string, body?: unknown): Promise<TestResponse> =>
    service.request({ method, path: `/scheduler/${path}`, ...(body !== undefined && { body }) });
  const ok = async (method: Method, path: string, body?: unknown): Promise<TestResponse> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const name = (prefix: string): string => {
    made += 1;
    return `${prefix}-${made}`;
  };

  describe('hosts', () => {
    const FULL = {
      cell: 'cell1',
      service_version: 73,
      hypervisor: { type: 'QEMU', version: 8_002_000, hostname: 'h', cpu_info: { arch: 'x86_64' } },
      host_ip: '192.0.2.7',
      vcpus_total: 8,
      vcpus_used: 2,
      memory_mb: 16_384,
      free_ram_mb: -5,
      local_gb: 100,
      free_disk_gb: 90,
      disk_available_least: 80,
      local_gb_used: 10,
      cpu_allocation_ratio: 2.5,
      ram_allocation_ratio: 0,
      supported_instances: [['x86_64', 'kvm', 'hvm']],
      stats: { num_instances: '1', io_workload: 0 },
      metrics: [{ name: 'cpu.percent', value: 4, unit: '%', measured_at: '2026-01-01T00:00:00Z' }],
      failed_builds: 0,
      reserved_host_cpus: 1,
      reserved_host_memory_mb: 512,
      reserved_host_disk_mb: 1,
      numa_topology: {
        cells: [
          {
            id: 0,
            socket: 0,
            cpuset: [2, 3],
            pcpuset: [4, 5, 6, 7],
            pinned_cpus: [4],
            siblings: [
              [4, 5],
              [6, 7],
            ],
            memory: 8_192,
            cpu_usage: 1,
            memory_usage: 1_024,
            physnets: ['physnet1'],
            tunneled: true,
            mempages: [{ size_kb: 4, total: 2_097_152, used: 0, reserved: 0 }],
          },
        ],
      },
      pci_device_pools: [
        {
          vendor_id: '8086',
          product_id: '1572',
          dev_type: 'type-PF',
          numa_node: 0,
          count: 2,
          tags: { physical_network: 'physnet1' },
        },
      ],
      instances: [
        {
          uuid: SOME,
          flavor: 'm1',
          project_id: 'p',
          task_state: null,
          vm_state: 'active',
          image_properties: { os_type: 'linux' },
        },
      ],
    };

    it('are their report and the state of their service', async () => {
      const host = name('host');
      const first = await ask('PUT', `hosts/${host}/node`, FULL);
      expect(first).toMatchObject({
        status: 201,
        headers: { location: expect.stringContaining(`/scheduler/hosts/${host}/node`) },
        json: { host, node: 'node', created: true, down_after_seconds: 90, providers: null, uuid: null },
      });
      const shown = await ok('GET', `hosts/${host}/node`);
      expect(shown.json).toMatchObject({
        ...FULL,
        host,
        node: 'node',
        uuid: null,
        status: 'enabled',
        state: 'up',
        forced_down: false,
        generation: 0,
        last_seen_up: expect.stringMatching(TIME),
        reported_at: expect.stringMatching(TIME),
        updated_at: null,
      });
      const again = await ask('PUT', `hosts/${host}/node`, { ...FULL, vcpus_used: 3, failed_builds: undefined });
      expect(again).toMatchObject({
        status: 200,
        json: { created: false, changed: ['failed_builds', 'vcpus_used'] },
      });
      expect((await ok('GET', `hosts/${host}/node`)).json).not.toHaveProperty('failed_builds');
    });

    it('accept an empty report as a heartbeat', async () => {
      const host = name('host');
      expect((await ask('PUT', `hosts/${host}/n`, {})).json).toMatchObject({ created: true, changed: [] });
      expect((await ok('GET', `services/${host}`)).json).toMatchObject({ state: 'up', nodes: ['n'] });
    });

    it('can have any characters in their names', async () => {
      const host = `${name('höst')} %/?#🐎`;
      const path = `hosts/${encodeURIComponent(host)}/${encodeURIComponent('a/b')}`;
      await ok('PUT', path, {});
      expect((await ok('GET', path)).json).toMatchObject({ host, node: 'a/b' });
      expect((await ok('GET', `hosts?host=${encodeURIComponent(host)}`)).json.hosts).toHaveLength(1);
    });

    it('are listed in pages and by filters, without large fields unless requested', async () => {
      const [cell, host] = [name('cell'), name('host')];
      for (const node of ['a', 'b', 'c']) await ok('PUT', `hosts/${host}/${node}`, { ...FULL, cell, instances: [] });
      const first = (await ok('GET', `hosts?cell=${cell}&limit=2`)).json;
      expect(first.hosts.map((each: { node: string }) => each.node)).toEqual(['a', 'b']);
      const second = (await ok('GET', `hosts?cell=${cell}&limit=2&marker=${first.next_marker}`)).json;
      expect([second.hosts.map((each: { node: string }) => each.node), second.next_marker]).toEqual([['c'], null]);
      expect(first.hosts[0]).not.toHaveProperty('numa_topology');
      expect(first.hosts[0]).toMatchObject({ vcpus_total: 8 });
      const long = (await ok('GET', `hosts?cell=${cell}&node=b&long=true`)).json.hosts;
      expect(long).toMatchObject([{ node: 'b', numa_topology: FULL.numa_topology }]);
      await ok('PATCH', `services/${host}`, { status: 'disabled', forced_down: true });
      for (const [filter, count] of [
        ['status=disabled', 3],
        ['status=enabled', 0],
        ['state=down', 3],
        ['state=up', 0],
        ['zone=nova', 3],
        ['zone=nowhere', 0],
      ] as const) {
        expect([filter, (await ok('GET', `hosts?cell=${cell}&${filter}`)).json.hosts.length]).toEqual([filter, count]);
      }
    });

    it.each<[string, unknown]>([
      ['nonsense', { nonsense: 1 }],
      ['uuid', { uuid: 'x' }],
      ['vcpus_total', { vcpus_total: -1 }],
      ['vcpus_total', { vcpus_total: 2_147_483_648 }],
      ['memory_mb', { memory_mb: 1.5 }],
      ['free_ram_mb', { free_ram_mb: '5' }],
      ['cpu_allocation_ratio', { cpu_allocation_ratio: -0.1 }],
      ['service_version', { service_version: -1 }],
      ['cell', { cell: ' c' }],
      ['hypervisor.version', { hypervisor: { version: '8.2' } }],
      ['hypervisor.kind', { hypervisor: { kind: 'QEMU' } }],
      ['hypervisor.cpu_info', { hypervisor: { cpu_info: [] } }],
      ['supported_instances', { supported_instances: ['x86_64'] }],
      ['stats.deep', { stats: { deep: {} } }],
      ['metrics.0.value', { metrics: [{ name: 'm', value: 'much' }] }],
      ['metrics.0.measured_at', { metrics: [{ name: 'm', value: 1, measured_at: 'yesterday' }] }],
      ['numa_topology', { numa_topology: [] }],
      ['numa_topology.cells.0.id', { numa_topology: { cells: [{}] } }],
      ['numa_topology.cells.0.cpuset', { numa_topology: { cells: [{ id: 0, memory: 1, cpuset: [1, 1] }] } }],
      ['numa_topology.cells.0.siblings', { numa_topology: { cells: [{ id: 0, memory: 1, siblings: [1] }] } }],
      [
        'numa_topology.cells.0.mempages.0.size_kb',
        { numa_topology: { cells: [{ id: 0, memory: 1, mempages: [{ total: 1 }] }] } },
      ],
      [
        'numa_topology.cells.0.pinned_cpus',
        { numa_topology: { cells: [{ id: 0, memory: 1, pcpuset: [1], pinned_cpus: [2] }] } },
      ],
      [
        'numa_topology.cells.1',
        {
          numa_topology: {
            cells: [
              { id: 0, memory: 1, cpuset: [1] },
              { id: 1, memory: 1, cpuset: [1] },
            ],
          },
        },
      ],
      [
        'pci_device_pools.0.dev_type',
        { pci_device_pools: [{ vendor_id: '1', product_id: '2', count: 1, dev_type: 'PF' }] },
      ],
      ['pci_device_pools.0.count', { pci_device_pools: [{ vendor_id: '1', product_id: '2' }] }],
      ['instances.0.uuid', { instances: [{ uuid: 'vm' }] }],
      ['instances.1.uuid', { instances: [{ uuid: SOME }, { uuid: SOME }] }],
      ['instances.0.state', { instances: [{ uuid: SOME, state: 'active' }] }],
      ['report_providers', { report_providers: 'yes' }],
    ])('refuse a report with %s by field, and store nothing of it', async (field, body) => {
      const before = await tableDump(service.database);
      const answer = await ask('PUT', 'hosts/bad/bad', body);
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect(answer.json.errors[0].detail).toMatch(naming(field));
      expect(await tableDump(service.database)).toEqual(before);
    });

    it('refuse a provider that is not a root', async () => {
      const post = async (body: object): Promise<string> =>
        (await service.request({ method: 'POST', path: '/resource_providers', body })).json.uuid as string;
      const child = await post({ name: name('child'), parent_provider_uuid: await post({ name: name('root') }) });
      const answer = await ask('PUT', `hosts/${name('host')}/n`, { uuid: child });
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
    });

    it('can be deleted, which keeps their service', async () => {
      const host = name('host');
      await ok('PUT', `hosts/${host}/n`, {});
      await ok('DELETE', `hosts/${host}/n`);
      expect(await ask('GET', `hosts/${host}/n`)).toMatchObject(refusal(404, 'scheduler.not_found'));
      expect(await ask('DELETE', `hosts/${host}/n`)).toMatchObject(refusal(404, 'scheduler.not_found'));
      expect((await ok('GET', `services/${host}`)).json.nodes).toEqual([]);
    });
  });

  describe('services', () => {
    const reported = async (): Promise<string> => {
      const host = name('host');
      await ok('PUT', `hosts/${host}/n`, {});
      return host;
    };

    it('are enabled, disabled with a reason, and forced down independently', async () => {
      const host = await reported();
      const path = `services/${host}`;
      expect((await ok('GET', path)).json).toEqual({
        host,
        nodes: ['n'],
        status: 'enabled',
        disabled_reason: null,
        forced_down: false,
        state: 'up',
        last_seen_up: expect.stringMatching(TIME),
        down_after_seconds: 90,
        availability_zone: 'nova',
        generation: 0,
        created_at: expect.stringMatching(TIME),
        updated_at: null,
      });
      const steps: [object, object][] = [
        [
          { status: 'disabled', disabled_reason: 'disk' },
          { status: 'disabled', disabled_reason: 'disk' },
        ],
        [{ disabled_reason: 'disks' }, { status: 'disabled', disabled_reason: 'disks' }],
        [{ forced_down: true }, { state: 'down', forced_down: true, disabled_reason: 'disks' }],
        [{ status: 'disabled' }, { disabled_reason: 'disks' }],
        [{ disabled_reason: null }, { status: 'disabled', disabled_reason: null }],
        [{ status: 'enabled' }, { status: 'enabled', forced_down: true }],
        [
          { forced_down: false, generation: 6 },
          { state: 'up', generation: 7 },
        ],
      ];
      for (const [change, expected] of steps) expect((await ok('PATCH', path, change)).json).toMatchObject(expected);
    });

    it('have a reason only while they are disabled', async () => {
      const host = await reported();
      for (const body of [{ disabled_reason: 'x' }, { status: 'enabled', disabled_reason: 'x' }]) {
        const answer = await ask('PATCH', `services/${host}`, body);
        expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
        expect(answer.json.errors[0].detail).toMatch(naming('disabled_reason'));
      }
    });

    it.each<[string, object]>([
      ['status', { status: 'up' }],
      ['status', { status: null }],
      ['forced_down', { forced_down: 'true' }],
      ['disabled', { disabled: true }],
    ])('refuse %s by field', async (field, body) => {
      const answer = await ask('PATCH', `services/${await reported()}`, body);
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect(answer.json.errors[0].detail).toMatch(naming(field));
    });

    it('check the generation if one is given', async () => {
      const host = await reported();
      const stale = await ask('PATCH', `services/${host}`, { forced_down: true, generation: 1 });
      expect(stale).toMatchObject(refusal(409, 'scheduler.generation_conflict'));
      expect((await ok('GET', `services/${host}`)).json.forced_down).toBe(false);
    });

    it('without reports are down until the next report', async () => {
      const host = await reported();
      const silence = (seconds: number): Promise<number> =>
        service.database.write((tx) =>
          tx.run('UPDATE scheduler_services SET last_seen_up = ? WHERE host = ?', [Date.now() - seconds * 1000, host]),
        );
      const state = async (): Promise<string> => (await ok('GET', `services/${host}`)).json.state as string;
      const listed = async (which: string): Promise<number> =>
        (await ok('GET', `services?host=${host}&state=${which}`)).json.services.length as number;
      await silence(80);
      expect([await state(), await listed('up'), await listed('down')]).toEqual(['up', 1, 0]);
      await silence(100);
      expect([await state(), await listed('up'), await listed('down')]).toEqual(['down', 0, 1]);
      await ok('PUT', `hosts/${host}/n`, {});
      expect(await state()).toBe('up');
    });

    it('without any report do not exist', async () => {
      expect(await ask('GET', 'services/nobody')).toMatchObject(refusal(404, 'scheduler.not_found'));
      const answer = await ask('PATCH', 'services/nobody', { status: 'disabled' });
      expect(answer).toMatchObject(refusal(404, 'scheduler.not_found'));
      expect(await ask('DELETE', 'services/nobody')).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('are listed by host, status, zone', async () => {
      const host = await reported();
      const zone = name('zone');
      await ok('POST', 'host_aggregates', { name: name('agg'), availability_zone: zone, hosts: [host] });
      expect((await ok('GET', `services?zone=${zone}`)).json.services).toMatchObject([
        { host, availability_zone: zone },
      ]);
      expect((await ok('GET', `services?zone=nova&host=${host}`)).json.services).toEqual([]);
      expect((await ok('GET', `services?host=${host}&status=enabled&forced_down=false`)).json.services).toHaveLength(1);
    });
  });

  describe('host aggregates', () => {
    it('are created, changed and deleted', async () => {
      const [called, host, other] = [name('agg'), name('host'), name('host')];
      const zone = name('zone');
      const { json } = await ok('POST', 'host_aggregates', {
        name: called,
        availability_zone: zone,
        metadata: { ssd: true, tier: 3 },
        hosts: [host, host],
      });
      expect(json).toEqual({
        uuid: expect.stringMatching(UUID),
        name: called,
        availability_zone: zone,
        hosts: [host],
        generation: 0,
        metadata: { availability_zone: zone, ssd: 'true', tier: '3' },
        created_at: expect.stringMatching(TIME),
        updated_at: null,
      });
      const path = `host_aggregates/${json.uuid}`;
      expect((await ok('PATCH', `${path}/metadata`, { metadata: { ssd: null, new: 'x' } })).json).toMatchObject({
        metadata: { availability_zone: zone, tier: '3', new: 'x' },
        generation: 1,
      });
      expect((await ok('POST', `${path}/hosts`, { host: other })).json.hosts).toEqual([host, other].sort());
      expect((await ok('POST', `${path}/hosts`, { host: other })).json.generation).toBe(2);
      expect((await ok('PATCH', path, { name: `${called}x`, availability_zone: null })).json).toMatchObject({
        name: `${called}x`,
        availability_zone: null,
        metadata: { tier: '3', new: 'x' },
      });
      const put = await ok('PUT', path, { name: called, hosts: [other], generation: 3 });
      expect(put.json).toMatchObject({ name: called, hosts: [other], metadata: {}, generation: 4 });
      expect(await ask('DELETE', path)).toMatchObject(refusal(409, 'scheduler.in_use'));
      await ok('DELETE', `${path}/hosts/${other}`);
      expect(await ask('DELETE', `${path}/hosts/${other}`)).toMatchObject(refusal(404, 'scheduler.not_found'));
      await ok('DELETE', path);
      expect(await ask('GET', path)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('are listed by name, host and zone', async () => {
      const [called, host, zone] = [name('agg'), name('host'), name('zone')];
      await ok('POST', 'host_aggregates', { name: called, hosts: [host], availability_zone: zone });
      for (const filter of [`name=${called}`, `host=${host}`, `zone=${zone}`]) {
        expect((await ok('GET', `host_aggregates?${filter}`)).json.host_aggregates).toMatchObject([{ name: called }]);
      }
    });

    it.each<[string, Method, string, unknown]>([
      ['name', 'POST', '', {}],
      ['name', 'POST', '', { name: ' x' }],
      ['name', 'POST', '', { name: 'x'.repeat(256) }],
      ['uuid', 'POST', '', { name: 'x', uuid: 'x' }],
      ['metadata.a', 'POST', '', { name: 'x', metadata: { a: null } }],
      ['metadata.a', 'POST', '', { name: 'x', metadata: { a: 'x'.repeat(256) } }],
      ['metadata', 'POST', '', { name: 'x', metadata: { '': 'x' } }],
      ['hosts', 'POST', '', { name: 'x', hosts: [''] }],
      ['availability_zone', 'POST', '', { name: 'x', availability_zone: 'a:b' }],
      ['availability_zone', 'POST', '', { name: 'x', metadata: { availability_zone: '' } }],
      ['availability_zone', 'POST', '', { name: 'x', availability_zone: 'a', metadata: { availability_zone: 'b' } }],
      ['members', 'POST', '', { name: 'x', members: [] }],
      ['uuid', 'PUT', `/${SOME}`, { name: 'x', uuid: OTHER }],
      ['uuid', 'PUT', '/nonsense', { name: 'x' }],
      ['host', 'POST', `/${SOME}/hosts`, { host: '' }],
      ['hosts', 'POST', `/${SOME}/hosts`, { hosts: ['x'] }],
      ['metadata', 'PATCH', `/${SOME}/metadata`, { metadata: [] }],
      ['metadata', 'PATCH', `/${SOME}/metadata`, {}],
    ])('refuse %s by field: %s %s', async (field, method, path, body) => {
      const before = await tableDump(service.database);
      const answer = await ask(method, `host_aggregates${path}`, body);
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect(answer.json.errors[0].detail).toMatch(naming(field));
      expect(await tableDump(service.database)).toEqual(before);
    });
  });

  describe('availability zones', () => {
    it('are derived from host aggregates and hosts, reported or not', async () => {
      const [zone, empty] = [name('zone'), name('zone')];
      const [up, down, silent] = [name('host'), name('host'), name('host')];
      for (const host of [up, down]) await ok('PUT', `hosts/${host}/n`, {});
      await ok('PATCH', `services/${down}`, { forced_down: true });
      const { json } = await service.request({ method: 'POST', path: '/resource_providers', body: { name: silent } });
      await service.request({
        method: 'POST',
        path: `/resource_providers/${json.uuid}/inventories`,
        body: { resource_class: 'VCPU', total: 4 },
      });
      await ok('POST', 'host_aggregates', { name: name('agg'), availability_zone: zone, hosts: [up, down, silent] });
      await ok('POST', 'host_aggregates', { name: name('agg'), availability_zone: empty });
      expect((await ok('GET', `availability_zones?name=${zone}`)).json).toEqual({
        availability_zones: [
          {
            name: zone,
            default: false,
            available: true,
            hosts_total: 3,
            hosts_up: 2,
            hosts: [
              { host: up, state: 'up', status: 'enabled' },
              { host: down, state: 'down', status: 'enabled' },
              { host: silent, state: 'up', status: 'enabled' },
            ].sort((a, b) => (a.host < b.host ? -1 : 1)),
          },
        ],
        next_marker: null,
      });
      expect((await ok('GET', `availability_zones?name=${empty}`)).json.availability_zones).toMatchObject([
        { available: false, hosts_total: 0 },
      ]);
      expect((await ok('GET', `availability_zones?host=${up}`)).json.availability_zones).toHaveLength(1);
    });

    it('include one for hosts without a zone', async () => {
      const host = name('host');
      await ok('PUT', `hosts/${host}/n`, {});
      const { json } = await ok('GET', 'availability_zones?name=nova');
      expect(json.availability_zones).toMatchObject([{ name: 'nova', default: true }]);
      expect(json.availability_zones[0].hosts).toContainEqual({ host, state: 'up', status: 'enabled' });
    });

    it('cannot be written', async () => {
      expect((await ask('POST', 'availability_zones', { name: 'x' })).status).toBe(405);
    });
  });

  describe('server groups', () => {
    const CREATE = { policy: 'anti-affinity', rules: { max_server_per_host: 2 } };

    it('are created, changed and deleted', async () => {
      const called = name('group');
      const { json } = await ok('POST', 'server_groups', { name: called, project_id: 'p', ...CREATE });
      expect(json).toEqual({
        uuid: expect.stringMatching(UUID),
        name: called,
        project_id: 'p',
        user_id: null,
        ...CREATE,
        members: [],
        hosts: [],
        generation: 0,
        created_at: expect.stringMatching(TIME),
        updated_at: null,
      });
      const path = `server_groups/${json.uuid}`;
      expect((await ok('PATCH', path, { name: `${called}x`, project_id: null })).json).toMatchObject({
        name: `${called}x`,
        project_id: null,
        generation: 1,
      });
      const put = { name: called, policy: 'affinity', members: [SOME, OTHER] };
      expect((await ok('PUT', path, { ...put, generation: 1 })).json).toMatchObject({
        rules: {},
        policy: 'affinity',
        members: [SOME, OTHER],
        generation: 2,
      });
      const other = await ask('PUT', path, { name: called, policy: 'anti-affinity', generation: 2 });
      expect(other).toMatchObject(refusal(409, 'scheduler.in_use'));
      expect((await ok('PUT', path, { name: `${called}y`, policy: 'affinity', generation: 2 })).json).toMatchObject({
        name: `${called}y`,
        members: [SOME, OTHER],
      });
      expect(await ask('DELETE', path)).toMatchObject(refusal(409, 'scheduler.in_use'));
      await ok('PUT', path, { name: called, policy: 'affinity', members: [], generation: 3 });
      await ok('DELETE', path);
      expect(await ask('DELETE', path)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('are listed by name, project, policy and member', async () => {
      const [called, project] = [name('group'), name('project')];
      const member = 'bbbbbbbb-0000-4000-8000-000000000001';
      const body = { name: called, project_id: project, policy: 'soft-affinity', members: [member] };
      await ok('POST', 'server_groups', body);
      for (const filter of [`name=${called}`, `project_id=${project}&policy=soft-affinity`, `member=${member}`]) {
        expect((await ok('GET', `server_groups?${filter}`)).json.server_groups).toMatchObject([{ name: called }]);
      }
    });

    it.each<[string, object]>([
      ['name', { policy: 'affinity' }],
      ['policy', { name: 'g' }],
      ['policy', { name: 'g', policy: 'near' }],
      ['rules.max_server_per_host', { name: 'g', policy: 'anti-affinity', rules: { max_server_per_host: 0 } }],
      ['rules.max_server_per_host', { name: 'g', policy: 'affinity', rules: { max_server_per_host: 1 } }],
      ['rules.max', { name: 'g', policy: 'anti-affinity', rules: { max: 1 } }],
      ['members', { name: 'g', policy: 'affinity', members: ['x'] }],
      ['hosts', { name: 'g', policy: 'affinity', hosts: [] }],
    ])('refuse %s by field', async (field, body) => {
      const before = await tableDump(service.database);
      const answer = await ask('POST', 'server_groups', body);
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect(answer.json.errors[0].detail).toMatch(naming(field));
      expect(await tableDump(service.database)).toEqual(before);
    });
  });

  describe('flavors', () => {
    const SMALL = { vcpus: 1, memory_mb: 512 };

    it('are created, changed and deleted', async () => {
      const [id, called] = [name('id'), name('flavor')];
      const { json, status } = await ask('POST', 'flavors', {
        id,
        name: called,
        ...SMALL,
        root_gb: 10,
        ephemeral_gb: 1,
        swap: 256,
        extra_specs: { 'hw:cpu_policy': 'dedicated', 'resources:VGPU': 1, 'trait:HW_CPU_X86_AVX': 'required' },
      });
      expect([status, json]).toEqual([
        201,
        {
          id,
          name: called,
          ...SMALL,
          root_gb: 10,
          ephemeral_gb: 1,
          swap: 256,
          generation: 0,
          warnings: [],
          extra_specs: { 'hw:cpu_policy': 'dedicated', 'resources:VGPU': '1', 'trait:HW_CPU_X86_AVX': 'required' },
          created_at: expect.stringMatching(TIME),
          updated_at: null,
        },
      ]);
      const merged = await ok('PATCH', `flavors/${id}/extra_specs`, {
        extra_specs: { 'resources:VGPU': null, 'hw:cpu_policy': 'shared' },
      });
      expect(merged.json).toMatchObject({
        extra_specs: { 'hw:cpu_policy': 'shared', 'trait:HW_CPU_X86_AVX': 'required' },
        generation: 1,
      });
      expect((await ok('PATCH', `flavors/${id}`, { vcpus: 4, generation: 1 })).json).toMatchObject({
        name: called,
        vcpus: 4,
        memory_mb: 512,
        root_gb: 10,
        generation: 2,
      });
      expect((await ok('PUT', `flavors/${id}`, { name: called, ...SMALL, generation: 2 })).json).toMatchObject({
        vcpus: 1,
        root_gb: 0,
        extra_specs: {},
        generation: 3,
      });
      await ok('DELETE', `flavors/${id}`);
      expect(await ask('GET', `flavors/${id}`)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('get an id if none is given, and are listed by name and size', async () => {
      const called = name('flavor');
      const { json } = await ok('POST', 'flavors', { name: called, vcpus: 1, memory_mb: 999_999, root_gb: 77_777 });
      expect(json.id).toMatch(UUID);
      for (const filter of [`name=${called}`, 'min_ram=999999', 'min_disk=77777']) {
        expect((await ok('GET', `flavors?${filter}`)).json.flavors).toMatchObject([{ name: called }]);
      }
      expect((await ok('GET', 'flavors?min_ram=1000000')).json.flavors).toEqual([]);
    });

    it.each<[string, object]>([
      ['name', SMALL],
      ['vcpus', { name: 'f', memory_mb: 1 }],
      ['memory_mb', { name: 'f', vcpus: 1, memory_mb: -1 }],
      ['swap', { name: 'f', ...SMALL, swap: 0.5 }],
      ['is_public', { name: 'f', ...SMALL, is_public: true }],
      ['extra_specs', { name: 'f', ...SMALL, extra_specs: { a: { b: 'c' } } }],
      ['extra_specs.resources:GPU', { name: 'f', ...SMALL, extra_specs: { 'resources:GPU': 1 } }],
      ['extra_specs.resources:VCPU', { name: 'f', ...SMALL, extra_specs: { 'resources:VCPU': 'many' } }],
      ['extra_specs.trait:CUSTOM_X', { name: 'f', ...SMALL, extra_specs: { 'trait:CUSTOM_X': 'wanted' } }],
      ['extra_specs.trait_GPU', { name: 'f', ...SMALL, extra_specs: { 'trait_GPU:CUSTOM_X': 'required' } }],
      ['extra_specs.group_policy', { name: 'f', ...SMALL, extra_specs: { group_policy: 'near' } }],
      ['extra_specs.pci_passthrough:alias', { name: 'f', ...SMALL, extra_specs: { 'pci_passthrough:alias': 'nic:1' } }],
      ['extra_specs.hw:cpu_policy', { name: 'f', ...SMALL, extra_specs: { 'hw:cpu_policy': 'exclusive' } }],
      ['extra_specs.capabilities:x', { name: 'f', ...SMALL, extra_specs: { 'capabilities:x': '<or>' } }],
    ])('refuse %s by field', async (field, body) => {
      const before = await tableDump(service.database);
      for (const [method, path] of [
        ['POST', 'flavors'],
        ['PUT', 'flavors/new'],
      ] as const) {
        const answer = await ask(method, path, body);
        expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
        expect(answer.json.errors[0].detail).toContain(`'${field}`);
      }
      expect(await tableDump(service.database)).toEqual(before);
    });

    it('stay valid after a merge', async () => {
      const { json } = await ok('POST', 'flavors', { name: name('flavor'), ...SMALL });
      const answer = await ask('PATCH', `flavors/${json.id}/extra_specs`, { extra_specs: { 'resources:GPU': 1 } });
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect((await ok('GET', `flavors/${json.id}`)).json).toMatchObject({ extra_specs: {}, generation: 0 });
    });

    it('warn of probable mistakes, and of names that do not exist yet', async () => {
      const extra_specs = { colour: 'blue', 'resources:CUSTOM_LATER': 1, 'trait:CUSTOM_LATER': 'required' };
      const { json } = await ok('POST', 'flavors', { name: name('flavor'), ...SMALL, extra_specs });
      expect(json.warnings.map(({ field }: { field: string }) => field).sort()).toEqual([
        'extra_specs.colour',
        'extra_specs.resources:CUSTOM_LATER',
        'extra_specs.trait:CUSTOM_LATER',
      ]);
    });
  });

  describe('images', () => {
    it('are created, changed and deleted', async () => {
      const { json, status } = await ask('POST', 'images', {
        name: 'cirros',
        disk_format: 'qcow2',
        properties: { hw_architecture: 'x86_64', os_type: 'linux' },
      });
      expect([status, json]).toEqual([
        201,
        {
          uuid: expect.stringMatching(UUID),
          name: 'cirros',
          disk_format: 'qcow2',
          generation: 0,
          warnings: [],
          properties: { hw_architecture: 'x86_64', os_type: 'linux' },
          created_at: expect.stringMatching(TIME),
          updated_at: null,
        },
      ]);
      const path = `images/${json.uuid}`;
      const patched = await ok('PATCH', path, { name: null, properties: { os_type: null, hw_vm_mode: 'hvm' } });
      expect(patched.json).toMatchObject({
        name: null,
        disk_format: 'qcow2',
        generation: 1,
        properties: { hw_architecture: 'x86_64', hw_vm_mode: 'hvm' },
      });
      expect((await ok('PUT', path, { generation: 1 })).json).toMatchObject({
        name: null,
        disk_format: null,
        properties: {},
        generation: 2,
      });
      await ok('DELETE', path);
      expect(await ask('GET', path)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('can share a name, and are listed by it', async () => {
      const called = name('image');
      for (const disk_format of ['raw', 'qcow2']) await ok('POST', 'images', { name: called, disk_format });
      expect((await ok('GET', `images?name=${called}`)).json.images).toHaveLength(2);
      expect((await ok('GET', `images?name=${called}&disk_format=raw`)).json.images).toHaveLength(1);
    });

    it.each<[string, object]>([
      ['uuid', { uuid: 'x' }],
      ['disk_format', { disk_format: '' }],
      ['format', { format: 'raw' }],
      ['properties.a', { properties: { a: [] } }],
      ['properties.trait:CUSTOM_X', { properties: { 'trait:CUSTOM_X': 'wanted' } }],
      ['properties.hw_cpu_policy', { properties: { hw_cpu_policy: 'exclusive' } }],
    ])('refuse %s by field', async (field, body) => {
      const before = await tableDump(service.database);
      const answer = await ask('POST', 'images', body);
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect(answer.json.errors[0].detail).toMatch(naming(field));
      expect(await tableDump(service.database)).toEqual(before);
    });
  });

  describe.each<[string, (at: number) => object, (document: object) => string]>([
    ['host_aggregates', () => ({ name: name('agg') }), (document) => (document as { uuid: string }).uuid],
    [
      'server_groups',
      () => ({ name: name('group'), policy: 'affinity' }),
      (document) => (document as { uuid: string }).uuid,
    ],
    [
      'flavors',
      () => ({ name: name('flavor'), vcpus: 1, memory_mb: 1 }),
      (document) => (document as { id: string }).id,
    ],
    ['images', () => ({ name: name('image') }), (document) => (document as { uuid: string }).uuid],
  ])('%s', (plural, bodyOf, keyOf) => {
    const idOf = plural === 'flavors' ? 'id' : 'uuid';

    it('can be given their id, once', async () => {
      const id = `cccccccc-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
      const { json, headers } = await ok('POST', plural, { ...bodyOf(0), [idOf]: id });
      expect([json[idOf], String(headers['location'])]).toEqual([
        id,
        expect.stringContaining(`/scheduler/${plural}/${id}`),
      ]);
      expect(await ask('POST', plural, { ...bodyOf(0), [idOf]: id })).toMatchObject(
        refusal(409, 'scheduler.duplicate_name'),
      );
    });

    it('are created by PUT, and replaced only with the current generation', async () => {
      const id = `cccccccc-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
      const path = `${plural}/${id}`;
      const conflict = refusal(409, 'scheduler.generation_conflict');
      expect(await ask('PUT', path, { ...bodyOf(0), generation: 0 })).toMatchObject(conflict);
      expect(await ask('PUT', path, bodyOf(0))).toMatchObject({ status: 201, json: { generation: 0 } });
      expect(await ask('PUT', path, bodyOf(0))).toMatchObject(conflict);
      expect(await ask('PUT', path, { ...bodyOf(0), generation: 1 })).toMatchObject(conflict);
      expect(await ask('PUT', path, { ...bodyOf(0), generation: 0 })).toMatchObject({
        status: 200,
        json: { generation: 1 },
      });
      const patch = { name: name('patched'), generation: 0 };
      expect(await ask('PATCH', path, patch)).toMatchObject(conflict);
      expect((await ok('PATCH', path, { ...patch, generation: 1 })).json).toMatchObject({
        name: patch.name,
        generation: 2,
      });
    });

    it('are replaced by only one of many writers with the same generation', async () => {
      const { json } = await ok('POST', plural, bodyOf(0));
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          ask('PUT', `${plural}/${keyOf(json as object)}`, { ...bodyOf(0), generation: 0 }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    });

    it('are listed in the order of creation, page by page', async () => {
      const keys: string[] = [];
      for (let at = 0; at < 5; at += 1) keys.push(keyOf((await ok('POST', plural, bodyOf(at))).json as object));
      const seen: string[] = [];
      let marker: string | null = '';
      while (marker !== null) {
        const query: string = marker === '' ? '' : `&marker=${marker}`;
        const { json }: TestResponse = await ok('GET', `${plural}?limit=2${query}`);
        expect(json[plural].length).toBeLessThanOrEqual(2);
        seen.push(...json[plural].map(keyOf));
        marker = json.next_marker as string | null;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((key) => keys.includes(key))).toEqual(keys);
    });

    it.each(['limit=0', 'limit=5001', 'limit=x', 'marker=nothing', 'colour=blue'])(
      'refuse a list by %s',
      async (query) => {
        const answer = await ask('GET', `${plural}?${query}`);
        expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
        expect(answer.json.errors[0].detail).toContain(`Invalid query string parameters: '${query.split('=')[0]}' `);
      },
    );

    it('have unique names', async () => {
      if (plural !== 'host_aggregates' && plural !== 'flavors') return;
      const [one, two] = [(await ok('POST', plural, bodyOf(0))).json, (await ok('POST', plural, bodyOf(1))).json];
      const taken = refusal(409, 'scheduler.duplicate_name');
      expect(await ask('POST', plural, { ...bodyOf(0), name: one.name })).toMatchObject(taken);
      expect(await ask('PATCH', `${plural}/${keyOf(two as object)}`, { name: one.name })).toMatchObject(taken);
      const put = { ...bodyOf(0), name: one.name, generation: 0 };
      expect(await ask('PUT', `${plural}/${keyOf(two as object)}`, put)).toMatchObject(taken);
    });

    it('that do not exist are not found', async () => {
      for (const method of ['GET', 'DELETE'] as const) {
        expect(await ask(method, `${plural}/${OTHER}`)).toMatchObject(refusal(404, 'scheduler.not_found'));
      }
      expect(await ask('PATCH', `${plural}/${OTHER}`, { name: 'x' })).toMatchObject(
        refusal(404, 'scheduler.not_found'),
      );
    });

    it('accept JSON only, and no query parameter if there is none', async () => {
      expect((await ask('POST', plural, '[]')).status).toBe(400);
      const text = await service.request({
        method: 'POST',
        path: `/scheduler/${plural}`,
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      });
      expect(text.status).toBe(415);
      expect(await ask('GET', `${plural}/${OTHER}?x=1`)).toMatchObject(refusal(400, 'scheduler.invalid_request'));
    });
  });

  it('every route of the registries refuses members, and admits admins and services', async () => {
    const registries =
      /^\/scheduler\/(hosts|services|host_aggregates|availability_zones|server_groups|flavors|images|instances)/;
    const later = /build_failed|move/;
    const operations = [...service.routes].flatMap(([path, methods]) =>
      registries.test(path) && !later.test(path)
        ? methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
        : [],
    );
    expect(operations).toHaveLength(40);
    for (const operation of operations) {
      const [method = 'GET', path = ''] = operation.split(' ');
      const request = {
        method: method as Method,
        path: path.replaceAll(/\{\w+\}/g, OTHER),
        ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
      };
      const member = await service.request({
        ...request,
        headers: { 'x-auth-token': 'somebody:project', 'x-roles': 'member,reader' },
      });
      expect([operation, member.status]).toEqual([operation, 403]);
      const robot = await service.request({
        ...request,
        headers: { 'x-auth-token': 'nova:service', 'x-roles': 'service' },
      });
      expect([operation, [401, 403].includes(robot.status)]).toEqual([operation, false]);
    }
  });
});
