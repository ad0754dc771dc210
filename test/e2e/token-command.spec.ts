// `berth token …` on both databases: input, output, and the effect on a running service.
import { isAccessToken } from '../../src/platform/auth/static/access-token';
import { AccessTokens } from '../../src/platform/auth/static/access-tokens';
import type { CommandResult } from '../support/command-line';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  const token = (...args: readonly string[]): Promise<CommandResult> =>
    berth({ DATABASE_URL: service.databaseUrl }, ['token', ...args]);

  it('a token is created, listed without its secret, replaced and revoked', async () => {
    const made = await token(
      'create',
      'ci',
      '--user',
      'robot',
      '--project',
      'p1',
      '--role',
      'reader',
      '--expires',
      '90d',
    );
    expect([made.code, isAccessToken(made.out.trim())]).toEqual([0, true]);
    const [shown] = JSON.parse((await token('list', '--json')).out) as Record<string, unknown>[];
    expect(shown).toMatchObject({ name: 'ci', status: 'active', user: 'robot', project: 'p1', roles: ['reader'] });
    expect(Date.parse(String(shown?.['expires'])) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    const again = await token('rotate', 'ci');
    expect(again.out).not.toBe(made.out);
    expect((await token('revoke', 'ci')).code).toBe(0);
    const table = (await token('list')).out;
    expect(table).toMatch(/^name +status +user/);
    expect(table).toMatch(/ci +revoked +robot +p1/);
    for (const secret of [made.out, again.out]) expect(table).not.toContain(secret.trim());
  });

  it.each<[string, readonly string[], number, string]>([
    ['no command', [], 2, 'Usage: berth token'],
    ['an unknown one', ['make'], 2, 'There is no command "berth token make"'],
    ['no name', ['create', '--user', 'u', '--system'], 2, "missing required argument 'name'"],
    ['no user', ['create', 'x', '--system'], 2, '--user'],
    ['nothing to speak for', ['create', 'x', '--user', 'u'], 1, 'Give --project, or --system'],
    ['an option of another command', ['list', '--user', 'u'], 2, "unknown option '--user'"],
    ['an unknown option', ['list', '--frob'], 2, '--frob'],
    ['no time', ['create', 'x', '--user', 'u', '--system', '--expires', 'soon'], 2, "'soon' is no time"],
    ['the past', ['create', 'x', '--user', 'u', '--system', '--expires', '2001-01-01'], 1, 'in the future'],
    ['both', ['create', 'x', '--user', 'u', '--system', '--project', 'p'], 2, "cannot be used with option '--system'"],
    ['a token that is not there', ['revoke', 'nobody'], 1, 'there is no token nobody'],
  ])('%s is reported, and nothing is created', async (_, args, code, why) => {
    const before = await new AccessTokens(service.database).list();
    const reported = await token(...args);
    expect([reported.code, reported.out]).toEqual([code, '']);
    expect(reported.err).toContain(why);
    expect(await new AccessTokens(service.database).list()).toEqual(before);
  });
});
