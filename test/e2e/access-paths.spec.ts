// Unusual spellings of addresses, methods and headers do not bypass access control: every trick on every guarded route,
// by an anonymous and an unauthorised caller. None succeeds, and none changes anything.
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { nameOf } from '../conformance/contract';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { BEYOND_LOOPBACK, bodyOf, generationsNow, headersOf, makeCloud, pathOf, stateOf } from './access-requests';
import { accessTable, CALLERS, MODES } from './access-table';

type Write = (path: string) => string;

const PATHS: Readonly<Record<string, Write>> = {
  'as it is': (path) => path,
  'a slash before': (path) => `/${path}`,
  'two slashes before': (path) => `//${path}`,
  'doubled slashes': (path) => path.replaceAll('/', '//'),
  'a slash behind': (path) => afterPath(path, '/'),
  'two slashes behind': (path) => afterPath(path, '//'),
  'encoded slashes': (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  'encoded slashes, large': (path) => `/${path.slice(1).replaceAll('/', '%2F')}`,
  'an encoded first slash': (path) => `/%2f${path.slice(1)}`,
  'slashes encoded twice': (path) => `/${path.slice(1).replaceAll('/', '%252f')}`,
  backslashes: (path) => `/${path.slice(1).replaceAll('/', '\\')}`,
  'encoded backslashes': (path) => `/${path.slice(1).replaceAll('/', '%5c')}`,
  'this folder': (path) => `/.${path}`,
  'this folder, encoded': (path) => `/%2e${path}`,
  'from a probe upwards': (path) => `/healthz/..${path}`,
  'from a probe upwards, encoded': (path) => `/healthz/%2e%2e${path}`,
  'from a probe upwards, all encoded': (path) => `/healthz%2f%2e%2e${path}`,
  'from the root upwards': (path) => `/%2e%2e${path}`,
  capitals: (path) => path.toUpperCase(),
  'a capital': (path) => `/${path.charAt(1).toUpperCase()}${path.slice(2)}`,
  'an encoded letter': (path) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  'a parameter behind': (path) => afterPath(path, ';x=1'),
  'a parameter as a segment': (path) => `/;x=1${path}`,
  'a parameter behind a probe': (path) => `/healthz;${path}`,
  'a fragment before': (path) => `/#${path}`,
  'a fragment behind': (path) => `${path}#x`,
  'a probe as the fragment': (path) => `${path}#/healthz`,
  'a probe as the query': (path) => `${afterPath(path, '')}${path.includes('?') ? '&' : '?'}/healthz`,
  'an encoded question mark': (path) => path.replace('?', '%3f'),
  'an encoded NUL behind': (path) => afterPath(path, '%00'),
  'an encoded line break behind': (path) => afterPath(path, '%0d%0a'),
  'an overlong slash': (path) => `/${path.slice(1).replaceAll('/', '%c0%af')}`,
  'an overlong dot': (path) => `/healthz/%c0%ae%c0%ae${path}`,
  'half a character': (path) => afterPath(path, '%e2%82'),
  'a suffix': (path) => afterPath(path, '.json'),
  'another host before': (path) => `//example.org${path}`,
  'scheme and host': (path) => `http://example.org${path}`,
  'scheme and host, large': (path) => `HTTPS://EXAMPLE.ORG${path}`,
  'a scheme without a host': (path) => `http://${path}`,
  'scheme, user and host': (path) => `http://admin:admin@example.org${path}`,
  'a scheme within': (path) => `http://example.org/http://example.org${path}`,
  'a scheme of files': (path) => `file://${path}`,
  'no slash': (path) => path.slice(1),
  'a star': () => '*',
};

/** The route's own method, with headers that override method, path or caller on servers that honour them. */
const HEADERS: Readonly<Record<string, (method: string, path: string) => Readonly<Record<string, string>>>> = {
  'X-HTTP-Method-Override': (method) => ({ 'x-http-method-override': method }),
  'X-HTTP-Method': (method) => ({ 'x-http-method': method }),
  'X-Method-Override': (method) => ({ 'x-method-override': method }),
  'X-Original-URL': (_method, path) => ({ 'x-original-url': path, 'x-rewrite-url': path }),
  'X-Forwarded-Prefix': (_method, path) => ({ 'x-forwarded-prefix': path, 'x-forwarded-uri': path }),
};
const IDENTITIES: Readonly<Record<string, string>> = {
  'x-user-id': 'admin',
  'x-user': 'admin',
  'x-project-id': 'admin',
  'x-tenant-id': 'admin',
  'x-role': 'admin',
  x_roles: 'admin',
  'x-service-roles': 'service',
  'x-service-token': 'service',
  'x-identity-status': 'Confirmed',
  'x-service-identity-status': 'Confirmed',
  'x-is-admin-project': 'True',
  authorization: 'Basic YWRtaW46YWRtaW4=',
  cookie: 'x-auth-token=admin',
};
const METHODS = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'MOVE',
  'COPY',
  'SEARCH',
  'M-SEARCH',
  'REPORT',
  'LINK',
  'PURGE',
];

