// What the router or the parser refuses goes through the stages of every other request: request id, authentication,
// version, a document, and a line of the access log. Spoken over bare sockets, as no client library would.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { startTestService } from '../support/service';
import type { TestService } from '../support/service';

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
  lines = [];
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  socket.write(text);
  await once(socket, 'close');
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  const [first = '', ...rest] = head.split('\r\n');
  const headers = new Map(
    rest.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(first.split(' ')[1]), headers, body };
}

const WITH_TOKEN = 'x-auth-token: admin\r\nopenstack-api-version: placement 1.30\r\n';
const END = 'connection: close\r\n\r\n';
const LONG = 'x'.repeat(5_000);

it('answers whoever asks for the head alone without a body', async () => {
  const { status, headers, body } = await say(
    `HEAD /traits HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}content-length: x\r\n${END}`,
  );
  expect([status, headers.get('content-type'), body]).toEqual([400, 'application/json', '']);
});

const REFUSED: readonly (readonly [string, string, string, number])[] = [
  ['a path that is wrongly encoded', 'GET /resource_classes/%ff HTTP/1.1\r\nhost: x\r\n', '/resource_classes/%ff', 400],
  ['a segment that is too long', `GET /resource_classes/${LONG} HTTP/1.1\r\nhost: x\r\n`, '/resource_classes/x', 414],
  ['a length that is no number', 'GET /traits HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n', '/traits', 400],
  ['no host', 'GET /traits HTTP/1.1\r\n', '/traits', 400],
  ['a question about the server', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n', '*', 404],
  ['a question about the server by another method', 'GET * HTTP/1.1\r\nhost: x\r\n', '*', 404],
];

describe.each(REFUSED)('%s', (_what, head, path, status) => {
  const ends = (): typeof lines => lines.filter(({ status: told }) => told !== undefined);

  it('is refused for want of a token first', async () => {
    const { status: told, headers, body } = await say(head + END);
    expect(told).toBe(401);
    expect(JSON.parse(body)).toMatchObject({ code: '401 Unauthorized' });
    expect(headers.get('x-openstack-request-id')).toMatch(/^req-/);
    expect(ends()).toEqual([
      expect.objectContaining({ status: 401, request_id: headers.get('x-openstack-request-id') }),
    ]);
  });

  it('is refused with a document, the version and the request id, and is in the log', async () => {
    const { status: told, headers, body } = await say(head + WITH_TOKEN + END);
    expect(told).toBe(status);
    const id = headers.get('x-openstack-request-id');
    expect(JSON.parse(body)).toMatchObject({ errors: [{ status, request_id: id, code: 'placement.undefined_code' }] });
    expect(headers.get('openstack-api-version')).toBe('placement 1.30');
    expect(ends()).toEqual([expect.objectContaining({ status, request_id: id })]);
    expect(ends()[0]?.message).toContain(path);
  });
});

it('what is no request at all is answered with a document and a request id, and is in the log', async () => {
  const { status, headers, body } = await say('what is this\r\n\r\n');
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ errors: [{ request_id: headers.get('x-openstack-request-id') }] });
  expect(lines.filter(({ status: told }) => told === 400)).toHaveLength(1);
});

it('an address with scheme and host is its path', async () => {
  const { status } = await say(`GET http://x/resource_providers HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}${END}`);
  expect(status).toBe(200);
});

it.each(['/#/traits', '/traits#', '/#'])('%s is a path like any other, not a path and a fragment', async (path) => {
  expect((await say(`GET ${path} HTTP/1.1\r\nhost: x\r\n${WITH_TOKEN}${END}`)).status).toBe(404);
});

it('HTTP/1.0 needs no host', async () => {
  expect((await say(`GET /resource_providers HTTP/1.0\r\n${WITH_TOKEN}\r\n`)).status).toBe(200);
});
