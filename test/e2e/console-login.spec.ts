// Password login through Berth: the response, the refusals, the limits on attempts, and that a password is never stored
// or logged. With a fake Identity service that fails on demand; keystone.spec.ts uses a real one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOGIN_LIMITS } from '../../src/platform/config/limits/auth';
import type { Behaviour } from '../support/identity-double';
import { IdentityDouble, refuse, send, tokenDocument } from '../support/identity-double';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const ANONYMOUS = { 'x-auth-token': null, 'x-roles': null, host: 'berth.example' };
const PASSWORD = 'correct-horse-battery-staple';
const MISTYPED = 'corect-hors-batery';
const TOKEN = 'gAAAA-the-token-of-alice';
const ALICE = { username: 'alice', password: PASSWORD, project: 'p1 name' };

type Headers = Readonly<Record<string, string | null>>;

/** Gives Alice a token for her password; other requests get the default answers of the fake. */
const knowsAlice =
  (identity: IdentityDouble): Behaviour =>
  (response, usual, { method, body }) => {
    if (method !== 'POST' || body.includes(identity.password)) return usual();
    if (!body.includes(PASSWORD)) return refuse(response, 401);
    identity.give(TOKEN);
    return send(response, 201, tokenDocument(), { 'x-subject-token': TOKEN });
  };

