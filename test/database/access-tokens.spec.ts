// Static tokens on both databases: created and shown once, valid until they expire, are revoked or are replaced.
import type { Authentication } from '../../src/platform/auth/principal';
import type { TokenGrant } from '../../src/platform/auth/static/access-token';
import { newAccessToken } from '../../src/platform/auth/static/access-token';
import { AccessTokens, TokenProblem } from '../../src/platform/auth/static/access-tokens';
import { StaticAuthenticator } from '../../src/platform/auth/static/static-authenticator';
import { AUTH_LIMITS } from '../../src/platform/config/limits/auth';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const NOW = 1_700_000_000_000;
const BELIEVED = AUTH_LIMITS.staticTokenBelievedMs;

describe.each(testDatabaseKinds())('static tokens on %s', (kind) => {
  let open: OpenDatabase;
  let tokens: AccessTokens;
  let nowMs = NOW;
  let warnings: string[] = [];
  const authenticator = (): StaticAuthenticator =>
    new StaticAuthenticator(
      () => open.database,
      { warn: (_, message) => void warnings.push(message) },
      () => nowMs,
    );
  const asked = (by: StaticAuthenticator, token: string): Authentication | Promise<Authentication> =>
    by.authenticate({ headers: { 'x-auth-token': token }, method: 'GET', path: '/traits', prefix: '' });
  const isKnown = async (by: StaticAuthenticator, token: string): Promise<boolean> =>
    (await asked(by, token)).authenticated;

  beforeAll(async () => {
    open = await openTestDatabase(kind);
    tokens = new AccessTokens(open.database);
  });
  afterAll(() => open.close());
  beforeEach(() => {
    nowMs = NOW;
    warnings = [];
  });

  let made = 0;
  const grant = (given: Partial<TokenGrant> = {}): TokenGrant => ({
    name: `token-${(made += 1)}`,
    userId: 'u',
    projectId: 'p',
    systemScope: null,
    roles: ['admin', 'reader'],
    expiresAtMs: null,
    ...given,
  });

  it('identify their user, project and roles', async () => {
    const token = await tokens.create(grant({ userId: 'ann', projectId: null, systemScope: 'all' }), NOW);
    expect(await asked(authenticator(), token)).toEqual({
      authenticated: true,
      principal: { userId: 'ann', projectId: null, systemScope: 'all', roles: ['admin', 'reader'] },
    });
  });

  it('are not stored in the database', async () => {
    const token = await tokens.create(grant(), NOW);
    const rows = await open.database.read((sql) => sql.query('SELECT * FROM access_tokens'));
    expect(JSON.stringify(rows)).not.toContain(token.slice(6, 30));
  });

  it('that were never created are refused, without a statement if the checksum is wrong', async () => {
    const strict = authenticator();
    const read = jest.spyOn(open.database, 'read');
    expect(await isKnown(strict, newAccessToken())).toBe(false);
    expect(read).toHaveBeenCalledTimes(1);
    for (const text of ['', 'admin', newAccessToken().replace(/.$/, 'x')])
      expect(await isKnown(strict, text)).toBe(false);
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });

  it('cost one statement for any number of concurrent and subsequent requests', async () => {
    const token = await tokens.create(grant(), NOW);
    const one = authenticator();
    const read = jest.spyOn(open.database, 'read');
    await Promise.all(Array.from({ length: 50 }, async () => asked(one, token)));
    nowMs += BELIEVED - 1;
    await asked(one, token);
    expect(read).toHaveBeenCalledTimes(1);
    nowMs += 1;
    await asked(one, token);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
  });

  it('expire to the millisecond, although they are cached', async () => {
    const token = await tokens.create(grant({ expiresAtMs: NOW + 100 }), NOW);
    const one = authenticator();
    nowMs = NOW + 99;
    expect(await isKnown(one, token)).toBe(true);
    nowMs = NOW + 100;
    expect(await isKnown(one, token)).toBe(false);
  });

  it('that are revoked are soon refused by every process', async () => {
    const given = grant();
    const token = await tokens.create(given, NOW);
    const [here, there] = [authenticator(), authenticator()];
    expect([await isKnown(here, token), await isKnown(there, token)]).toEqual([true, true]);
    await tokens.revoke(given.name, NOW);
    nowMs += BELIEVED;
    expect([await isKnown(here, token), await isKnown(there, token)]).toEqual([false, false]);
  });

  it('keep their name in a rotation, which can set another expiry', async () => {
    const given = grant();
    const before = await tokens.create(given, NOW);
    const after = await tokens.rotate(given.name, NOW + 1_000, NOW);
    const one = authenticator();
    expect([await isKnown(one, before), await isKnown(one, after)]).toEqual([false, true]);
    const kept = await tokens.rotate(given.name, undefined, NOW);
    nowMs = NOW + 1_000;
    expect([await isKnown(one, after), await isKnown(one, kept)]).toEqual([false, false]);
  });

  it('show when they were last used, to the minute', async () => {
    const given = grant();
    const token = await tokens.create(given, NOW);
    const one = authenticator();
    const lastUse = async (): Promise<number | null | undefined> =>
      (await tokens.list()).find(({ name }) => name === given.name)?.lastUsedAtMs;
    expect(await lastUse()).toBeNull();
    await asked(one, token);
    // Written after the answer, in parallel with other writes.
    while ((await lastUse()) === null) await new Promise((resume) => setImmediate(resume));
    expect(await lastUse()).toBe(NOW);
    nowMs += AUTH_LIMITS.tokenUseNotedMs - 1;
    const write = jest.spyOn(open.database, 'write');
    await asked(one, token);
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    expect(warnings).toEqual([]);
  });

  it('have an unknown state while the database is unavailable, unless they are cached', async () => {
    const [known, other] = [await tokens.create(grant(), NOW), await tokens.create(grant(), NOW)];
    const one = authenticator();
    expect(await isKnown(one, known)).toBe(true);
    const read = jest.spyOn(open.database, 'read').mockRejectedValue(new Error('gone'));
    expect(await isKnown(one, known)).toBe(true);
    expect(await asked(one, other)).toMatchObject({ authenticated: false, retryAfterSeconds: expect.any(Number) });
    read.mockRestore();
    expect(await isKnown(one, other)).toBe(true);
  });

  it.each<[string, Partial<TokenGrant>, string]>([
    ['no name', { name: '' }, 'a name is'],
    ['a blank in the name', { name: 'a b' }, 'a name is'],
    ['no user', { userId: '' }, 'a user has'],
    ['a long project', { projectId: 'p'.repeat(256) }, 'a project has'],
    ['project and system', { systemScope: 'all' }, 'a project or the system scope'],
    ['an empty role', { roles: [''] }, 'roles'],
    ['the past', { expiresAtMs: NOW }, 'must expire in the future'],
  ])('with %s are not created', async (_, given, why) => {
    const before = (await tokens.list()).length;
    await expect(tokens.create(grant(given), NOW)).rejects.toThrow(why);
    expect(await tokens.list()).toHaveLength(before);
  });

  it('have unique names', async () => {
    const given = grant();
    await tokens.create(given, NOW);
    await expect(tokens.create(given, NOW)).rejects.toThrow(TokenProblem);
    await expect(tokens.revoke('nobody', NOW)).rejects.toThrow('there is no token nobody');
    await expect(tokens.rotate('nobody', undefined, NOW)).rejects.toThrow('there is no token nobody');
  });
});
