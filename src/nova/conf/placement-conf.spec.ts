import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remotePlacementOf } from './placement-conf';

const OPTIONS = {
  auth_type: 'password',
  auth_url: 'http://keystone:5000/v3/',
  username: 'nova',
  password: 's3cret',
  user_domain_name: 'Default',
  project_name: 'service',
  project_domain_name: 'Default',
};
const without = (name: keyof typeof OPTIONS): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(OPTIONS).filter(([each]) => each !== name));

describe('[placement] of nova.conf', () => {
  it('has the defaults of nova', () => {
    const { settings, problems } = remotePlacementOf(OPTIONS);
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      identity: 'http://keystone:5000/v3',
      login: {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: 'nova', domain: { name: 'Default' }, password: 's3cret' } },
          },
          scope: { project: { name: 'service', domain: { name: 'Default' } } },
        },
      },
      where: { serviceType: 'placement', region: null, interface: ['internal', 'public'] },
      endpointOverride: null,
      tls: { isUnchecked: false },
      timeoutMs: 30_000,
    });
  });

  it('reads ids, the default domain, the endpoint and TLS', () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-placement-'));
    const cafile = join(folder, 'ca.pem');
    writeFileSync(cafile, 'a certificate');
    const { settings, problems } = remotePlacementOf({
      ...without('user_domain_name'),
      default_domain_id: 'default',
      project_id: 'p1',
      region_name: 'one',
      valid_interfaces: 'admin',
      endpoint_override: 'https://placement/placement',
      cafile,
      insecure: 'True',
      timeout: '7',
    });
    rmSync(folder, { recursive: true });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      login: {
        auth: {
          identity: { password: { user: { domain: { id: 'default' } } } },
          scope: { project: { id: 'p1' } },
        },
      },
      where: { region: 'one', interface: ['admin'] },
      endpointOverride: 'https://placement/placement',
      tls: { ca: Buffer.from('a certificate'), isUnchecked: true },
      timeoutMs: 7_000,
    });
  });

  it.each(Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])('needs %s', (name) => {
    expect(remotePlacementOf(without(name)).problems).toEqual([
      `[placement] ${name} of nova is not set. [nova] placement = remote needs it.`,
    ]);
  });

  it.each([
    ['auth_type', 'v3token', 'is "v3token", which is not supported. Use "password".'],
    ['auth_url', 'keystone:5000', 'must be an address that begins with http:// or https://, without a password.'],
    ['auth_section', 'service_user', 'is not supported.'],
    ['system_scope', 'all', 'is not supported.'],
    ['service_type', 'compute', 'is "compute"; it must be "placement".'],
    ['valid_interfaces', 'internal, private', 'has "private". Known interfaces: internal, public, admin.'],
    [
      'endpoint_override',
      'http://u:s3cret@p/',
      'must be an address that begins with http:// or https://, without a password.',
    ],
    ['insecure', 'maybe', 'is "maybe", not a boolean.'],
    ['timeout', '0', 'is "0"; it must be a number of seconds from 1 to 300.'],
    ['cafile', '/nonexistent.pem', "cannot be read: ENOENT: no such file or directory, open '/nonexistent.pem'."],
  ])('refuses %s = %s', (name, value, problem) => {
    expect(remotePlacementOf({ ...OPTIONS, [name]: value }).problems).toEqual([
      `[placement] ${name} of nova ${problem}`,
    ]);
  });
});
