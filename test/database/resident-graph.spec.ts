// The graph in memory after operational faults: a log trimmed while a process was suspended, a cut connection, very
// many changes, lanes that come and go. The graph becomes correct by itself each time.
import { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import { CHANGE_LOG_LIMITS } from '../../src/platform/config/limits/database';
import { testDatabaseKinds } from '../support/databases';
import { dumpGraph } from '../support/graph-dump';
import { loadedGraph } from '../support/graph-follower';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let graphs: GraphSource;
  let number = 0;
  beforeAll(async () => {
    service = await startTestService(kind);
    graphs = service.app.get(GraphSource);
  });
  afterAll(() => service.stop());

  const addProvider = async (): Promise<string> => {
    number += 1;
    const answer = await service.request({ method: 'POST', path: '/resource_providers', body: { name: `p${number}` } });
    const uuid = String(answer.json.uuid);
    const body = { resource_provider_generation: 0, inventories: { VCPU: { total: 8 } } };
    await service.request({ method: 'PUT', path: `/resource_providers/${uuid}/inventories`, body });
    return uuid;
  };
  const expectTruth = async (): Promise<void> =>
    expect(dumpGraph(await graphs.current())).toEqual(dumpGraph(await loadedGraph(service.database)));
  const sql = (text: string): Promise<number> => service.database.write((tx) => tx.run(text));

  it('reflects a write at once, without a full load', async () => {
    await graphs.current();
    const before = graphs.counts.wholeReloads;
    await addProvider();
    await expectTruth();
    expect(graphs.counts.wholeReloads).toBe(before);
  });

  it('has every trait of a provider with hundreds, read alone and with all others', async () => {
    const uuid = await addProvider();
    const { traits } = (await service.request({ path: '/traits' })).json as { readonly traits: readonly string[] };
    const several = traits.filter((name) => !name.startsWith('MISC_')).sort();
    expect(several.length).toBeGreaterThan(300);
    const body = { resource_provider_generation: 1, traits: several };
    expect(await service.request({ method: 'PUT', path: `/resource_providers/${uuid}/traits`, body })).toMatchObject({
      status: 200,
    });
    for (const graph of [await graphs.current(), await loadedGraph(service.database)]) {
      expect([...(graph.findProviderByUuid(uuid)?.traits ?? [])]).toEqual(several);
    }
  });

  it('serves concurrent searches from one refresh', async () => {
    await addProvider();
    const before = graphs.counts.refreshes;
    const answers = await Promise.all(Array.from({ length: 20 }, () => graphs.current()));
    expect(new Set(answers).size).toBe(1);
    expect(graphs.counts.refreshes - before).toBeLessThanOrEqual(2);
  });

  it('follows more changes than one read returns, without a full load', async () => {
    const uuid = await addProvider();
    await graphs.current();
    const { wholeReloads, usageRows } = graphs.counts;
    const changes = CHANGE_LOG_LIMITS.rowsPerRead + 10;
    await service.database.write(async (tx) => {
      const lane = await tx.insert("INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES ('other', 1, 1)");
      const [record] = await tx.query<{ id: number; provider: number }>(
        'SELECT i.id, p.id AS provider FROM inventories i JOIN resource_providers p ON p.id = i.resource_provider_id ' +
          'WHERE p.uuid = ?',
        [uuid],
      );
      for (let seq = 1; seq <= changes; seq += 1) {
        await tx.run(
          'INSERT INTO change_log (lane, seq, kind, ref_id, resource_provider_id, used, version, created_at) ' +
            'VALUES (?, ?, 2, ?, ?, 1, ?, 1)',
          [lane, seq, record?.id ?? 0, record?.provider ?? 0, 10 + seq],
        );
      }
      await tx.run('UPDATE inventories SET used = 1, version = ? WHERE id = ?', [10 + changes, record?.id ?? 0]);
    });
    await expectTruth();
    expect(graphs.counts.usageRows).toBe(usageRows + changes);
    expect(graphs.counts.wholeReloads).toBe(wholeReloads);
  });

  it('reloads everything after a suspension longer than half of the retention', async () => {
    await graphs.current();
    const before = graphs.counts.wholeReloads;
    await addProvider();
    // Deletes the unread log rows, like trimming does with old ones.
    await sql('DELETE FROM change_log');
    const asleep = service.config.berth.change_log_retention_seconds * CHANGE_LOG_LIMITS.readerShareOfRetention + 1;
    (graphs as unknown as { readAtSeconds: number }).readAtSeconds -= asleep;
    await addProvider();
    await expectTruth();
    expect(graphs.counts.wholeReloads).toBe(before + 1);
  });

  it('loads a provider whose usage changed before its record was known', async () => {
    const uuid = await addProvider();
    await graphs.current();
    const put = (generation: number, inventories: object) =>
      service.request({
        method: 'PUT',
        path: `/resource_providers/${uuid}/inventories`,
        body: { resource_provider_generation: generation, inventories },
      });
    expect((await put(1, {})).status).toBe(200);
    expect((await put(2, { VCPU: { total: 4 } })).status).toBe(200);
    // The reader gets only the usage of the new record, whose id shows that the record is unknown.
    await sql('DELETE FROM change_log');
    const claim = await service.request({
      method: 'PUT',
      path: '/allocations/00000000-0000-4000-8000-000000000077',
      body: {
        allocations: { [uuid]: { resources: { VCPU: 3 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'T',
      },
    });
    expect(claim.status).toBe(204);
    await expectTruth();
  });

  it('removes deleted lanes and still reads those of new ones', async () => {
    const openLanes = async (count: number): Promise<void> => {
      for (let lane = 0; lane < count; lane += 1) {
        await service.database.write(async (tx) => {
          const id = await tx.insert(
            "INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES ('gone', 1, 1)",
          );
          await tx.run(
            'INSERT INTO change_log (lane, seq, kind, ref_id, resource_provider_id, created_at) VALUES (?, 1, 1, 1, 1, 1)',
            [id],
          );
        });
      }
      await graphs.current();
    };
    await openLanes(CHANGE_LOG_LIMITS.lanesBeforePruning / 2);
    await sql("DELETE FROM change_log WHERE lane IN (SELECT id FROM writer_lanes WHERE process = 'gone')");
    await sql("DELETE FROM writer_lanes WHERE process = 'gone'");
    await openLanes(CHANGE_LOG_LIMITS.lanesBeforePruning / 2);
    await addProvider();
    await expectTruth();
    await addProvider();
    await expectTruth();
    expect((graphs as unknown as { vector: Map<number, number> }).vector.size).toBeLessThan(
      CHANGE_LOG_LIMITS.lanesBeforePruning,
    );
  });

  if (kind === 'mysql') {
    it('answers 503 while its connections are cut, and correctly right after', async () => {
      await graphs.current();
      const ids = await service.database.read((reader) =>
        reader.query<{ id: number }>(
          'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
        ),
      );
      for (const { id } of ids) await service.database.read((reader) => reader.query(`KILL ${id}`).catch(() => []));
      const answers = [];
      for (let turn = 0; turn < 20; turn += 1) {
        answers.push((await service.request({ path: '/allocation_candidates?resources=VCPU:1' })).status);
      }
      expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(answers.at(-1)).toBe(200);
      await addProvider();
      await expectTruth();
    });
  }
});
