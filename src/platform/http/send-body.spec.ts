// The law of every body: the bytes that the client reads are those of the document, at each size around the edge of a
// chunk and in each division into pieces. A body that breaks this cuts the connection.
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { CallerGone } from '../event-loop/caller';
import type { LongBody } from './body-bytes';
import { BytesBody } from './body-bytes';
import type { RequestContext } from './request-context';
import { sendLong } from './send-body';
import { unreadAnswers } from './unread-answers';

const EDGE = HTTP_LIMITS.bodyChunkCharacters;
const AROUND = [-3, -2, -1, 0, 1, 2, 3];

const bodyOf = (pieces: () => Iterable<string | Buffer>, bytes?: number): LongBody => ({
  ...(bytes !== undefined && { bytes }),
  size: () => EDGE,
  pieces,
});

/** JSON of exactly this many characters: a list of numbers and one text. */
function documentOf(characters: number, filler: string): string {
  const start = JSON.stringify({ list: Array.from({ length: 1_000 }, (_, at) => at), text: '' });
  const left = characters - start.length;
  return `${start.slice(0, -2)}${filler.repeat(Math.ceil(left / filler.length)).slice(0, left)}"}`;
}

/** Divides a text without splitting a surrogate pair. */
function* divided(text: string, characters: number): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = at + characters;
    if ((text.codePointAt(end - 1) ?? 0) > 0xff_ff) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}

function* alternating(pieces: Iterable<string>): Generator<string | Buffer> {
  let count = 0;
  for (const piece of pieces) yield (count += 1) % 2 === 0 ? piece : Buffer.from(piece);
}

