import type { IpAddress, IpNetwork } from './ip-network';
import { isInNetwork, networkOf, parseAddress } from './ip-network';

const address = (text: string): IpAddress => {
  const parsed = parseAddress(text);
  if (parsed === null) throw new Error(`${text} is no address`);
  return parsed;
};
const network = (text: string, prefix: string): IpNetwork => {
  const parsed = networkOf(address(text), prefix);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
};

describe('addresses', () => {
  it.each([
    ['10.0.0.1', [10, 0, 0, 1]],
    ['255.255.255.255', [255, 255, 255, 255]],
    ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
    ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
    ['fe80::', [0xfe80, 0, 0, 0, 0, 0, 0, 0]],
    ['2001:DB8::a:b', [0x2001, 0xdb8, 0, 0, 0, 0, 10, 11]],
    ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['1::3:4:5:6:7:8', [1, 0, 3, 4, 5, 6, 7, 8]],
    ['::ffff:10.0.0.1', [0, 0, 0, 0, 0, 0xffff, 0x0a00, 1]],
    ['1:2:3:4:5:6:1.2.3.4', [1, 2, 3, 4, 5, 6, 0x102, 0x304]],
  ])('%s', (text, groups) => expect(parseAddress(text)?.groups).toEqual(groups));

  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.1.2',
    '10.0.0.01',
    '10.0.0.-1',
    'a.b.c.d',
    ':',
    ':::',
    '1:2',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '12345::',
    'g::',
    '1.2.3.4::',
    '::1.2.3.256',
    '::1.2.3.4:1',
    '1:2:3:4:5:6:7:1.2.3.4',
  ])('"%s" is none', (text) => expect(parseAddress(text)).toBeNull());
});

describe('networks', () => {
  it.each([
    ['10.0.1.7', '/24', '10.0.1.255', '10.0.2.0'],
    ['10.0.1.7', '/24', '10.0.1.0', '10.0.0.255'],
    ['10.0.1.7', '/23', '10.0.0.0', '10.0.2.0'],
    ['10.0.1.7', '/32', '10.0.1.7', '10.0.1.6'],
    ['10.0.1.7', '/255.255.255.0', '10.0.1.9', '10.0.2.9'],
    ['10.0.1.7', '/1', '127.0.0.0', '128.0.0.0'],
    ['2001:db8::1', '/64', '2001:db8::ffff', '2001:db8:0:1::'],
    ['2001:db8::1', '/63', '2001:db8:0:1::', '2001:db8:0:2::'],
    ['2001:db8::1', '/128', '2001:db8::1', '2001:db8::2'],
    ['2001:db8::1', '/ffff:ffff::', '2001:db8:1::', '2001:db9::'],
    ['10.0.1.7', '/0', '255.0.0.1', '::1'],
    ['::', '/0', 'ffff::', '10.0.0.1'],
  ])('%s%s holds %s and not %s', (base, prefix, inside, outside) => {
    const seen = [inside, outside].map((text) => isInNetwork(address(text), network(base, prefix)));
    expect(seen).toEqual([true, false]);
  });

  it.each([
    ['10.0.0.1', '24', "a prefix starts with a slash, '24' does not"],
    ['10.0.0.1', '', "a prefix starts with a slash, '' does not"],
    ['10.0.0.1', '/33', "'/33' is no prefix of an IPv4 network"],
    ['::1', '/129', "'/129' is no prefix of an IPv6 network"],
    ['10.0.0.1', '/255.0.255.0', "'/255.0.255.0' is no prefix of an IPv4 network"],
    ['10.0.0.1', '/ffff::', "'/ffff::' is no prefix of an IPv4 network"],
    ['10.0.0.1', '/', "'/' is no prefix of an IPv4 network"],
    ['10.0.0.1', '/ 8', "'/ 8' is no prefix of an IPv4 network"],
    ['10.0.0.1', '/-1', "'/-1' is no prefix of an IPv4 network"],
  ])('%s with %s: %s', (base, prefix, problem) => expect(networkOf(address(base), prefix)).toEqual({ problem }));
});
