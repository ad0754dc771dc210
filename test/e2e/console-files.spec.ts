// The console's page and files: which addresses serve what, with which headers, and that nothing else is served.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CONSOLE_SCRIPT, makeConsoleBuild } from '../support/console-build';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const ANONYMOUS = { 'x-auth-token': null, 'x-roles': null, accept: '*/*' };
const SCRIPT = '/console/assets/index-aaaa1111.js';
const STYLE = '/console/assets/index-bbbb2222.css';

const isPage = ({ status, headers, text }: TestResponse): boolean =>
  status === 200 && headers['content-type'] === 'text/html; charset=utf-8' && text.includes('<div id="root">');
interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const nonceOf = ({ text }: TestResponse): string => /name="csp-nonce" content="([^"]+)"/.exec(text)?.[1] ?? '';
const baseOf = ({ text }: TestResponse): string => /name="berth-base" content="([^"]*)"/.exec(text)?.[1] ?? '';

describe('a service with a built console', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    await service.app.listen(0, '127.0.0.1');
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    service.request({ path, headers: { ...ANONYMOUS, ...headers }, version: null });
  /** Over a real connection, because injected requests normalise paths and decode bodies. */
  const send = (path: string, { encodings = 'identity', method = 'GET' } = {}): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const asked = httpRequest({ port, path, method, headers: { 'accept-encoding': encodings } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        const { statusCode: status = 0, headers } = answer;
        answer.on('end', () => resolve({ status, headers, bytes: Buffer.concat(parts) }));
      });
      asked.once('error', reject).end();
    });

  it.each([
    '/console',
    '/console/',
    '/console?from=mail',
    '/console/login',
    '/console/index.html',
    '/console/hosts',
    '/console/hosts/cn1.example.com?sort=-name',
    '/console/decisions/req-00000000-0000-4000-8000-000000000000',
    '/console/traits/CUSTOM_%C3%84',
    '/console/a/b/c/d/e',
    '/console/session/x',
    '/console/config.json.map',
  ])('serves the page at %s without authentication', async (path) => {
    const answer = await get(path);
    expect(isPage(answer)).toBe(true);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-length': expect.anything() as string,
    });
  });

  it('allows the page only its own origin, and styles with a nonce unique to the response', async () => {
    const answers = [await get('/console'), await get('/console/hosts')];
    for (const answer of answers) {
      expect(answer.headers).toMatchObject({
        'content-security-policy':
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(answer)}'; ` +
          "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
          "frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()') as string,
      });
      expect(nonceOf(answer)).toMatch(/^[A-Za-z0-9+/]{24}$/);
      expect(answer.headers['etag']).toBeUndefined();
      expect(answer.text).not.toContain('__BERTH_');
    }
    expect(new Set(answers.map(nonceOf)).size).toBe(2);
  });

  it('serves an asset as immutable, with its type', async () => {
    const answer = await get(SCRIPT);
    expect([answer.status, answer.text]).toEqual([200, CONSOLE_SCRIPT]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(CONSOLE_SCRIPT.length),
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('serves other files with revalidation', async () => {
    const answer = await get('/console/berth.svg');
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'image/svg+xml',
      'no-cache',
    ]);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['', undefined],
  ])('answers accept-encoding "%s" with %s', async (accepted, encoding) => {
    const answer = await get(SCRIPT, { 'accept-encoding': accepted });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('compresses without loss, and only if that saves bytes', async () => {
    const plain = await send(SCRIPT);
    const gzip = await send(SCRIPT, { encodings: 'gzip' });
    const brotli = await send(SCRIPT, { encodings: 'gzip, br' });
    expect(plain.bytes.toString()).toBe(CONSOLE_SCRIPT);
    expect(gunzipSync(gzip.bytes).toString()).toBe(CONSOLE_SCRIPT);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(CONSOLE_SCRIPT);
    for (const { bytes, headers } of [gzip, brotli]) {
      expect(bytes.length).toBeLessThan(CONSOLE_SCRIPT.length);
      expect(headers['content-length']).toBe(String(bytes.length));
    }
    // A larger compressed form is not sent.
    expect((await get(STYLE, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
  });

  it('never serves a compressed form as a file of its own', async () => {
    expect((await get(`${SCRIPT}.br`)).status).toBe(404);
    expect((await get(`${SCRIPT}.gz`)).status).toBe(404);
  });

  it('answers 304 for an unchanged file, in each of its forms', async () => {
    const tags = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding };
      const etag = String((await get(SCRIPT, headers)).headers['etag']);
      tags.add(etag);
      const again = await get(SCRIPT, { ...headers, 'if-none-match': `"x", W/${etag}` });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
      expect((await get(SCRIPT, { ...headers, 'if-none-match': '"x"' })).status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  it.each(['/console', '/console/hosts/cn1', SCRIPT])('answers HEAD %s without a body', async (path) => {
    const whole = await send(path);
    const { status, headers, bytes } = await send(path, { method: 'HEAD' });
    expect([status, bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag']) {
      expect([name, headers[name]]).toEqual([name, whole.headers[name]]);
    }
    expect(Number(headers['content-length'])).toBe(whole.bytes.length);
  });

  it.each([
    '/console/assets/',
    '/console/assets/index-cccc3333.js',
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/index.html',
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/index-aaaa1111.js/',
    '/console/assets/index-aaaa1111.js%00',
    '/console/assets//index-aaaa1111.js',
  ])('has no file %s', async (path) => {
    const { status, bytes } = await send(path);
    expect([status, JSON.parse(bytes.toString())]).toMatchObject([404, { errors: [{ code: 'scheduler.not_found' }] }]);
  });

  it.each([
    '/console/../package.json',
    '/console/../../etc/passwd',
    '/console/%2e%2e/%2e%2e/etc/passwd',
    '/console/..%2f..%2fetc%2fpasswd',
    '/console/..%5c..%5cetc%5cpasswd',
    '/console/%252e%252e/package.json',
    '/console/....//....//etc/passwd',
    '/console//etc/passwd',
    '/console/.git/config',
  ])('serves only the page for %s', async (path) => {
    const { status, headers, bytes } = await send(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(bytes.toString()).toContain('<div id="root">');
  });

  it('refuses an address that cannot be decoded', async () => {
    expect((await get('/console/%E2%82')).status).toBe(400);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'] as const)('refuses %s with 405', async (method) => {
    for (const path of ['/console', '/console/hosts', SCRIPT]) {
      const { status, headers } = await service.request({ method, path, headers: ANONYMOUS });
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('is not served under other paths', async () => {
    for (const path of ['/%63onsole', '/%63onsole/hosts', '/%63onsole/config.json', '/Console']) {
      expect((await service.request({ path })).status).toBe(404);
    }
  });
});

describe('behind a proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', {
      overrides: {
        berth: { url_prefix: '/placement' },
        oslo_middleware: { enable_proxy_headers_parsing: true },
      },
    });
  });
  afterAll(() => service.stop());
  const page = (headers: Readonly<Record<string, string>>, path = '/console/hosts/x'): Promise<TestResponse> =>
    service.request({ path, headers: { ...ANONYMOUS, ...headers }, version: null });

  it('puts the external prefix into the page and the paths of its files', async () => {
    const answer = await page({ 'x-forwarded-prefix': '/berth/', 'x-forwarded-host': 'cloud.example' });
    expect(baseOf(answer)).toBe('/berth/console');
    expect(answer.text).toContain('src="/berth/console/assets/index-aaaa1111.js"');
    expect(baseOf(await page({}))).toBe('/console');
  });

  it.each(['"><script>', '//evil.example', '/a b', '/a"b', 'https://evil.example'])(
    'ignores an invalid prefix: %s',
    async (prefix) => {
      expect(baseOf(await page({ 'x-forwarded-prefix': prefix }))).toBe('/console');
    },
  );

  it('is not below the prefix of the Placement API', async () => {
    for (const path of ['/placement/console', '/placement/console/hosts', '/placement/%63onsole']) {
      expect((await service.request({ path })).status).toBe(404);
    }
    expect((await page({}, '/console')).status).toBe(200);
  });
});

it("ignores a proxy's headers if no proxy is configured", async () => {
  const service = await startTestService('sqlite');
  const answer = await service.request({ path: '/console', headers: { ...ANONYMOUS, 'x-forwarded-prefix': '/berth' } });
  await service.stop();
  expect(baseOf(answer)).toBe('/console');
});

it('explains that the console was not built, and serves the rest', async () => {
  const lines: string[] = [];
  const service = await startTestService('sqlite', { consoleFolder: '/nonexistent', log: (line) => lines.push(line) });
  for (const path of ['/console', '/console/hosts', SCRIPT]) {
    const { status, headers, text } = await service.request({ path, headers: ANONYMOUS, version: null });
    expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(text).toContain('npm run build');
  }
  expect((await service.request({ path: '/console/config.json', headers: ANONYMOUS })).status).toBe(200);
  await service.stop();
  expect(lines.join('')).toContain('the console was not built');
});

it('is not served if it is disabled', async () => {
  const service = await startTestService('sqlite', { env: { BERTH_CONSOLE__ENABLED: 'false' } });
  const paths = ['/console', '/console/hosts', SCRIPT, '/console/config.json', '/console/session', '/console/login'];
  const answers = await Promise.all(paths.map((path) => service.request({ path, headers: { accept: '*/*' } })));
  await service.stop();
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
});

it('serves only files that existed at the start, and no symbolic links', async () => {
  const build = makeConsoleBuild();
  symlinkSync('/etc/passwd', join(build.folder, 'assets', 'linked.txt'));
  const service = await startTestService('sqlite', { consoleFolder: build.folder });
  mkdirSync(join(build.folder, 'assets', 'more'));
  writeFileSync(join(build.folder, 'assets', 'later.js'), 'later');
  writeFileSync(join(build.folder, 'assets', 'index-bbbb2222.css'), 'changed');
  const get = (path: string): Promise<TestResponse> => service.request({ path, headers: ANONYMOUS, version: null });
  expect((await get('/console/assets/linked.txt')).status).toBe(404);
  expect((await get('/console/assets/later.js')).status).toBe(404);
  build.remove();
  expect((await get(STYLE)).text).toBe('body{margin:0}');
  await service.stop();
});
