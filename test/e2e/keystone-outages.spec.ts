// The strategy `keystone` while the Identity service is down, slow, busy, or sends invalid answers: callers with cached
// tokens are admitted, others must retry, and no caller is admitted or refused because of an untrusted answer.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Certificates } from '../support/certificates';
import type { Behaviour } from '../support/identity-double';
import { IdentityDouble, refuse, send, tokenDocument } from '../support/identity-double';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

let lines = '';

const open = (url: string, options: object = {}): Promise<TestService> =>
  startTestService('sqlite', {
    overrides: {
      api: { auth_strategy: 'keystone' },
      keystone_authtoken: {
        auth_url: url,
        username: 'placement',
        user_domain_name: 'Default',
        password: 'S3CRET-password',
        project_name: 'service',
        project_domain_name: 'Default',
        http_request_max_retries: 0,
        ...options,
      },
    },
    log: (line) => (lines += line),
  });

const asked = (service: TestService, token: string, path = '/traits'): Promise<TestResponse> =>
  service.request({ path, headers: { 'x-roles': null, 'x-auth-token': token } });

const readiness = async (service: TestService): Promise<readonly [number, any]> => {
  const { status, json } = await asked(service, '', '/readyz');
  return [status, json.identity];
};

/** Every case has tokens of its own. */
let count = 0;
const fresh = (): string => `token-${(count += 1)}`;

/** The service asks again, and is answered. */
const recovered = async (service: TestService, identity: IdentityDouble): Promise<void> => {
  identity.behave(undefined);
  while ((await asked(service, identity.give(fresh()))).status !== 200) {
    await new Promise((resume) => setTimeout(resume, 50));
  }
};

/** With this behaviour, callers with cached tokens are admitted and others must retry. */
const expectCachedOnly = async (
  service: TestService,
  identity: IdentityDouble,
  behaviour: Behaviour,
  reason: RegExp,
): Promise<void> => {
  const known = identity.give(fresh());
  await asked(service, known);
  identity.behave(behaviour);
  const answer = await asked(service, identity.give(fresh()));
  expect(answer.status).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(answer.json.errors[0].detail).toContain('The Identity service is not available to check this token.');
  expect((await asked(service, known)).status).toBe(200);
  const [status, reported] = await readiness(service);
  expect([status, reported.works]).toEqual([200, false]);
  expect(reported.reason).toMatch(reason);
};

