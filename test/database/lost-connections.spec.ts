// A network that delays packets, drops them, or cuts connections: every caller gets a result within the time limits,
// service resumes by itself, and aborted work is never committed later.
import type { Connection as Admin } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import { DATABASE_LIMITS } from '../../src/platform/config/limits/database';
import { closeSources } from '../../src/platform/database/connections';
import type { MysqlTarget } from '../../src/platform/database/data-source';
import { Database } from '../../src/platform/database/database';
import { MYSQL } from '../../src/platform/database/dialects';
import { MysqlPool } from '../../src/platform/database/mysql-pool';
import { mysqlSources } from '../../src/platform/database/open-sources';
import { ConcurrentUpdate, OutcomeUnknown, Unavailable } from '../../src/platform/values/errors';
import type { TestDatabase } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import { createMigratedDatabase, TEST_SETTINGS } from '../support/migrated-database';
import { TcpProxy } from '../support/tcp-proxy';

const describeOnMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;
/** Far below the product's limit, for a fast suite; far above the duration of a statement. */
const SHORT = { statementMs: 700 };
const POOL = 4;

describeOnMysql('on mysql, behind a network', () => {
  let test: TestDatabase;
  let target: MysqlTarget;
  let admin: Admin;
  let proxy: TcpProxy;
  let pool: MysqlPool;
  let database: Database;

  beforeAll(async () => {
    test = await createMigratedDatabase('mysql');
    target = test.target as MysqlTarget;
    const [address] = target.hosts;
    admin = await createConnection({
      ...address,
      user: target.user,
      password: target.password,
      database: target.database,
    });
  });
  afterAll(async () => {
    await admin.end();
    await test.drop();
  });
  beforeEach(async () => {
    const [upstream] = target.hosts;
    if (upstream === undefined) throw new Error('no host');
    proxy = await TcpProxy.open(upstream);
    pool = new MysqlPool({ ...target, hosts: [{ host: proxy.host, port: proxy.port }] }, { warn: () => undefined });
    database = new Database(mysqlSources(pool), { ...TEST_SETTINGS, dialect: MYSQL, poolSize: POOL });
  });
  afterEach(async () => {
    await closeSources(mysqlSources(pool));
    await proxy.close();
  });

  const addProject = (name: string, limits = SHORT): Promise<number> =>
    database.write((tx) => tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [name, 1]), limits);
  /** Everything in one packet, including the commit. */
  const addAtOnce = (name: string): Promise<void> =>
    database.write((tx) => {
      tx.conclude('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [name, 1]);
      return tx.finish();
    }, SHORT);
  const readOne = (limits = SHORT): Promise<readonly unknown[]> =>
    database.read((sql) => sql.query('SELECT 1'), limits);
  const projects = async (like: string): Promise<readonly string[]> => {
    const [rows] = await admin.query('SELECT external_id FROM projects WHERE external_id LIKE ? ORDER BY id', [like]);
    return (rows as { external_id: string }[]).map((row) => row.external_id);
  };
  /** Opens the maximum of connections, and leaves them idle. */
  const fillPool = async (): Promise<void> => {
    await Promise.all(Array.from({ length: POOL }, () => database.read((sql) => sql.query('SELECT SLEEP(0.05)'))));
    expect(pool.size).toBe(POOL);
  };
  const kindsOf = (results: readonly PromiseSettledResult<unknown>[]): readonly string[] =>
    results.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as Error).name));

  it('closes connections that died silently, including the idle ones, and then uses new ones', async () => {
    await fillPool();
    proxy.dropPackets();
    await expect(readOne()).rejects.toBeInstanceOf(Unavailable);
    expect(pool.size).toBe(0);
    const results = await Promise.allSettled(Array.from({ length: 3 * POOL }, () => readOne()));
    expect(new Set(kindsOf(results))).toEqual(new Set(['done']));
    expect(pool.size).toBeLessThanOrEqual(POOL);
  });

  it('never reuses a connection that failed during a statement', async () => {
    await fillPool();
    const broken = Array.from({ length: POOL }, async () => {
      const slow = database.read((sql) => sql.query('SELECT SLEEP(10)'));
      const next = slow.catch(() => database.read((sql) => sql.query('SELECT 1')));
      await expect(slow).rejects.toBeInstanceOf(Unavailable);
      return next;
    });
    await new Promise((resume) => setImmediate(resume));
    proxy.reset();
    const results = await Promise.allSettled(broken);
    expect(kindsOf(results)).toEqual(Array.from({ length: POOL }, () => 'done'));
  });

  it('frees every place when all connections die in use', async () => {
    await fillPool();
    let begun = 0;
    const inside = Array.from({ length: POOL }, () =>
      database.write(async (tx) => {
        await tx.query('SELECT 1');
        begun += 1;
        if (begun === POOL) proxy.dropPackets();
        while (begun < POOL) await new Promise((resume) => setTimeout(resume, 1));
        await tx.query('SELECT 2');
      }, SHORT),
    );
    expect(kindsOf(await Promise.allSettled(inside))).toEqual(Array.from({ length: POOL }, () => 'Unavailable'));
    const results = await Promise.allSettled(Array.from({ length: 2 * POOL }, (_, at) => addProject(`slot ${at}`)));
    expect(new Set(kindsOf(results))).toEqual(new Set(['done']));
    expect(await projects('slot %')).toHaveLength(2 * POOL);
  });

  it('reports an unknown outcome for a write with a delayed commit, which is never committed', async () => {
    await addProject('before');
    proxy.holdRequests();
    await expect(addAtOnce('held')).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await proxy.deliver()).toBe(1);
    expect(await projects('held')).toEqual([]);
    await addProject('after');
    expect(await projects('%er')).toEqual(['after']);
  });

  it('never commits a delayed write of several round trips, whichever was delayed', async () => {
    for (const heldAt of [0, 1, 2, 3]) {
      await readOne();
      const name = `trip ${heldAt}`;
      const write = database.write(async (tx) => {
        for (let trip = 0; trip < 3; trip += 1) {
          if (trip === heldAt) proxy.holdRequests();
          await tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [`${name} ${trip}`, 1]);
        }
        if (heldAt === 3) proxy.holdRequests();
      }, SHORT);
      await expect(write).rejects.toBeInstanceOf(Unavailable);
      await proxy.deliver();
      expect(await projects(`${name}%`)).toEqual([]);
    }
  });

  it('reports an unknown outcome if the answer was lost, and a failure if the commit was not sent', async () => {
    await addProject('first');
    proxy.loseAnswers();
    await expect(addAtOnce('lost answer')).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await projects('lost answer')).toEqual(['lost answer']);
    const cut = database.write(async (tx) => {
      await tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', ['cut off', 1]);
      proxy.cut();
      await tx.query('SELECT 1');
    }, SHORT);
    const error: unknown = await cut.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
    expect(await projects('cut off')).toEqual([]);
  });

  it("repeats a write on another connection if one has a wrong offset to the database's clock", async () => {
    let runs = 0;
    await addProject('warm');
    await database.write(async (tx) => {
      runs += 1;
      await tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [`clock ${runs}`, 1]);
      if (runs === 1) await tx.run('SET SESSION timestamp = UNIX_TIMESTAMP() + 3600');
    }, SHORT);
    expect([runs, await projects('clock%')]).toEqual([2, ['clock 2']]);
  });

  it('reports a conflict after a bounded number of waits for a locked row', async () => {
    await addProject('row');
    await admin.query('START TRANSACTION');
    await admin.query("SELECT id FROM projects WHERE external_id = 'row' FOR UPDATE");
    let runs = 0;
    const write = database.write(async (tx) => {
      runs += 1;
      await tx.run("UPDATE projects SET created_at = 2 WHERE external_id = 'row'");
    });
    await expect(write).rejects.toBeInstanceOf(ConcurrentUpdate);
    await admin.query('ROLLBACK');
    const waits = 1 + DATABASE_LIMITS.collidingMs / (1000 * DATABASE_LIMITS.lockWaitTimeoutSeconds);
    expect(runs).toBeLessThanOrEqual(waits);
  });

  it('serves readers and writers while another session has locked a table', async () => {
    await admin.query('LOCK TABLES projects WRITE');
    try {
      const look = database.read((sql) => sql.query('SELECT id FROM projects LIMIT 1'));
      const results = await Promise.allSettled([look, addProject('locked out', { statementMs: 10_000 })]);
      expect(kindsOf(results)).toEqual(['Unavailable', 'ConcurrentUpdate']);
    } finally {
      await admin.query('UNLOCK TABLES');
    }
    expect(await readOne()).toHaveLength(1);
  });

  it('uses a connection after a successful check like any other', async () => {
    // No timer checks the connection: it would open another one at that moment.
    const times = { ...DATABASE_LIMITS, silentLookMs: Number.MAX_SAFE_INTEGER };
    const unseen = new MysqlPool(
      { ...target, hosts: [{ host: proxy.host, port: proxy.port }] },
      { warn: jest.fn() },
      times,
    );
    const asked = new Database(mysqlSources(unseen), { ...TEST_SETTINGS, dialect: MYSQL, poolSize: POOL });
    const idOf = (rows: readonly unknown[]): unknown => (rows as { id: number }[])[0]?.id;
    const first = idOf(await asked.read((sql) => sql.query('SELECT CONNECTION_ID() AS id')));
    await new Promise((resume) => setTimeout(resume, 2 * DATABASE_LIMITS.idleLookMs));
    const pause = (DATABASE_LIMITS.lookTimeoutMs + 5 * DATABASE_LIMITS.sweepMs) / 1000;
    const slow = asked.read((sql) => sql.query(`SELECT CONNECTION_ID() AS id, SLEEP(${pause})`), {
      statementMs: 60_000,
    });
    expect(idOf(await slow)).toBe(first);
    expect(unseen.size).toBe(1);
    await closeSources(mysqlSources(unseen));
  });

  it('gives up a lane together with its connection', async () => {
    await addProject('lane');
    expect(database.laneIds).toHaveLength(1);
    proxy.cut();
    while (pool.size > 0) await new Promise((resume) => setImmediate(resume));
    expect(database.laneIds).toHaveLength(0);
    await addProject('another lane');
    expect(database.laneIds).toHaveLength(1);
  });
});
