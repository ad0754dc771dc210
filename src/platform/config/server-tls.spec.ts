// Which certificate files the service accepts, and the messages for the others.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Certificates, openssl } from '../../../test/support/certificates';
import { loadConfig } from './load-config';
import { OptionTable } from './option-table';
import type { PlatformConfig } from './platform-config';
import { PLATFORM_OPTIONS } from './platform-options';
import { readServerTls } from './server-tls';

const PLATFORM_TABLE = new OptionTable({ groups: PLATFORM_OPTIONS });

let certificates: Certificates;
beforeAll(() => {
  certificates = new Certificates();
  certificates.authority('ca');
  certificates.issue('good', { by: 'ca', alternative: 'DNS:localhost' });
  certificates.issue('other', { by: 'ca', alternative: 'DNS:localhost' });
  certificates.issue('over', { by: 'ca', alternative: 'DNS:localhost', days: -1 });
  const file = (name: string): string => certificates.file(name);
  writeFileSync(file('both.pem'), readFileSync(file('good.crt'), 'utf8') + readFileSync(file('good.key'), 'utf8'));
  writeFileSync(file('chain.crt'), readFileSync(file('good.crt'), 'utf8') + readFileSync(file('ca.crt'), 'utf8'));
  writeFileSync(file('garbage.pem'), 'no certificate, and no key');
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  writeFileSync(file('broken.pem'), broken);
  openssl('ec', '-in', file('good.key'), '-aes256', '-passout', 'pass:secret', '-out', file('locked.key'));
  copyFileSync(file('good.crt'), file('locked.crt'));
});
afterAll(() => certificates.remove());

const configOf = (options: Readonly<Record<string, string>>): PlatformConfig =>
  loadConfig(PLATFORM_TABLE, {
    env: {},
    cwd: certificates.folder,
    readFile: () => undefined,
    overrides: { berth: options },
  });
const read = (options: Readonly<Record<string, string>>): ReturnType<typeof readServerTls> =>
  readServerTls(configOf(options));

it('is plain HTTP if nothing is set', () => expect(read({})).toBeUndefined());

it.each([
  ['a pair', { tls_cert: 'good.crt', tls_key: 'good.key' }],
  ['one file with both', { tls_cert: 'both.pem' }],
  ['a chain', { tls_cert: 'chain.crt', tls_key: 'good.key' }],
  ['authorities of clients', { tls_cert: 'good.crt', tls_key: 'good.key', tls_client_ca: 'ca.crt' }],
])('takes %s, without a warning', (_, options) => {
  expect(read(options)?.warnings).toEqual([]);
});

it('warns of a certificate whose time is over, or has not come', () => {
  const options = { tls_cert: 'over.crt', tls_key: 'over.key', tls_client_ca: 'ca.crt' };
  expect(read(options)?.warnings).toEqual([
    expect.stringMatching(/^\[berth\] tls_cert: the certificate of CN=over in over\.crt is over since /),
  ]);
  const early = readServerTls(configOf({ tls_cert: 'good.crt', tls_key: 'good.key' }), 0)?.warnings;
  expect(early).toEqual([expect.stringContaining('is not valid before')]);
});

it.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['a key alone', { tls_key: 'good.key' }, /^\[berth\] tls_cert: is not set, and tls_key is/],
  ['authorities alone', { tls_client_ca: 'ca.crt' }, /^\[berth\] tls_cert: is not set, and tls_client_ca is/],
  ['no such certificate', { tls_cert: 'none.crt' }, /^\[berth\] tls_cert: \/.*none\.crt cannot be read \(ENOENT\)$/],
  ['no such key', { tls_cert: 'good.crt', tls_key: 'none.key' }, /^\[berth\] tls_key: .*cannot be read \(ENOENT\)$/],
  ['a directory', { tls_cert: '.' }, /^\[berth\] tls_cert: .*cannot be read \(EISDIR\)$/],
  ['no certificate', { tls_cert: 'garbage.pem' }, /^\[berth\] tls_cert: garbage\.pem cannot be used: /],
  ['a broken certificate', { tls_cert: 'broken.pem' }, /^\[berth\] tls_cert: broken\.pem cannot be used: /],
  ['no key', { tls_cert: 'good.crt', tls_key: 'garbage.pem' }, /^\[berth\] tls_key: garbage\.pem cannot be used: /],
  ['no key beside it', { tls_cert: 'good.crt' }, /^\[berth\] tls_key: good\.crt cannot be used: /],
  ['a locked key', { tls_cert: 'good.crt', tls_key: 'locked.key' }, /^\[berth\] tls_key: .*passphrase/],
  [
    'a key of another certificate',
    { tls_cert: 'good.crt', tls_key: 'other.key' },
    /^\[berth\] tls_key: other\.key cannot be used: .*key values mismatch$/,
  ],
  [
    'no authorities',
    { tls_cert: 'both.pem', tls_client_ca: 'good.key' },
    /^\[berth\] tls_client_ca: good\.key cannot be used: /,
  ],
])('refuses %s, naming the option and nothing of the file', (_, options, expected) => {
  expect(() => read(options)).toThrow(expected);
});
