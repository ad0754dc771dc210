import { randomBytes } from 'node:crypto';
import { newAccessToken } from '../auth/static/access-token';
import { maskSecrets, maskTokens } from './redaction';

const OWN = newAccessToken();
const FERNET = `gAAAAA${randomBytes(120).toString('base64url')}`;

it.each([
  [`/traits?token=${OWN}`, '/traits?token=***'],
  [`/traits/${OWN}?limit=1`, '/traits/berth_***?limit=1'],
  [`/x?a=1&X-Auth-Token=${FERNET}&b=2`, '/x?a=1&X-Auth-Token=***&b=2'],
  [`/x?a=${FERNET}`, '/x?a=gAAAA***'],
  ['/x?password=p&auth_token=0123', '/x?password=***&auth_token=***'],
  ['/traits?name=startswith:CUSTOM_TOKEN&tokens=2', '/traits?name=startswith:CUSTOM_TOKEN&tokens=2'],
  ['/resource_providers?name=berth_host', '/resource_providers?name=berth_host'],
])('masks tokens in the address %s', (address, masked) => {
  expect(maskTokens(address)).toBe(masked);
  const line = { path: address, quote: `${address}"\\`, user: 'a@b' };
  expect(JSON.parse(maskTokens(JSON.stringify(line)))).toEqual({ path: masked, quote: `${masked}"\\`, user: 'a@b' });
});

it('masks passwords of URLs in sentences', () => {
  expect(maskSecrets(`mysql://berth:s3cret@db/berth refused ${OWN}`)).toBe(
    'mysql://berth:***@db/berth refused berth_***',
  );
});
