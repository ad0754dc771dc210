import { createPrivateKey, createPublicKey } from 'node:crypto';
import { fingerprintOf, isPublicKey, newKey } from './public-key';

/** Made by `ssh-keygen`; the fingerprints are those of `ssh-keygen -l -E md5`. */
const KEYS = [
  [
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICbLwKUd8WYSU5e9FsLqAyLOOX2lejbnSgZPfXAvd9Gi kim@laptop',
    '04:5c:4c:fb:99:a4:9e:b0:bd:f4:de:32:a6:73:40:4d',
  ],
  [
    'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBII1irGuHNHUwZ2wpy1L6HyjmHLHAJIjVapBUx6180RUaXtTsek904BTGigyDS0p1KgG4y6x1tzfoKBJcy9UnHI=',
    'db:d6:67:11:5e:e7:27:df:8f:5a:75:b8:00:49:f9:9a',
  ],
] as const;

it.each(KEYS)('knows the fingerprint of %s, with and without a comment and a line break', (key, fingerprint) => {
  const [type, base64] = key.split(' ');
  for (const text of [key, `${type} ${base64}`, `${key}\n`]) {
    expect([isPublicKey(text), fingerprintOf(text)]).toEqual([true, fingerprint]);
  }
});

it.each(['', ' ', 'ssh-rsa', 'ssh-rsa AAAA', 'ssh-rsa not base64', KEYS[0][0].replace('ed25519', 'rsa')])(
  'takes %j for no public key',
  (text) => expect(isPublicKey(text)).toBe(false),
);

it('makes keys of which the private one belongs to the public one, each another one', () => {
  const [one, other] = [newKey(), newKey()];
  expect(one.publicKey).not.toBe(other.publicKey);
  expect(one.privateKey).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  expect(isPublicKey(one.publicKey)).toBe(true);
  const { x = '', y = '' } = createPublicKey(createPrivateKey(one.privateKey)).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const [type, base64 = ''] = one.publicKey.split(' ');
  expect(type).toBe('ecdsa-sha2-nistp256');
  expect(Buffer.from(base64, 'base64').subarray(-64).equals(point)).toBe(true);
});
