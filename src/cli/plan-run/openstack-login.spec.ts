// Credentials in every form, against a double of Keystone and nova.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ComputeClient } from './compute-client';
import { logIn, openStackSettings } from './openstack-login';

let server: HttpServer;
let url: string;
let asked: unknown[] = [];
let tokens = 0;
/** Tokens that nova accepts. */
let isValid = (_token: string): boolean => true;

const endpoint = (region: string, face: string): object => ({
  interface: face,
  region,
  url: `${url}/${region}-${face}/`,
});

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const answer = (status: number, body: object, headers = {}): void => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      };
      if (request.url?.endsWith('/auth/tokens')) {
        asked.push(JSON.parse(text));
        if (text.includes('"wrong"')) return answer(401, { error: { message: 'Wrong password.' } });
        const catalog = [
          { type: 'identity', endpoints: [] },
          {
            type: 'compute',
            endpoints: [endpoint('one', 'internal'), endpoint('one', 'public'), endpoint('two', 'public')],
          },
        ];
        tokens += 1;
        return answer(201, { token: { catalog } }, { 'x-subject-token': `token-${tokens}` });
      }
      if (!isValid(String(request.headers['x-auth-token']))) return answer(401, { error: { message: 'expired' } });
      return answer(404, { itemNotFound: { code: 404, message: 'Instance could not be found.' } });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  asked = [];
  tokens = 0;
});

const given = (env: Record<string, string>): ReturnType<typeof openStackSettings> =>
  openStackSettings({ env: { OS_AUTH_URL: `${url}/identity`, ...env }, cwd: '/nonexistent' });

it.each([
  [
    { OS_USERNAME: 'ann', OS_PASSWORD: 'p', OS_USER_DOMAIN_NAME: 'Staff', OS_PROJECT_NAME: 'ops' },
    {
      identity: {
        methods: ['password'],
        password: { user: { name: 'ann', domain: { name: 'Staff' }, password: 'p' } },
      },
      scope: { project: { name: 'ops', domain: { id: 'default' } } },
    },
  ],
  [
    { OS_USER_ID: 'u1', OS_PASSWORD: 'p', OS_PROJECT_ID: 'p1', OS_TOKEN: 'unused', OS_AUTH_TYPE: 'v3password' },
    {
      identity: { methods: ['password'], password: { user: { id: 'u1', password: 'p' } } },
      scope: { project: { id: 'p1' } },
    },
  ],
  [
    { OS_USERNAME: 'ann', OS_PASSWORD: 'p', OS_SYSTEM_SCOPE: 'all' },
    {
      identity: {
        methods: ['password'],
        password: { user: { name: 'ann', domain: { id: 'default' }, password: 'p' } },
      },
      scope: { system: { all: true } },
    },
  ],
  [{ OS_TOKEN: 't', OS_AUTH_TYPE: 'token' }, { identity: { methods: ['token'], token: { id: 't' } } }],
  [
    { OS_APPLICATION_CREDENTIAL_ID: 'c', OS_APPLICATION_CREDENTIAL_SECRET: 's', OS_PROJECT_NAME: 'unused' },
    { identity: { methods: ['application_credential'], application_credential: { id: 'c', secret: 's' } } },
  ],
  [
    { OS_APPLICATION_CREDENTIAL_NAME: 'c', OS_APPLICATION_CREDENTIAL_SECRET: 's', OS_USERNAME: 'ann' },
    {
      identity: {
        methods: ['application_credential'],
        application_credential: { name: 'c', user: { name: 'ann', domain: { id: 'default' } }, secret: 's' },
      },
    },
  ],
])('asks for a token with %j', async (env, auth) => {
  expect(await logIn(given(env))).toEqual({ token: 'token-1', endpoint: `${url}/one-public` });
  expect(asked).toEqual([{ auth }]);
});

it('takes the endpoint of the region and the interface', async () => {
  const credentials = { OS_TOKEN: 't' };
  expect((await logIn(given({ ...credentials, OS_REGION_NAME: 'two' }))).endpoint).toBe(`${url}/two-public`);
  expect((await logIn(given({ ...credentials, OS_INTERFACE: 'internalURL' }))).endpoint).toBe(`${url}/one-internal`);
  await expect(logIn(given({ ...credentials, OS_REGION_NAME: 'two', OS_INTERFACE: 'internal' }))).rejects.toThrow(
    "no internal endpoint of the compute service in region 'two'",
  );
});

it('says what Keystone said', async () => {
  await expect(logIn(given({ OS_USERNAME: 'a', OS_PASSWORD: 'wrong' }))).rejects.toThrow('Wrong password. (401)');
});

it('reads clouds.yaml, with secrets in a file of their own', () => {
  const home = mkdtempSync(join(tmpdir(), 'berth-home-'));
  const folder = join(home, '.config/openstack');
  mkdirSync(folder, { recursive: true });
  const read = (env: Record<string, string>): object =>
    openStackSettings({ env: { HOME: home, OS_CLOUD: 'prod', OS_USERNAME: 'unused', ...env }, cwd: '/nonexistent' });
  try {
    writeFileSync(
      join(folder, 'clouds.yaml'),
      'clouds:\n  prod:\n    region_name: two\n    auth:\n      auth_url: http://keystone/v3\n      username: ann\n',
    );
    const settings = { auth_url: 'http://keystone/v3', username: 'ann', region_name: 'two' };
    expect(read({ OS_PASSWORD: 'p' })).toEqual({ ...settings, password: 'p' });
    writeFileSync(join(folder, 'secure.yaml'), 'clouds:\n  prod:\n    auth: {password: secret}\n');
    expect(read({ OS_PASSWORD: 'p' })).toEqual({ ...settings, password: 'secret' });
    expect(() => read({ OS_CLOUD: 'test' })).toThrow(`Cloud 'test' of OS_CLOUD is not in ${folder}/clouds.yaml.`);
    writeFileSync(join(home, 'other.yaml'), 'clouds: {prod: {auth: {auth_url: http://other}}}');
    expect(read({ OS_CLIENT_CONFIG_FILE: join(home, 'other.yaml') })).toMatchObject({ auth_url: 'http://other' });
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('logs in again when the token has expired, once for all requests', async () => {
  const client = new ComputeClient(given({ OS_TOKEN: 't' }));
  expect(await client.server('vm')).toBeNull();
  isValid = (token) => token === 'token-2';
  expect(await Promise.all([client.server('vm'), client.server('vm')])).toEqual([null, null]);
  expect(asked).toHaveLength(2);
  isValid = () => false;
  await expect(client.server('vm')).rejects.toThrow('expired (401)');
});
