/** @jest-environment node */
// Two hundred slow clients of all kinds at once: each is disconnected at its time limit, and other clients are not
// affected. Uses the product's limits, shortened.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, fetch } from 'undici';
import { Certificates } from '../support/certificates';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

jest.mock('../../src/platform/config/limits/http', () => {
  const actual = jest.requireActual<{ HTTP_LIMITS: object }>('../../src/platform/config/limits/http');
  const CLIENTS = 200;
  const short = {
    headersTimeoutMs: 1_000,
    requestTimeoutMs: 1_500,
    keepAliveTimeoutMs: 1_000,
    connectionsCheckingIntervalMs: 100,
    refusedTimeoutMs: 500,
    // Two hundred handshakes take a while with both ends in one process.
    tlsHandshakeTimeoutMs: 5_000,
    connectionsMax: CLIENTS + 20,
    droppedLogEveryMs: 50,
  };
  return { ...actual, HTTP_LIMITS: { ...actual.HTTP_LIMITS, ...short } };
});

const CLIENTS = 200;
const HEAD = 'POST /resource_providers HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: admin\r\n';
const BODY_HEAD = `${HEAD}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;

let certificates: Certificates;
beforeAll(() => {
  certificates = new Certificates();
  certificates.authority('ca');
  certificates.issue('server', { by: 'ca', alternative: 'IP:127.0.0.1' });
});
afterAll(() => certificates.remove());

let service: TestService;
let server: Server;
let agent: Agent;
let clients: Socket[];
/** The number of accepted connections. */
let met: number;
let lines: string;

async function serve(isTls: boolean): Promise<void> {
  lines = '';
  service = await startTestService('sqlite', {
    cwd: certificates.folder,
    log: (line) => (lines += line),
    overrides: { berth: isTls ? { tls_cert: 'server.crt', tls_key: 'server.key' } : {} },
  });
  await service.application.listen(0, '127.0.0.1');
  server = service.app.getHttpServer();
  agent = new Agent({ connect: { ca: readFileSync(certificates.file('ca.crt')) } });
  clients = [];
  met = 0;
  server.on('connection', () => (met += 1));
}
afterEach(async () => {
  for (const client of clients) client.destroy();
  await agent.close();
  await service.stop();
});

const port = (): number => (server.address() as AddressInfo).port;
const connections = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/** A client that never closes by itself, whatever it receives. */
async function slowClient(isTls = false): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: port(), allowHalfOpen: true });
  clients.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (!isTls) return socket;
  const secure = connectTls({ socket, ca: readFileSync(certificates.file('ca.crt')), host: '127.0.0.1' });
  secure.on('error', () => undefined);
  await once(secure, 'secureConnect');
  return secure;
}

/** Sends the first part at once, then a character at a time until the connection closes. */
function trickle(socket: Socket, first: string, rest: string): void {
  socket.write(first);
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || !socket.writable) clearInterval(timer);
    else socket.write(rest.charAt(at++ % rest.length));
  }, 50);
  socket.once('close', () => clearInterval(timer));
}

/** Sends requests one after the other until the slow clients are gone; returns the statuses. */
async function workUntil(end: () => Promise<boolean>): Promise<ReadonlySet<number>> {
  const origin = await service.app.getUrl();
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
  const statuses = new Set<number>();
  for (let round = 0; round < 20 || !(await end()); round += 1) {
    const made = await fetch(`${origin}/resource_providers`, {
      method: 'POST',
      headers,
      dispatcher: agent,
      body: JSON.stringify({ name: `host${round}` }),
    });
    await made.text();
    const read = await fetch(`${origin}/resource_providers?name=host${round}`, { headers, dispatcher: agent });
    await read.text();
    statuses.add(made.status).add(read.status);
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return statuses;
}

const SLOW: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['never ask for anything', () => undefined],
  ['send their head a character at a time', (socket) => trickle(socket, HEAD, 'X-Slow: y\r\n')],
  ['send half a head', (socket) => socket.write(HEAD)],
  ['send their body a character at a time', (socket) => trickle(socket, BODY_HEAD, 'x')],
  ['never send their body', (socket) => socket.write(BODY_HEAD)],
  [
    'send a body in pieces without end',
    (socket) =>
      trickle(socket, `${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
  ],
  [
    'keep their connection behind an answer',
    (socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  ],
  ['send nonsense', (socket) => trickle(socket, 'NONSENSE\r\n\r\n', 'x')],
];

/** True once only the connection of the working client is open. */
const areGone = async (): Promise<boolean> => met > CLIENTS && (await connections()) <= 1;

/** Several times the longest limit, on a busy machine too. */
const GIVEN_UP_MS = 120_000;

describe.each([
  ['HTTP', false],
  ['TLS', true],
] as const)('over %s', (_, isTls) => {
  beforeEach(() => serve(isTls));

  it(`${CLIENTS} slow clients of all kinds are disconnected, without effect on others`, async () => {
    const open = new Map<Socket, string>();
    const slow = async ([kind, begin]: (typeof SLOW)[number]): Promise<() => void> => {
      const socket = await slowClient(isTls);
      open.set(socket, kind);
      for (const event of ['end', 'close']) socket.once(event, () => open.delete(socket));
      // 'end' comes only to a client that reads.
      socket.resume();
      return () => begin(socket);
    };
    const kinds = Array.from({ length: CLIENTS / SLOW.length }, () => SLOW).flat();
    for (const begin of await Promise.all(kinds.map(slow))) begin();
    const endMs = Date.now() + GIVEN_UP_MS;
    const isOver = async (): Promise<boolean> => (open.size === 0 && (await areGone())) || Date.now() > endMs;
    expect(await workUntil(isOver)).toEqual(new Set([200, 201]));
    expect([...new Set(open.values())]).toEqual([]);
  });
});

it(`${CLIENTS} that never finish their handshake are disconnected, without effect on others`, async () => {
  await serve(true);
  await Promise.all(Array.from({ length: CLIENTS }, () => slowClient()));
  expect(await workUntil(areGone)).toEqual(new Set([200, 201]));
});

it('connections above the maximum of a process are closed at once, and logged', async () => {
  await serve(false);
  await Promise.all(Array.from({ length: CLIENTS + 25 }, () => slowClient()));
  while (!lines.includes('Connection limit reached')) await new Promise((resume) => setTimeout(resume, 20));
  const line = lines.split('\n').find((each) => each.includes('Connection limit reached'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'warn', most: CLIENTS + 20 });
});
