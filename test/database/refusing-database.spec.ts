// A database that hangs, refuses, has too many connections, or is gone: requests and probes distinguish these states,
// and service resumes by itself. On a separate server, because the tests disturb it.
import type { Connection as Admin } from 'mysql2/promise';
import { syncStandardNames } from '../../src/placement/standard-names';
import type { MysqlTarget } from '../../src/platform/database/data-source';
import { openSource } from '../../src/platform/database/data-source';
import { Database } from '../../src/platform/database/database';
import type { Health } from '../../src/platform/database/database-health';
import { DatabaseHealth } from '../../src/platform/database/database-health';
import { MYSQL } from '../../src/platform/database/dialects';
import { migrate } from '../../src/platform/database/migrate';
import { MysqlPool } from '../../src/platform/database/mysql-pool';
import { mysqlSources } from '../../src/platform/database/open-sources';
import { OutcomeUnknown } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import { TEST_SETTINGS } from '../support/open-database';
import { hasMariadb, PrivateMariadb } from '../support/private-mariadb';

// Skipped without MySQL, or if the server programs are not installed.
const describeWithServer = testDatabaseKinds().includes('mysql') && hasMariadb() ? describe : describe.skip;
const SHORT = { statementMs: 700 };
const LOOKS = 100;
const SILENT = { log: { warn: () => undefined } };

describeWithServer('on a MariaDB of its own', () => {
  let server: PrivateMariadb;
  let admin: Admin;
  let password = 'first';
  let pool: MysqlPool;
  let database: Database;
  let health: DatabaseHealth;

  const target = (): MysqlTarget => ({
    kind: 'mysql',
    hosts: [{ host: '127.0.0.1', port: server.port }],
    user: 'berth',
    password,
    database: 'berth',
    poolSize: 4,
    reread: () => ({ user: 'berth', password }),
  });

  beforeAll(async () => {
    server = await PrivateMariadb.start();
    admin = await server.connect();
    await admin.query(
      "CREATE DATABASE berth; CREATE USER berth@'127.0.0.1' IDENTIFIED BY 'first'; GRANT ALL ON berth.* TO berth@'127.0.0.1'; " +
        'SET GLOBAL wait_timeout = 600',
    );
    const migrator = await openSource(target(), 'writer');
    await migrate(migrator, target());
    await migrator.destroy();
  });
  afterAll(async () => {
    admin.destroy();
    await server.remove();
  });
  beforeEach(async () => {
    pool = new MysqlPool(target(), SILENT.log);
    database = new Database(mysqlSources(pool), { ...TEST_SETTINGS, dialect: MYSQL, poolSize: 4 });
    await syncStandardNames(database, 1);
    health = new DatabaseHealth(database, 'test', SILENT.log);
  });
  afterEach(() => pool.close());

  const addAtOnce = (name: string): Promise<void> =>
    database.write((tx) => {
      tx.conclude('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', [name, 1]);
      return tx.finish();
    }, SHORT);
  const readOne = (): Promise<readonly unknown[]> =>
    database.read((sql) => sql.query('SELECT id FROM resource_classes LIMIT 1'), SHORT);
  const messageOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
    );
  /** Repeats the check until the state is seen, up to a limit. */
  const lookFor = async (isThere: (seen: Health) => boolean): Promise<Health> => {
    for (let looks = 1; ; looks += 1) {
      const seen = await health.look();
      if (isThere(seen) || looks >= LOOKS) return seen;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  };
  const serves = ({ reads, writes }: Health): boolean => reads.works && writes.works;

  it('is reported as hanging meanwhile, commits nothing late, and serves again', async () => {
    await addAtOnce('before');
    expect(serves(await health.look())).toBe(true);
    await server.pause();
    try {
      const held = addAtOnce('hanging');
      await expect(held).rejects.toBeInstanceOf(OutcomeUnknown);
      const seen = await lookFor(({ reads, writes }) => !reads.works && !writes.works);
      const silent = { works: false, reason: 'The database does not answer in time.' };
      expect(seen).toEqual({ reads: silent, writes: silent });
      expect(await messageOf(readOne())).toBe('Unavailable: The database does not answer in time.');
    } finally {
      server.resume();
    }
    expect(serves(await lookFor(serves))).toBe(true);
    await addAtOnce('after');
    const [rows] = await admin.query("SELECT external_id FROM berth.projects WHERE external_id LIKE '%ing' OR id = 1");
    expect(rows).toEqual([{ external_id: 'before' }]);
  });

  it('serves readers while it is read-only, reports it to writers and probes, and serves all again', async () => {
    await admin.query('SET GLOBAL read_only = 1');
    const seen = await lookFor(({ writes }) => !writes.works);
    expect(seen).toEqual({ reads: { works: true }, writes: { works: false, reason: 'The database is read-only.' } });
    expect(await messageOf(addAtOnce('refused'))).toBe('Unavailable: The database is read-only.');
    expect(await messageOf(readOne())).toBe('done');
    await admin.query('SET GLOBAL read_only = 0');
    expect(serves(await lookFor(serves))).toBe(true);
    expect(await messageOf(addAtOnce('accepted'))).toBe('done');
  });

  it('is reached with the current password of the configuration', async () => {
    await readOne();
    await admin.query("ALTER USER berth@'127.0.0.1' IDENTIFIED BY 'second'");
    await pool.close();
    pool = new MysqlPool(target(), SILENT.log);
    database = new Database(mysqlSources(pool), { ...TEST_SETTINGS, dialect: MYSQL, poolSize: 4 });
    expect(await messageOf(readOne())).toMatch(/^Unavailable: The database refuses the user, the password/);
    password = 'second';
    let reported = '';
    for (let looks = 1; looks <= LOOKS && reported !== 'done'; looks += 1) {
      reported = await messageOf(readOne());
      await new Promise((resume) => setTimeout(resume, 50));
    }
    expect(reported).toBe('done');
  });

  it('reports too many connections', async () => {
    await admin.query("ALTER USER berth@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1");
    try {
      await pool.close();
      pool = new MysqlPool(target(), SILENT.log);
      database = new Database(mysqlSources(pool), { ...TEST_SETTINGS, dialect: MYSQL, poolSize: 4 });
      const reported = await Promise.all([
        messageOf(database.read((sql) => sql.query('SELECT SLEEP(0.3)'))),
        messageOf(readOne()),
      ]);
      expect(reported.sort()).toEqual(['Unavailable: The database has too many connections.', 'done']);
    } finally {
      await admin.query("ALTER USER berth@'127.0.0.1' WITH MAX_USER_CONNECTIONS 0");
    }
  });

  it('is reported as gone after a kill, and serves when it is back', async () => {
    await readOne();
    await server.kill();
    while (pool.size > 0) await new Promise((resume) => setImmediate(resume));
    expect(await messageOf(readOne())).toBe('Unavailable: The database cannot be reached.');
    const seen = await lookFor(({ reads, writes }) => !reads.works && !writes.works);
    expect(seen.reads).toEqual({ works: false, reason: 'The database cannot be reached.' });
    await server.run();
    admin.destroy();
    admin = await server.connect();
    expect(serves(await lookFor(serves))).toBe(true);
    expect(await messageOf(addAtOnce('back'))).toBe('done');
  });
});
