import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Connections } from './connections';

let server: Server;
let connections: Connections;
let waiting: ServerResponse[];
let clients: Socket[];
beforeEach(async () => {
  waiting = [];
  clients = [];
  server = createServer((request, response) => {
    if (request.url === '/waits') waiting.push(response);
    else response.end('done');
  });
  connections = new Connections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
  server.closeAllConnections();
});

/** A client that has said so much, once the server has met it. */
async function client(says: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  const met = once(server, 'connection');
  if (says !== '') socket.write(says);
  await met;
  return socket;
}
const asks = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
/** Ends when the server waits for no connection any more. */
const closed = (): Promise<unknown> => {
  const end = once(server, 'close');
  connections.letGo();
  server.close();
  return end;
};

it.each([
  ['never asked for anything', ''],
  ['sent half a head', 'GET / HTTP/1.1\r\nHost: x\r\n'],
])('lets go of a connection that %s', async (_, says) => {
  await client(says);
  await closed();
});

it('lets go of a connection that had its answer', async () => {
  const socket = await client(asks('/'));
  await once(socket, 'data');
  await closed();
});

it('waits for a request that is under way, and for nothing behind its answer', async () => {
  const socket = await client(asks('/waits'));
  if (waiting.length === 0) await once(server, 'request');
  const end = closed();
  let isClosed = false;
  void end.then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  const answer = once(socket, 'data');
  waiting[0]?.end('late');
  expect(String((await answer)[0])).toContain('late');
  await end;
});

it('takes no connection on behind that', async () => {
  connections.letGo();
  const socket = await client('');
  await once(socket, 'close');
});
