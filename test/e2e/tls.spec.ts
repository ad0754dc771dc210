// TLS in the service itself: accepted handshakes, addresses in answers, and certificates that are replaced at run time.
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request as askPlain } from 'node:http';
import type { RequestOptions } from 'node:https';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { connect as connectTls } from 'node:tls';
import { Certificates } from '../support/certificates';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

let certificates: Certificates;
const pem = (name: string): Buffer => readFileSync(certificates.file(name));
const put = (from: string, to: string): void => copyFileSync(certificates.file(from), certificates.file(to));

beforeAll(() => {
  certificates = new Certificates();
  certificates.authority('ca');
  certificates.authority('strangers');
  for (const name of ['first', 'second']) certificates.issue(name, { by: 'ca', alternative: 'IP:127.0.0.1' });
  certificates.issue('over', { by: 'ca', alternative: 'IP:127.0.0.1', days: -1 });
  certificates.issue('friend', { by: 'ca', alternative: 'DNS:friend' });
  certificates.issue('stranger', { by: 'strangers', alternative: 'DNS:stranger' });
});
afterAll(() => certificates.remove());

let service: TestService;
let lines: string;
afterEach(() => service.stop());

async function serve(options: object = {}): Promise<void> {
  lines = '';
  put('first.crt', 'in-use.crt');
  put('first.key', 'in-use.key');
  service = await startTestService('sqlite', {
    overrides: { berth: { tls_cert: 'in-use.crt', tls_key: 'in-use.key', allowed_hosts: [], ...options } },
    cwd: certificates.folder,
    log: (line) => (lines += line),
  });
  await service.application.listen(0, '127.0.0.1');
}

const port = (): number => (service.app.getHttpServer().address() as AddressInfo).port;

interface Heard {
  readonly status: number | undefined;
  readonly body: string;
}

