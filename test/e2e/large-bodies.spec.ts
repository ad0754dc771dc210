// The limits of one body and of all bodies in progress: slow large bodies fill the limit, further ones get 503, small
// requests are served, and a disconnected client frees its part.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { HTTP_LIMITS } from '../../src/platform/config/limits/http';
import { SCHEDULER_LIMITS } from '../../src/platform/config/limits/scheduler';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const ALLOWED = Math.floor(HTTP_LIMITS.bodiesBytes / HTTP_LIMITS.bodyBytes);

let service: TestService;
let clients: Socket[];
/** Received request heads, and closed connections. */
let heads: number;
let ends: number;
beforeEach(async () => {
  service = await startTestService('sqlite');
  await service.app.listen(0, '127.0.0.1');
  clients = [];
  heads = 0;
  ends = 0;
  const server: Server = service.app.getHttpServer();
  server.on('request', () => (heads += 1));
  server.on('connection', (socket: Socket) => socket.on('close', () => (ends += 1)));
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await service.stop();
});

const address = (): AddressInfo => service.app.getHttpServer().address() as AddressInfo;

/** Sends the head of a request and the beginning of its body. */
async function begin(length: string): Promise<Socket> {
  const client = connect(address().port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.write(
    `POST /resource_providers HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: admin\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
  return client;
}
const whole = `Content-Length: ${HTTP_LIMITS.bodyBytes}`;
const statusHeard = async (client: Socket): Promise<string> => {
  const [head] = (await once(client, 'data')) as [Buffer];
  return head.toString('latin1');
};
const isPut = async (): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${address().port}/resource_providers`, {
    method: 'POST',
    headers: { 'x-auth-token': 'admin', 'content-type': 'application/json' },
    body: JSON.stringify({ name: `small ${clients.length} ${Math.trunc(performance.now() * 1_000)}` }),
  });
  return response.status;
};

const LIMITED = { overrides: { berth: { max_body_bytes: HTTP_LIMITS.bodyBytesMin } } };

it('a body above [berth] max_body_bytes is refused with a message that names both', async () => {
  const limited = await startTestService('sqlite', LIMITED);
  const put = async (characters: number): Promise<readonly [number, string]> => {
    const body = JSON.stringify({ name: 'x'.repeat(characters) });
    const { status, json } = await limited.request({
      method: 'POST',
      path: '/resource_providers',
      body: Buffer.from(body),
    });
    return [status, json.errors[0].detail as string];
  };
  try {
    const [most, more] = [await put(HTTP_LIMITS.bodyBytesMin - 11), await put(HTTP_LIMITS.bodyBytesMin - 10)];
    expect(most).toEqual([400, expect.stringContaining('characters')]);
    expect(more).toEqual([413, expect.stringContaining('65536 bytes, the limit that [berth] max_body_bytes sets')]);
  } finally {
    await limited.stop();
  }
});

it('a described cloud has its own limit', async () => {
  const limited = await startTestService('sqlite', LIMITED);
  const simulated = async (bytes: number): Promise<number> => {
    const body = `${JSON.stringify({ request: {} })}${' '.repeat(bytes - 14)}`;
    return (await limited.request({ method: 'POST', path: '/scheduler/simulate', body: Buffer.from(body) })).status;
  };
  try {
    expect(await simulated(SCHEDULER_LIMITS.simulationBytes)).toBe(400);
    expect(await simulated(SCHEDULER_LIMITS.simulationBytes + 1)).toBe(413);
  } finally {
    await limited.stop();
  }
});

it.each(['Transfer-Encoding: chunked', whole])('bodies in progress share a limit: %s', async (length) => {
  for (let count = 0; count < ALLOWED; count += 1) await begin(length);
  while (heads < ALLOWED) await pause(5);
  const refused = await begin(length);
  const answer = await statusHeard(refused);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer.toLowerCase()).toContain('retry-after: 1');
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(await isPut()).toBeLessThan(300);
  const before = ends;
  clients[0]?.destroy();
  while (ends === before) await pause(5);
  const admitted = await begin(length);
  let isAnswered = false;
  admitted.once('data', () => (isAnswered = true));
  await pause(200);
  expect(isAnswered).toBe(false);
});
