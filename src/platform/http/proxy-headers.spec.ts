import { reportedAddress } from './proxy-headers';

it.each<[string, Record<string, string>, boolean, string]>([
  ['the connection, if proxy headers are not used', { 'x-forwarded-for': '192.0.2.1' }, false, '10.0.0.1'],
  ['the connection, where nothing is said', {}, true, '10.0.0.1'],
  ['what the proxy saw, not what the client said', { 'x-forwarded-for': '198.51.100.9, 192.0.2.1' }, true, '192.0.2.1'],
  ['the same in the newer header', { forwarded: 'for=198.51.100.9, for=192.0.2.1;proto=https' }, true, '192.0.2.1'],
  [
    'the newer header before the older',
    { forwarded: 'for="[2001:db8::1]"', 'x-forwarded-for': 'x' },
    true,
    '[2001:db8::1]',
  ],
  ['the connection, if the last proxy names no client', { forwarded: 'for=x, proto=http' }, true, '10.0.0.1'],
  ['the connection, where the last entry is empty', { 'x-forwarded-for': '192.0.2.1, ' }, true, '10.0.0.1'],
])('an address is %s', (_, headers, isEnabled, expected) => {
  expect(reportedAddress(headers, '10.0.0.1', isEnabled)).toBe(expected);
});
