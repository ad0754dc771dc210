// Clients that request megabytes and read nothing: at most a few chunks are written for each, and they are disconnected at
// their time limit.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { HTTP_LIMITS } from '../../src/platform/config/limits/http';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { loadWorld } from './scheduler-cloud';

const CARDS = Array.from({ length: 8 }, (_, card) => `  card${card}  SRIOV_NET_VF:8`).join('\n');
const HOSTS = Array.from({ length: 4 }, (_, host) => `host${host}  VCPU:64\n${CARDS.replaceAll('card', `h${host}c`)}`);
const GROUPS = [1, 2, 3, 4].map((group) => `resources${group}=SRIOV_NET_VF:1`).join('&');
const ALL = `/allocation_candidates?${GROUPS}&group_policy=none`;
const CLIENTS = 24;

let service: TestService;
let server: Server;
/** The server side of the connections. */
let ends: Socket[] = [];

beforeAll(async () => {
  service = await startTestService('sqlite');
  await loadWorld(service, HOSTS.join('\n'));
  await service.app.listen(0, '127.0.0.1');
  server = service.app.getHttpServer();
  server.on('connection', (socket: Socket) => ends.push(socket));
});
afterAll(() => service.stop());
beforeEach(() => {
  ends = [];
});

/** Requests everything, reads the beginning of the answer and nothing more. */
async function askAndStopReading(): Promise<{ status: number; client: Socket }> {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(
    `GET ${ALL} HTTP/1.1\r\nhost: x\r\nx-auth-token: admin\r\nopenstack-api-version: placement 1.36\r\n\r\n`,
  );
  const [head] = (await once(client, 'data')) as [Buffer];
  client.pause();
  return { status: Number(head.toString('latin1').split(' ')[1]), client };
}

/** A disconnected socket closes after an error. */
const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => (socket.closed ? resolve(undefined) : socket.once('close', resolve)));

it('get a few chunks each', async () => {
  const asked = await Promise.all(Array.from({ length: CLIENTS }, askAndStopReading));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  for (const end of ends) expect(end.writableLength).toBeLessThanOrEqual(3 * HTTP_LIMITS.bodyChunkCharacters);
  for (const { client } of asked) client.destroy();
  await Promise.all(ends.map(closed));
});

it('are disconnected after the time limit without a read', async () => {
  const { status, client } = await askAndStopReading();
  const [end] = ends;
  expect([status, end?.timeout]).toEqual([200, HTTP_LIMITS.unreadAnswerMs]);
  // The same timer, shortened.
  end?.setTimeout(1);
  if (end !== undefined) await closed(end);
  client.destroy();
});
