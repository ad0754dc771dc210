// Several cells: one that fails, hosts that two cells have, casts, and figures that lack an instance.
import { NovaDatabases, novaServer } from '../../../test/nova/nova-databases';
import { testDatabaseKinds } from '../../../test/support/databases';
import { TcpProxy } from '../../../test/support/tcp-proxy';
import { Lines, readerOf } from './facts.fixture';
import type { PolledNovaFacts } from './polled-nova-facts';

const onMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;

const SECOND = 'bbbbbbbb-0000-4000-8000-000000000002';
const INSTANCE = '2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02';
const OTHER = '99999999-0000-4000-8000-000000000009';

const hostsOf = (facts: PolledNovaFacts): readonly string[] =>
  facts
    .changesSince(0)
    .services.map(({ host }) => host)
    .sort();
const leftOut = (facts: PolledNovaFacts): readonly string[] =>
  facts
    .status()
    .leftOut.map(({ host, cell, reason }) => `${host} ${cell?.slice(0, 4)}: ${reason}`)
    .sort();
const uuidsOn = (facts: PolledNovaFacts, host: string): readonly string[] | undefined =>
  facts
    .changesSince(0)
    .services.find((service) => service.host === host)
    ?.hosts[0]?.report.instances?.map(({ uuid }) => uuid);

/** Copies the rows of a host to the second cell under another name and other uuids. */
const copyHost = async (databases: NovaDatabases, cell: string, from: string, to: string): Promise<void> => {
  for (const table of ['services', 'compute_nodes']) {
    await databases.run(
      `INSERT INTO ${cell}.${table} SELECT * FROM cell1.${table} WHERE host = '${from}' AND deleted = 0`,
    );
    await databases.run(`UPDATE ${cell}.${table} SET host = '${to}' WHERE host = '${from}'`);
  }
  await databases.run(
    `UPDATE ${cell}.compute_nodes SET hypervisor_hostname = '${to}', uuid = UUID() WHERE host = '${to}'`,
  );
};

