import type { KeystoneOptions } from '../../config/groups/keystone-options';
import { keystoneProblems } from '../../config/keystone-laws';
import { loadConfig } from '../../config/load-config';
import { OptionTable } from '../../config/option-table';
import { PLATFORM_OPTIONS } from '../../config/platform-options';
import { keystoneSettings, versionedEndpoint } from './keystone-settings';

const PLATFORM_TABLE = new OptionTable({ groups: PLATFORM_OPTIONS });

const options = (given: Partial<KeystoneOptions>): KeystoneOptions => ({
  ...loadConfig(PLATFORM_TABLE, { env: {}, cwd: '/nonexistent', readFile: () => undefined }).keystone_authtoken,
  ...given,
});

const complete: Partial<KeystoneOptions> = {
  auth_url: 'http://k:5000',
  username: 'placement',
  user_domain_name: 'Default',
  password: 'p',
  project_name: 'service',
  project_domain_name: 'Default',
};

it.each([
  ['http://k:5000', 'http://k:5000/v3'],
  ['http://k:5000/', 'http://k:5000/v3'],
  ['http://k:5000/v3', 'http://k:5000/v3'],
  ['http://k:5000/v3/', 'http://k:5000/v3'],
  ['http://k:5000/v2.0', 'http://k:5000/v3'],
  ['https://k/identity', 'https://k/identity/v3'],
])('the address %s means %s', (given, expected) => {
  expect(versionedEndpoint(given)).toBe(expected);
});

describe('what is missing', () => {
  it.each<readonly [string, Partial<KeystoneOptions>, readonly string[]]>([
    ['nothing', {}, []],
    ['the address', { auth_url: null }, ['auth_url is missing']],
    ['a scheme', { auth_url: 'k:5000' }, ['auth_url is no http or https address']],
    ['nothing but a password', { auth_url: 'http://u:p@k' }, ['auth_url must not hold a user or password']],
    ['a proper end', { auth_url: 'http://k/?a' }, ['auth_url must end with its path']],
    ['a proper address to tell', { www_authenticate_uri: 'k"' }, ['www_authenticate_uri is no http or https address']],
    ['the account', { username: null }, ['username is missing']],
    ['nothing, the account being an id', { username: null, user_domain_name: null, user_id: 'u' }, []],
    ['the password', { password: null }, ['password is missing']],
    ['the project', { project_name: null }, ['project_name is missing']],
    ['nothing, the scope being the system', { project_name: null, system_scope: 'all' }, []],
    ['the certificate of a key', { keyfile: 'k' }, ['certfile is missing']],
    [
      'an application credential',
      { auth_type: 'v3applicationcredential' },
      ['application_credential_id is missing', 'application_credential_secret is missing'],
    ],
    [
      'the account of a named application credential',
      {
        auth_type: 'v3applicationcredential',
        application_credential_name: 'n',
        application_credential_secret: 's',
        username: null,
      },
      ['username is missing'],
    ],
  ])('%s', (_what, given, expected) => {
    const problems = expected.map((problem) => `[keystone_authtoken] ${problem}`);
    expect(keystoneProblems(options({ ...complete, ...given }))).toEqual(problems);
  });
});

describe('our own login', () => {
  const login = (given: Partial<KeystoneOptions>) => keystoneSettings(options({ ...complete, ...given })).login;
  const named = { name: 'Default' };

  it('is by password, in a project', () => {
    expect(login({})).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'placement', domain: named, password: 'p' } },
        },
        scope: { project: { name: 'service', domain: named } },
      },
    });
  });

  it('is by ids, in the system', () => {
    expect(login({ user_id: 'u', system_scope: 'all' })).toEqual({
      auth: {
        identity: { methods: ['password'], password: { user: { id: 'u', password: 'p' } } },
        scope: { system: { all: true } },
      },
    });
  });

  it('is by an application credential, which has its scope', () => {
    const given = { auth_type: 'v3applicationcredential', application_credential_secret: 's' } as const;
    expect(login({ ...given, application_credential_id: 'i' })).toEqual({
      auth: { identity: { methods: ['application_credential'], application_credential: { id: 'i', secret: 's' } } },
    });
    expect(login({ ...given, application_credential_name: 'n' })).toMatchObject({
      auth: { identity: { application_credential: { name: 'n', user: { name: 'placement', domain: named } } } },
    });
  });
});

it('refusals name the public address, otherwise the internal one', () => {
  expect(keystoneSettings(options(complete)).challenge).toBe('Keystone uri="http://k:5000"');
  const reported = { ...complete, www_authenticate_uri: 'https://id.example.com/"evil' };
  expect(keystoneSettings(options(reported)).challenge).toBe('Keystone uri="https://id.example.com/%22evil"');
});
