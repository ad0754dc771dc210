// Requests that the router refuses pass the stages of all other requests: request id, authentication, version, a
// document, and a line in the access log. Requests that the parser refuses get a document with a request id, and a line
// in the access log. Uses bare sockets, because no client library sends such requests.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

interface Heard {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

let service: TestService;
let port = 0;
let lines: { readonly message: string; readonly request_id?: string; readonly status?: number }[] = [];

beforeAll(async () => {
  service = await startTestService('sqlite', { log: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]) });
  await service.app.listen(0, '127.0.0.1');
  ({ port } = service.app.getHttpServer().address() as AddressInfo);
});
afterAll(() => service.stop());

async function say(text: string): Promise<Heard> {
  const heard = await hear(text);
  const end = heard.indexOf('\r\n\r\n');
  const [head, body] = [heard.slice(0, end), heard.slice(end + 4)];
  const [first = '', ...rest] = head.split('\r\n');
  const headers = new Map(
    rest.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(first.split(' ')[1]), headers, body };
}

/** Sends the pieces, each after the service has read the one before; returns everything received. */
async function hear(...pieces: readonly string[]): Promise<string> {
  lines = [];
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  const closed = once(socket, 'close');
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await setTimeout(PIECES_APART_MS);
    socket.write(piece);
  }
  await closed;
  return heard;
}

/** Statuses and bodies of consecutive answers, parsed by the methods of their requests. */
function answersTo(methods: readonly string[], heard: string): readonly string[] {
  let rest = heard;
  return methods
    .map((method) => {
      const end = rest.indexOf('\r\n\r\n');
      const head = rest.slice(0, end).toLowerCase();
      const length = method === 'HEAD' ? 0 : Number(/content-length: (\d+)/.exec(head)?.[1]);
      const body = rest.slice(end + 4, end + 4 + length);
      rest = rest.slice(end + 4 + length);
      return `${head.slice(9, 12)} ${body === '' ? '' : Object.keys(JSON.parse(body) as object).join()}`.trim();
    })
    .concat(rest === '' ? [] : [`and ${rest}`]);
}

const PIECES_APART_MS = 50;
const WITH_TOKEN = 'x-auth-token: admin\r\nopenstack-api-version: placement 1.30\r\n';
const END = 'connection: close\r\n\r\n';
const LONG = 'x'.repeat(5_000);