onMysql('two cells', () => {
  let databases: NovaDatabases;
  let proxy: TcpProxy;
  let facts: PolledNovaFacts;
  let cell: string;
  const lines = new Lines();

  beforeAll(async () => (databases = await NovaDatabases.load()));
  beforeEach(async () => {
    proxy = await TcpProxy.open({ host: novaServer.hostname, port: Number(novaServer.port || 3306) });
    cell = await databases.addCell(SECOND, (database) => databases.url(database, proxy.port));
    await copyHost(databases, cell, 'cmp2', 'far1');
    await databases.run(
      "INSERT INTO api.host_mappings (cell_id, host, created_at) SELECT id, 'far1', UTC_TIMESTAMP() " +
        `FROM api.cell_mappings WHERE uuid = '${SECOND}'`,
    );
  });
  afterEach(async () => {
    await facts.stop();
    await proxy.close();
    await databases.reset();
  });
  afterAll(() => databases.drop());

  const open = async (): Promise<void> => {
    facts = readerOf(databases, { waitMs: 300, cellStaleMs: 900, retryEveryMs: 50 }, lines);
    await facts.start();
  };

  it('are read together, each host with its cell', async () => {
    await open();
    expect(hostsOf(facts)).toEqual(['cmp1', 'cmp2', 'cmp3', 'far1']);
    const far = facts.changesSince(0).services.find(({ host }) => host === 'far1');
    expect(far?.hosts[0]?.cell).toBe(SECOND);
    expect(leftOut(facts)).toEqual([]);
  });

  it('lose the hosts of a cell that refuses connections, and get them back', async () => {
    await open();
    const { version } = facts.changesSince(0);
    proxy.shut();
    await facts.refresh(0);
    const changes = facts.changesSince(version);
    expect(hostsOf(facts)).toEqual(['cmp1', 'cmp2', 'cmp3']);
    expect(changes).toMatchObject({ serviceIds: [expect.any(Number)], services: [] });
    expect(leftOut(facts)).toEqual(['far1 bbbb: cell is not ready']);
    expect(facts.status().cells[1]).toMatchObject({ state: 'unreachable', reason: expect.stringMatching(/\w/) });
    expect(lines.all.filter((line) => line.includes('Cell cell2 cannot be read'))).toHaveLength(1);
    proxy.reopen();
    await databases.run(`UPDATE ${cell}.compute_nodes SET free_ram_mb = 5, updated_at = UTC_TIMESTAMP()`);
    await eventually(async () => {
      await facts.refresh(0);
      expect(hostsOf(facts)).toContain('far1');
    });
    const far = facts.changesSince(0).services.find(({ host }) => host === 'far1');
    expect(far?.hosts[0]?.report.freeRamMb).toBe(5);
    expect(leftOut(facts)).toEqual([]);
  });

  it('are not delayed by a cell that does not answer', async () => {
    await open();
    proxy.freeze();
    await databases.run(
      "UPDATE cell1.compute_nodes SET free_ram_mb = 6, updated_at = UTC_TIMESTAMP() WHERE host = 'cmp2'",
    );
    const before = performance.now();
    await facts.refresh(0);
    expect(performance.now() - before).toBeLessThan(1_000);
    const near = facts.changesSince(0).services.find(({ host }) => host === 'cmp2');
    expect(near?.hosts[0]?.report.freeRamMb).toBe(6);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // The poll of the frozen cell still runs; further decisions do not wait for it.
    const later = performance.now();
    await facts.refresh(0);
    expect(performance.now() - later).toBeLessThan(250);
    expect(hostsOf(facts)).toEqual(['cmp1', 'cmp2', 'cmp3']);
    expect(facts.status().cells[1]).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining('older than'),
    });
  });

  it('give the services of their hosts as stored now, and a cell that does not answer is left out', async () => {
    await open();
    await databases.run("UPDATE cell1.services SET disabled = 1 WHERE host = 'cmp2'");
    await databases.run(`UPDATE ${cell}.services SET forced_down = 1 WHERE host = 'far1'`);
    const now = await facts.servicesNow(['cmp2', 'far1', 'CMP1', 'gone']);
    expect([now.get('cmp2'), now.get('far1')]).toMatchObject([{ disabled: true }, { forcedDown: true }]);
    const problem = 'the cell of the host cannot be read';
    expect([now.get('CMP1'), now.get('gone')]).toEqual([{ problem }, { problem }]);
    await databases.run("DELETE FROM cell1.services WHERE host = 'cmp1'");
    const gone = { problem: 'the compute service no longer exists' };
    expect((await facts.servicesNow(['cmp1'])).get('cmp1')).toEqual(gone);
    proxy.freeze();
    const [near, far] = await Promise.all([facts.servicesNow(['cmp2']), facts.servicesNow(['far1', 'cmp3'])]);
    expect(near.get('cmp2')).toMatchObject({ disabled: true });
    expect([far.get('far1'), far.get('cmp3')]).toMatchObject([{ problem }, { forcedDown: false }]);
    expect(facts.status().cells[1]).toMatchObject({
      state: 'unreachable',
      reason: expect.stringMatching(/within 0.3 s/),
    });
    await facts.refresh(0);
    expect(hostsOf(facts)).toEqual(['cmp2', 'cmp3']);
  });

  it('of which one is down at the start are joined when it is back', async () => {
    proxy.shut();
    await open();
    expect(hostsOf(facts)).toEqual(['cmp1', 'cmp2', 'cmp3']);
    expect(leftOut(facts)).toEqual(['far1 bbbb: cell is not ready']);
    proxy.reopen();
    await eventually(async () => {
      await facts.refresh(0);
      expect(hostsOf(facts)).toContain('far1');
    });
  });

  it('that both have a host give the rows of the mapped cell', async () => {
    await copyHost(databases, cell, 'cmp1', 'cmp1');
    await databases.run(
      `UPDATE ${cell}.compute_nodes SET free_ram_mb = 7, updated_at = UTC_TIMESTAMP() WHERE host = 'cmp1'`,
    );
    await open();
    const both = facts.changesSince(0).services.filter(({ host }) => host === 'cmp1');
    expect(both.map(({ hosts }) => hosts.map(({ cell: of, report }) => [of?.slice(0, 4), report.freeRamMb]))).toEqual([
      [['a04e', 13_824]],
    ]);
    expect(leftOut(facts)).toEqual(['cmp1 bbbb: mapped to another cell']);
    await databases.run(
      'UPDATE api.host_mappings SET updated_at = UTC_TIMESTAMP(), cell_id = (SELECT id FROM api.cell_mappings WHERE uuid = ' +
        `'${SECOND}') WHERE host = 'cmp1'`,
    );
    await facts.refresh(0);
    expect(facts.changesSince(0).services.find(({ host }) => host === 'cmp1')?.hosts[0]?.report.freeRamMb).toBe(7);
    expect(leftOut(facts)).toEqual(['cmp1 a04e: mapped to another cell']);
  });
});

