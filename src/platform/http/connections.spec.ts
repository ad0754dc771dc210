import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { Connections } from './connections';

let server: Server;
let connections: Connections;
let waiting: ServerResponse[];
let clients: Socket[];
let refused: number;
beforeEach(async () => {
  waiting = [];
  clients = [];
  refused = 0;
  server = createServer((request, response) => {
    request.resume();
    if (request.url === '/waits') waiting.push(response);
    else request.once('end', () => response.end('done'));
  });
  connections = new Connections();
  connections.watch(server);
  server.on('clientError', (_error, socket: Socket) => {
    refused += 1;
    connections.refuse(socket, (request) => socket.end(`HTTP/1.1 400 Bad ${request?.url ?? ''}\r\n\r\n`));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
  server.closeAllConnections();
});

/** A client that has sent this text, once the server has accepted it. */
async function client(says: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  const met = once(server, 'connection');
  if (says !== '') socket.write(says);
  await met;
  return socket;
}
const asks = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
/** Resolves when the server has closed with all its connections. */
const closed = async (): Promise<unknown> => {
  const end = once(server, 'close');
  connections.closeIdle();
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

it('waits for a running request, and closes right after its answer', async () => {
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

it('accepts no further connection after that', async () => {
  connections.closeIdle();
  const socket = await client('');
  await once(socket, 'close');
});

it('closes the answers to all pipelined requests when the client disconnects', async () => {
  const socket = await client(asks('/waits').repeat(3));
  while (waiting.length < 3) await once(server, 'request');
  const ended = waiting.map((response) => once(response, 'close'));
  socket.destroy();
  await Promise.all(ended);
  expect(waiting.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});

async function receivedText(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0]);
}

describe('unreadable data', () => {
  it('is refused', async () => {
    const socket = await client('nonsense\r\n\r\n');
    expect(await receivedText(socket)).toContain('400 Bad');
  });

  it('is refused with the request whose body is unreadable', async () => {
    const socket = await client('POST /waits HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n');
    expect(await receivedText(socket)).toContain('400 Bad /waits');
  });

  it('is refused after the answer to the request before it', async () => {
    const socket = await client(`${asks('/waits')}nonsense\r\n\r\n`);
    while (refused === 0) await new Promise((resolve) => setImmediate(resolve));
    waiting[0]?.end('first');
    let text = '';
    while (!text.includes('Bad')) text += await receivedText(socket);
    expect(text).toMatch(/first.*400 Bad/su);
  });
});
