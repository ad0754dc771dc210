// Operator commands on both databases: migrations, the upgrade check, the effective policies.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../src/platform/database/data-source';
import type { CommandResult } from '../support/command-line';
import { berth } from '../support/command-line';
import type { TestDatabase } from '../support/databases';
import { createTestDatabase, testDatabaseKinds } from '../support/databases';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let test: TestDatabase;
  let cwd: string;
  beforeEach(async () => {
    test = await createTestDatabase(kind);
    cwd = mkdtempSync(join(tmpdir(), 'berth-operator-'));
  });
  afterEach(async () => {
    await test.drop();
    rmSync(cwd, { recursive: true, force: true });
  });

  const command = (...args: readonly string[]): Promise<CommandResult> => berth({ DATABASE_URL: test.url }, args, cwd);
  const resultOf = (out: string, check: string): string | undefined =>
    new RegExp(`Check: ${check}\\nResult: (\\w+)`).exec(out)?.[1];
  const tamper = async (...statements: readonly string[]): Promise<void> => {
    const source = await openSource(test.target, 'writer');
    for (const statement of statements) await source.query(statement);
    await source.destroy();
  };

  it('migrations are pending until they run', async () => {
    await tamper('SELECT 1');
    const before = await command('migrate', 'status');
    expect([before.code, before.out]).toEqual([1, expect.stringMatching(/Initial\d+ +missing/)]);
    expect(await command('status')).toMatchObject({ code: 2, out: expect.stringContaining('missing: Initial') });
    await expect(command('verify')).rejects.toThrow('run "berth migrate"');
    expect(await command('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('migrated: Initial') });
    const after = await command('migrate', 'status', '--json');
    const states = JSON.parse(after.out) as readonly { state: string }[];
    expect([after.code, new Set(states.map(({ state }) => state))]).toEqual([0, new Set(['done'])]);
    expect(await command('migrate', 'up')).toMatchObject({ code: 0, out: expect.stringContaining('0 migrations run') });
  });

  it('a command that reads creates no file', async () => {
    const env = { DATABASE_URL: `sqlite:///${join(cwd, 'none.db')}` };
    for (const words of [['verify'], ['migrate', 'status']]) {
      await expect(berth(env, words, cwd)).rejects.toThrow('does not exist: run "berth migrate"');
    }
    const status = await berth(env, ['status'], cwd);
    expect([status.code, status.out]).toEqual([2, expect.stringContaining('does not exist: run "berth migrate"')]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("another service's database stays unchanged by every command", async () => {
    await tamper('CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)');
    for (const words of [['migrate'], ['migrate', 'status'], ['verify'], ['graph', 'bump'], ['token', 'list']]) {
      await expect(command(...words)).rejects.toThrow('another placement service');
    }
    expect(await command('status')).toMatchObject({
      code: 255,
      err: expect.stringContaining('another placement service'),
    });
    const source = await openSource(test.target, 'writer');
    const runner = source.createQueryRunner();
    expect(await runner.hasTable('berth_migrations')).toBe(false);
    await runner.release();
    await source.destroy();
  });

  it('the upgrade check distinguishes warnings from failures', async () => {
    await command('migrate');
    const well = await command('status');
    expect(well.code).toBe(0);
    for (const check of ['Configuration', 'Policy Files', 'Database Schema', 'Database Consistency']) {
      expect([check, resultOf(well.out, check)]).toEqual([check, 'Success']);
    }
    writeFileSync(join(cwd, 'policy.yaml'), '"placement:usage": "@"\n');
    const unused = await command('status');
    expect([unused.code, resultOf(unused.out, 'Policy Files')]).toEqual([2, 'Failure']);
    writeFileSync(join(cwd, 'policy.yaml'), '"placement:usages": "rule:none_such"\n');
    const refused = await command('status');
    expect([refused.code, resultOf(refused.out, 'Policy Files')]).toEqual([2, 'Failure']);
    expect(refused.out).toContain('refers to rule "none_such", which does not exist');
    rmSync(join(cwd, 'policy.yaml'));
    writeFileSync(join(cwd, 'berth.conf'), '[DEFAULT]\nscheduler_max_attempts = 5\n');
    const old = await command('status');
    expect([old.code, resultOf(old.out, 'Old or Unused Options')]).toEqual([1, 'Warning']);
    await tamper(
      "INSERT INTO projects (external_id, created_at) VALUES ('p', 1)",
      "INSERT INTO users (external_id, created_at) VALUES ('u', 1)",
      "INSERT INTO consumers (uuid, project_id, user_id, generation, created_at) VALUES ('00000000-0000-4000-8000-000000000001', 1, 1, 0, 1)",
    );
    await tamper("INSERT INTO berth_migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')");
    const newer = await command('migrate', 'status');
    expect([newer.code, newer.out]).toEqual([0, expect.stringMatching(/Later9999999999999 +made by a newer version/)]);
    const broken = await command('status');
    expect([broken.code, resultOf(broken.out, 'Database Consistency')]).toEqual([2, 'Failure']);
    expect(await command('verify')).toMatchObject({ code: 1, out: expect.stringContaining('it has no allocations') });
    const faults = JSON.parse((await command('verify', '--json')).out) as readonly object[];
    expect(faults).toEqual([expect.objectContaining({ law: 'consumer' })]);
  });

  it('the effective policies name the overrides of a file', async () => {
    writeFileSync(join(cwd, 'policy.yaml'), '"placement:usages": "role:auditor"\n');
    const { code, out } = await command('policy', 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/placement:usages +role:auditor +project.* +policy file/);
    const rules = JSON.parse((await command('policy', 'list', '--json')).out) as readonly {
      name: string;
      from: string;
      operations: readonly string[];
    }[];
    expect(rules.find(({ name }) => name === 'placement:traits:update')?.operations).toEqual(['PUT /traits/{name}']);
    expect(rules.filter(({ from }) => from === 'policy file').map(({ name }) => name)).toEqual(['placement:usages']);
    writeFileSync(join(cwd, 'policy.yaml'), '"placement:usages": "rule:none_such"\n');
    await expect(command('policy', 'list')).rejects.toThrow('none_such');
  });
});