describe('an Identity service that', () => {
  let identity: IdentityDouble;
  let service: TestService;

  beforeAll(async () => {
    lines = '';
    identity = await IdentityDouble.start();
    service = await open(identity.url);
  });
  afterAll(async () => {
    await service.stop();
    await identity.stop();
  });
  beforeEach(() => recovered(service, identity));

  const html =
    (status: number): Behaviour =>
    (response) => {
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end('<html>It works!</html>');
    };
  const document =
    (change: (token: any) => unknown): Behaviour =>
    (response, _usual, { headers }) => {
      const made = tokenDocument() as { token: object };
      const changed = change(made.token);
      send(response, 200, changed as object, { 'x-subject-token': String(headers['x-subject-token']) });
    };

  it.each<readonly [string, Behaviour, RegExp]>([
    ['cuts the connection', (response) => response.destroy(), /cannot be reached/],
    ['answers 500', (response) => refuse(response, 500), /answers 500/],
    ['answers 503', (response) => refuse(response, 503), /answers 503/],
    ['answers 429', (response) => refuse(response, 429), /fewer questions/],
    ['redirects', (response) => send(response, 302, {}, { location: 'http://127.0.0.1:1/' }), /redirection \(302\)/],
    ['is another web server that knows no such page', html(404), /answers 404, and not as/],
    ['is another web server that knows it', html(200), /it is no JSON/],
    ['is another web server that does not understand', html(400), /answers 400, and not as/],
    ['answers nothing', (response) => response.end(), /it is no JSON/],
    [
      'answers half of it',
      (response) => {
        response.writeHead(200, { 'content-length': '99' });
        response.write('{"token"', () => response.destroy());
      },
      /reached/,
    ],
    ['answers no HTTP', (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'), /no HTTP/],
    ['answers an empty document', document(() => ({})), /token is no object/],
    ['answers null', document(() => ({ token: null })), /token is no object/],
    ['knows no user', document((token) => ({ token: { ...token, user: undefined } })), /user is no object/],
    ['knows a user without id', document((token) => ({ token: { ...token, user: { id: '' } } })), /user\.id/],
    ['says no end', document((token) => ({ token: { ...token, expires_at: 'soon' } })), /expires_at/],
    ['lists no roles', document((token) => ({ token: { ...token, roles: 'admin' } })), /roles is no list/],
    ['lists odd roles', document((token) => ({ token: { ...token, roles: ['admin'] } })), /a role is no object/],
    ['knows two scopes', document((token) => ({ token: { ...token, system: { all: true } } })), /more than one scope/],
    [
      'answers about another token',
      (response) => send(response, 200, tokenDocument(), { 'x-subject-token': 'another' }),
      /another token/,
    ],
  ])('%s admits no caller and refuses none', (_what, behaviour, reason) =>
    expectCachedOnly(service, identity, behaviour, reason),
  );

  it('sends too large an answer about a token causes a refusal of that token only', async () => {
    identity.behave((response, usual, { headers }) =>
      headers['x-subject-token'] === 'large' ? send(response, 200, { token: 'x'.repeat(300_000) }) : usual(),
    );
    expect((await asked(service, 'large')).status).toBe(401);
    expect((await asked(service, identity.give(fresh()))).status).toBe(200);
  });

  it('fails repeatedly gets no requests for a while', async () => {
    identity.behave((response) => refuse(response, 500));
    for (let failures = 0; failures < 5; failures += 1) await asked(service, fresh());
    const before = identity.asked.length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => asked(service, fresh())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    // If the pause ends in the meantime, one probe is sent.
    expect(identity.asked.length - before).toBeLessThanOrEqual(1);
  });

  it('sends Retry-After gets no requests for that time', async () => {
    identity.behave((response) => refuse(response, 429, { 'retry-after': '2' }));
    await asked(service, fresh());
    const before = identity.asked.length;
    identity.behave(undefined);
    const answer = await asked(service, identity.give(fresh()));
    expect([answer.status, Number(answer.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
    expect(identity.asked.length).toBe(before);
  });

  it('is needed for thousands of tokens at once gets some requests at a time; the rest is refused', async () => {
    let most = 0;
    let inside = 0;
    const waiting: (() => void)[] = [];
    identity.behave((_response, usual) => {
      inside += 1;
      most = Math.max(most, inside);
      waiting.push(() => {
        inside -= 1;
        usual();
      });
    });
    const answers = Array.from({ length: 1_100 }, () => asked(service, fresh()));
    let isOver = false;
    const all = Promise.all(answers).finally(() => (isOver = true));
    while (!isOver) {
      for (const answer of waiting.splice(0)) answer();
      await new Promise((resume) => setImmediate(resume));
    }
    const statuses = (await all).map(({ status }) => status);
    expect(most).toBeLessThanOrEqual(32);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect(statuses.filter((status) => status === 503)).toHaveLength(1_100 - 1_032);
  });

  it('does not answer delays only the callers that need it, for a bounded time', async () => {
    const known = identity.give(fresh());
    await asked(service, known);
    identity.behave(() => undefined);
    const late = asked(service, identity.give(fresh()));
    expect((await asked(service, known)).status).toBe(200);
    expect((await late).status).toBe(503);
    expect(lines).toContain('it does not answer in time');
  });

  it('is down and returns is detected by the probe alone', async () => {
    await identity.stop();
    expect((await asked(service, fresh())).status).toBe(503);
    await identity.run();
    let reported = { works: false };
    while (!reported.works) {
      [, reported] = await readiness(service);
      await new Promise((resume) => setTimeout(resume, 100));
    }
    expect(lines).toContain('the Identity service answers again');
  });

  // On its own service, because the pause afterwards is long.
  it('does not let its account validate admits no caller and refuses none', async () => {
    const refusing = await open(identity.url);
    await expectCachedOnly(refusing, identity, (response) => refuse(response, 403), /validate tokens/);
    await refusing.stop();
  });

  it('fails exposes no token and no password', () => {
    expect(lines).toContain('the Identity service is not available');
    expect(lines).not.toMatch(/token-\d|own-\d|S3CRET/);
  });
});

describe('without an Identity service', () => {
  it('no caller is known, and the probe reports it', async () => {
    const identity = await IdentityDouble.start();
    await identity.stop();
    const service = await open(identity.url);
    const [status, reported] = await readiness(service);
    expect([status, reported]).toEqual([503, { works: false, reason: expect.stringContaining('ECONNREFUSED') }]);
    expect((await asked(service, '', '/')).status).toBe(200);
    await service.stop();
  });

  it('a request is retried after a broken connection', async () => {
    const identity = await IdentityDouble.start();
    const service = await open(identity.url, { http_request_max_retries: 3 });
    let failures = 2;
    identity.behave((response, usual) => {
      failures -= 1;
      if (failures >= 0) response.destroy();
      else usual();
    });
    expect((await asked(service, identity.give('known'))).status).toBe(200);
    await service.stop();
    await identity.stop();
  });

  it('a connection that was closed while idle is not a failure, at any setting', async () => {
    const identity = await IdentityDouble.start();
    const service = await open(identity.url);
    await asked(service, identity.give('known'));
    let failures = 1;
    identity.behave((response, usual) => {
      failures -= 1;
      if (failures >= 0) response.destroy();
      else usual();
    });
    expect((await asked(service, identity.give('another'))).status).toBe(200);
    await service.stop();
    await identity.stop();
  });

  it('a request to one that does not respond is cancelled at shutdown', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as { port: number };
    const service = await open(`http://127.0.0.1:${port}`, {});
    const waiting = asked(service, 'known');
    await new Promise((resume) => setImmediate(resume));
    const stopped = service.stop();
    silent.close();
    expect((await waiting).status).toBe(503);
    await stopped;
  });
});

describe('over TLS', () => {
  let certificates: Certificates;
  const file = (name: string): string => certificates.file(name);
  const pem = (name: string): { key: Buffer; cert: Buffer } => ({
    key: readFileSync(file(`${name}.key`)),
    cert: readFileSync(file(`${name}.crt`)),
  });

  beforeAll(() => {
    certificates = new Certificates();
    certificates.authority('ca');
    certificates.issue('good', { by: 'ca', alternative: 'IP:127.0.0.1' });
    certificates.issue('stranger', { by: 'ca', alternative: 'DNS:other.example.com' });
    certificates.issue('over', { by: 'ca', alternative: 'IP:127.0.0.1', days: -1 });
    certificates.issue('client', { by: 'ca', alternative: 'DNS:client' });
  });
  afterAll(() => certificates.remove());

  const outcome = async (server: object, options: object): Promise<readonly [number, string]> => {
    const identity = await IdentityDouble.start(server);
    const service = await open(identity.url, options);
    const { status } = await asked(service, identity.give('known'));
    const [, reported] = await readiness(service);
    await service.stop();
    await identity.stop();
    return [status, reported.reason ?? ''];
  };

  it('a certificate of the configured authority is accepted', async () => {
    expect(await outcome(pem('good'), { cafile: file('ca.crt') })).toEqual([200, '']);
  });

  it.each([
    ['of an unknown authority', 'good', false, /certificate/],
    ['of another host', 'stranger', true, /altnames|127\.0\.0\.1/],
    ['that is over', 'over', true, /expired/],
  ] as const)('a certificate %s is refused', async (_what, name, namesReasons, reason) => {
    const [status, reported] = await outcome(pem(name), namesReasons ? { cafile: file('ca.crt') } : {});
    expect(status).toBe(503);
    expect(reported).toMatch(reason);
  });

  it('any certificate is accepted if so configured', async () => {
    expect((await outcome(pem('stranger'), { insecure: true }))[0]).toBe(200);
  });

  it('presents its own client certificate', async () => {
    const server = { ...pem('good'), ca: readFileSync(file('ca.crt')), requestCert: true, rejectUnauthorized: true };
    const shown = { certfile: file('client.crt'), keyfile: file('client.key') };
    expect((await outcome(server, { cafile: file('ca.crt'), ...shown }))[0]).toBe(200);
    expect((await outcome(server, { cafile: file('ca.crt') }))[0]).toBe(503);
  });

  it('is refused by a server that requires one', async () => {
    const identity = await IdentityDouble.start();
    const service = await open(identity.url.replace('http:', 'https:'));
    expect((await asked(service, identity.give('known'))).status).toBe(503);
    expect(identity.asked).toEqual([]);
    await service.stop();
    await identity.stop();
  });

  it.each([
    ['missing', 'nowhere.crt'],
    ['no certificate', 'good.csr'],
  ])('a file that is %s stops the start-up', async (_what, name) => {
    await expect(open('https://127.0.0.1:1', { certfile: file(name) })).rejects.toThrow(/\[keystone_authtoken\] c/);
  });
});
