// The output of `berth openrc`: shells and YAML parsers accept it, it points to the service, and it contains no secret.
import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { berth } from '../support/command-line';

const QUIET = { DATABASE_URL: 'sqlite:////nowhere/at/all.db' };
const STATIC = { BERTH_API__AUTH_STRATEGY: 'static', BERTH_PRACTICE_CLOUD__ENABLED: 'true' };
const KEYSTONE = {
  BERTH_API__AUTH_STRATEGY: 'keystone',
  BERTH_PRACTICE_CLOUD__ENABLED: 'true',
  BERTH_KEYSTONE_AUTHTOKEN__AUTH_URL: 'http://127.0.0.1:1/identity',
  BERTH_KEYSTONE_AUTHTOKEN__USERNAME: 'berth',
  BERTH_KEYSTONE_AUTHTOKEN__PASSWORD: 'secret',
  BERTH_KEYSTONE_AUTHTOKEN__PROJECT_NAME: 'service',
  BERTH_KEYSTONE_AUTHTOKEN__USER_DOMAIN_NAME: 'Default',
  BERTH_KEYSTONE_AUTHTOKEN__PROJECT_DOMAIN_NAME: 'Default',
};

async function sourced(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<object> {
  const { code, out } = await berth({ ...QUIET, ...env }, ['openrc', ...args]);
  expect(code).toBe(0);
  const text = execFileSync('bash', ['--norc', '-c', `${out}\nenv -0`], {
    env: { PATH: process.env['PATH'] ?? '', OS_TOKEN: 'old', BERTH_TOKEN: 'berth_x' },
    encoding: 'utf8',
  });
  const set = text.split('\0').filter((line) => line.startsWith('OS_'));
  return Object.fromEntries(set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

const DOMAINS = { OS_USER_DOMAIN_ID: 'default', OS_PROJECT_DOMAIN_ID: 'default', OS_IDENTITY_API_VERSION: '3' };

it('points a shell to the service, and unsets earlier settings', async () => {
  expect(await sourced({ PORT: '18778' })).toEqual({
    ...DOMAINS,
    OS_AUTH_TYPE: 'password',
    OS_AUTH_URL: 'http://127.0.0.1:18778/identity/v3',
    OS_USERNAME: 'admin',
    OS_PASSWORD: 'any',
    OS_PROJECT_NAME: 'admin',
  });
});

it('accepts any names, and the given address', async () => {
  const odd = "o'tto $HOME `x`";
  expect(await sourced({}, '--user', odd, '--project', 'demo', '--url', 'https://cloud.example/berth/')).toMatchObject({
    OS_AUTH_URL: 'https://cloud.example/berth/identity/v3',
    OS_USERNAME: odd,
    OS_PROJECT_NAME: 'demo',
  });
  expect(await sourced({ BERTH_URL: 'http://b:1' })).toMatchObject({ OS_AUTH_URL: 'http://b:1/identity/v3' });
});

it('reads a static token from the same sources as other commands', async () => {
  expect(await sourced({ ...STATIC, BERTH_HOST: '::' }, '--user', 'laptop')).toMatchObject({
    OS_AUTH_URL: 'http://127.0.0.1:8778/identity/v3',
    OS_USERNAME: 'laptop',
    OS_PASSWORD: 'berth_x',
  });
});

it('prints a clouds.yaml', async () => {
  const { out } = await berth(QUIET, ['openrc', '--clouds', '--cloud', 'practice', '--user', 'a: "b"']);
  expect(parse(out)).toEqual({
    clouds: {
      practice: {
        auth_type: 'password',
        identity_api_version: 3,
        region_name: 'RegionOne',
        auth: {
          auth_url: 'http://127.0.0.1:8778/identity/v3',
          username: 'a: "b"',
          password: 'any',
          project_name: 'admin',
          user_domain_id: 'default',
          project_domain_id: 'default',
        },
      },
    },
  });
  const withToken = await berth({ ...QUIET, ...STATIC, BERTH_TOKEN: 'berth_x' }, ['openrc', '--clouds']);
  expect(parse(withToken.out)).toMatchObject({ clouds: { berth: { auth: { username: 'admin' } } } });
  expect(withToken.out).not.toContain('berth_x');
});

it.each([
  ['the practice cloud is off', { BERTH_PRACTICE_CLOUD__ENABLED: 'false' }, 'set [practice_cloud] enabled'],
  ['its option has the former name', { BERTH_FACADE__ENABLED: 'false' }, 'set [practice_cloud] enabled'],
  ['Keystone is asked', KEYSTONE, 'Keystone'],
])('explains why it prints nothing if %s', async (_why, env, why) => {
  const { code, out, err } = await berth({ ...QUIET, ...env }, ['openrc']);
  expect([code, out, err]).toEqual([1, '', expect.stringContaining(why) as string]);
});
