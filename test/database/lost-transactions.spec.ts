// A server can abort a transaction between two statements and run the rest as if nothing had happened: Galera does when
// another node's commit wins. Statements after the abort must never be committed.
import { DATABASE_LIMITS } from '../../src/platform/config/limits/database';
import type { ConnectionSource, ConnectionSources } from '../../src/platform/database/connections';
import { CERTIFICATION } from '../../src/platform/database/dialects';
import type { Statement, WriteTx } from '../../src/platform/database/sql';
import { Unavailable } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

/** Connections of a stand-alone server, and the same treated as one whose transactions other servers can abort. */
const CASES: readonly (readonly [string, (sources: ConnectionSources) => ConnectionSources])[] = [
  ['on a server alone', (sources) => sources],
  ['on one among several', certified],
];

function certified({ writer }: ConnectionSources): ConnectionSources {
  const source: ConnectionSource = {
    acquire: async () => Object.assign(await writer.acquire(), { control: CERTIFICATION.control }),
    distrust: (connection) => writer.distrust(connection),
    close: () => writer.close(),
  };
  return { writer: source, reader: source, snapshot: source };
}

const adding = (name: string): Statement => ({
  sql: 'INSERT INTO projects (external_id, created_at) VALUES (?, ?)',
  params: [name, 1],
});
const add = (tx: WriteTx, name: string): Promise<number> => tx.run(adding(name).sql, adding(name).params);
const ROLLBACK: Statement = { sql: 'ROLLBACK', params: [] };

(testDatabaseKinds().includes('mysql') ? describe : describe.skip)('on mysql', () => {
  describe.each(CASES)('%s', (_where, change) => {
    let open: OpenDatabase;
    beforeAll(async () => {
      open = await openTestDatabase('mysql', change);
    });
    afterAll(() => open.close());

    const projects = async (): Promise<readonly string[]> =>
      open.database.read(async (sql) =>
        (await sql.query<{ name: string }>('SELECT external_id AS name FROM projects ORDER BY id')).map(
          ({ name }) => name,
        ),
      );
    const session = (name: string): Promise<unknown> =>
      open.database.read(async (sql) => (await sql.query<{ value: unknown }>(`SELECT @@${name} AS value`))[0]?.value);

    it('commits a success, and leaves a usable session', async () => {
      await open.database.write((tx) => add(tx, 'kept'));
      expect(await projects()).toContain('kept');
      expect(await session('autocommit')).toBe(1);
    });

    it('rolls back a failure, and leaves a usable session', async () => {
      const failing = open.database.write(async (tx) => {
        await add(tx, 'undone');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await projects()).not.toContain('undone');
      expect(await session('autocommit')).toBe(1);
    });

    it('sends nothing after a failed batch', async () => {
      const name = 'behind a failure';
      const failing = open.database.write(async (tx) => {
        const first = tx.run('INSERT INTO projects (external_id, created_at) SELECT SLEEP(0.2), NULL');
        // Issued in a later phase of the event loop, during the first.
        const second = new Promise((resume) => setImmediate(resume)).then(() => add(tx, name));
        const outcomes = await Promise.allSettled([first, second]);
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      });
      await failing;
      expect(await projects()).not.toContain(name);
    });

    it('prevents automatic retries by the server', async () => {
      const version = String(await session('version'));
      if (!version.includes('MariaDB')) return;
      expect(await session('wsrep_retry_autocommit')).toBe(0);
      expect(await session('wsrep_sync_wait')).toBe(1);
    });
  });

  describe('on a cluster node, where a transaction is aborted unnoticed', () => {
    let open: OpenDatabase;
    beforeAll(async () => {
      open = await openTestDatabase('mysql', certified);
    });
    afterAll(() => open.close());

    const projects = async (): Promise<readonly string[]> =>
      open.database.read(async (sql) =>
        (await sql.query<{ name: string }>('SELECT external_id AS name FROM projects ORDER BY id')).map(
          ({ name }) => name,
        ),
      );

    /** The first run loses its transaction `where`; returns the final content. */
    const losing = async (label: string, where: (tx: WriteTx, run: number) => Promise<unknown>): Promise<unknown> => {
      let runs = 0;
      await open.database.write(async (tx) => {
        runs += 1;
        await where(tx, runs);
      });
      return { runs, kept: (await projects()).filter((name) => name.startsWith(label)) };
    };
    const undo = (tx: WriteTx, run: number): Promise<unknown> =>
      run === 1 ? tx.run('ROLLBACK') : Promise.resolve(undefined);

    it('keeps nothing of it, and repeats all of it', async () => {
      const found = await losing('middle', async (tx, run) => {
        await add(tx, `middle ${run} before`);
        await undo(tx, run);
        await add(tx, `middle ${run} after`);
      });
      expect(found).toEqual({ runs: 2, kept: ['middle 2 before', 'middle 2 after'] });
    });

    it("is written in the end, however many attempts are aborted during the cluster's recovery", async () => {
      const aborted = 3 * DATABASE_LIMITS.transactionAttempts;
      const found = await losing('recovery', async (tx, run) => {
        await add(tx, `recovery ${run}`);
        if (run <= aborted) await tx.run('ROLLBACK');
      });
      expect(found).toEqual({ runs: aborted + 1, kept: [`recovery ${aborted + 1}`] });
    });

    it('is not available if the cluster aborts every attempt: that is no conflict of the contract', async () => {
      let runs = 0;
      const since = performance.now() - DATABASE_LIMITS.certifiedMs;
      const aborted = async (tx: WriteTx): Promise<void> => {
        runs += 1;
        await add(tx, `never ${runs}`);
        await tx.run('ROLLBACK');
      };
      const error = await open.database.write(aborted, { since }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Unavailable);
      const message = `The database cluster kept aborting the write: gave up after ${runs} attempts. Retry the request.`;
      expect(error).toMatchObject({ code: 'unavailable', message });
      expect((await projects()).filter((name) => name.startsWith('never'))).toEqual([]);
    });

    it('keeps nothing of it within one batch', async () => {
      const found = await losing('batch', (tx, run) =>
        tx.batch([adding(`batch ${run} before`), ...(run === 1 ? [ROLLBACK] : []), adding(`batch ${run} after`)]),
      );
      expect(found).toEqual({ runs: 2, kept: ['batch 2 before', 'batch 2 after'] });
    });

    it('does not take an empty commit for its own', async () => {
      const found = await losing('end', async (tx, run) => {
        await add(tx, `end ${run}`);
        await undo(tx, run);
      });
      expect(found).toEqual({ runs: 2, kept: ['end 2'] });
    });

    it('keeps nothing of the deferred statements', async () => {
      const found = await losing('last', async (tx, run) => {
        await undo(tx, run);
        tx.conclude('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [`last ${run}`, 1]);
      });
      expect(found).toEqual({ runs: 2, kept: ['last 2'] });
    });
  });
});
