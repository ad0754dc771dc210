// `berth audit` on the real databases: each kind of difference is planted, found, repaired, and then gone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Audit } from '../../src/nova/audit/audit';
import { DatabaseRecords } from '../../src/nova/audit/database-records';
import type { AuditFinding } from '../../src/nova/audit/findings';
import { NovaCells } from '../../src/nova/audit/nova-cells';
import type { NovaRecords } from '../../src/nova/audit/nova-records';
import type { NovaDatabase } from '../../src/nova/conf/database-url';
import { novaDatabaseOf } from '../../src/nova/conf/database-url';
import { AggregatesService } from '../../src/placement/aggregates/aggregates.service';
import { AllocationsService } from '../../src/placement/allocations/allocations.service';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { NovaDatabases } from './nova-databases';

const PINNED = '1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01';
const SMALL = '2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02';
const DELETED = '3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03';
const uuid = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const [STRANGER, BUILDING, BURIED, MIGRATION, RESERVATION] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)];
const AGGREGATE = 'd4070959-9eb9-42f2-906c-7a2d234285bb';
const FOREIGN_AGGREGATE = uuid(6);
const CELL_ZERO = 1;
const CELL = 2;

const PINNED_AMOUNTS = { PCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 };
const SMALL_AMOUNTS = { VCPU: 1, MEMORY_MB: 512, DISK_GB: 5 };
const LITTLE = { VCPU: 1 };

type Node = 'cmp1' | 'cmp2' | 'cmp3';
type Amounts = Readonly<Record<string, number>>;