const REFUSED: readonly (readonly [string, string, string, number])[] = [
  ['a path that is wrongly encoded', 'GET /resource_classes/%ff HTTP/1.1\r\nhost: x\r\n', '/resource_classes/%ff', 400],
  ['a segment that is too long', `GET /resource_classes/${LONG} HTTP/1.1\r\nhost: x\r\n`, '/resource_classes/x', 414],
  ['no host', 'GET /traits HTTP/1.1\r\n', '/traits', 400],
  ['a question about the server', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n', '*', 404],
  ['a question about the server by another method', 'GET * HTTP/1.1\r\nhost: x\r\n', '*', 404],
];

describe.each(REFUSED)('%s', (_what, head, path, status) => {
  const ends = (): typeof lines => lines.filter(({ status: reported }) => reported !== undefined);

  it('is refused without a token first', async () => {
    const { status: reported, headers, body } = await say(head + END);
    expect(reported).toBe(401);
    expect(JSON.parse(body)).toMatchObject({ code: '401 Unauthorized' });
    expect(headers.get('x-openstack-request-id')).toMatch(/^req-/);
    expect(ends()).toEqual([
      expect.objectContaining({ status: 401, request_id: headers.get('x-openstack-request-id') }),
    ]);
  });

  it.each([
    ['text/html, application/json;q=0.9', 'text/html; charset=UTF-8', `<h1>${status} `],
    ['text/plain', 'text/plain; charset=UTF-8', `${status} `],
  ])('is refused as %s', async (accept, type, text) => {
    const refused = await say(`${head}${WITH_TOKEN}accept: ${accept}\r\n${END}`);
    const stranger = await say(`${head}accept: ${accept}\r\n${END}`);
    expect([refused.headers.get('content-type'), stranger.headers.get('content-type')]).toEqual([type, type]);
    expect([refused.body, stranger.body]).toEqual([
      expect.stringContaining(text),
      expect.stringContaining('401 Unauthorized'),
    ]);
  });

  it('is refused with a document, the version and the request id, and is in the log', async () => {
    const { status: reported, headers, body } = await say(head + WITH_TOKEN + END);
    expect(reported).toBe(status);
    const id = headers.get('x-openstack-request-id');
    expect(JSON.parse(body)).toMatchObject({ errors: [{ status, request_id: id, code: 'placement.undefined_code' }] });
    expect(headers.get('openstack-api-version')).toBe('placement 1.30');
    expect(ends()).toEqual([expect.objectContaining({ status, request_id: id })]);
    expect(ends()[0]?.message).toContain(path);
  });
});

describe('a head that is too long', () => {
  const long = (method: string): string => `${method} /traits HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(200_000)}`;

  // The packet that is too much does not show the method, so the answer must be right for HEAD as well.
  it.each(['GET', 'HEAD'])('is answered without a body: %s', async (method) => {
    const heard = await hear(`${long(method)}\r\n${END}`);
    expect(answersTo([method], heard)).toEqual(['431']);
    expect(heard).toContain('content-length: 0\r\n');
    expect(lines.filter(({ status }) => status === 431)).toHaveLength(1);
  });

  it('is answered although more of it arrives after the answer', async () => {
    const heard = await hear(long('GET'), 'y'.repeat(1_000), `y\r\n${END}`);
    expect(answersTo(['GET'], heard)).toEqual(['431']);
    expect(lines.filter(({ status }) => status === 431)).toHaveLength(1);
  });
});

it.each(['identity', 'gzip', 'chunked, gzip', 'xchunked'])(
  'transfer-encoding %s is refused, and the connection ends',
  async (coding) => {
    for (const method of ['GET', 'POST']) {
      const { status, headers, body } = await say(
        `${method} /traits HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}content-type: application/json\r\ntransfer-encoding: ${coding}\r\n\r\n{}`,
      );
      expect([status, headers.get('connection')]).toEqual([400, 'close']);
      expect(body).toContain('errors');
    }
  },
);

describe('after valid requests', () => {
  const read = (method: string): string => `${method} /traits HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}\r\n`;
  const unreadable = (method: string): string =>
    `${method} /traits HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}content-length: x\r\n${END}`;

  it.each([
    ['GET', '200 traits'],
    ['HEAD', '405'],
  ])('a %s, an invalid request is answered in order', async (method, status) => {
    const heard = await hear(read(method), unreadable('GET'));
    expect(answersTo([method, 'GET'], heard)).toEqual([status, '400 errors']);
  });

  it('in the same packet, an invalid request is answered in order', async () => {
    const heard = await hear(read('GET') + unreadable('GET'));
    expect(answersTo(['GET', 'GET'], heard)).toEqual(['200 traits', '400 errors']);
  });

  it('bytes that are not a request are answered in order', async () => {
    expect(answersTo(['GET', 'GET'], await hear(`${read('GET')}GET\r\n\r\n`))).toEqual(['200 traits', '400 errors']);
  });
});

describe('an invalid body', () => {
  const POST = `POST /resource_providers HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}content-type: application/json\r\n`;
  const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';

  it.each([[[`${POST}${CHUNKED}zz\r\n`]], [[POST + CHUNKED, 'zz\r\n']]])('is refused once: %j', async (pieces) => {
    expect(answersTo(['POST'], await hear(...pieces))).toEqual(['400 errors']);
  });

  it('of a request that was already answered adds no further answer', async () => {
    const anonymous = POST.replace(/x-auth-token: .*\r\n/, '');
    expect(answersTo(['POST'], await hear(anonymous + CHUNKED, 'zz\r\n'))).toHaveLength(1);
  });
});

it.each([
  ['what is this', 'The request cannot be read.'],
  ['GET /a b HTTP/1.1', 'The request cannot be read.'],
  ['GET /traits HTTP/3.7', 'The request cannot be read.'],
  ['GET /traits HTTP/1.1\r\nhost: x\r\ncontent-length: x', 'the content-length header must be an integer'],
])('%j is answered with a document and a request id, and is in the log', async (head, detail) => {
  const { status, headers, body } = await say(`${head}\r\n\r\n`);
  expect(status).toBe(400);
  const id = headers.get('x-openstack-request-id');
  expect(JSON.parse(body)).toMatchObject({ errors: [{ request_id: id, detail: expect.stringContaining(detail) }] });
  expect(lines.filter(({ status: reported }) => reported === 400)).toHaveLength(1);
});

it.each(['HEAD /a b HTTP/1.1', 'HEAD /traits HTTP/3.7'])('%s is answered without a body', async (line) => {
  expect(answersTo(['HEAD'], await hear(`${line}\r\n\r\n`))).toEqual(['400']);
});

it('an absolute address is treated as its path', async () => {
  const { status } = await say(`GET http://x/resource_providers HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}${END}`);
  expect(status).toBe(200);
});

it.each(['/#/traits', '/traits#', '/#'])('%s is an ordinary path, not a path and a fragment', async (path) => {
  expect((await say(`GET ${path} HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}${END}`)).status).toBe(404);
});

it('HTTP/1.0 needs no host', async () => {
  expect((await say(`GET /resource_providers HTTP/1.0\r\n${WITH_TOKEN}\r\n`)).status).toBe(200);
});