onMysql('casts', () => {
  let databases: NovaDatabases;
  let facts: PolledNovaFacts;
  beforeAll(async () => (databases = await NovaDatabases.load()));
  beforeEach(async () => {
    facts = readerOf(databases, { sumsEveryMs: 0 });
    await facts.start();
  });
  afterEach(async () => {
    await facts.stop();
    await databases.reset();
  });
  afterAll(() => databases.drop());

  it('change the list of a host at once, and rows correct them', async () => {
    const { version } = facts.changesSince(0);
    facts.updateInstances('cmp3', [OTHER]);
    facts.deleteInstance('cmp2', INSTANCE);
    facts.updateInstances('unknown', [OTHER]);
    expect([uuidsOn(facts, 'cmp3'), uuidsOn(facts, 'cmp2')]).toEqual([[OTHER], []]);
    expect(facts.changesSince(version).services.map(({ host }) => host)).toEqual(['cmp3', 'cmp2']);
    await facts.refresh(0);
    expect([uuidsOn(facts, 'cmp3'), uuidsOn(facts, 'cmp2')]).toEqual([[], [INSTANCE]]);
  });

  it('do not move an instance away from the host of its row', () => {
    facts.updateInstances('cmp3', [INSTANCE]);
    facts.deleteInstance('cmp3', INSTANCE);
    expect([uuidsOn(facts, 'cmp3'), uuidsOn(facts, 'cmp2')]).toEqual([[], [INSTANCE]]);
  });

  it('with an unexpected list cause a read of that host', async () => {
    await facts.stop();
    facts = readerOf(databases, { sumsEveryMs: 1e8, sweepEveryMs: 1e8 });
    await facts.start();
    await databases.run(
      `UPDATE cell1.instances SET deleted = id, updated_at = '2026-01-01' WHERE uuid = '${INSTANCE}'`,
    );
    await databases.run("UPDATE cell1.instances SET updated_at = '2026-11-23 23:00:00' WHERE uuid LIKE '1a6d%'");
    facts.syncInstances('cmp2', [INSTANCE]);
    facts.syncInstances('cmp1', []);
    facts.syncInstances('cmp2', []);
    await facts.refresh(0);
    expect(uuidsOn(facts, 'cmp2')).toEqual([]);
    expect(uuidsOn(facts, 'cmp1')).toHaveLength(1);
  });

  it('about aggregates cause a read of their tables', async () => {
    await databases.run("UPDATE api.aggregate_metadata SET value = 'az9' WHERE `key` = 'availability_zone'");
    facts.readAggregatesAgain();
    await eventually(async () => {
      expect(facts.changesSince(0).aggregates[0]?.metadata['availability_zone']).toBe('az9');
    });
  });
});

onMysql('the figures of a node', () => {
  it('lack an instance until the node is saved in a later second', async () => {
    const databases = await NovaDatabases.load();
    const facts = readerOf(databases);
    await facts.start();
    expect(facts.isCounted('cmp2', INSTANCE)).toBe(true);
    expect(facts.isCounted('cmp2', OTHER)).toBe(false);
    const at = '2026-11-23 13:00:00';
    await databases.run(
      `UPDATE cell1.instances SET host = 'cmp3', node = 'cmp3', updated_at = '${at}' WHERE uuid = '${INSTANCE}'`,
    );
    await facts.refresh(0);
    expect(facts.isCounted('cmp3', INSTANCE)).toBe(false);
    for (const [saved, expected] of [
      [at, false],
      ['2026-11-23 13:00:01', true],
    ] as const) {
      await databases.run(`UPDATE cell1.compute_nodes SET updated_at = '${saved}' WHERE host = 'cmp3'`);
      await facts.refresh(0);
      expect(facts.isCounted('cmp3', INSTANCE)).toBe(expected);
    }
    await facts.stop();
    await databases.drop();
  });
});

/** Repeats the check until it passes, for at most 10 s. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + 10_000; ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
