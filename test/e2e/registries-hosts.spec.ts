// Hosts and their services over HTTP: reports, states, pages and filters, and refusals without changes.
import { testDatabaseKinds } from '../support/databases';
import { refusal, SOME, startRegistries, TIME } from './registries-service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, refusesField, name, uuid, logged } = startRegistries(kind);

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

    it('of a rebuilt node name the provider that has the name, and the refusal is logged', async () => {
      const [node, old] = [name('rebuilt'), uuid()];
      const report = { vcpus_total: 4, memory_mb: 1_024, local_gb: 10, report_providers: true };
      await ok('PUT', `hosts/${node}/${node}`, { ...report, uuid: old });
      const again = await ask('PUT', `hosts/${node}/${node}`, { ...report, uuid: uuid() });
      expect(again).toMatchObject(refusal(409, 'scheduler.duplicate_name'));
      expect(again.json.errors[0].detail).toContain(`provider ${old} has the name ${node}`);
      expect(again.json.errors[0].detail).toContain(`openstack resource provider set --name ${node}-old ${old}`);
      expect(logged().find((line) => line.includes('host report refused'))).toContain(`"node":"${node}"`);
      expect((await ok('GET', `hosts/${node}/${node}`)).json.uuid).toBe(old);
    });

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
      await refusesField(field, 'PUT', 'hosts/bad/bad', body);
    });

    it('refuse a provider that is not a root', async () => {
      const post = async (body: object): Promise<string> =>
        (await service().request({ method: 'POST', path: '/resource_providers', body })).json.uuid as string;
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
        await refusesField('disabled_reason', 'PATCH', `services/${host}`, body);
      }
    });

    it.each<[string, object]>([
      ['status', { status: 'up' }],
      ['status', { status: null }],
      ['forced_down', { forced_down: 'true' }],
      ['disabled', { disabled: true }],
    ])('refuse %s by field', async (field, body) => {
      await refusesField(field, 'PATCH', `services/${await reported()}`, body);
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
        service().database.write((tx) =>
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
});
