// The law of every body: the bytes that the client reads are those of the document, at each size around the edge of a
// chunk and in each division into pieces. A body that fails cuts the connection.
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { CallerGone } from '../event-loop/caller';
import type { LongBody } from './body-bytes';
import type { RequestContext } from './request-context';
import { sendLong } from './send-body';

const EDGE = HTTP_LIMITS.bodyChunkCharacters;
const AROUND = [-3, -2, -1, 0, 1, 2, 3];

const bodyOf = (pieces: () => Iterable<string>): LongBody => ({ pieces });

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
          const asked = bodyOf(() => divided(document, characters));
          expect((await answerTo(asked)) === document).toBe(true);
        }
      }
    }
    expect(errors).toEqual([]);
  });

  it('is sent in pieces that end at an edge or are empty', async () => {
    for (const around of AROUND) {
      const pieces = ['', 'a'.repeat(EDGE + around), '', 'b', '', 'c'.repeat(EDGE), 'd', ''];
      expect((await answerTo(bodyOf(() => pieces))) === pieces.join('')).toBe(true);
    }
  });

  it('can be empty', async () => {
    await expect(answerTo(bodyOf(() => []))).resolves.toBe('');
    await expect(answerTo(bodyOf(() => ['']))).resolves.toBe('');
  });

  it('states its length if it fits a chunk', async () => {
    const lengthOf = async (asked: LongBody): Promise<unknown> => {
      body = asked;
      const { headers } = await app.inject('/');
      return headers['content-length'];
    };
    await expect(lengthOf(bodyOf(() => ['12', '3']))).resolves.toBe('3');
    await expect(lengthOf(bodyOf(() => ['x'.repeat(EDGE), 'y']))).resolves.toBeUndefined();
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
  });

  it('cuts the connection and logs if what was sent is not what the pieces have', async () => {
    // It counts as one character and is sent as many.
    const misstated = ['x'.repeat(EDGE)] as unknown as string;
    const text = await readOverTcp(bodyOf(() => ['a'.repeat(EDGE), misstated, 'b'.repeat(EDGE)]));
    expect(text).toContain('xxx');
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    const message = `The body has ${2 * EDGE + 1} characters, but ${3 * EDGE} were sent.`;
    expect(errors).toMatchObject([{ request_id: 'req-1', err: { message } }]);
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
    while (!isEnded) await pause(1);
    expect(errors).toEqual([]);
  });
});
