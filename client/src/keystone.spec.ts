// Keystone tokens: login and renewal.
import type { Behaviour } from '../../test/support/identity-double.ts';
import { IdentityDouble, refuse, send, tokenDocument } from '../../test/support/identity-double.ts';
import type { KeystoneAccount } from './index.ts';
import { Client, keystone, LoginFailed, Session, Unauthorized } from './index.ts';
import type { ScriptedAnswer } from './scripted-server.fixture.ts';
import { answers, ScriptedServer, UNREACHABLE_URL } from './scripted-server.fixture.ts';

const fine = answers(200, { traits: [] });
const unauthorized = answers(401, {
  error: { code: 401, message: 'The request you have made requires authentication.' },
});
const MINUTE_MS = 60_000;

let identity: IdentityDouble;
let service: ScriptedServer;
beforeEach(async () => {
  identity = await IdentityDouble.start();
  service = await ScriptedServer.start();
  service.plays(fine);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await service.stop();
  await identity.stop();
});

const clientOf = (account: Partial<KeystoneAccount> = {}): Client => {
  const credentials = keystone({
    authUrl: identity.url,
    username: 'nova',
    password: identity.password,
    projectName: 'service',
    ...account,
  });
  return new Client(
    new Session({ endpoint: service.url, credentials, retry: { pauseMs: 1, retriesWithinMs: 1_000_000 } }),
    '1.39',
  );
};
const receivedTokens = (): unknown[] => service.received.map(({ headers }) => headers['x-auth-token']);

/** Sets the fixed clock. Tokens live for one hour by the clock of the Identity service, which differs. */
const inMinutes = (minutes: number): void => void jest.spyOn(Date, 'now').mockReturnValue(NOW + minutes * MINUTE_MS);
const NOW = Date.UTC(2026, 0, 1);
const hour = { issued_at: '2001-01-01T00:00:00.000000Z', expires_at: '2001-01-01T01:00:00.000000Z' };
const givesAnHour: Behaviour = (response) =>
  send(response, 201, tokenDocument({ further: hour }), { 'x-subject-token': `own-${identity.logins}-` });

it('logs in with the account, when it is first needed', async () => {
  const client = clientOf();
  expect(identity.logins).toBe(0);
  await client.traits.list();
  expect(identity.asked[0]).toMatchObject({ method: 'POST', url: '/identity/v3/auth/tokens?nocatalog' });
  expect(JSON.parse(identity.asked[0]?.body ?? '')).toEqual({
    auth: {
      identity: {
        methods: ['password'],
        password: { user: { name: 'nova', domain: { name: 'Default' }, password: identity.password } },
      },
      scope: { project: { name: 'service', domain: { name: 'Default' } } },
    },
  });
  expect(receivedTokens()).toEqual([expect.stringMatching(/^own-1-/)]);
});

it('finds the Identity service with and without its version in the address', async () => {
  for (const authUrl of [`${identity.url}/`, `${identity.url}/v3`, `${identity.url}/v3/`]) {
    await clientOf({ authUrl }).traits.list();
  }
  expect(new Set(identity.asked.map(({ url }) => url)).size).toBe(1);
});

it('shares one login between concurrent and later calls', async () => {
  const client = clientOf();
  await Promise.all([client.traits.list(), client.at('1.10').traits.list(), client.resourceClasses.list()]);
  await client.traits.list();
  expect(identity.logins).toBe(1);
  expect(new Set(receivedTokens()).size).toBe(1);
});

it('renews the token shortly before it expires, and not earlier', async () => {
  identity.behave(givesAnHour);
  const client = clientOf();
  inMinutes(0);
  await client.traits.list();
  inMinutes(57);
  await client.traits.list();
  expect(identity.logins).toBe(1);
  inMinutes(59);
  await client.traits.list();
  expect(identity.logins).toBe(2);
  expect(receivedTokens().at(-1)).toMatch(/^own-2-/);
});

it('goes on with the old token while a new one cannot be had, until it has expired', async () => {
  identity.behave(givesAnHour);
  const client = clientOf();
  inMinutes(0);
  await client.traits.list();
  identity.behave((response) => refuse(response, 500));
  inMinutes(59);
  await client.traits.list();
  expect(receivedTokens().at(-1)).toMatch(/^own-1-/);
  inMinutes(61);
  await expect(client.traits.list()).rejects.toThrow(LoginFailed);
});

it('logs in again when the service refuses the token, and sends the call once more, whatever it is', async () => {
  const client = clientOf();
  await client.traits.list();
  service.plays(unauthorized, answers(204));
  await client.allocations.delete('c');
  expect(identity.logins).toBe(2);
  expect(receivedTokens()).toEqual([
    expect.stringMatching(/^own-1-/),
    expect.stringMatching(/^own-1-/),
    expect.stringMatching(/^own-2-/),
  ]);
});

it('gives up when the service refuses the new token too', async () => {
  service.plays(unauthorized);
  await expect(clientOf().traits.list()).rejects.toThrow(Unauthorized);
  expect([identity.logins, service.received.length]).toEqual([2, 2]);
});

it('logs in once for several calls whose token was refused', async () => {
  const client = clientOf();
  await client.traits.list();
  const [refused] = receivedTokens();
  const byToken: ScriptedAnswer = (response, received) =>
    (received.headers['x-auth-token'] === refused ? unauthorized : fine)(response, received);
  service.plays(byToken);
  await Promise.all([client.traits.list(), client.traits.list(), client.traits.list()]);
  expect(identity.logins).toBe(2);
});

it('tries again if the Identity service fails in passing', async () => {
  let failures = 2;
  identity.behave((response, usual) => {
    if (failures === 0) return usual();
    failures -= 1;
    refuse(response, 503, { 'retry-after': '0' });
  });
  await clientOf().traits.list();
  expect(identity.logins).toBe(3);
});

describe('says why there is no token', () => {
  it('and never the password', async () => {
    const error: unknown = await clientOf({ password: 'WR0NG-password' })
      .traits.list()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LoginFailed);
    expect((error as Error).message).toContain('it rejects this account');
    expect(JSON.stringify([error, String((error as Error).cause)])).not.toContain('WR0NG');
    expect(service.received).toHaveLength(0);
  });

  it.each<[string, object, Readonly<Record<string, string>>]>([
    ['without a token', tokenDocument(), {}],
    ['without an end', { token: {} }, { 'x-subject-token': 'own-1' }],
    ['that is something else', [1], { 'x-subject-token': 'own-1' }],
    ['with a token that is too long', tokenDocument(), { 'x-subject-token': 'x'.repeat(7_000) }],
  ])('for an answer %s', async (_, document, headers) => {
    identity.behave((response) => send(response, 201, document, headers));
    await expect(clientOf().traits.list()).rejects.toThrow('its answer is no login');
  });

  it('if there is no server', async () => {
    await expect(clientOf({ authUrl: UNREACHABLE_URL }).traits.list()).rejects.toThrow(
      /^No token of the Identity service: .*ECONNREFUSED/,
    );
  });
});

it('a call that its caller ends does not end the login for the others', async () => {
  const enough = new AbortController();
  let goOn = (): void => undefined;
  identity.behave((_, usual) => {
    goOn = usual;
    enough.abort('enough');
  });
  const client = clientOf();
  const other = client.traits.list();
  await expect(client.traits.list({}, { signal: enough.signal })).rejects.toBe('enough');
  goOn();
  await other;
  expect(identity.logins).toBe(1);
});