function afterPath(path: string, suffix: string): string {
  const [before = '', ...query] = path.split('?');
  return [before + suffix, ...query].join('?');
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

let service: TestService;
let port = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  service = await startTestService('sqlite', { env: BEYOND_LOOPBACK });
  await makeCloud(service);
  await service.app.listen(0, '127.0.0.1');
  ({ port } = service.app.getHttpServer().address() as AddressInfo);
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

async function send({ method, path, headers, body }: Sent): Promise<{ status: number; text: string }> {
  const bytes = body === undefined ? '' : JSON.stringify(body);
  const described = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
  const sending = httpRequest({
    agent,
    port,
    method,
    path,
    headers: { 'openstack-api-version': 'placement 1.39', ...described, ...headers },
  });
  sending.end(bytes);
  const [answer] = (await once(sending, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += String(part);
  return { status: answer.statusCode, text };
}

const STRANGERS = CALLERS.filter(({ name }) => ['no token', 'other reader'].includes(name)).map(
  ({ name, headers }) =>
    [
      name,
      Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null)),
    ] as const,
);
const isSuccess = (status: number): boolean => status < 400;
/** The console is public, and any unknown path below it is its page. */
const isPage = (text: string): boolean => text.startsWith('<!doctype html>') && text.includes('berth-base');

describe.each(STRANGERS)('%s', (caller, headers) => {
  /** Every guarded route that this caller must not use, as a valid request. */
  async function closed(): Promise<readonly (Sent & { readonly name: string })[]> {
    const [enforced] = MODES;
    const who = CALLERS.find(({ name }) => name === caller);
    if (enforced === undefined || who === undefined) throw new Error(`there is no caller ${caller}`);
    const rows = accessTable(service.app).filter((row) => row.query === '' && row.verdict(enforced, who) !== 'allowed');
    const made = rows.map(async ({ route }) => ({
      name: nameOf(route),
      method: route.method,
      path: pathOf(route),
      headers: { ...headersOf(route), ...headers },
      body: bodyOf(route, await generationsNow(service, route)),
    }));
    return Promise.all(made);
  }

  async function nothingSucceeds(tricks: (request: Sent) => Iterable<readonly [string, Sent]>): Promise<number> {
    const before = await stateOf(service.database);
    const through: string[] = [];
    let count = 0;
    for (const { name, ...request } of await closed()) {
      for (const [trick, tricky] of tricks(request)) {
        const { status, text } = await send(tricky);
        count += 1;
        if ((isSuccess(status) && !isPage(text)) || status >= 500)
          through.push(`${name}: ${trick}: ${tricky.path} ${status}`);
      }
    }
    expect(through).toEqual([]);
    expect(await stateOf(service.database)).toBe(before);
    return count;
  }

  it('reaches nothing by unusual spellings of an address', async () => {
    const tricks = Object.entries(PATHS);
    const count = await nothingSucceeds((request) =>
      tricks.map(([trick, write]) => [trick, { ...request, path: write(request.path) }] as const),
    );
    expect(count).toBeGreaterThan(3_000);
  });

  it('reaches nothing by another method', async () => {
    await nothingSucceeds((request) =>
      METHODS.map((method) => [method, { ...request, method, body: undefined }] as const),
    );
  });

  it('reaches nothing by headers that override caller, method or path', async () => {
    const named = Object.entries(IDENTITIES).map(([name, value]) => [name, { [name]: value }] as const);
    await nothingSucceeds((request) => [
      ...named.map(([name, more]) => [name, { ...request, headers: { ...more, ...headers } }] as const),
      ...Object.entries(HEADERS).map(([name, more]) => {
        const others = { ...more(request.method, request.path), ...headers };
        return [name, { ...request, method: 'POST', headers: others }] as const;
      }),
    ]);
  });

  it('reaches public documents only, whatever method or path the headers name', async () => {
    const before = await stateOf(service.database);
    const probes = await Promise.all(
      ['/', '/healthz', '/readyz'].map(async (path) => ({ path, headers, method: 'GET' })),
    );
    const shown = new Map<string, string>();
    const timeless = (text: string): string => text.replaceAll(/"req-[^"]+"|\d+/g, '');
    for (const probe of probes) shown.set(probe.path, timeless((await send(probe)).text));
    for (const { method, path } of await closed()) {
      for (const more of Object.values(HEADERS)) {
        for (const probe of probes) {
          const { status, text } = await send({ ...probe, headers: { ...more(method, path), ...headers } });
          expect([status, timeless(text)]).toEqual([200, shown.get(probe.path)]);
        }
      }
    }
    expect(await stateOf(service.database)).toBe(before);
  });

  it.each([
    ['a NUL in the path', (path: string) => `GET ${path}\0 HTTP/1.1`],
    ['bytes that are no UTF-8', (path: string) => `GET ${path}\xc0\xaf HTTP/1.1`],
    ['an overlong slash in bytes', (path: string) => `GET /${path.slice(1).replaceAll('/', '\xc0\xaf')} HTTP/1.1`],
    ['a space in the path', (path: string) => `GET ${path} x HTTP/1.1`],
    ['a tab behind the method', (path: string) => `GET\t${path} HTTP/1.1`],
    ['a small method', (path: string) => `get ${path} HTTP/1.1`],
    ['no version', (path: string) => `GET ${path}`],
    ['a version to come', (path: string) => `GET ${path} HTTP/2.0`],
    ['a line folded', (path: string) => `GET ${path} HTTP/1.1\r\n x-roles: admin`],
    ['a tunnel', (path: string) => `CONNECT ${path} HTTP/1.1`],
    [
      'an upgrade',
      (path: string) => `GET ${path} HTTP/1.1\r\nconnection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAA`,
    ],
    [
      'a second request behind a length of none',
      (path: string) => `GET / HTTP/1.1\r\ncontent-length: 0\r\n\r\nGET ${path} HTTP/1.1`,
    ],
    ['two lengths', (path: string) => `POST ${path} HTTP/1.1\r\ncontent-length: 0\r\ncontent-length: 5`],
    [
      'a length and chunks',
      (path: string) => `POST ${path} HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked`,
    ],
  ])('reaches nothing by %s', async (_what, write) => {
    const before = await stateOf(service.database);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const path of ['/resource_providers', '/scheduler', '/resource_providers/x/usages', '/scheduler/hosts']) {
      const socket = connect(port, '127.0.0.1');
      let heard = '';
      socket.setEncoding('latin1').on('data', (part: string) => (heard += part));
      socket.on('error', () => undefined);
      socket.write(`${write(path)}\r\nhost: x\r\n${lines.join('')}connection: close\r\n\r\n`, 'latin1');
      // Tunnels and incomplete requests have no answer: closing our side makes the service close its side.
      socket.end();
      await once(socket, 'close');
      expect(heard).not.toMatch(/resource_providers"|"filters"|"usages"|"hosts"/);
    }
    expect(await stateOf(service.database)).toBe(before);
  });
});