describe('with a fake Identity service', () => {
  let identity: IdentityDouble;
  let service: TestService;
  let folder: string;
  let lines: string[];
  const open = (overrides: object = {}): Promise<TestService> =>
    startTestService('sqlite', {
      cwd: folder,
      overrides: {
        api: { auth_strategy: 'keystone' },
        audit: { enabled: true, log_file: 'audit.log' },
        keystone_authtoken: {
          auth_url: identity.url,
          username: 'berth',
          password: identity.password,
          project_name: 'service',
          default_domain_name: 'Default',
        },
        ...overrides,
      },
      log: (line) => lines.push(line),
    });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'berth-login-'));
    lines = [];
    identity = await IdentityDouble.start();
    identity.behave(knowsAlice(identity));
    service = await open();
  });
  afterEach(async () => {
    await service.stop();
    await identity.stop();
    rmSync(folder, { recursive: true });
  });

  const logIn = (body: unknown = ALICE, headers: Headers = {}, at = service): Promise<TestResponse> =>
    at.request({ method: 'POST', path: '/console/login', version: null, headers: { ...ANONYMOUS, ...headers }, body });
  const codeOf = ({ json }: TestResponse): unknown => json.errors[0].code;
  const auditEvents = (): readonly any[] =>
    readFileSync(join(folder, 'audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);

  it('returns the token of the Identity service as a session', async () => {
    const answer = await logIn();
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.json).toEqual({
      token: TOKEN,
      expires_at: expect.stringMatching(/Z$/) as string,
      user: 'alice name',
      project: 'p1 name',
      roles: ['admin'],
    });
    const session = await service.request({
      path: '/console/session',
      headers: { 'x-roles': null, 'x-auth-token': answer.json.token },
    });
    expect([session.status, session.json.user_id]).toEqual([200, 'alice']);
  });

  it('requests a token for the project, in the named domains or the default one', async () => {
    await logIn({ ...ALICE, user_domain: 'Staff' });
    const asked = JSON.parse(identity.asked.at(-1)?.body ?? '') as unknown;
    expect(asked).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'alice', domain: { name: 'Staff' }, password: PASSWORD } },
        },
        scope: { project: { name: 'p1 name', domain: { name: 'Default' } } },
      },
    });
  });

  it.each<readonly [string, Behaviour, number, string]>([
    ['a wrong password', (response) => refuse(response, 401), 401, 'console.wrong_credentials'],
    ['a domain that is not there', (response) => refuse(response, 404), 401, 'console.wrong_credentials'],
    ['what can be no name', (response) => refuse(response, 400), 401, 'console.wrong_credentials'],
    ['an account that may not', (response) => refuse(response, 403), 403, 'console.login_refused'],
    [
      'an account with a second factor',
      (response) => send(response, 401, { receipt: {} }, { 'openstack-auth-receipt': 'r' }),
      403,
      'console.login_refused',
    ],
    ['a failure of the service', (response) => refuse(response, 500), 503, 'console.identity_unavailable'],
    ['no Identity service', (response) => send(response, 401, {}), 503, 'console.identity_unavailable'],
    [
      'a redirection',
      (response) => send(response, 302, {}, { location: 'http://x' }),
      503,
      'console.identity_unavailable',
    ],
    ['a token without a text', (response) => send(response, 201, tokenDocument()), 503, 'console.identity_unavailable'],
    [
      'no document',
      (response) => send(response, 201, {}, { 'x-subject-token': 't' }),
      503,
      'console.identity_unavailable',
    ],
    ['a broken connection', (response) => void response.destroy(), 503, 'console.identity_unavailable'],
  ])('reports %s', async (_what, behaviour, status, code) => {
    identity.behave(behaviour);
    const answer = await logIn();
    expect([answer.status, codeOf(answer), answer.headers['cache-control']]).toEqual([status, code, 'no-store']);
    expect(answer.headers['retry-after'] !== undefined).toBe(status === 503);
    expect(answer.text).not.toContain(PASSWORD);
  });

  it('reports that the Identity service is unavailable; existing tokens stay valid', async () => {
    const { token } = (await logIn()).json;
    const known = (): Promise<TestResponse> =>
      service.request({ path: '/traits', headers: { 'x-roles': null, 'x-auth-token': token } });
    expect((await known()).status).toBe(200);
    identity.behave((response, usual, { method, body }) =>
      method === 'POST' && body.includes('alice') ? refuse(response, 500) : usual(),
    );
    const answers = [];
    for (let tries = 0; tries < 8; tries += 1) answers.push((await logIn()).status);
    expect(new Set(answers)).toEqual(new Set([503]));
    // Logins stop while the service is unavailable, but tokens are still validated.
    const asked = identity.asked.length;
    expect((await logIn()).status).toBe(503);
    expect(identity.asked.length).toBe(asked);
    identity.give('another-token');
    const other = { 'x-roles': null, 'x-auth-token': 'another-token' };
    expect((await service.request({ path: '/traits', headers: other })).status).toBe(200);
  });

  it.each<readonly [string, unknown, string]>([
    ['no user', { ...ALICE, username: undefined }, 'username'],
    ['an empty user', { ...ALICE, username: '' }, 'username'],
    ['no password', { ...ALICE, password: undefined }, 'password'],
    ['a password that is no text', { ...ALICE, password: [PASSWORD] }, 'password'],
    ['a long password', { ...ALICE, password: 'x'.repeat(LOGIN_LIMITS.passwordCharacters + 1) }, 'password'],
    ['a password that is no text in any encoding', { ...ALICE, password: `${PASSWORD}\ud800` }, 'password'],
    ['no project', { ...ALICE, project: undefined }, 'project'],
    ['a long project', { ...ALICE, project: 'x'.repeat(256) }, 'project'],
    ['a domain that is no text', { ...ALICE, user_domain: 1 }, 'user_domain'],
    ['a field too many', { ...ALICE, scope: 'system' }, 'scope'],
    ['no document', `"${PASSWORD}"`, 'JSON'],
    ['no JSON', `{"password":"${PASSWORD}"`, 'JSON'],
  ])('refuses %s, naming the field but not its value', async (_what, body, field) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/console/login',
      headers: { 'content-type': 'application/json' },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([400, 'no-store']);
    expect(answer.json().errors[0]).toMatchObject({ code: 'scheduler.invalid_request' });
    expect(answer.body).toContain(field);
    expect(answer.body).not.toContain(PASSWORD);
    expect(identity.asked).toEqual([]);
  });

  it('reads a login body only up to its limit', async () => {
    const large = await logIn({ ...ALICE, password: 'x'.repeat(LOGIN_LIMITS.bodyBytes) });
    expect([large.status, large.json.errors[0].detail]).toEqual([
      413,
      expect.stringContaining(`larger than ${LOGIN_LIMITS.bodyBytes} bytes`),
    ]);
    // Other routes keep their own limits.
    const { status } = await service.request({ method: 'POST', path: '/traits', body: { x: 'x'.repeat(20_000) } });
    expect(status).not.toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'refuses a body of type "%s", which a page of another site can send',
    async (type) => {
      const { status } = await logIn(JSON.stringify(ALICE), { 'content-type': type });
      expect([400, 415]).toContain(status);
      expect(identity.asked).toEqual([]);
    },
  );

  it.each<readonly [string, Headers]>([
    ['another page', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['the same host with another scheme', { origin: 'https://berth.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
  ])('refuses a request from %s', async (_what, headers) => {
    const answer = await logIn(ALICE, headers);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'console.foreign_page']);
    expect(identity.asked).toEqual([]);
  });

  it('accepts a request from its own page', async () => {
    const own = { origin: 'http://berth.example', 'sec-fetch-site': 'same-origin' };
    expect((await logIn(ALICE, own)).status).toBe(200);
  });

  it('recognises its own page behind a proxy that sends its address', async () => {
    const proxied = await open({ oslo_middleware: { enable_proxy_headers_parsing: true } });
    const public_ = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cloud.example' };
    const statuses = [];
    for (const origin of ['https://cloud.example', 'http://cloud.example', 'http://berth.example']) {
      statuses.push((await logIn(ALICE, { ...public_, origin }, proxied)).status);
    }
    await proxied.stop();
    expect(statuses).toEqual([200, 403, 403]);
  });

  it('limits the attempts for a user from any address, and sends Retry-After', async () => {
    const wrong = { ...ALICE, password: 'wrong' };
    for (let tries = 0; tries < LOGIN_LIMITS.triesOfUser; tries += 1) expect((await logIn(wrong)).status).toBe(401);
    const asked = identity.asked.length;
    const late = await logIn({ ...ALICE, username: 'ALICE' });
    expect([late.status, codeOf(late)]).toEqual([429, 'console.too_many_logins']);
    const seconds = Number(late.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(LOGIN_LIMITS.userRegainsMs / 1_000);
    expect(late.json.errors[0].detail).toContain('for this user');
    // The Identity service received no request; other users can log in.
    expect(identity.asked.length).toBe(asked);
    expect((await logIn({ ...ALICE, username: 'bob' })).status).toBe(200);
    expect((await logIn({ ...ALICE, user_domain: 'Staff' })).status).toBe(200);
  });

  it.each([
    ['ALICE', 'capitals'],
    [' alice ', 'blanks'],
    ['alice\u3000', 'wide blanks'],
    ['alice\u3164', 'a filler'],
    ['álice', 'an accent'],
    ['\uff41lice', 'a wide letter'],
  ])('counts %j, with %s, as the same user', async (username) => {
    for (let tries = 0; tries < LOGIN_LIMITS.triesOfUser; tries += 1) await logIn({ ...ALICE, password: 'wrong' });
    const late = await logIn({ ...ALICE, username, user_domain: ' DEFAULT' });
    expect([late.status, codeOf(late)]).toEqual([429, 'console.too_many_logins']);
  });

  it.each([
    ['al\u200bice', 'a zero-width space'],
    ['al\u00adice', 'a soft hyphen'],
    ['\u202ealice', 'a change of direction'],
    ['alice\u0001', 'a control character'],
  ])('refuses %j, with %s, before the Identity service is asked', async (username) => {
    const asked = identity.asked.length;
    expect((await logIn({ ...ALICE, username })).status).toBe(400);
    expect(identity.asked.length).toBe(asked);
  });

  it('resets the attempts of a user after a successful login', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 1; tries < LOGIN_LIMITS.triesOfUser; tries += 1) {
        expect((await logIn({ ...ALICE, password: 'wrong' })).status).toBe(401);
      }
      expect((await logIn()).status).toBe(200);
    }
  });

  it('limits the attempts from an address for any user, with addresses as reported by the proxy', async () => {
    const proxied = await open({ oslo_middleware: { enable_proxy_headers_parsing: true } });
    const from = (address: string, user: string): Promise<TestResponse> =>
      logIn({ ...ALICE, username: user }, { 'x-forwarded-for': `203.0.113.9, ${address}` }, proxied);
    const statuses: number[] = [];
    for (let tries = 0; tries < LOGIN_LIMITS.triesOfAddress; tries += 1) {
      statuses.push((await from(`198.51.100.1:${4_000 + tries}`, `user ${tries}`)).status);
    }
    const late = await from('198.51.100.1', 'one more');
    const other = await from('198.51.100.2', 'one more');
    await proxied.stop();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([late.status, other.status]).toEqual([429, 200]);
    expect(late.json.errors[0].detail).toContain('from this address');
  });

  it('writes no password and no token anywhere, and the attempt to the audit log', async () => {
    await logIn();
    await logIn({ ...ALICE, password: MISTYPED, project_domain: 'Staff' });
    await logIn({ ...ALICE, password: [PASSWORD] });
    await logIn(ALICE, { origin: 'https://evil.example' });
    identity.behave((response) => void response.destroy());
    await logIn();
    await logIn(`{"password":"${PASSWORD}"`);
    await service.stop();
    const log = lines.join('');
    expect(log).toContain('/console/login');
    const written = log + readFileSync(join(folder, 'audit.log'), 'utf8');
    for (const secret of [PASSWORD, MISTYPED]) expect(written).not.toContain(secret);
    expect(written).not.toContain(TOKEN);
    const events = auditEvents();
    expect(events.map(({ action, outcome, reason }) => [action, outcome, reason.reasonCode, reason.code])).toEqual([
      ['authenticate', 'success', '200', undefined],
      ['authenticate', 'failure', '401', 'console.wrong_credentials'],
      ['authenticate', 'failure', '400', 'scheduler.invalid_request'],
      ['authenticate', 'failure', '403', 'console.foreign_page'],
      ['authenticate', 'failure', '503', 'console.identity_unavailable'],
      ['authenticate', 'failure', '400', 'scheduler.invalid_request'],
    ]);
    expect(events[1].attachments[0].content).toEqual({
      username: 'alice',
      project: 'p1 name',
      project_domain: 'Staff',
    });
    service = await open();
  });

  it('limits concurrent logins; further ones wait', async () => {
    let under = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    identity.behave((response, usual, asked) => {
      if (asked.method !== 'POST' || asked.body.includes(identity.password)) return usual();
      most = Math.max(most, (under += 1));
      waiting.push(() => {
        under -= 1;
        send(response, 201, tokenDocument(), { 'x-subject-token': TOKEN });
      });
    });
    const logins = Array.from({ length: LOGIN_LIMITS.inFlight * 3 }, (_, at) =>
      logIn({ ...ALICE, username: `user ${at}` }),
    );
    let answered = 0;
    for (const each of logins) void each.then(() => (answered += 1));
    while (answered < logins.length) {
      await new Promise((resume) => setTimeout(resume, 5));
      waiting.shift()?.();
    }
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(logins.map(() => 200));
    expect(most).toBe(LOGIN_LIMITS.inFlight);
  });

  it('reads a body of unknown length only up to its limit', async () => {
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const asked = httpRequest({ port, path: '/console/login', method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.once('error', reject);
      asked.write(`{"username":"${'x'.repeat(LOGIN_LIMITS.bodyBytes)}`);
      asked.end('"}');
    });
    expect(status).toBe(413);
  });
});
