// A process that was suspended, as when its machine is paused: after it resumes, its timers consider connections
// expired although requests that arrived in time are unread. These are answered.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const ASKS = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

let service: TestService;
let server: Server;

beforeEach(async () => {
  service = await startTestService('sqlite');
  server = service.app.getHttpServer();
  // Node reads the interval when the server starts to listen.
  Object.assign(server, { connectionsCheckingInterval: 5 });
  await service.app.listen(0, '127.0.0.1');
});
afterEach(() => service.stop());

async function bothEnds(): Promise<{ client: Socket; end: Socket }> {
  const met = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [end] = (await met) as [Socket];
  if (client.connecting) await once(client, 'connect');
  return { client, end };
}
async function statusHeard(client: Socket): Promise<number> {
  const [head] = (await once(client, 'data')) as [Buffer];
  return Number(head.toString('latin1').split(' ')[1]);
}
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}

it('answers on a connection that was idle beyond its keep-alive time', async () => {
  const { client, end } = await bothEnds();
  client.write(ASKS);
  expect(await statusHeard(client)).toBe(200);
  end.setTimeout(1);
  client.write(ASKS);
  standStill();
  expect(await statusHeard(client)).toBe(200);
  client.destroy();
});

it('answers the late first request of a connection', async () => {
  const { client } = await bothEnds();
  client.write(ASKS);
  server.headersTimeout = 1;
  standStill();
  expect(await statusHeard(client)).toBe(200);
  client.destroy();
});

it('refuses a request that is late and incomplete', async () => {
  const { client } = await bothEnds();
  server.headersTimeout = 1;
  expect(await statusHeard(client)).toBe(408);
  client.destroy();
});
