// `berth audit` on the real databases: each kind of difference is planted, found, repaired, and then gone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NovaRecords } from '../../src/nova/audit/database-records';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Found, Node } from './audit-cloud';
import { AGGREGATE, AuditCloud, FOREIGN_AGGREGATE, PINNED, PINNED_AMOUNTS, SMALL, SMALL_AMOUNTS } from './audit-cloud';
import { NovaDatabases } from './nova-databases';

const DELETED = '3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03';
const uuid = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const [STRANGER, BUILDING, BURIED, MIGRATION, RESERVATION] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)];
/** Root providers of nodes that nova does not have, and a child of one. */
const [GONE, CHILD] = [uuid(8), uuid(9)];
const INVENTORIES = { VCPU: { total: 8 }, MEMORY_MB: { total: 16_384 }, DISK_GB: { total: 500 } };
const CELL_ZERO = 1;
const CELL = 2;

const LITTLE = { VCPU: 1 };

describe.each(testDatabaseKinds())('berth audit on %s', (kind) => {
  let nova: NovaDatabases;
  let service: TestService;
  let cloud: AuditCloud;
  let folder: string;

  beforeAll(async () => {
    nova = await NovaDatabases.load();
    service = await startTestService(kind);
    folder = mkdtempSync(join(tmpdir(), 'berth-audit-'));
  });

  afterAll(async () => {
    await service.stop();
    await nova.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    cloud = await AuditCloud.load(nova, service);
  });

  const summary = ({ findings }: Found): readonly string[] =>
    findings.map(({ kind: what, subject, text }) => `${what} ${subject}: ${text}`);

  const runSql = (sql: string, params: readonly unknown[] = []): Promise<unknown> => nova.run(sql, params);
  const map = (instance: string, cell: number | null): Promise<unknown> =>
    runSql('INSERT INTO api.instance_mappings (instance_uuid, cell_id) VALUES (?, ?)', [instance, cell]);
  const migrate = (status: string, target: Node, type = 'resize', source: Node = 'cmp2'): Promise<unknown> =>
    runSql(
      `INSERT INTO cell1.migrations (uuid, instance_uuid, source_compute, dest_compute, status, migration_type, deleted)
       VALUES (?, ?, ?, ?, ?, ?, 0)`,
      [MIGRATION, SMALL, source, target, status, type],
    );

  it('finds nothing in a cloud that agrees', async () => {
    expect(await cloud.audited()).toEqual({ findings: [], leftOut: [] });
  });

  interface Planted {
    readonly what: string;
    readonly plant: () => Promise<unknown>;
    readonly expected: readonly string[];
    readonly after?: () => Promise<unknown>;
    readonly right?: unknown;
  }

  const PLANTED: readonly Planted[] = [
    {
      what: 'an instance that nova does not know',
      plant: () => cloud.put(STRANGER, { cmp3: LITTLE }),
      expected: [`orphan ${STRANGER}: nova does not know the consumer, but it has VCPU 1.`],
      after: () => cloud.held(STRANGER),
      right: {},
    },
    {
      what: 'a consumer without type on a compute node',
      plant: () => cloud.put(STRANGER, { cmp3: LITTLE }, ''),
      expected: [`orphan ${STRANGER}: nova does not know the consumer, but it has VCPU 1.`],
      after: () => cloud.held(STRANGER),
      right: {},
    },
    {
      what: 'a deleted instance',
      plant: async () => {
        await map(DELETED, CELL);
        await cloud.put(DELETED, { cmp2: LITTLE });
      },
      expected: [`orphan ${DELETED}: nova has deleted the instance, but it has VCPU 1.`],
      after: () => cloud.held(DELETED),
      right: {},
    },
    {
      what: 'an instance in cell0',
      plant: async () => {
        await map(BURIED, CELL_ZERO);
        await cloud.put(BURIED, { cmp2: LITTLE });
      },
      expected: [`move ${BURIED}: nova has the instance in cell0, so it has no host, but it has VCPU 1.`],
      after: () => cloud.held(BURIED),
      right: {},
    },
    {
      what: 'an instance without allocations',
      plant: () => cloud.put(PINNED, {}),
      expected: [`missing ${PINNED}: the instance is on cmp1, but it has no allocations.`],
      after: () => cloud.held(PINNED),
      right: { cmp1: PINNED_AMOUNTS },
    },
    {
      what: 'amounts of another flavor',
      plant: () => cloud.put(SMALL, { cmp2: { VCPU: 4, MEMORY_MB: 512 } }),
      expected: [`amounts ${SMALL}: it has VCPU 4, but its flavor needs DISK_GB 5, VCPU 1.`],
      after: () => cloud.held(SMALL),
      right: { cmp2: SMALL_AMOUNTS },
    },
    {
      what: 'a local disk of an instance with a root volume',
      plant: () =>
        runSql(
          `INSERT INTO cell1.block_device_mapping (instance_uuid, destination_type, boot_index, deleted)
           VALUES (?, 'volume', 0, 0)`,
          [SMALL],
        ),
      expected: [`amounts ${SMALL}: it has DISK_GB 5, but its flavor needs nothing.`],
      after: () => cloud.held(SMALL),
      right: { cmp2: { VCPU: 1, MEMORY_MB: 512 } },
    },
    {
      what: 'a class that the extra specs of the flavor set',
      plant: () =>
        runSql(
          `UPDATE cell1.instance_extra SET flavor = REPLACE(flavor, '"extra_specs": {}', '"extra_specs": {"resources:VCPU": "3"}')
           WHERE instance_uuid = ?`,
          [SMALL],
        ),
      expected: [`amounts ${SMALL}: it has VCPU 1, but its flavor needs VCPU 3.`],
      after: () => cloud.held(SMALL),
      right: { cmp2: { ...SMALL_AMOUNTS, VCPU: 3 } },
    },
    {
      what: 'the source of a move that has ended',
      plant: async () => {
        await migrate('completed', 'cmp2', 'live-migration', 'cmp3');
        await cloud.put(SMALL, { cmp2: SMALL_AMOUNTS, cmp3: SMALL_AMOUNTS });
      },
      expected: [`move ${SMALL}: the instance is on cmp2, but it has DISK_GB 5, MEMORY_MB 512, VCPU 1 on cmp3.`],
      after: () => cloud.held(SMALL),
      right: { cmp2: SMALL_AMOUNTS },
    },
    {
      what: 'the consumer of a migration that has ended',
      plant: async () => {
        await migrate('confirmed', 'cmp2', 'resize', 'cmp3');
        await cloud.put(MIGRATION, { cmp3: SMALL_AMOUNTS }, 'MIGRATION');
      },
      expected: [
        `move ${MIGRATION}: the migration has ended (confirmed), but it has DISK_GB 5, MEMORY_MB 512, VCPU 1.`,
      ],
      after: () => cloud.held(MIGRATION),
      right: {},
    },
    {
      what: 'allocations of a shelved instance',
      plant: () =>
        runSql("UPDATE cell1.instances SET host = NULL, node = NULL, vm_state = 'shelved_offloaded' WHERE uuid = ?", [
          SMALL,
        ]),
      expected: [`move ${SMALL}: the instance has no host, but it has DISK_GB 5, MEMORY_MB 512, VCPU 1 on cmp2.`],
      after: () => cloud.held(SMALL),
      right: {},
    },
    {
      what: 'allocations on another host',
      plant: () => cloud.put(SMALL, { cmp3: SMALL_AMOUNTS }),
      expected: [`host ${SMALL}: the instance is on cmp2, but its allocations are on cmp3.`],
      after: () => cloud.held(SMALL),
      right: { cmp2: SMALL_AMOUNTS },
    },
    {
      what: 'a provider outside of an aggregate of its host',
      plant: () => cloud.setAggregates('cmp2', [FOREIGN_AGGREGATE]),
      expected: ['aggregate-missing cmp2: host cmp2 is in aggregate agg-fast, but its provider is not.'],
      after: () => cloud.aggregatesOf('cmp2'),
      right: [FOREIGN_AGGREGATE, AGGREGATE].sort(),
    },
    {
      what: 'a provider in an aggregate that does not have its host',
      plant: () => cloud.setAggregates('cmp3', [AGGREGATE, FOREIGN_AGGREGATE]),
      expected: ['aggregate-surplus cmp3: host cmp3 is not in aggregate agg-fast, but its provider is.'],
      after: () => cloud.aggregatesOf('cmp3'),
      right: [FOREIGN_AGGREGATE],
    },
    {
      what: 'a disabled service without the trait',
      plant: () => cloud.setTraits('cmp3', ['COMPUTE_NODE']),
      expected: [
        'status cmp3: the compute service of host cmp3 is disabled, but its provider does not have COMPUTE_STATUS_DISABLED.',
      ],
      after: () => cloud.traitsOf('cmp3'),
      right: ['COMPUTE_NODE', 'COMPUTE_STATUS_DISABLED'],
    },
    {
      what: 'the trait of an enabled service',
      plant: () => cloud.setTraits('cmp1', ['COMPUTE_NODE', 'COMPUTE_STATUS_DISABLED', 'HW_CPU_X86_AVX']),
      expected: [
        'status cmp1: the compute service of host cmp1 is enabled, but its provider has COMPUTE_STATUS_DISABLED.',
      ],
      after: () => cloud.traitsOf('cmp1'),
      right: ['COMPUTE_NODE', 'HW_CPU_X86_AVX'],
    },
    {
      what: 'the provider of a deleted node',
      plant: async () => {
        const [{ uuid: deleted }] = await nova.run('SELECT uuid FROM cell1.compute_nodes WHERE deleted > 0');
        await runSql('UPDATE cell1.compute_nodes SET uuid = ? WHERE uuid = ?', [GONE, deleted]);
        await cloud.create({ uuid: GONE, name: 'cmp0' });
      },
      expected: [`no-node ${GONE}: provider cmp0 has no allocations, and nova has no compute node with its uuid.`],
    },
    {
      what: 'the tree of a node that nova does not know, with an orphan',
      plant: async () => {
        await cloud.create({ uuid: GONE, name: 'cmp9' }, { VCPU: { total: 4 } }, ['COMPUTE_NODE']);
        await cloud.create({ uuid: CHILD, name: 'cmp9_numa0', parent_provider_uuid: GONE });
        await cloud.put(STRANGER, { [GONE]: LITTLE }, '');
      },
      expected: [
        `orphan ${STRANGER}: nova does not know the consumer, but it has VCPU 1.`,
        `no-node ${GONE}: provider cmp9 has allocations of 1 consumer, and nova has no compute node with its uuid.`,
      ],
      after: async () => (await service.request({ path: '/resource_providers' })).json.resource_providers.length,
      right: 3,
    },
  ];

  it.each(PLANTED)('finds and repairs $what', async ({ plant, expected, after, right }) => {
    await plant();
    const named = expected.map((line) =>
      line.replace(/^(aggregate-\w+|status) (cmp\d)/, (_all, what, name: Node) => `${what} ${cloud.nodes[name]}`),
    );
    const found = await cloud.audited();
    expect(summary(found)).toEqual(named);
    expect(found.findings.map(({ repair }) => repair)).toEqual(named.map(() => null));
    const fixed = await cloud.audited(true);
    expect(fixed.findings.map(({ repair }) => repair)).toEqual(named.map(() => ({ state: 'repaired', reason: null })));
    expect(await after?.()).toEqual(right);
    expect(await cloud.audited()).toEqual({ findings: [], leftOut: [] });
  });

  it('names a host without provider, which only nova-compute can create', async () => {
    const path = `/resource_providers/${cloud.nodes.cmp3}`;
    expect((await cloud.service.request({ method: 'DELETE', path })).status).toBe(204);
    const { findings } = await cloud.audited(true);
    expect(findings).toMatchObject([{ kind: 'no-provider', subject: cloud.nodes.cmp3, repair: { state: 'left' } }]);
    expect(findings[0]?.remedy).toBe('Start nova-compute on cmp3.');
  });

  it('names the provider that has the name of a rebuilt node, and repairs the rest once it is renamed', async () => {
    const old = cloud.nodes.cmp2;
    await runSql('UPDATE cell1.compute_nodes SET uuid = ? WHERE uuid = ?', [GONE, old]);
    const { findings } = await cloud.audited(true);
    const lines = findings.map(({ kind: what, subject, repair }) => `${what} ${subject} ${repair?.state}`);
    expect(lines).toEqual([`host ${SMALL} left`, `no-provider ${GONE} left`, `no-node ${old} left`]);
    expect(findings[1]?.text).toBe(
      `host cmp2 has no resource provider, so it is missing in agg-fast: its node has the uuid ${GONE}, but provider ` +
        `${old}, with allocations of 1 consumer, has the node's name cmp2.`,
    );
    expect(findings[1]?.remedy).toContain(`openstack resource provider set --name cmp2-old ${old}`);
    expect(findings[2]?.text).toContain('has allocations of 1 consumer,');
    expect(findings[2]?.repair?.reason).toBe('It has allocations of 1 consumer.');

    const path = `/resource_providers/${old}`;
    await service.request({ method: 'PUT', path, body: { name: 'cmp2-old' } });
    await cloud.create({ uuid: GONE, name: 'cmp2' }, INVENTORIES, ['COMPUTE_NODE']);
    const { findings: repaired } = await cloud.audited(true);
    expect(repaired.map(({ kind: what, repair }) => `${what} ${repair?.state}`)).toEqual([
      'host repaired',
      'aggregate-missing repaired',
      'no-node repaired',
    ]);
    expect(await cloud.held(SMALL)).toEqual({ [GONE]: SMALL_AMOUNTS });
    expect(await cloud.audited()).toEqual({ findings: [], leftOut: [] });
  });

  const RIGHT: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'an instance that is being created',
      async () => (await map(BUILDING, null), cloud.put(BUILDING, { cmp3: LITTLE })),
    ],
    [
      'both hosts of an open resize',
      async () => {
        await migrate('finished', 'cmp3');
        await cloud.put(MIGRATION, { cmp2: SMALL_AMOUNTS }, 'MIGRATION');
        await cloud.put(SMALL, { cmp3: { VCPU: 4, MEMORY_MB: 1024 } });
      },
    ],
    [
      'the source of an evacuation that nova-compute has not cleaned',
      async () => {
        await migrate('done', 'cmp2', 'evacuation', 'cmp3');
        await cloud.put(SMALL, { cmp2: SMALL_AMOUNTS, cmp3: SMALL_AMOUNTS });
      },
    ],
    [
      'an instance with a task',
      async () => {
        await cloud.put(SMALL, { cmp3: SMALL_AMOUNTS });
        await runSql("UPDATE cell1.instances SET task_state = 'rebuilding' WHERE uuid = ?", [SMALL]);
      },
    ],
    ['VCPU for pinned CPUs', () => cloud.put(PINNED, { cmp1: { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 } })],
    ['a consumer of another type', () => cloud.put(RESERVATION, { cmp3: LITTLE }, 'RESERVATION')],
  ];

  it.each(RIGHT)('accepts %s', async (_what, plant) => {
    await plant();
    expect(await cloud.audited()).toEqual({ findings: [], leftOut: [] });
  });

  it('leaves alone what changes between the first read and the repair', async () => {
    await cloud.put(SMALL, { cmp3: SMALL_AMOUNTS });
    await cloud.put(PINNED, {});
    let reads = 0;
    const racing = (records: NovaRecords): NovaRecords =>
      new Proxy(records, {
        get: (target, name, receiver) => {
          if (name !== 'known') return Reflect.get(target, name, receiver);
          return async (uuids: readonly string[]) => {
            reads += 1;
            // The second read is the first repair.
            if (reads === 2) {
              await runSql("UPDATE cell1.instances SET host = 'cmp3', node = 'cmp3' WHERE uuid = ?", [SMALL]);
              await runSql("UPDATE cell1.instances SET task_state = 'deleting' WHERE uuid = ?", [PINNED]);
            }
            return target.known(uuids);
          };
        },
      });
    const { findings } = await cloud.audited(true, racing);
    expect(findings.map(({ subject, repair }) => [subject, repair?.state])).toEqual([[SMALL, 'left']]);
    expect(await cloud.held(SMALL)).toEqual({ cmp3: SMALL_AMOUNTS });
    expect(await cloud.held(PINNED)).toEqual({});
  });

  it('creates nothing for an instance that gets a task before the repair', async () => {
    await cloud.put(PINNED, {});
    let reads = 0;
    const racing = (records: NovaRecords): NovaRecords =>
      new Proxy(records, {
        get: (target, name, receiver) => {
          if (name !== 'known') return Reflect.get(target, name, receiver) as unknown;
          return async (uuids: readonly string[]) => {
            reads += 1;
            if (reads === 2)
              await runSql("UPDATE cell1.instances SET task_state = 'deleting' WHERE uuid = ?", [PINNED]);
            return target.known(uuids);
          };
        },
      });
    const { findings } = await cloud.audited(true, racing);
    expect(findings.map(({ kind: what, repair }) => [what, repair?.state])).toEqual([['missing', 'left']]);
    expect(await cloud.held(PINNED)).toEqual({});
  });

  it('leaves alone allocations that another writer changes meanwhile', async () => {
    await cloud.put(SMALL, { cmp2: { ...SMALL_AMOUNTS, VCPU: 4 } });
    const racing = (records: NovaRecords): NovaRecords => {
      let reads = 0;
      return new Proxy(records, {
        get: (target, name, receiver) => {
          if (name !== 'known') return Reflect.get(target, name, receiver);
          return async (uuids: readonly string[]) => {
            const known = await target.known(uuids);
            reads += 1;
            if (reads === 2) await cloud.put(SMALL, { cmp2: { ...SMALL_AMOUNTS, VCPU: 4 } });
            return known;
          };
        },
      });
    };
    const { findings } = await cloud.audited(true, racing);
    expect(findings.map(({ repair }) => repair)).toEqual([{ state: 'left', reason: 'It changed meanwhile.' }]);
    expect(await cloud.held(SMALL)).toEqual({ cmp2: { ...SMALL_AMOUNTS, VCPU: 4 } });
  });

  it('names a cell that cannot be read, and judges none of its consumers', async () => {
    await runSql(
      "UPDATE api.cell_mappings SET database_connection = 'mysql://nova:hidden@127.0.0.1:1/gone' WHERE id = ?",
      [CELL],
    );
    await map(SMALL, CELL);
    await map(PINNED, CELL);
    await cloud.setTraits('cmp1', ['COMPUTE_NODE', 'COMPUTE_STATUS_DISABLED']);
    await cloud.create({ uuid: GONE, name: 'cmp9' }, {}, ['COMPUTE_NODE']);
    await cloud.put(STRANGER, { cmp3: LITTLE });
    await cloud.put(MIGRATION, { cmp3: LITTLE }, '');
    const { findings, leftOut } = await cloud.audited(true);
    expect(findings).toEqual([]);
    expect(leftOut.join('\n')).toMatch(/cell .* cannot be read, so its 3 hosts were left out/);
    expect(leftOut.join('\n')).not.toContain('hidden');
    expect(await cloud.held(STRANGER)).toEqual({ cmp3: LITTLE });
  });

  it('is a command: a dry run that lists, and a run that repairs', async () => {
    const conf = [
      '[api_database]',
      `connection = ${nova.url(nova.api)}`,
      '[database]',
      `connection = ${nova.templateBase}`,
    ];
    writeFileSync(
      join(folder, 'nova.conf'),
      ['[DEFAULT]', 'transport_url = rabbit://nowhere/', ...conf, ''].join('\n'),
    );
    const env = {
      DATABASE_URL: cloud.service.databaseUrl,
      BERTH_NOVA__CONFIG_FILE: 'nova.conf',
      BERTH_NOVA__RELEASE: '26',
    };
    await cloud.put(STRANGER, { cmp3: LITTLE });
    const dry = await berth(env, ['audit'], folder);
    expect(dry).toMatchObject({ code: 1, err: '' });
    expect(dry.out).toBe(
      `orphan            ${STRANGER}: nova does not know the consumer, but it has VCPU 1. Delete its allocations.\n` +
        '1 found: orphan 1\n',
    );
    const json = JSON.parse((await berth(env, ['audit', '--json'], folder)).out);
    expect(json).toMatchObject({
      findings: [{ kind: 'orphan', subject: STRANGER }],
      counts: { orphan: 1 },
      left_out: [],
    });
    const fixed = await berth(env, ['audit', '--fix'], folder);
    expect(fixed).toMatchObject({ code: 0, err: '' });
    expect(fixed.out).toContain('Repaired: Delete its allocations.');
    expect(await berth(env, ['audit'], folder)).toEqual({ code: 0, out: 'Nothing differs.\n', err: '' });
  });
});
