// Maintenance of the change log: trims old rows, and retires the lanes of ended processes.
import { CHANGE_LOG_LIMITS } from '../../src/platform/config/limits/database';
import { TREE_CHANGE } from '../../src/platform/database/change-log';
import { ChangeLogMaintenance } from '../../src/platform/database/change-log-maintenance';
import { testDatabaseKinds } from '../support/databases';
import { GraphFollower, readChangeLog } from '../support/graph-follower';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const RETENTION_SECONDS = 1_000;
  const SILENT_SECONDS = RETENTION_SECONDS * CHANGE_LOG_LIMITS.transactionShareOfRetention;
  let open: OpenDatabase;
  let maintenance: ChangeLogMaintenance;
  let provider = 0;

  beforeEach(async () => {
    open = await openTestDatabase(kind);
    maintenance = new ChangeLogMaintenance(open.database, RETENTION_SECONDS, { warn: () => undefined });
    provider = await open.database.write(async (tx) => {
      const columns = 'uuid, name, created_at';
      const id = await tx.insert(`INSERT INTO resource_providers (${columns}) VALUES (?, 'p', 1)`, ['0'.repeat(36)]);
      await tx.run('UPDATE resource_providers SET root_provider_id = id');
      return id;
    });
  });
  afterEach(() => open.close());

  const touch = (): Promise<void> => open.database.write(async (tx) => tx.changes.tree(provider));
  const age = (table: 'change_log' | 'writer_lanes', seconds: number, where = '1 = 1'): Promise<number> => {
    const column = table === 'change_log' ? 'created_at' : 'renewed_at';
    return open.database.write((tx) => tx.run(`UPDATE ${table} SET ${column} = ${column} - ${seconds} WHERE ${where}`));
  };
  /** A lane of another process, which this one does not renew. */
  const foreignLane = async (rows: number): Promise<number> => {
    const lane = await open.database.write((tx) =>
      tx.insert(
        `INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES ('other', ${tx.dialect.nowSeconds}, ${tx.dialect.nowSeconds})`,
      ),
    );
    for (let seq = 1; seq <= rows; seq += 1) {
      await open.database.write((tx) =>
        tx.run(
          'INSERT INTO change_log (lane, seq, kind, ref_id, resource_provider_id, created_at) ' +
            `VALUES (?, ?, ${TREE_CHANGE}, ?, ?, ${tx.dialect.nowSeconds})`,
          [lane, seq, provider, provider],
        ),
      );
    }
    return lane;
  };
  const lanes = async (): Promise<readonly number[]> =>
    (await open.database.read((sql) => sql.query<{ id: number }>('SELECT id FROM writer_lanes ORDER BY id'))).map(
      (row) => row.id,
    );
  const sequence = async (lane: number): Promise<readonly number[]> =>
    (await readChangeLog(open.database)).filter((row) => row.lane === lane).map((row) => row.seq);

  it('trims rows older than the retention and keeps newer ones', async () => {
    const lane = await foreignLane(6);
    await age('change_log', RETENTION_SECONDS + 10, `lane = ${lane} AND seq <= 4`);
    await age('change_log', RETENTION_SECONDS - 10, `lane = ${lane} AND seq = 5`);
    expect(await maintenance.round()).toBe(4);
    expect(await sequence(lane)).toEqual([5, 6]);
    expect(await maintenance.round()).toBe(0);
  });

  it('trims whole prefixes of lanes, even after the clock was changed', async () => {
    const lane = await foreignLane(5);
    // Row 2 looks newer than row 4: a reader that has read row 1 must never find 3 without 2.
    await age('change_log', RETENTION_SECONDS + 10, `lane = ${lane} AND seq IN (1, 3, 4)`);
    await maintenance.round();
    const left = await sequence(lane);
    expect(left).toEqual([1, 2, 3, 4, 5].slice(5 - left.length));
  });

  it('retires a silent lane only after its rows are gone', async () => {
    const lane = await foreignLane(2);
    await age('writer_lanes', SILENT_SECONDS + 10, `id = ${lane}`);
    await maintenance.round();
    expect(await lanes()).toContain(lane);
    await age('change_log', RETENTION_SECONDS + 10, `lane = ${lane}`);
    await maintenance.round();
    expect(await sequence(lane)).toEqual([]);
    expect(await lanes()).not.toContain(lane);
  });

  it('keeps a recently renewed lane, even without rows', async () => {
    const lane = await foreignLane(0);
    await age('writer_lanes', SILENT_SECONDS - 10, `id = ${lane}`);
    await maintenance.round();
    expect(await lanes()).toContain(lane);
  });

  it('renews the lanes of this process, so they are never retired', async () => {
    await touch();
    const own = open.database.laneIds;
    expect(own.length).toBeGreaterThan(0);
    await age('change_log', RETENTION_SECONDS + 10);
    await age('writer_lanes', SILENT_SECONDS * 5);
    await maintenance.round();
    expect(await lanes()).toEqual(expect.arrayContaining([...own]));
    await touch();
    expect((await readChangeLog(open.database)).length).toBe(1);
  });

  it('a process whose lane was retired while it was suspended opens a new one, whose rows every reader finds', async () => {
    await touch();
    const follower = await GraphFollower.start(open.database);
    await open.database.write((tx) => tx.run('DELETE FROM change_log'));
    await open.database.write((tx) => tx.run('DELETE FROM writer_lanes'));
    await touch();
    const [row, ...others] = await follower.news();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ seq: 1, ref_id: provider });
    expect(await lanes()).toEqual([row?.lane]);
  });

  it('never reuses the number of a lane', async () => {
    const first = await foreignLane(0);
    await open.database.write((tx) => tx.run('DELETE FROM writer_lanes WHERE id = ?', [first]));
    expect(await foreignLane(0)).toBeGreaterThan(first);
  });
});
