// A start that cannot succeed ends at once with a one-line message that names the fault.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApplication } from '../../src/application';
import { OPTION_TABLE } from '../../src/options';
import { createAccessLog } from '../../src/platform/logging/access-log';
import { createLogger } from '../../src/platform/logging/logger';
import { refuseTakenPort } from '../../src/platform/operations/start-refusal';
import { StartRefused } from '../../src/platform/values/start-refused';
import { loadConfigWithPlugins } from '../../src/scheduler/assemble/configured-scheduler';
import { createTestDatabase, testDatabaseKinds } from '../support/databases';
import { startTestService } from '../support/service';

const isRoot = process.getuid?.() === 0;

it('a start without pending migrations writes nothing, not even the lock of the migrations', async () => {
  const first = await startTestService('sqlite');
  const lock = `${fileURLToPath(first.databaseUrl.replace('sqlite:', 'file:'))}.lock`;
  rmSync(lock, { force: true });
  // Opening this as a file fails, as on a full disk.
  mkdirSync(lock);
  const second = await startTestService('sqlite', { sameDatabaseAs: first });
  expect((await second.request({ path: '/resource_providers' })).status).toBe(200);
  await second.stop();
  rmSync(lock, { recursive: true });
  await first.stop();
});

describe('a start-up', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-start-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const refusalAt = async (url: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const loaded = await loadConfigWithPlugins(OPTION_TABLE, {
      env: { DATABASE_URL: url, LOG_LEVEL: 'silent', ...env },
      cwd: folder,
      readFile: () => undefined,
    });
    const lines = { level: 'silent' as const };
    const error: unknown = await createApplication(loaded, createLogger(lines), createAccessLog(lines)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StartRefused);
    return (error as Error).message;
  };

  it('refuses a file that is not a database', async () => {
    const path = join(folder, 'garbage.db');
    writeFileSync(path, 'this is no database, and never was; it is long enough to be looked at. '.repeat(100));
    expect(await refusalAt(`sqlite:///${path}`)).toContain(`the database file ${path} cannot be used`);
  });

  it('refuses a directory, and a path below a file', async () => {
    mkdirSync(join(folder, 'directory.db'));
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'directory.db'), join(folder, 'file', 'berth.db')]) {
      expect(await refusalAt(`sqlite:///${path}`)).toContain(`the database file ${path} cannot be used`);
    }
  });

  it('refuses an old schema, and a database that stays out of reach', async () => {
    expect(await refusalAt('sqlite:///old.db', { BERTH_BERTH__AUTO_MIGRATE: 'false' })).toContain(
      'run "berth migrate"',
    );
    expect(
      await refusalAt('mysql://u:p@127.0.0.1:1/b', {
        BERTH_PLACEMENT_DATABASE__MAX_RETRIES: '1',
        BERTH_PLACEMENT_DATABASE__RETRY_INTERVAL: '0',
      }),
    ).toMatch(/^the database b at 127\.0\.0\.1:1 cannot be used after 2 attempts: .*ECONNREFUSED/);
  });

  (isRoot ? it.skip : it)('refuses a file that it may not write', async () => {
    const path = join(folder, 'locked.db');
    writeFileSync(path, '');
    chmodSync(path, 0o000);
    expect(await refusalAt(`sqlite:///${path}`)).toContain(`the database file ${path} cannot be used`);
  });

  (testDatabaseKinds().includes('mysql') ? it : it.skip)(
    'refuses an unknown user and an unknown database',
    async () => {
      const test = await createTestDatabase('mysql');
      try {
        const stranger = new URL(test.url);
        stranger.username = 'berth_stranger';
        stranger.password = 'S3CRET';
        const nowhere = new URL(test.url);
        nowhere.pathname = '/berth_no_such_database';
        for (const url of [stranger, nowhere]) {
          const message = await refusalAt(url.toString());
          expect(message).toMatch(/^the database berth_\w+ at .+ cannot be used: The database refuses/);
          expect(message).not.toContain('S3CRET');
        }
      } finally {
        await test.drop();
      }
    },
  );

  it('refuses a port that another process uses', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    await expect(refuseTakenPort('127.0.0.1', port)).rejects.toThrow(
      `cannot listen on 127.0.0.1 port ${port}: the port is in use by another process`,
    );
    await new Promise<void>((closed) => void server.close(() => closed()));
    await expect(refuseTakenPort('127.0.0.1', port)).resolves.toBeUndefined();
  });
});
