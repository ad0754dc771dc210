import { refusedOrigin } from './login-origin';

const OWN = 'https://berth.example';

it.each([
  [{}],
  [{ origin: OWN }],
  [{ origin: 'https://BERTH.example:443' }],
  [{ origin: OWN, 'sec-fetch-site': 'same-origin' }],
  [{ 'sec-fetch-site': 'none' }],
])('lets in who says %j', (headers) => expect(refusedOrigin(headers, OWN)).toBeUndefined());

it.each([
  [{ origin: 'https://evil.example' }],
  [{ origin: 'http://berth.example' }],
  [{ origin: 'https://berth.example:8443' }],
  [{ origin: 'https://berth.example.evil.example' }],
  [{ origin: 'null' }],
  [{ origin: '' }],
  [{ origin: 'file://' }],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  [{ origin: OWN, 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ 'sec-fetch-site': 'anything' }],
])('refuses who says %j', (headers) => expect(refusedOrigin(headers, OWN)).toEqual(expect.any(String)));

it('takes no two addresses that are none for the same', () => {
  expect(refusedOrigin({ origin: 'null' }, 'http://a%b')).toEqual(expect.any(String));
});
