// Clients that announce large bodies and take their time: together they hold what is allowed, whoever comes then is told
// to come again, small requests go on, and what a client that hung up had held is free.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { HTTP_LIMITS } from '../../src/config/limits';
import { startTestService } from '../support/service';
import type { TestService } from '../support/service';

const ALLOWED = Math.floor(HTTP_LIMITS.unreadBodiesBytes / HTTP_LIMITS.bodyBytes);

let service: TestService;
let clients: Socket[];
/** Heads that came at the service, and connections that it saw end. */
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

it.each(['Transfer-Encoding: chunked', whole])('bodies that are read hold so much together: %s', async (length) => {
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
