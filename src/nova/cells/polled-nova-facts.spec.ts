// What the fixture of nova 26 gives the scheduler, with a user that can only read.
import { NovaDatabases } from '../../../test/nova/nova-databases';
import { testDatabaseKinds } from '../../../test/support/databases';
import { reportedHostState } from '../../scheduling-rules/host-state/build-host-state';
import { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import { Lines, readerOf } from './facts.fixture';
import type { PolledNovaFacts } from './polled-nova-facts';

const onMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;

const CELL = 'a04e711c-bef7-47a3-8ffc-a19e4e47af49';
/** The time of the fixture's heartbeats. */
const NOW = Date.parse('2026-11-23T12:58:20Z');

function directoryOf(facts: PolledNovaFacts): HostDirectory {
  const { serviceIds, services, aggregateIds, aggregates } = facts.changesSince(0);
  const directory = new HostDirectory();
  directory.replaceServices(serviceIds, services);
  directory.replaceAggregates(aggregateIds, aggregates);
  return directory;
}

function stateOf(directory: HostDirectory, name: string): HostState {
  const service = directory.findService(name);
  const host = service?.hosts[0];
  if (service === undefined || host === undefined) throw new Error(`no host ${name}`);
  return reportedHostState(
    { service, host, aggregates: directory.aggregatesOf(name), tree: [] },
    { nowMs: NOW, pendingTtlSeconds: 600, countsPlacements: true, comparesPlacement: false },
  );
}

onMysql('the fixture of nova 26', () => {
  let databases: NovaDatabases;
  let facts: PolledNovaFacts;
  let directory: HostDirectory;
  const lines = new Lines();

  beforeAll(async () => {
    databases = await NovaDatabases.load();
    facts = readerOf(databases, {}, lines);
    await facts.start();
    directory = directoryOf(facts);
  });
  afterAll(async () => {
    await facts.stop();
    await databases.drop();
  });

  it.each<[string, Partial<HostState>]>([
    [
      'cmp1',
      {
        cell: CELL,
        freeRamMb: 13_824,
        freeDiskMb: 901_120,
        vcpusUsed: 2,
        numInstances: 1,
        numIoOps: 0,
        failedBuilds: 0,
        cpuAllocationRatio: 16,
        ramAllocationRatio: 1.5,
        diskAllocationRatio: 1,
        updatedAtMs: Date.parse('2026-11-23T12:58:07Z'),
      },
    ],
    ['cmp2', { freeRamMb: 31_744, freeDiskMb: 909_312, numInstances: 1 }],
    ['cmp3', { freeRamMb: 7_680, freeDiskMb: 0, numaTopology: null, pciPools: [] }],
  ])('has the figures of %s', (name, expected) => {
    const { updatedAtMs, ...figures } = expected;
    expect(stateOf(directory, name)).toMatchObject(figures);
    if (updatedAtMs !== undefined) expect(stateOf(directory, name).updatedAtMs).toBeGreaterThan(0);
  });

  it('has NUMA cells, PCI pools and metrics of cmp1', () => {
    const { numaTopology, pciPools, metrics, cpuInfo, supportedInstances } = stateOf(directory, 'cmp1');
    expect(numaTopology?.cells.map(({ id, pinnedCpus }) => [id, pinnedCpus])).toEqual([
      [0, [2, 3]],
      [1, []],
    ]);
    expect(numaTopology?.cells[0]?.mempages.map(({ sizeKb, used }) => [sizeKb, used])).toEqual(
      expect.arrayContaining([[2048, expect.any(Number)]]),
    );
    expect(pciPools?.map(({ count }) => count)).toEqual([1, 3]);
    expect(pciPools?.map(({ devType }) => devType).sort()).toEqual(['type-PCI', 'type-VF']);
    expect(pciPools?.some(({ tags }) => tags['physical_network'] === 'physnet1')).toBe(true);
    expect(metrics.find(({ name }) => name === 'cpu.idle.percent')?.value).toBe(56);
    expect(typeof cpuInfo).toBe('string');
    expect(supportedInstances).toContainEqual(['x86_64', 'qemu', 'hvm']);
  });

  it('has services, instances and aggregates', () => {
    expect(stateOf(directory, 'cmp3').service).toEqual({
      disabled: true,
      disabledReason: 'planned: firmware',
      forcedDown: false,
      lastSeenUpMs: Date.parse('2026-11-23T12:58:27Z'),
      createdAtMs: Date.parse('2026-11-23T12:58:27Z'),
      updatedAtMs: null,
    });
    expect([...stateOf(directory, 'cmp1').instances.keys()]).toEqual(['1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01']);
    expect([...stateOf(directory, 'cmp2').instances.keys()]).toEqual(['2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02']);
    expect(stateOf(directory, 'cmp2').aggregates).toEqual([
      {
        uuid: 'd4070959-9eb9-42f2-906c-7a2d234285bb',
        name: 'agg-fast',
        metadata: { availability_zone: 'az1', ssd: 'true', cpu_weight_multiplier: '2.5' },
      },
    ]);
    expect(stateOf(directory, 'cmp3').aggregates).toEqual([]);
    expect(directory.findService('cmp0')).toBeUndefined();
  });

  it('is described without addresses and passwords', () => {
    const status = facts.status();
    expect(status).toMatchObject({
      api: { state: 'ready', reason: null },
      cells: [{ uuid: CELL, name: 'cell1', state: 'ready', mappedHosts: 3, nodes: 3, instances: 2 }],
      leftOutCount: 0,
      services: 3,
    });
    expect(JSON.stringify([status, lines.all])).not.toMatch(/s%2Fe|s\/e@cret|mysql/);
  });

  it('gives no changes to a reader of the newest version, and none while nothing changes', async () => {
    const { version } = facts.changesSince(0);
    await facts.refresh(0);
    expect(facts.changesSince(version)).toMatchObject({ version, serviceIds: [], aggregateIds: [] });
  });
});

onMysql('the start', () => {
  let databases: NovaDatabases;
  beforeAll(async () => (databases = await NovaDatabases.load()));
  afterEach(() => databases.reset());
  afterAll(() => databases.drop());

  it.each<[string, string, RegExp]>([
    ['all cells are disabled', 'UPDATE api.cell_mappings SET disabled = 1', /no enabled cell/],
    ['a table is missing', 'DROP TABLE api.aggregate_hosts', /API database of nova cannot be read: .*aggregate_hosts/],
    [
      'a cell is no MySQL',
      "UPDATE api.cell_mappings SET database_connection = 'postgresql://nova:s%2Fe@h/nova' WHERE id = 2",
      /Cell cell1: Column cell_mappings.database_connection names a PostgreSQL database/,
    ],
    [
      'a template has an unknown name',
      "UPDATE api.cell_mappings SET database_connection = '{schema}://h/nova' WHERE id = 2",
      /Cell cell1: .*unknown name \{schema\}/,
    ],
    [
      'the password of a cell is wrong',
      "UPDATE api.cell_mappings SET database_connection = 'mysql://nova:wr0ng@127.0.0.1/nova' WHERE id = 2",
      /Cell cell1: ER_ACCESS_DENIED_ERROR/,
    ],
  ])('is refused if %s', async (_name, sql, expected) => {
    await databases.run(sql);
    const facts = readerOf(databases);
    await expect(facts.start()).rejects.toThrow(expected);
    await expect(facts.start()).rejects.toThrow(expect.not.stringMatching(/s%2Fe|wr0ng/));
    await facts.stop();
  });

  it('reads a cell with an address that is no template', async () => {
    const [cell = ''] = databases.cells;
    await databases.run('UPDATE api.cell_mappings SET database_connection = ? WHERE id = 2', [databases.url(cell)]);
    const facts = readerOf(databases, {}, new Lines(), null);
    await facts.start();
    expect(facts.status().services).toBe(3);
    await facts.stop();
  });

  it('waits for a first read that takes longer than its data counts', async () => {
    await databases.run('LOCK TABLES cell1.instances WRITE');
    const facts = readerOf(databases, { cellStaleMs: 1_000 });
    const started = facts.start();
    await new Promise((resume) => setTimeout(resume, 1_500));
    await databases.run('UNLOCK TABLES');
    await started;
    expect(facts.status().cells).toMatchObject([{ state: 'ready' }]);
    await facts.stop();
  });
});

onMysql('image properties', () => {
  it('are read for their weigher, and again when the instance is saved', async () => {
    const databases = await NovaDatabases.load();
    await databases.grantProperties();
    const facts = readerOf(databases, {}, new Lines(), databases.templateBase, true);
    await facts.start();
    const properties = (): unknown =>
      facts.changesSince(0).services.find(({ host }) => host === 'cmp1')?.hosts[0]?.report.instances?.[0]
        ?.imageProperties;
    expect(properties()).toEqual({ hw_machine_type: 'q35' });
    await databases.run(
      "UPDATE cell1.instance_system_metadata SET value = 'pc' WHERE `key` = 'image_hw_machine_type'; " +
        'UPDATE cell1.instances SET updated_at = UTC_TIMESTAMP() WHERE deleted = 0',
    );
    await facts.refresh(0);
    expect(properties()).toEqual({ hw_machine_type: 'pc' });
    await facts.stop();
    await databases.drop();
  });
});
