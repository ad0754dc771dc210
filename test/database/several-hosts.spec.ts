// Several hosts in one address: one is used until it fails, then the next; after a pause new connections use the first
// one again. The hosts are proxies in front of the same server.
import type { MysqlTarget } from '../../src/platform/database/data-source';
import type { WorkLimits } from '../../src/platform/database/database';
import { Database } from '../../src/platform/database/database';
import { MYSQL } from '../../src/platform/database/dialects';
import { settledTarget } from '../../src/platform/database/mysql-hosts';
import { MysqlPool } from '../../src/platform/database/mysql-pool';
import { mysqlSources } from '../../src/platform/database/open-sources';
import { Unavailable } from '../../src/platform/values/errors';
import type { TestDatabase } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import { createMigratedDatabase, TEST_SETTINGS } from '../support/migrated-database';
import { TcpProxy } from '../support/tcp-proxy';

const describeOnMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;
/** For statements without an answer. */
const SHORT = { statementMs: 700 };
const LOOKS = 200;
const TIMES = { hostSkipMs: 500, silentLookMs: 100 };

describeOnMysql('an address with several hosts', () => {
  let test: TestDatabase;
  let proxies: TcpProxy[];
  let target: MysqlTarget;
  let pool: MysqlPool;
  let database: Database;
  let reported: string[];

  beforeAll(async () => {
    test = await createMigratedDatabase('mysql');
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    const direct = test.target as MysqlTarget;
    const [upstream] = direct.hosts;
    if (upstream === undefined) throw new Error('no host');
    proxies = [await TcpProxy.open(upstream), await TcpProxy.open(upstream), await TcpProxy.open(upstream)];
    target = { ...direct, hosts: proxies.map(({ host, port }) => ({ host, port })) };
    reported = [];
    const log = { warn: (_fields: object, message: string) => void reported.push(message) };
    pool = new MysqlPool(target, log, TIMES);
    database = new Database(mysqlSources(pool), { ...TEST_SETTINGS, dialect: MYSQL, poolSize: 4 });
  });
  afterEach(async () => {
    await pool.close();
    for (const proxy of proxies) await proxy.close();
  });

  const proxyAt = (at: number): TcpProxy => {
    const proxy = proxies[at];
    if (proxy === undefined) throw new Error('no such host');
    return proxy;
  };
  const write = (): Promise<number> =>
    database.write((tx) => tx.run('UPDATE projects SET created_at = 1 WHERE id = 0'));
  const read = (limits?: WorkLimits): Promise<readonly unknown[]> =>
    database.read((sql) => sql.query('SELECT 1'), limits);
  /** The host with connections, by its position in the address; -1 if several have any. */
  const hostInUse = (): number => {
    const used = proxies.flatMap((proxy, at) => (proxy.open > 0 ? [at] : []));
    return used.length === 1 ? (used[0] ?? -1) : -1;
  };
  const until = async (isThere: () => boolean): Promise<boolean> => {
    for (let looks = 1; looks <= LOOKS && !isThere(); looks += 1) await new Promise((resume) => setTimeout(resume, 50));
    return isThere();
  };
  const useAll = (): Promise<unknown> => Promise.all([write(), read(), read(), write()]);

  it('uses the first, for reads and writes', async () => {
    await useAll();
    expect(await until(() => hostInUse() === 0)).toBe(true);
  });

  it('continues with the next one after a failure, and returns with the first new connection after a pause', async () => {
    await useAll();
    proxyAt(0).shut();
    expect(await until(() => pool.size === 0)).toBe(true);
    await useAll();
    expect(await until(() => hostInUse() === 1)).toBe(true);
    proxyAt(1).shut();
    expect(await until(() => pool.size === 0)).toBe(true);
    await useAll();
    expect(await until(() => hostInUse() === 2)).toBe(true);
    proxyAt(0).reopen();
    await new Promise((resume) => setTimeout(resume, 2 * TIMES.hostSkipMs));
    expect(hostInUse()).toBe(2);
    proxyAt(2).cut();
    expect(await until(() => pool.size === 0)).toBe(true);
    await useAll();
    expect(await until(() => hostInUse() === 0)).toBe(true);
    expect(reported).toHaveLength(3);
  });

  it('closes idle connections to the old host, and lets running statements there finish', async () => {
    proxyAt(0).shut();
    await write();
    await database.write(async (tx) => {
      await tx.run('INSERT INTO projects (external_id, created_at) VALUES (?, ?)', ['spans the return', 1]);
      proxyAt(0).reopen();
      await new Promise((resume) => setTimeout(resume, 2 * TIMES.hostSkipMs));
      // The only connection is in use, so these are new.
      await Promise.all(Array.from({ length: 3 }, () => read()));
    });
    await useAll();
    expect(await until(() => hostInUse() === 0)).toBe(true);
  });

  it('leaves a host with silently dead connections only if it refuses new ones, too', async () => {
    await useAll();
    proxyAt(0).dropPackets();
    await expect(read(SHORT)).rejects.toBeInstanceOf(Unavailable);
    await useAll();
    expect(reported).toEqual([]);
    proxyAt(0).shut();
    expect(await until(() => pool.size === 0)).toBe(true);
    await useAll();
    expect(await until(() => hostInUse() === 1)).toBe(true);
  });

  it('leaves a host that is silent on old and new connections after a statement timed out', async () => {
    await useAll();
    proxyAt(0).freeze();
    await expect(read(SHORT)).rejects.toBeInstanceOf(Unavailable);
    await useAll();
    expect(await until(() => hostInUse() === 1)).toBe(true);
  });

  it('is unavailable while there is no host, and uses the first one that returns', async () => {
    for (const proxy of proxies) proxy.shut();
    await expect(read()).rejects.toBeInstanceOf(Unavailable);
    proxyAt(2).reopen();
    const tries: string[] = [];
    while (tries.at(-1) !== 'done' && tries.length < LOOKS) {
      tries.push(
        await read().then(
          () => 'done',
          (error: unknown) => (error as Error).name,
        ),
      );
      await new Promise((resume) => setTimeout(resume, 20));
    }
    expect(tries.at(-1)).toBe('done');
    expect(await until(() => hostInUse() === 2)).toBe(true);
  });

  it('migrates on the host that can serve', async () => {
    proxyAt(0).shut();
    const settled = (await settledTarget(target, { warn: () => undefined })) as MysqlTarget;
    expect(settled.hosts.map(({ port }) => port)).toEqual([1, 0, 2].map((at) => proxyAt(at).port));
  });
});