describe('a body', () => {
  let app: FastifyInstance;
  let body: LongBody;
  let errors: object[];
  let sentBytes: () => number | null;
  let caller: { isGone: boolean };

  beforeEach(() => {
    errors = [];
    caller = { isGone: false };
    app = fastify();
    app.addHook('onRequest', (request, _reply, done) => {
      const berth = Object.assign(caller, { requestId: 'req-1', sentBytes: null }) as Partial<RequestContext>;
      request.berth = berth as RequestContext;
      sentBytes = () => request.berth.sentBytes;
      done();
    });
    app.get('/', (_request, reply) => {
      reply.header('content-type', 'application/json');
      return sendLong(body, reply, { error: (fields) => void errors.push(fields) });
    });
  });
  afterEach(() => app.close());

  async function answerTo(asked: LongBody): Promise<string> {
    body = asked;
    const { statusCode, rawPayload, headers } = await app.inject('/');
    expect(statusCode).toBe(200);
    const length = headers['content-length'];
    if (length !== undefined) expect(Number(length)).toBe(rawPayload.length);
    if (sentBytes() !== null) expect(sentBytes()).toBe(rawPayload.length);
    return rawPayload.toString();
  }

  /** What a client reads over TCP until the connection ends. */
  async function readOverTcp(asked: LongBody): Promise<string> {
    body = asked;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk as string;
    return text;
  }

  const FILLERS: readonly (readonly [string, string])[] = [
    ['ASCII', 'x'],
    ['two bytes', 'ä'],
    ['three bytes', '家'],
    ['four bytes', '😀'],
    ['all of them', 'aä家😀'],
  ];
  const DIVISIONS = [999, EDGE, EDGE + 1];

  it.each(FILLERS)('is sent as it is at every size around the edges of chunks: %s', async (_what, filler) => {
    for (const chunks of [1, 2]) {
      for (const around of AROUND) {
        // The end of the filler can be half of a surrogate pair.
        const document = Buffer.from(documentOf(chunks * EDGE + around, filler)).toString();
        for (const characters of DIVISIONS) {
          const pieces = (): Iterable<string> => divided(document, characters);
          const asked = [bodyOf(pieces), bodyOf(() => alternating(pieces())), new BytesBody(Buffer.from(document))];
          if (filler === 'x') asked.push(bodyOf(pieces, document.length));
          for (const each of asked) expect((await answerTo(each)) === document).toBe(true);
        }
      }
    }
    expect(errors).toEqual([]);
  });

  it('is sent in pieces that end at an edge or are empty', async () => {
    for (const around of AROUND) {
      const pieces = ['', 'a'.repeat(EDGE + around), '', Buffer.from('b'), Buffer.alloc(0), 'c'.repeat(EDGE), 'd', ''];
      const text = pieces.map(String).join('');
      for (const bytes of [undefined, text.length]) {
        expect((await answerTo(bodyOf(() => pieces, bytes))) === text).toBe(true);
      }
    }
  });

  it('can be empty', async () => {
    await expect(answerTo(bodyOf(() => []))).resolves.toBe('');
    await expect(answerTo(bodyOf(() => [''], 0))).resolves.toBe('');
  });

  it('states its length if it fits a chunk or is complete, and is charged until the client has read it', async () => {
    const lengthOf = async (asked: LongBody): Promise<unknown> => {
      body = asked;
      const { headers } = await app.inject('/');
      return headers['content-length'];
    };
    await expect(lengthOf(bodyOf(() => ['12', '3']))).resolves.toBe('3');
    await expect(lengthOf(new BytesBody(Buffer.alloc(3 * EDGE, 'x')))).resolves.toBe(`${3 * EDGE}`);
    let charged = 0;
    const pieces = function* (): Generator<string> {
      for (let at = 0; at < 3; at += 1) {
        yield 'x'.repeat(EDGE);
        charged = unreadAnswers.unreadBytes;
      }
    };
    await expect(lengthOf(bodyOf(pieces))).resolves.toBeUndefined();
    expect([charged, unreadAnswers.unreadBytes]).toEqual([EDGE, 0]);
  });

  it.each([
    ['states too few bytes', 3 * EDGE - 1],
    ['states too many bytes', 3 * EDGE + 1],
  ])('cuts the connection and logs an error if it %s', async (_what, bytes) => {
    const pieces = (): string[] => ['x'.repeat(EDGE), 'y'.repeat(EDGE), 'z'.repeat(EDGE)];
    const text = await readOverTcp(bodyOf(pieces, bytes));
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
    // The end of a complete chunked body.
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(errors).toMatchObject([{ request_id: 'req-1', err: { message: expect.stringContaining(`${bytes}`) } }]);
    expect(unreadAnswers.unreadBytes).toBe(0);
  });

  it.each([
    ['states too few bytes', 2],
    ['states too many bytes', 4],
  ])('is not sent at all if it is small and %s', async (_what, bytes) => {
    body = bodyOf(() => ['xyz'], bytes);
    const { statusCode } = await app.inject('/');
    expect([statusCode, unreadAnswers.unreadBytes]).toEqual([500, 0]);
  });

  it.each([
    ['fails', new Error('no more'), [{ request_id: 'req-1', err: { message: 'no more' } }]],
    ['ends because its caller has disconnected', new CallerGone(), []],
  ])('cuts the connection if it %s', async (_what, error, logged) => {
    const pieces = function* (): Generator<string> {
      for (let at = 0; at < 3; at += 1) yield 'x'.repeat(EDGE);
      throw error;
    };
    const text = await readOverTcp(bodyOf(pieces));
    expect(text).toContain('xxx');
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(errors).toMatchObject(logged);
    expect(unreadAnswers.unreadBytes).toBe(0);
  });

  it('ends its source when the client leaves', async () => {
    let isEnded = false;
    const pieces = function* (): Generator<string> {
      try {
        for (;;) yield 'x'.repeat(EDGE);
      } finally {
        isEnded = true;
      }
    };
    body = bodyOf(pieces);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    while (!isEnded || unreadAnswers.unreadBytes > 0) await pause(1);
    expect([isEnded, unreadAnswers.unreadBytes, errors]).toEqual([true, 0, []]);
  });
});