async function ask(path: string, options: RequestOptions = {}): Promise<Heard> {
  const asked = request({ host: '127.0.0.1', port: port(), path, ca: pem('ca.crt'), agent: false, ...options });
  asked.end();
  const [response] = await once(asked, 'response');
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

/** Performs a handshake and returns the name in the service's certificate. */
async function handshake(
  options: ConnectionOptions = {},
): Promise<{ socket: TLSSocket; name: string | string[] | undefined }> {
  const socket = connectTls({ host: '127.0.0.1', port: port(), ca: pem('ca.crt'), ...options });
  await once(socket, 'secureConnect');
  return { socket, name: socket.getPeerCertificate().subject.CN };
}
const nameShown = async (): Promise<string | string[] | undefined> => {
  const { socket, name } = await handshake();
  socket.destroy();
  return name;
};

describe('TLS', () => {
  beforeEach(() => serve());

  it('serves, and uses https in its own addresses', async () => {
    const root = await ask('/');
    expect(root.status).toBe(200);
    expect(await service.app.getUrl()).toBe(`https://127.0.0.1:${port()}`);
    const { status } = await ask('/resource_providers', { headers: { 'x-auth-token': 'admin' } });
    expect(status).toBe(200);
  });

  it('names the address of a created object with https', async () => {
    const made = request({
      host: '127.0.0.1',
      port: port(),
      path: '/resource_providers',
      method: 'POST',
      agent: false,
      ca: pem('ca.crt'),
      headers: { 'x-auth-token': 'admin', 'content-type': 'application/json' },
    });
    made.end(JSON.stringify({ name: 'host' }));
    const [response] = await once(made, 'response');
    expect(response.headers.location).toMatch(new RegExp(`^https://127\\.0\\.0\\.1:${port()}/resource_providers/`));
    response.destroy();
  });

  it('keeps the loopback protection', async () => {
    const headers = { host: 'evil.example.com' };
    const { status } = await ask('/', { headers, checkServerIdentity: () => undefined });
    expect(status).toBe(403);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('does not accept %s', async (version) => {
    await expect(
      handshake({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('accepts %s', async (version) => {
    const { socket } = await handshake({ minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    socket.destroy();
  });

  it('disconnects plain HTTP clients, and continues to serve', async () => {
    const plain = askPlain({ host: '127.0.0.1', port: port(), path: '/' });
    plain.end();
    await expect(once(plain, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await ask('/healthz')).status).toBe(200);
    expect(lines).toContain('a TLS handshake failed');
  });

  it('does not wait for unfinished handshakes at shutdown', async () => {
    const met = once(service.app.getHttpServer(), 'connection');
    const socket: Socket = connect(port(), '127.0.0.1');
    socket.on('error', () => undefined);
    await met;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await service.application.stop();
    await closed;
  });

  it('closes idle connections at shutdown', async () => {
    const { socket } = await handshake();
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await service.application.stop();
    await closed;
  });

  it('presents the new certificate after the renewal, and keeps open connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask('/healthz', { agent });
    put('second.crt', 'in-use.crt');
    put('second.key', 'in-use.key');
    expect(await nameShown()).toBe('first');
    service.application.renewCertificates();
    expect(await nameShown()).toBe('second');
    const [[kept]] = Object.values(agent.freeSockets) as [[TLSSocket]];
    expect((await ask('/healthz', { agent })).status).toBe(200);
    expect(kept.getPeerCertificate().subject.CN).toBe('first');
    expect(kept.destroyed).toBe(false);
    agent.destroy();
  });

  it.each<[string, () => void, RegExp]>([
    ['a key of another certificate', () => put('second.key', 'in-use.key'), /tls_key: in-use\.key cannot be used/],
    [
      'garbage',
      () => writeFileSync(certificates.file('in-use.crt'), 'garbage'),
      /tls_cert: in-use\.crt cannot be used/,
    ],
  ])('keeps the old certificates if the files contain %s, and reports it', async (_, spoil, said) => {
    spoil();
    service.application.renewCertificates();
    expect(await nameShown()).toBe('first');
    const line = lines.split('\n').find((each) => each.includes('the certificates stay what they were'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', reason: expect.stringMatching(said) as string });
  });
});

describe('an expired certificate', () => {
  it('is still used', async () => {
    await serve({ tls_cert: 'over.crt', tls_key: 'over.key' });
    expect((await ask('/healthz', { rejectUnauthorized: false })).status).toBe(200);
    await expect(ask('/healthz')).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });
});

describe('client authorities', () => {
  beforeEach(async () => {
    put('ca.crt', 'clients.crt');
    await serve({ tls_client_ca: 'clients.crt' });
  });
  const by = (name: string): RequestOptions => ({ cert: pem(`${name}.crt`), key: pem(`${name}.key`) });

  it.each(['/', '/healthz', '/readyz'])('refuse %s without a client certificate', async (path) => {
    expect((await ask(path, by('friend'))).status).toBe(200);
    await expect(ask(path)).rejects.toMatchObject({ code: expect.stringMatching(/ALERT|ECONNRESET|EPIPE/) as string });
    await expect(ask(path, by('stranger'))).rejects.toMatchObject({
      code: expect.stringMatching(/ALERT|ECONNRESET|EPIPE/) as string,
    });
    expect(lines).not.toContain('"status":400');
  });

  it('are replaced, too', async () => {
    put('strangers.crt', 'clients.crt');
    service.application.renewCertificates();
    expect((await ask('/healthz', by('stranger'))).status).toBe(200);
    await expect(ask('/healthz', by('friend'))).rejects.toThrow();
  });

  it('do not accept an earlier session as a certificate', async () => {
    const { socket } = await handshake({ ...by('friend'), maxVersion: 'TLSv1.2' } as ConnectionOptions);
    const session = socket.getSession();
    socket.destroy();
    put('strangers.crt', 'clients.crt');
    service.application.renewCertificates();
    const resumed = connectTls({ host: '127.0.0.1', port: port(), ca: pem('ca.crt'), maxVersion: 'TLSv1.2', session });
    await expect(once(resumed, 'secureConnect')).rejects.toThrow();
  });
});

describe('without certificates', () => {
  it('a renewal has no effect', async () => {
    await serve({ tls_cert: null, tls_key: null });
    service.application.renewCertificates();
    expect(await service.app.getUrl()).toMatch(/^http:/);
    expect(lines).toContain('there are no certificates to be read again');
  });
});
