import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { HTTP_LIMITS } from '../config/limits/http';
import { Connections } from './connections';

let server: Server;
let connections: Connections;
let times: { keepAliveMarginMs: number; requestTimeoutMs: number };
let waiting: ServerResponse[];
let clients: Socket[];
/** The server's ends of the connections. */
let ends: Socket[];
beforeEach(async () => {
  waiting = [];
  clients = [];
  ends = [];
  server = createServer({ connectionsCheckingInterval: 5 }, (request, response) => {
    request.resume();
    if (request.url === '/waits') waiting.push(response);
    else request.once('end', () => response.end('done'));
  });
  times = { ...HTTP_LIMITS };
  connections = new Connections(times);
  connections.watch(server);
  server.on('connection', (socket: Socket) => ends.push(socket));
  server.on('clientError', (_error, socket: Socket) =>
    connections.onRequestTimeout(socket, () => socket.end('HTTP/1.1 408 Late\r\n\r\n')),
  );
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
  await connections.closeIdle();
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

it('answers what lies unread when it lets go', async () => {
  const { socket } = await idle();
  socket.write(asks('/'));
  void connections.closeIdle();
  expect(await receivedText(socket)).toContain('done');
});

it('accepts no further connection after that', async () => {
  await connections.closeIdle();
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

/** Blocks the process, as a paused machine does: afterwards timers have expired and received bytes are unread. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function receivedText(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0]);
}
/** A connection that has received its answer, from both ends. */
async function idle(): Promise<{ socket: Socket; end: Socket }> {
  const socket = await client(asks('/'));
  await receivedText(socket);
  const [end] = ends;
  if (end === undefined) throw new Error('the server has met nobody');
  return { socket, end };
}

describe('the time of a connection', () => {
  it('was not over when a request lies unread', async () => {
    const { socket, end } = await idle();
    end.setTimeout(1);
    socket.write(asks('/'));
    standStill();
    expect(await receivedText(socket)).toContain('done');
  });

  it('is followed by a margin, and the end', async () => {
    const { socket, end } = await idle();
    end.setTimeout(1);
    await once(end, 'timeout');
    await turn();
    expect([end.destroyed, end.timeout]).toEqual([false, HTTP_LIMITS.keepAliveMarginMs]);
    end.setTimeout(1);
    await once(socket, 'close');
  });

  it('was not over at the end of the margin either when a request lies unread', async () => {
    const { socket, end } = await idle();
    end.setTimeout(1);
    await once(end, 'timeout');
    await turn();
    end.setTimeout(1);
    socket.write(asks('/'));
    standStill();
    expect(await receivedText(socket)).toContain('done');
  });

  it('restarts the margin after each request', async () => {
    const { socket, end } = await idle();
    for (let round = 0; round < 2; round += 1) {
      end.setTimeout(1);
      await once(end, 'timeout');
      await turn();
      expect(end.destroyed).toBe(false);
      socket.write(asks('/'));
      await receivedText(socket);
    }
  });

  it('expires for a client that reads nothing of its answer', async () => {
    const socket = await client(asks('/waits'));
    if (waiting.length === 0) await once(server, 'request');
    const [end] = ends;
    socket.pause();
    waiting[0]?.write(Buffer.alloc(32 * 1024 * 1024));
    end?.setTimeout(1);
    if (end !== undefined) await once(end, 'close');
  });

  it('does not expire for a client that has read the whole answer', async () => {
    const socket = await client(asks('/waits'));
    if (waiting.length === 0) await once(server, 'request');
    const [end] = ends;
    waiting[0]?.write('first');
    await receivedText(socket);
    end?.setTimeout(1);
    if (end !== undefined) await once(end, 'timeout');
    await turn();
    waiting[0]?.end('last');
    expect(await receivedText(socket)).toContain('last');
  });
});

describe('a request that took too long', () => {
  const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n';
  /** From now on every incomplete request is late. */
  const hurry = (): void => {
    server.headersTimeout = 1;
    server.requestTimeout = 1;
  };
  /** Waits until the server has read further bytes. */
  async function reads(end: Socket | undefined, before = 0): Promise<void> {
    while ((end?.bytesRead ?? 0) <= before) await turn();
  }

  it('is refused', async () => {
    const socket = await client(HEAD);
    hurry();
    expect(await receivedText(socket)).toContain('408');
  });

  it.each([
    ['nothing', '', `${HEAD}\r\nbody`],
    ['half a head', HEAD, '\r\nbody'],
    ['half a body', `${HEAD}\r\nbo`, 'dy'],
  ])('is answered if the rest is unread after %s', async (_, first, rest) => {
    const socket = await client(first);
    if (first !== '') await reads(ends[0]);
    socket.write(rest);
    hurry();
    standStill();
    expect(await receivedText(socket)).toContain('done');
  });

  it.each([
    ['head', HEAD, 'X: y\r\n', '\r\nbody'],
    ['body', `${HEAD}\r\nb`, 'o', 'dy'],
  ])('has as long again when more of its %s lies unread', async (_, first, more, rest) => {
    const socket = await client(first);
    await reads(ends[0]);
    socket.write(more);
    hurry();
    standStill();
    await reads(ends[0], first.length);
    socket.write(rest);
    expect(await receivedText(socket)).toContain('done');
  });

  it('is refused when that is over too', async () => {
    const socket = await client(HEAD);
    await reads(ends[0]);
    socket.write('X: y\r\n');
    times.requestTimeoutMs = 1;
    hurry();
    standStill();
    expect(await receivedText(socket)).toContain('408');
  });
});