describe.each(testDatabaseKinds())('berth audit on %s', (kind) => {
  let nova: NovaDatabases;
  let service: TestService;
  let nodes: Readonly<Record<Node, string>>;
  let folder: string;

  beforeAll(async () => {
    nova = await NovaDatabases.load();
    folder = mkdtempSync(join(tmpdir(), 'berth-audit-'));
  });

  afterAll(async () => {
    await nova.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await nova.reset();
    await addAuditedTables(nova);
    const rows = await nova.run('SELECT host, uuid FROM cell1.compute_nodes WHERE deleted = 0');
    nodes = Object.fromEntries(rows.map((row: { host: string; uuid: string }) => [row.host, row.uuid])) as typeof nodes;
    service = await startTestService(kind);
    for (const name of ['cmp1', 'cmp2', 'cmp3'] as const) await report(name);
    await put(PINNED, { cmp1: PINNED_AMOUNTS });
    await put(SMALL, { cmp2: SMALL_AMOUNTS });
    await setAggregates('cmp1', [AGGREGATE]);
    await setAggregates('cmp2', [AGGREGATE, FOREIGN_AGGREGATE]);
  });

  afterEach(() => service.stop());

  async function report(name: Node): Promise<void> {
    const path = `/resource_providers/${nodes[name]}`;
    await service.request({ method: 'POST', path: '/resource_providers', body: { uuid: nodes[name], name } });
    const inventories = {
      VCPU: { total: 8 },
      PCPU: { total: 8 },
      MEMORY_MB: { total: 16_384 },
      DISK_GB: { total: 500 },
    };
    const body = { resource_provider_generation: 0, inventories };
    expect((await service.request({ method: 'PUT', path: `${path}/inventories`, body })).status).toBe(200);
  }

  async function generationOf(consumer: string): Promise<number | null> {
    const { json } = await service.request({ path: `/allocations/${consumer}` });
    return json.consumer_generation ?? null;
  }

  async function put(consumer: string, amounts: Partial<Record<Node, Amounts>>, type = 'INSTANCE'): Promise<void> {
    const allocations = Object.fromEntries(
      Object.entries(amounts).map(([name, resources]) => [nodes[name as Node], { resources }]),
    );
    const { status, text } = await service.request({
      method: 'PUT',
      path: `/allocations/${consumer}`,
      ...(type === '' && { version: '1.36' }),
      body: {
        allocations,
        project_id: 'project',
        user_id: 'user',
        consumer_generation: await generationOf(consumer),
        ...(type !== '' && { consumer_type: type }),
      },
    });
    if (status !== 204) throw new Error(text);
  }

  async function held(consumer: string): Promise<Partial<Record<Node, Amounts>>> {
    const { json } = await service.request({ path: `/allocations/${consumer}` });
    const names = Object.fromEntries(Object.entries(nodes).map(([name, id]) => [id, name]));
    return Object.fromEntries(
      Object.entries(json.allocations).map(([id, { resources }]: [string, any]) => [names[id] ?? id, resources]),
    );
  }

  async function setAggregates(name: Node, aggregates: readonly string[]): Promise<void> {
    const path = `/resource_providers/${nodes[name]}/aggregates`;
    const { json } = await service.request({ path });
    const body = { aggregates, resource_provider_generation: json.resource_provider_generation };
    expect((await service.request({ method: 'PUT', path, body })).status).toBe(200);
  }

  async function aggregatesOf(name: Node): Promise<readonly string[]> {
    const { json } = await service.request({ path: `/resource_providers/${nodes[name]}/aggregates` });
    return [...json.aggregates].sort();
  }

  interface Found {
    readonly findings: readonly AuditFinding[];
    readonly leftOut: readonly string[];
  }

  async function audited(
    isToFix = false,
    wrap: (records: NovaRecords) => NovaRecords = (records) => records,
  ): Promise<Found> {
    const apiDatabase = databaseOf(nova.url(nova.api));
    const records = new DatabaseRecords(await NovaCells.open({ apiDatabase, templateBase: nova.templateBase }));
    const findings: AuditFinding[] = [];
    try {
      const { app } = service;
      const audit = new Audit({
        records: wrap(records),
        allocations: app.get(AllocationsService, { strict: false }),
        aggregates: app.get(AggregatesService, { strict: false }),
        isToFix,
      });
      for await (const finding of audit.findings()) findings.push(finding);
      return { findings, leftOut: audit.leftOut.map(({ reason }) => reason) };
    } finally {
      records.close();
    }
  }

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
    expect(await audited()).toEqual({ findings: [], leftOut: [] });
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
      plant: () => put(STRANGER, { cmp3: LITTLE }),
      expected: [`orphan ${STRANGER}: nova does not know the consumer, but it has VCPU 1.`],
      after: () => held(STRANGER),
      right: {},
    },
    {
      what: 'a consumer without type on a compute node',
      plant: () => put(STRANGER, { cmp3: LITTLE }, ''),
      expected: [`orphan ${STRANGER}: nova does not know the consumer, but it has VCPU 1.`],
      after: () => held(STRANGER),
      right: {},
    },
    {
      what: 'a deleted instance',
      plant: async () => {
        await map(DELETED, CELL);
        await put(DELETED, { cmp2: LITTLE });
      },
      expected: [`orphan ${DELETED}: nova has deleted the instance, but it has VCPU 1.`],
      after: () => held(DELETED),
      right: {},
    },
    {
      what: 'an instance in cell0',
      plant: async () => {
        await map(BURIED, CELL_ZERO);
        await put(BURIED, { cmp2: LITTLE });
      },
      expected: [`move ${BURIED}: nova has the instance in cell0, so it has no host, but it has VCPU 1.`],
      after: () => held(BURIED),
      right: {},
    },
    {
      what: 'an instance without allocations',
      plant: () => put(PINNED, {}),
      expected: [`missing ${PINNED}: the instance is on cmp1, but it has no allocations.`],
      after: () => held(PINNED),
      right: { cmp1: PINNED_AMOUNTS },
    },
    {
      what: 'amounts of another flavor',
      plant: () => put(SMALL, { cmp2: { VCPU: 4, MEMORY_MB: 512 } }),
      expected: [`amounts ${SMALL}: it has VCPU 4, but its flavor needs DISK_GB 5, VCPU 1.`],
      after: () => held(SMALL),
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
      after: () => held(SMALL),
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
      after: () => held(SMALL),
      right: { cmp2: { ...SMALL_AMOUNTS, VCPU: 3 } },
    },
    {
      what: 'the source of a move that has ended',
      plant: async () => {
        await migrate('completed', 'cmp2', 'live-migration', 'cmp3');
        await put(SMALL, { cmp2: SMALL_AMOUNTS, cmp3: SMALL_AMOUNTS });
      },
      expected: [`move ${SMALL}: the instance is on cmp2, but it has DISK_GB 5, MEMORY_MB 512, VCPU 1 on cmp3.`],
      after: () => held(SMALL),
      right: { cmp2: SMALL_AMOUNTS },
    },
    {
      what: 'the consumer of a migration that has ended',
      plant: async () => {
        await migrate('confirmed', 'cmp2', 'resize', 'cmp3');
        await put(MIGRATION, { cmp3: SMALL_AMOUNTS }, 'MIGRATION');
      },
      expected: [
        `move ${MIGRATION}: the migration has ended (confirmed), but it has DISK_GB 5, MEMORY_MB 512, VCPU 1.`,
      ],
      after: () => held(MIGRATION),
      right: {},
    },
    {
      what: 'allocations of a shelved instance',
      plant: () =>
        runSql("UPDATE cell1.instances SET host = NULL, node = NULL, vm_state = 'shelved_offloaded' WHERE uuid = ?", [
          SMALL,
        ]),
      expected: [`move ${SMALL}: the instance has no host, but it has DISK_GB 5, MEMORY_MB 512, VCPU 1 on cmp2.`],
      after: () => held(SMALL),
      right: {},
    },
    {
      what: 'allocations on another host',
      plant: () => put(SMALL, { cmp3: SMALL_AMOUNTS }),
      expected: [`host ${SMALL}: the instance is on cmp2, but its allocations are on cmp3.`],
      after: () => held(SMALL),
      right: { cmp2: SMALL_AMOUNTS },
    },
    {
      what: 'a provider outside of an aggregate of its host',
      plant: () => setAggregates('cmp2', [FOREIGN_AGGREGATE]),
      expected: ['aggregate-missing cmp2: host cmp2 is in aggregate agg-fast, but its provider is not.'],
      after: () => aggregatesOf('cmp2'),
      right: [FOREIGN_AGGREGATE, AGGREGATE].sort(),
    },
    {
      what: 'a provider in an aggregate that does not have its host',
      plant: () => setAggregates('cmp3', [AGGREGATE, FOREIGN_AGGREGATE]),
      expected: ['aggregate-surplus cmp3: host cmp3 is not in aggregate agg-fast, but its provider is.'],
      after: () => aggregatesOf('cmp3'),
      right: [FOREIGN_AGGREGATE],
    },
  ];

  it.each(PLANTED)('finds and repairs $what', async ({ plant, expected, after, right }) => {
    await plant();
    const named = expected.map((line) =>
      line.replace(/^(aggregate-\w+) (cmp\d)/, (_all, what, name: Node) => `${what} ${nodes[name]}`),
    );
    const found = await audited();
    expect(summary(found)).toEqual(named);
    expect(found.findings.map(({ repair }) => repair)).toEqual(named.map(() => null));
    const fixed = await audited(true);
    expect(fixed.findings.map(({ repair }) => repair)).toEqual(named.map(() => ({ state: 'repaired', reason: null })));
    expect(await after?.()).toEqual(right);
    expect(await audited()).toEqual({ findings: [], leftOut: [] });
  });

  it('names a host without provider, which only nova-compute can create', async () => {
    const path = `/resource_providers/${nodes.cmp3}`;
    expect((await service.request({ method: 'DELETE', path })).status).toBe(204);
    const { findings } = await audited(true);
    expect(findings).toMatchObject([{ kind: 'no-provider', subject: nodes.cmp3, repair: { state: 'left' } }]);
  });

  const RIGHT: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['an instance that is being created', async () => (await map(BUILDING, null), put(BUILDING, { cmp3: LITTLE }))],
    [
      'both hosts of an open resize',
      async () => {
        await migrate('finished', 'cmp3');
        await put(MIGRATION, { cmp2: SMALL_AMOUNTS }, 'MIGRATION');
        await put(SMALL, { cmp3: { VCPU: 4, MEMORY_MB: 1024 } });
      },
    ],
    [
      'the source of an evacuation that nova-compute has not cleaned',
      async () => {
        await migrate('done', 'cmp2', 'evacuation', 'cmp3');
        await put(SMALL, { cmp2: SMALL_AMOUNTS, cmp3: SMALL_AMOUNTS });
      },
    ],
    [
      'an instance with a task',
      async () => {
        await put(SMALL, { cmp3: SMALL_AMOUNTS });
        await runSql("UPDATE cell1.instances SET task_state = 'rebuilding' WHERE uuid = ?", [SMALL]);
      },
    ],
    ['VCPU for pinned CPUs', () => put(PINNED, { cmp1: { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 } })],
    ['a consumer of another type', () => put(RESERVATION, { cmp3: LITTLE }, 'RESERVATION')],
  ];

  it.each(RIGHT)('accepts %s', async (_what, plant) => {
    await plant();
    expect(await audited()).toEqual({ findings: [], leftOut: [] });
  });

  it('leaves alone what changes between the first read and the repair', async () => {
    await put(SMALL, { cmp3: SMALL_AMOUNTS });
    await put(PINNED, {});
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
    const { findings } = await audited(true, racing);
    expect(findings.map(({ subject, repair }) => [subject, repair?.state])).toEqual([[SMALL, 'left']]);
    expect(await held(SMALL)).toEqual({ cmp3: SMALL_AMOUNTS });
    expect(await held(PINNED)).toEqual({});
  });

  it('creates nothing for an instance that gets a task before the repair', async () => {
    await put(PINNED, {});
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
    const { findings } = await audited(true, racing);
    expect(findings.map(({ kind: what, repair }) => [what, repair?.state])).toEqual([['missing', 'left']]);
    expect(await held(PINNED)).toEqual({});
  });

  it('leaves alone allocations that another writer changes meanwhile', async () => {
    await put(SMALL, { cmp2: { ...SMALL_AMOUNTS, VCPU: 4 } });
    const racing = (records: NovaRecords): NovaRecords => {
      let reads = 0;
      return new Proxy(records, {
        get: (target, name, receiver) => {
          if (name !== 'known') return Reflect.get(target, name, receiver);
          return async (uuids: readonly string[]) => {
            const known = await target.known(uuids);
            reads += 1;
            if (reads === 2) await put(SMALL, { cmp2: { ...SMALL_AMOUNTS, VCPU: 4 } });
            return known;
          };
        },
      });
    };
    const { findings } = await audited(true, racing);
    expect(findings.map(({ repair }) => repair)).toEqual([{ state: 'left', reason: 'It changed meanwhile.' }]);
    expect(await held(SMALL)).toEqual({ cmp2: { ...SMALL_AMOUNTS, VCPU: 4 } });
  });

  it('names a cell that cannot be read, and judges none of its consumers', async () => {
    await runSql(
      "UPDATE api.cell_mappings SET database_connection = 'mysql://nova:hidden@127.0.0.1:1/gone' WHERE id = ?",
      [CELL],
    );
    await map(SMALL, CELL);
    await map(PINNED, CELL);
    await put(STRANGER, { cmp3: LITTLE });
    await put(MIGRATION, { cmp3: LITTLE }, '');
    const { findings, leftOut } = await audited(true);
    expect(findings).toEqual([]);
    expect(leftOut.join('\n')).toMatch(/cell .* cannot be read, so its 3 hosts were left out/);
    expect(leftOut.join('\n')).not.toContain('hidden');
    expect(await held(STRANGER)).toEqual({ cmp3: LITTLE });
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
    const env = { DATABASE_URL: service.databaseUrl, BERTH_NOVA__CONFIG_FILE: 'nova.conf', BERTH_NOVA__RELEASE: '26' };
    await put(STRANGER, { cmp3: LITTLE });
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

function databaseOf(url: string): NovaDatabase {
  const parsed = novaDatabaseOf(url);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.database;
}

/** Tables that only an audit reads; the fixture does not have all of them. */
async function addAuditedTables(nova: NovaDatabases): Promise<void> {
  await nova.run(
    `CREATE TABLE api.instance_mappings (id int AUTO_INCREMENT PRIMARY KEY, instance_uuid varchar(36) NOT NULL UNIQUE,
     cell_id int, project_id varchar(255), queued_for_delete tinyint(1))`,
  );
  await nova.run(
    `CREATE TABLE cell1.block_device_mapping (id int AUTO_INCREMENT PRIMARY KEY, instance_uuid varchar(36),
     destination_type varchar(255), boot_index int, deleted int)`,
  );
  await nova.run(`GRANT SELECT ON api.instance_mappings TO '${nova.user}'@'%'`);
  for (const table of ['migrations', 'instance_extra', 'instance_system_metadata', 'block_device_mapping']) {
    await nova.run(`GRANT SELECT ON cell1.${table} TO '${nova.user}'@'%'`);
  }
}
