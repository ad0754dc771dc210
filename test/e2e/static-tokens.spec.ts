// The strategy `static` over HTTP, and the loopback protection of a service that trusts its callers.
import { AUTH_LIMITS } from '../../src/platform/config/limits/auth';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

describe.each(testDatabaseKinds())('static tokens on %s', (kind) => {
  let service: TestService;
  const lines: string[] = [];
  beforeAll(async () => {
    service = await startTestService(kind, {
      overrides: { api: { auth_strategy: 'static' } },
      log: (line) => void lines.push(line),
    });
  });
  afterAll(() => service.stop());

  const tokenCommand = async (...args: readonly string[]): Promise<string> => {
    const { code, out } = await berth({ DATABASE_URL: service.databaseUrl }, ['token', ...args]);
    expect(code).toBe(0);
    return out.trim();
  };
  const statusOf = async (token: string | null, headers: Record<string, string> = {}): Promise<number> =>
    (await service.request({ path: '/traits', headers: { 'x-auth-token': token, 'x-roles': null, ...headers } }))
      .status;

  it('admit their users, with their roles, and no others', async () => {
    const admin = await tokenCommand('create', 'ops', '--user', 'ann', '--project', 'p', '--role', 'admin');
    const reader = await tokenCommand('create', 'look', '--user', 'bob', '--project', 'p', '--role', 'reader');
    expect(await statusOf(admin)).toBe(200);
    expect(await statusOf(reader)).toBe(403);
    for (const token of [null, 'admin', 'admin:admin', '', `${admin}x`]) expect(await statusOf(token)).toBe(401);
  });

  it("ignore a client's headers for roles and scope", async () => {
    const reader = await tokenCommand('create', 'sly', '--user', 'eve', '--project', 'p', '--role', 'reader');
    const claims = { 'x-roles': 'admin', 'openstack-system-scope': 'all', 'x-user-id': 'ann', 'x-project-id': 'q' };
    expect(await statusOf(reader, claims)).toBe(403);
  });

  it('are refused soon after they are revoked, and are not in the log', async () => {
    const token = await tokenCommand('create', 'leaving', '--user', 'ann', '--project', 'p', '--role', 'admin');
    expect(await statusOf(token)).toBe(200);
    await tokenCommand('revoke', 'leaving');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + AUTH_LIMITS.staticTokenBelievedMs);
    expect(await statusOf(token)).toBe(401);
    clock.mockRestore();
    expect(lines.join('')).not.toContain(token.slice(6, 30));
  });
});

describe('a service that trusts its callers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { overrides: { berth: { allowed_hosts: ['berth.lan'] } } });
  });
  afterAll(() => service.stop());

  it.each<[string, Record<string, string>, number]>([
    ['nothing strange', {}, 200],
    ['a name of its own', { host: 'berth.lan:8778' }, 200],
    ['a name that leads here', { host: 'evil.example:8778' }, 403],
    ['its own page', { host: 'localhost:8778', origin: 'http://localhost:8778' }, 200],
    ['a page from elsewhere', { host: 'localhost:8778', origin: 'https://evil.example' }, 403],
  ])('%s', async (_, headers, status) => {
    for (const path of ['/traits', '/scheduler/flavors', '/']) {
      expect([path, (await service.request({ path, headers })).status]).toEqual([path, status]);
    }
  });
});
