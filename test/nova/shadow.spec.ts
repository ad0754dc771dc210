// `berth scheduler shadow` on the real databases: stored requests of nova are decided again and compared.
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../src/nova/objects/captured.fixture';
import { bootSpec, novaObject } from '../../src/nova/objects/captured.fixture';
import { SHADOW_LIMITS } from '../../src/nova/shadow/limits';
import type { CommandResult } from '../support/command-line';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { NovaDatabases } from './nova-databases';

const uuid = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const [ONE, GROUP, MEMBER] = [uuid(1), uuid(8), uuid(9)];
const CELL_ZERO = 1;
const CELL = 2;

type Node = 'cmp1' | 'cmp2' | 'cmp3';

const flavorOf = (data: Json): Json =>
  novaObject('Flavor', '1.2', {
    name: 'm1',
    memory_mb: 512,
    vcpus: 1,
    root_gb: 5,
    ephemeral_gb: 0,
    swap: 0,
    extra_specs: {},
    ...data,
  });

describe.each(testDatabaseKinds())('berth scheduler shadow on %s', (kind) => {
  let nova: NovaDatabases;
  let service: TestService;
  let nodes: Readonly<Record<Node, string>>;
  let folder: string;

  beforeAll(async () => {
    nova = await NovaDatabases.load();
    folder = mkdtempSync(join(tmpdir(), 'berth-shadow-'));
    const conf = [
      '[DEFAULT]',
      'transport_url = rabbit://nowhere/',
      '[api_database]',
      `connection = ${nova.url(nova.api)}`,
      '[database]',
      `connection = ${nova.templateBase}`,
      '',
    ];
    writeFileSync(join(folder, 'nova.conf'), conf.join('\n'));
  });

  afterAll(async () => {
    await nova.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await nova.reset();
    await addShadowTables(nova);
    await nova.run('UPDATE cell1.services SET last_seen_up = UTC_TIMESTAMP(), disabled = 0');
    const rows = await nova.run('SELECT host, uuid FROM cell1.compute_nodes WHERE deleted = 0');
    nodes = Object.fromEntries(rows.map((row: { host: string; uuid: string }) => [row.host, row.uuid])) as typeof nodes;
    service = await startTestService(kind);
    for (const name of ['cmp1', 'cmp2', 'cmp3'] as const) await report(name);
  });

  afterEach(() => service.stop());

  async function report(name: Node): Promise<void> {
    const inventories = {
      VCPU: { total: 8, allocation_ratio: 16 },
      MEMORY_MB: { total: 16_384 },
      DISK_GB: { total: 500 },
    };
    await service.request({ method: 'POST', path: '/resource_providers', body: { uuid: nodes[name], name } });
    const path = `/resource_providers/${nodes[name]}/inventories`;
    const body = { resource_provider_generation: 0, inventories };
    expect((await service.request({ method: 'PUT', path, body })).status).toBe(200);
  }

  async function stored(id: string, host: Node | null, spec: Json = {}): Promise<void> {
    const text = JSON.stringify(bootSpec({ flavor: flavorOf({}), ...spec }));
    await nova.run('INSERT INTO api.request_specs (created_at, instance_uuid, spec) VALUES (UTC_TIMESTAMP(), ?, ?)', [
      id,
      text,
    ]);
    const cell = host === null ? CELL_ZERO : CELL;
    await nova.run('INSERT INTO api.instance_mappings (instance_uuid, cell_id) VALUES (?, ?)', [id, cell]);
    if (host !== null) await running(id, host);
  }

  const running = (id: string, host: Node): Promise<unknown> =>
    nova.run(
      `INSERT INTO cell1.instances (created_at, uuid, host, node, launched_on, vm_state, deleted, project_id, user_id)
       VALUES (UTC_TIMESTAMP(), ?, ?, ?, ?, 'active', 0, 'project', 'user')`,
      [id, host, host, host],
    );

  async function allocate(id: string, host: Node, resources: Json): Promise<void> {
    const allocations = { [nodes[host]]: { resources } };
    const owner = { project_id: 'project', user_id: 'user', consumer_generation: null, consumer_type: 'INSTANCE' };
    const path = `/allocations/${id}`;
    expect((await service.request({ method: 'PUT', path, body: { allocations, ...owner } })).status).toBe(204);
  }

  const shadow = (
    seconds = 0.1,
    heard?: (text: string) => void,
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandResult> =>
    berth(
      {
        DATABASE_URL: service.databaseUrl,
        BERTH_NOVA__CONFIG_FILE: 'nova.conf',
        BERTH_NOVA__RELEASE: '26',
        BERTH_DEFAULT__SERVICE_DOWN_TIME: '3600',
        ...env,
      },
      ['scheduler', 'shadow', '--since', '2020-01-01T00:00:00Z', '--seconds', String(seconds)],
      folder,
      heard,
    );

  interface Case {
    readonly what: string;
    readonly store: () => Promise<unknown>;
    readonly expected: RegExp;
    readonly code?: number;
    readonly env?: Readonly<Record<string, string>>;
  }

  const CASES: readonly Case[] = [
    {
      what: 'the same host',
      store: () => stored(ONE, 'cmp2'),
      expected: /^same +\S+: nova cmp2, Berth cmp2$/m,
    },
    {
      what: 'a host with a lower weight',
      store: () => stored(ONE, 'cmp3'),
      expected: /^different +\S+: nova cmp3, Berth cmp2: nova's host weighs \S+, Berth's \S+$/m,
      code: 1,
    },
    {
      what: 'a host that has room only without the instance',
      store: async () => {
        await stored(ONE, 'cmp2', { flavor: flavorOf({ memory_mb: 12_000 }) });
        await allocate(ONE, 'cmp2', { VCPU: 1, MEMORY_MB: 12_000, DISK_GB: 5 });
      },
      expected: /^same +\S+: nova cmp2, Berth cmp2$/m,
    },
    {
      what: 'a host that Placement does not have room on',
      store: async () => {
        await allocate(uuid(2), 'cmp2', { MEMORY_MB: 16_000 });
        await stored(ONE, 'cmp2');
      },
      expected: /^different +\S+: nova cmp2, Berth cmp1: Placement: .+$/m,
      code: 1,
    },
    {
      what: 'a host that a filter rejects',
      store: async () => {
        await nova.run("UPDATE cell1.services SET disabled = 1 WHERE host = 'cmp2'");
        await stored(ONE, 'cmp2');
      },
      expected: /^different +\S+: nova cmp2, Berth cmp1: ComputeFilter: .+$/m,
      code: 1,
    },
    {
      what: 'a host of a member of its anti-affinity group',
      store: async () => {
        const group = novaObject('InstanceGroup', '1.11', {
          uuid: GROUP,
          name: 'spread',
          policy: 'anti-affinity',
          _rules: {},
          members: null,
          hosts: null,
        });
        await nova.run("INSERT INTO api.instance_groups (id, uuid, name) VALUES (1, ?, 'spread')", [GROUP]);
        for (const member of [ONE, MEMBER])
          await nova.run('INSERT INTO api.instance_group_member (group_id, instance_uuid) VALUES (1, ?)', [member]);
        await allocate(MEMBER, 'cmp2', { VCPU: 1 });
        await running(MEMBER, 'cmp2');
        await stored(ONE, 'cmp2', { instance_group: group });
      },
      expected: /^different +\S+: nova cmp2, Berth cmp[13]: ServerGroupAntiAffinityFilter: .+$/m,
      code: 1,
    },
    {
      what: 'a forced host',
      store: () => stored(ONE, 'cmp3', { force_hosts: ['cmp3'] }),
      expected: /^not-comparable +\S+: nova cmp3, Berth \?: the request forces the host$/m,
    },
    {
      what: 'an instance that has moved',
      store: async () => {
        await stored(ONE, 'cmp3');
        await nova.run("UPDATE cell1.instances SET launched_on = 'cmp1' WHERE uuid = ?", [ONE]);
      },
      expected: /^not-comparable +\S+: nova cmp3, Berth \?: the instance has moved$/m,
    },
    {
      what: 'a request without a host, which Berth refuses as well',
      store: () => stored(ONE, null, { flavor: flavorOf({ memory_mb: 100_000 }) }),
      expected: /^same +\S+: nova none, Berth none$/m,
    },
    {
      what: 'a request without a host, for which Berth has one',
      store: () => stored(ONE, null),
      expected: /^different +\S+: nova none, Berth cmp2: nova found no host$/m,
      code: 1,
    },
    {
      what: 'a host on which another instance changed meanwhile',
      store: async () => {
        await stored(ONE, 'cmp3');
        await nova.run("UPDATE cell1.instances SET task_state = 'spawning' WHERE uuid LIKE '2b7e%'");
      },
      expected:
        /^not-comparable +\S+: nova cmp3, Berth cmp2: 1 other instance changed on cmp3 or cmp2 meanwhile \(nova's host weighs \S+, Berth's \S+\)$/m,
    },
    {
      what: 'a host that an option of Berth alone prefers',
      store: async () => {
        await nova.run(
          "UPDATE cell1.compute_nodes SET free_ram_mb = 31744, memory_mb = 32768, vcpus = 8, vcpus_used = 0, free_disk_gb = 900, disk_available_least = 900, hypervisor_version = IF(host = 'cmp1', 7000000, 6000000), metrics = NULL, pci_stats = NULL WHERE deleted = 0",
        );
        await nova.run("UPDATE cell1.compute_nodes SET free_ram_mb = 32000 WHERE host = 'cmp2' AND deleted = 0");
        await stored(ONE, 'cmp2');
      },
      env: { BERTH_FILTER_SCHEDULER__HYPERVISOR_VERSION_WEIGHT_MULTIPLIER: '1' },
      expected:
        /^different +\S+: nova cmp2, Berth cmp1: nova's host weighs \S+, Berth's \S+; both choose the same with \[filter_scheduler\] hypervisor_version_weight_multiplier = 0$/m,
      code: 1,
    },
    {
      what: 'a request that cannot be read',
      store: () => stored(ONE, 'cmp2', { flavor: null }),
      expected: /^not-comparable +\S+: nova cmp2, Berth \?: Field spec_obj.flavor is required.$/m,
    },
  ];

  it.each(CASES)('compares $what', async ({ store, expected, code = 0, env }) => {
    await store();
    const result = await shadow(0.1, undefined, env);
    expect(result.err).toBe('');
    expect(result.out).toMatch(expected);
    expect(result.out.trimEnd().split('\n')).toHaveLength(2);
    expect(result.code).toBe(code);
  });

  /** nova's weights of RAM, CPU and disk, which choose the host while the hosts do not differ otherwise. */
  async function novasChoice(): Promise<Node> {
    const rows: readonly { host: Node; ram: number; cpu: number; disk: number }[] = await nova.run(
      'SELECT host, free_ram_mb AS ram, vcpus * 16 - vcpus_used AS cpu, GREATEST(0, LEAST(free_disk_gb, disk_available_least)) AS disk ' +
        'FROM cell1.compute_nodes WHERE deleted = 0 ORDER BY id',
    );
    const most = (of: 'ram' | 'cpu' | 'disk'): number => Math.max(...rows.map((row) => row[of]));
    const weights = rows.map(({ host, ram, cpu, disk }): [Node, number] => [
      host,
      ram / most('ram') + cpu / most('cpu') + disk / most('disk'),
    ]);
    return weights.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
  }

  /** The figures of a host as its compute saves them with one more instance. */
  const saveFigures = (host: Node, { memory_mb, vcpus, root_gb }: Record<string, number>): Promise<unknown> =>
    nova.run(
      `UPDATE cell1.compute_nodes SET free_ram_mb = free_ram_mb - ?, vcpus_used = vcpus_used + ?,
         local_gb_used = local_gb_used + ?, free_disk_gb = free_disk_gb - ?,
         disk_available_least = disk_available_least - ?, updated_at = UTC_TIMESTAMP(),
         stats = JSON_SET(stats, '$.num_instances', CAST(IFNULL(JSON_VALUE(stats, '$.num_instances'), 0) + 1 AS CHAR))
       WHERE deleted = 0 AND host = ?`,
      [memory_mb, vcpus, root_gb, root_gb, root_gb, host],
    );

  it('judges each request of a sequence by the state before it, although all instances are there', async () => {
    await nova.run(
      'UPDATE cell1.compute_nodes SET memory_mb = 16384, free_ram_mb = 16000 - 200 * id, vcpus = 8, vcpus_used = id, ' +
        'local_gb = 500, free_disk_gb = 480, disk_available_least = 480, numa_topology = NULL, pci_stats = NULL',
    );
    await nova.run("DELETE FROM api.aggregate_metadata WHERE `key` = 'cpu_weight_multiplier'");
    const chosen: Node[] = [];
    for (let at = 0; at < 16; at += 1) {
      const id = uuid(100 + at);
      const size = { memory_mb: 512 + 256 * (at % 5), vcpus: 1 + (at % 3), root_gb: 5 + 10 * (at % 4) };
      const host = await novasChoice();
      chosen.push(host);
      await stored(id, host, { flavor: flavorOf(size) });
      await nova.run(
        'UPDATE cell1.instances SET memory_mb = ?, vcpus = ?, root_gb = ?, ephemeral_gb = 0 WHERE uuid = ?',
        [size.memory_mb, size.vcpus, size.root_gb, id],
      );
      await allocate(id, host, { VCPU: size.vcpus, MEMORY_MB: size.memory_mb, DISK_GB: size.root_gb });
      // The compute lists the last instance and has not counted it.
      if (at < 15) await saveFigures(host, size);
    }
    const { out, code } = await shadow();
    expect(new Set(chosen).size).toBeGreaterThan(1);
    expect(out.split('\n').slice(0, 16)).toEqual(
      chosen.map((host, at) =>
        expect.stringMatching(new RegExp(`^same +${uuid(100 + at)}: nova ${host}, Berth ${host}$`)),
      ),
    );
    expect(code).toBe(0);
  });

  it('claims and records nothing', async () => {
    await stored(ONE, 'cmp2');
    await shadow();
    const { json } = await service.request({ path: `/allocations/${ONE}` });
    expect(json.allocations).toEqual({});
    const decisions = await service.request({ path: '/scheduler/decisions' });
    expect(decisions.json.decisions).toEqual([]);
  });

  it('connects again to databases that closed its connections', async () => {
    await stored(ONE, 'cmp2');
    const output = new EventEmitter();
    const ended = shadow(SHADOW_LIMITS.retryEveryMs / 1000 + 3, (text) => output.emit('text', text));
    await once(output, 'text');
    const rows = await nova.run('SELECT id FROM information_schema.processlist WHERE user = ?', [nova.user]);
    for (const { id } of rows as readonly { id: number }[]) await nova.run(`KILL ${id}`).catch(() => undefined);
    await stored(MEMBER, 'cmp2');
    const result = await ended;
    expect(rows).not.toHaveLength(0);
    expect(result.err).toBe('');
    expect(result.out).toContain(`${MEMBER}: nova cmp2, Berth cmp2\n`);
    expect(result.code).toBe(0);
  });

  it('names a database that it cannot read, without its password', async () => {
    await nova.run(`REVOKE SELECT ON api.request_specs FROM '${nova.user}'@'%'`);
    const result = await shadow();
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain("nova's API database: ");
    expect(result.err).toContain('request_specs');
    expect(result.err).not.toContain('s/e@cret');
  });
});

/** Tables that only the shadow reads; the fixture does not have them. */
async function addShadowTables(nova: NovaDatabases): Promise<void> {
  const tables = {
    request_specs: 'created_at datetime, instance_uuid varchar(36) NOT NULL, spec mediumtext NOT NULL',
    instance_mappings: 'instance_uuid varchar(36) NOT NULL UNIQUE, cell_id int',
    instance_groups: 'uuid varchar(36) NOT NULL, name varchar(255)',
    instance_group_member: 'group_id int NOT NULL, instance_uuid varchar(255)',
  };
  for (const [name, columns] of Object.entries(tables)) {
    await nova.run(`CREATE TABLE api.${name} (id int AUTO_INCREMENT PRIMARY KEY, ${columns})`);
    await nova.run(`GRANT SELECT ON api.${name} TO '${nova.user}'@'%'`);
  }
  await nova.run(`GRANT SELECT ON cell1.migrations TO '${nova.user}'@'%'`);
}
