// Each kind of change in nova's databases, and the part of a poll that finds it.
import { NovaDatabases } from '../../../test/nova/nova-databases';
import { testDatabaseKinds } from '../../../test/support/databases';
import type { HostReport, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import { readerOf } from './facts.fixture';
import type { PollSettings } from './limits';
import type { LeftOutHost } from './nova-facts';
import type { PolledNovaFacts } from './polled-nova-facts';

const onMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;

/** Only rows with a newer stamp, new rows, and all services. */
const STAMPS_ONLY: Partial<PollSettings> = {
  pollEveryMs: 1e8,
  sumsEveryMs: 1e8,
  sweepEveryMs: 1e8,
  apiEveryMs: 1e8,
  instanceIdOverlap: 0,
};
/** The parts of a poll that find a change. */
const PARTS = {
  stamps: STAMPS_ONLY,
  sums: { ...STAMPS_ONLY, sumsEveryMs: 0 },
  sweep: { ...STAMPS_ONLY, sweepEveryMs: 0, sweepMs: 1 },
  'whole API tables': { ...STAMPS_ONLY, apiEveryMs: 0 },
} as const;

const serviceOf = (facts: PolledNovaFacts, host: string): ServiceFacts | undefined =>
  facts.changesSince(0).services.find((service) => service.host === host);
const reportOf = (facts: PolledNovaFacts, host: string): HostReport | undefined =>
  serviceOf(facts, host)?.hosts[0]?.report;
const instancesOf = (facts: PolledNovaFacts, host: string): readonly string[] =>
  (reportOf(facts, host)?.instances ?? []).map(({ uuid }) => uuid.slice(0, 4));
const leftOut = (facts: PolledNovaFacts, host: string): readonly string[] =>
  facts
    .status()
    .leftOut.flatMap((one: LeftOutHost) =>
      one.host === host ? [`${one.reason}${one.detail === null ? '' : `: ${one.detail}`}`] : [],
    );
const aggregates = (facts: PolledNovaFacts): unknown =>
  facts.changesSince(0).aggregates.map(({ name, hosts, metadata }) => [name, hosts, metadata['ssd']]);

const NODE2 = "compute_nodes WHERE host = 'cmp2' AND deleted = 0";
const INSTANCE2 = "uuid LIKE '2b7e%'";
const copyOf = (columns: string): string =>
  `INSERT INTO cell1.compute_nodes (${columns}, id, uuid, host, hypervisor_hostname, deleted, updated_at, created_at)
   SELECT ${columns}, 900, '11111111-1111-4111-8111-111111111111', host, 'second', 0, NULL, UTC_TIMESTAMP()
   FROM cell1.${NODE2}`;
const FIGURES =
  'vcpus, memory_mb, local_gb, vcpus_used, memory_mb_used, local_gb_used, hypervisor_type, hypervisor_version, cpu_info, ' +
  'free_ram_mb, free_disk_gb, stats, supported_instances';
const INSERTED_INSTANCE =
  'INSERT INTO cell1.instances (uuid, host, node, deleted, vm_state, created_at, cleaned, hidden) VALUES ' +
  "('77777777-0000-4000-8000-000000000000', 'cmp3', 'cmp3', 0, 'active', UTC_TIMESTAMP(), 0, 0)";

type Case = [
  change: string,
  sql: string,
  foundBy: keyof typeof PARTS,
  look: (facts: PolledNovaFacts) => unknown,
  before: unknown,
  after: unknown,
];

const CASES: readonly Case[] = [
  [
    'a saved node',
    `UPDATE cell1.${NODE2.replace(' WHERE', ' SET free_ram_mb = 1, updated_at = UTC_TIMESTAMP() WHERE')}`,
    'stamps',
    (facts) => reportOf(facts, 'cmp2')?.freeRamMb,
    31_744,
    1,
  ],
  [
    'a second save within the same second',
    `UPDATE cell1.${NODE2.replace(' WHERE', ' SET free_ram_mb = 2 WHERE')}`,
    'stamps',
    (facts) => reportOf(facts, 'cmp2')?.freeRamMb,
    31_744,
    2,
  ],
  [
    'a long text',
    `UPDATE cell1.${NODE2.replace(' WHERE', ' SET metrics = \'[{"name": "m", "value": 7}]\', updated_at = UTC_TIMESTAMP() WHERE')}`,
    'stamps',
    (facts) => reportOf(facts, 'cmp2')?.metrics.map(({ name, value }) => [name, value]),
    [],
    [['m', 7]],
  ],
  [
    'a new node',
    copyOf(FIGURES),
    'stamps',
    (facts) => serviceOf(facts, 'cmp2')?.hosts.map(({ node }) => node),
    ['cmp2'],
    ['cmp2', 'second'],
  ],
  [
    'a soft-deleted node',
    `UPDATE cell1.${NODE2.replace(' WHERE', ' SET deleted_at = UTC_TIMESTAMP(), deleted = id WHERE')}`,
    'stamps',
    (facts) => serviceOf(facts, 'cmp2') === undefined,
    false,
    true,
  ],
  [
    'a node that was created again',
    'UPDATE cell1.compute_nodes n JOIN cell1.services s ON s.host = n.host SET n.deleted = 0, n.deleted_at = NULL, ' +
      "n.updated_at = UTC_TIMESTAMP() WHERE n.host = 'cmp0'",
    'stamps',
    (facts) => leftOut(facts, 'cmp0'),
    [],
    ['not mapped'],
  ],
  [
    'a node that moved to another host',
    `UPDATE cell1.${NODE2.replace(' WHERE', " SET host = 'cmp3', updated_at = UTC_TIMESTAMP() WHERE")}`,
    'stamps',
    (facts) => [serviceOf(facts, 'cmp2')?.hosts.length, serviceOf(facts, 'cmp3')?.hosts.length],
    [1, 1],
    [undefined, 2],
  ],
  [
    'figures by hand-written SQL',
    `UPDATE cell1.${NODE2.replace(' WHERE', " SET free_ram_mb = 3, updated_at = '2026-01-01' WHERE")}`,
    'sweep',
    (facts) => reportOf(facts, 'cmp2')?.freeRamMb,
    31_744,
    3,
  ],
  [
    'a removed row of a node',
    `DELETE FROM cell1.${NODE2}`,
    'sweep',
    (facts) => serviceOf(facts, 'cmp2') === undefined,
    false,
    true,
  ],
  [
    'a heartbeat',
    "UPDATE cell1.services SET last_seen_up = '2026-11-23 13:00:00' WHERE host = 'cmp2'",
    'stamps',
    (facts) => serviceOf(facts, 'cmp2')?.service.lastSeenUpMs,
    Date.parse('2026-11-23T12:58:10Z'),
    Date.parse('2026-11-23T13:00:00Z'),
  ],
  [
    'a service that is forced down',
    "UPDATE cell1.services SET forced_down = 1 WHERE host = 'cmp2'",
    'stamps',
    (facts) => serviceOf(facts, 'cmp2')?.service.forcedDown,
    false,
    true,
  ],
  [
    'a soft-deleted service',
    "UPDATE cell1.services SET deleted = id, deleted_at = UTC_TIMESTAMP() WHERE host = 'cmp2'",
    'stamps',
    (facts) => leftOut(facts, 'cmp2'),
    [],
    ['no compute service'],
  ],
  [
    'an instance that moved',
    `UPDATE cell1.instances SET host = 'cmp1', updated_at = UTC_TIMESTAMP() WHERE ${INSTANCE2}`,
    'stamps',
    (facts) => [instancesOf(facts, 'cmp1'), instancesOf(facts, 'cmp2')],
    [['1a6d'], ['2b7e']],
    [['1a6d', '2b7e'], []],
  ],
  [
    'an instance that is shelved',
    `UPDATE cell1.instances SET host = NULL, updated_at = UTC_TIMESTAMP() WHERE ${INSTANCE2}`,
    'stamps',
    (facts) => instancesOf(facts, 'cmp2'),
    ['2b7e'],
    [],
  ],
  ['a new instance', INSERTED_INSTANCE, 'stamps', (facts) => instancesOf(facts, 'cmp3'), [], ['7777']],
  [
    'a soft-deleted instance without a save before',
    `UPDATE cell1.instances SET deleted = id, deleted_at = UTC_TIMESTAMP(), updated_at = '2026-01-01' WHERE ${INSTANCE2}`,
    'sums',
    (facts) => instancesOf(facts, 'cmp2'),
    ['2b7e'],
    [],
  ],
  [
    'an archived instance',
    `SET FOREIGN_KEY_CHECKS = 0; DELETE FROM cell1.instances WHERE ${INSTANCE2}; SET FOREIGN_KEY_CHECKS = 1`,
    'sums',
    (facts) => instancesOf(facts, 'cmp2'),
    ['2b7e'],
    [],
  ],
  [
    'a state by hand-written SQL',
    `UPDATE cell1.instances SET vm_state = 'error', updated_at = '2026-01-01' WHERE ${INSTANCE2}`,
    'sweep',
    (facts) => reportOf(facts, 'cmp2')?.instances?.[0]?.vmState,
    'active',
    'error',
  ],
  [
    'a host added to an aggregate',
    "INSERT INTO api.aggregate_hosts (host, aggregate_id, created_at) VALUES ('cmp3', 1, UTC_TIMESTAMP())",
    'stamps',
    aggregates,
    [['agg-fast', ['cmp1', 'cmp2'], 'true']],
    [['agg-fast', ['cmp1', 'cmp2', 'cmp3'], 'true']],
  ],
  [
    'a host removed from an aggregate',
    "DELETE FROM api.aggregate_hosts WHERE host = 'cmp2'",
    'stamps',
    aggregates,
    [['agg-fast', ['cmp1', 'cmp2'], 'true']],
    [['agg-fast', ['cmp1'], 'true']],
  ],
  [
    'a changed value of metadata',
    "UPDATE api.aggregate_metadata SET value = 'false', updated_at = UTC_TIMESTAMP() WHERE `key` = 'ssd'",
    'stamps',
    aggregates,
    [['agg-fast', ['cmp1', 'cmp2'], 'true']],
    [['agg-fast', ['cmp1', 'cmp2'], 'false']],
  ],
  [
    'a value of metadata by hand-written SQL',
    "UPDATE api.aggregate_metadata SET value = 'false' WHERE `key` = 'ssd'",
    'whole API tables',
    aggregates,
    [['agg-fast', ['cmp1', 'cmp2'], 'true']],
    [['agg-fast', ['cmp1', 'cmp2'], 'false']],
  ],
  [
    'a removed aggregate',
    'DELETE FROM api.aggregate_metadata; DELETE FROM api.aggregate_hosts; DELETE FROM api.aggregates',
    'stamps',
    (facts) => [aggregates(facts), facts.changesSince(0).aggregateIds],
    [[['agg-fast', ['cmp1', 'cmp2'], 'true']], [1]],
    [[], [1]],
  ],
  [
    'a removed mapping of a host',
    "DELETE FROM api.host_mappings WHERE host = 'cmp2'",
    'stamps',
    (facts) => [serviceOf(facts, 'cmp2') === undefined, leftOut(facts, 'cmp2')],
    [false, []],
    [true, ['not mapped']],
  ],
  [
    'a disabled cell',
    'UPDATE api.cell_mappings SET disabled = 1, updated_at = UTC_TIMESTAMP() WHERE id = 2',
    'stamps',
    (facts) => [facts.status().services, facts.status().cells.length],
    [3, 1],
    [0, 0],
  ],
  [
    'a name that differs in case only',
    "UPDATE api.host_mappings SET host = 'CMP2', updated_at = UTC_TIMESTAMP() WHERE host = 'cmp2'",
    'stamps',
    (facts) => leftOut(facts, 'cmp2'),
    [],
    ['not mapped'],
  ],
  [
    'broken JSON',
    `UPDATE cell1.${NODE2.replace(' WHERE', " SET numa_topology = '{', updated_at = UTC_TIMESTAMP() WHERE")}`,
    'stamps',
    (facts) => leftOut(facts, 'cmp2'),
    [],
    ['invalid row: column numa_topology is not JSON'],
  ],
  [
    'a node that has not reported yet',
    `UPDATE cell1.${NODE2.replace(' WHERE', ' SET free_disk_gb = NULL, updated_at = UTC_TIMESTAMP() WHERE')}`,
    'stamps',
    (facts) => leftOut(facts, 'cmp2'),
    [],
    ['has not reported: column free_disk_gb is NULL'],
  ],
];

onMysql('a change in the databases', () => {
  let databases: NovaDatabases;
  beforeAll(async () => (databases = await NovaDatabases.load()));
  afterEach(() => databases.reset());
  afterAll(() => databases.drop());

  it.each(CASES)('%s', async (_change, sql, foundBy, look, before, after) => {
    // A reader that has only read stamps must not find what another part of the poll finds.
    const readers = [...new Set(['stamps', foundBy] as const)].map((part) => ({
      part,
      facts: readerOf(databases, PARTS[part]),
    }));
    await Promise.all(readers.map(({ facts }) => facts.start()));
    for (const { facts } of readers) expect(look(facts)).toEqual(before);
    await databases.run(sql);
    for (const { part, facts } of readers) {
      const { version } = facts.changesSince(0);
      await facts.refresh(0);
      expect(look(facts)).toEqual(part === foundBy ? after : before);
      if (part === foundBy && before !== after) {
        const status = facts.status();
        expect(status.cells.every(({ reason }) => reason === null)).toBe(true);
        if (!_change.startsWith('a node that was created'))
          expect(facts.changesSince(version).version).toBeGreaterThan(version);
      }
      await facts.stop();
    }
  });

  it('that is a save with another uptime alone is a newer report with the same content', async () => {
    const withStats = (stats: object): string =>
      `UPDATE cell1.${NODE2.replace(' WHERE', ` SET stats = '${JSON.stringify(stats).replaceAll(':', ': ')}', updated_at = DATE_ADD(updated_at, INTERVAL 1 SECOND) WHERE`)}`;
    await databases.run(withStats({ num_instances: '1', uptime: ' up 1 day' }));
    const facts = readerOf(databases, PARTS.stamps);
    await facts.start();
    const first = serviceOf(facts, 'cmp2')?.hosts[0];
    await databases.run(withStats({ num_instances: '1', uptime: ' up 2 days,  1 user' }));
    await facts.refresh(0);
    const second = serviceOf(facts, 'cmp2')?.hosts[0];
    expect(second?.report).toBe(first?.report);
    expect(second?.reportedAtMs).toBe((first?.reportedAtMs ?? 0) + 1_000);
    await databases.run(withStats({ num_instances: '2', uptime: ' up 2 days,  1 user' }));
    await facts.refresh(0);
    const { stats } = reportOf(facts, 'cmp2') ?? {};
    expect(stats).toMatchObject({ num_instances: '2', uptime: ' up 2 days,  1 user' });
    await facts.stop();
  });

  it('that is a heartbeat alone is reported as one, and the facts have it', async () => {
    const facts = readerOf(databases, PARTS.stamps);
    await facts.start();
    const services = async (set: string): Promise<ReturnType<PolledNovaFacts['changesSince']>> => {
      const { version } = facts.changesSince(0);
      await databases.run(`UPDATE cell1.services SET ${set} WHERE host = 'cmp2' AND \`binary\` = 'nova-compute'`);
      await facts.refresh(0);
      return facts.changesSince(version);
    };
    const beat = (second: string): string =>
      `report_count = report_count + 1, last_seen_up = '2030-01-01 00:00:${second}'`;
    const { id, hosts } = serviceOf(facts, 'cmp2') ?? {};
    const lastSeenUpMs = Date.parse('2030-01-01T00:00:20Z');
    expect(await services(beat('20'))).toMatchObject({ serviceIds: [], heartbeats: [{ id, lastSeenUpMs }] });
    expect(serviceOf(facts, 'cmp2')).toMatchObject({ service: { lastSeenUpMs } });
    expect(serviceOf(facts, 'cmp2')?.hosts).toBe(hosts);
    expect(await services('report_count = report_count + 1')).toMatchObject({ serviceIds: [], heartbeats: [] });
    // A touch never goes back in time, so an older stamp is another kind of change.
    expect(await services(beat('10'))).toMatchObject({ serviceIds: [id] });
    expect(serviceOf(facts, 'cmp2')?.service.lastSeenUpMs).toBe(lastSeenUpMs - 10_000);
    expect(await services(`${beat('30')}, disabled = 1`)).toMatchObject({ serviceIds: [id] });
    expect(serviceOf(facts, 'cmp2')?.service).toMatchObject({ disabled: true, lastSeenUpMs: lastSeenUpMs + 10_000 });
    await facts.stop();
  });
});
