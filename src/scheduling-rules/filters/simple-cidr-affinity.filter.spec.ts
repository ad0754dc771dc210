import type { RejectionParams } from '../../placement/candidate-search';
import { filterTable } from '../pipeline/rule-table.fixture';
import { isInNetwork, networkOf, parseAddress } from './ip-network';
import { problemOfCidr, simpleCidrAffinityFilter } from './simple-cidr-affinity.filter';

const near = (address: string, prefix?: string) => ({
  schedulerHints: { build_near_host_ip: [address], ...(prefix !== undefined && { cidr: [prefix] }) },
});
const outside = (wanted: string, found: string) => ({ code: 'not_in_network', params: { wanted, found } });

function contains({ wanted, found }: RejectionParams): boolean {
  const [base = '', length = ''] = String(wanted).split('/');
  const [address, network] = [parseAddress(String(found)), parseAddress(base)];
  if (address === null || network === null) return false;
  const parsed = networkOf(network, `/${length}`);
  return !('problem' in parsed) && isInNetwork(address, parsed);
}

describe('SimpleCIDRAffinityFilter', () => {
  filterTable(simpleCidrAffinityFilter, {
    reproduces: {
      not_in_network: {
        rejects: (params) => !contains(params),
        unless: { wanted: '10.0.1.1/24', found: '10.0.1.2' },
      },
      no_host_address: {
        rejects: ({ found }) => parseAddress(String(found)) === null,
        unless: { wanted: '10.0.1.1/24', found: '10.0.2.1' },
      },
      network_not_readable: {
        rejects: ({ address, prefix }) => problemOfCidr(String(address), String(prefix)) !== null,
        unless: { address: '10.0.1.1', prefix: '/24', wanted: '', problem: '' },
      },
    },
    rows: [
      {
        rule: 'without an address every host passes, whatever the prefix',
        host: { hostIp: '10.0.2.1' },
        spec: { schedulerHints: { cidr: ['/32'] } },
        verdict: 'pass',
        flip: { spec: near('10.0.1.1', '/32'), verdict: outside('10.0.1.1/32', '10.0.2.1') },
      },
      {
        rule: 'the prefix is /24 where none is given',
        host: { hostIp: '10.0.1.255' },
        spec: near('10.0.1.1'),
        verdict: 'pass',
        flip: { host: { hostIp: '10.0.2.0' }, verdict: outside('10.0.1.1/24', '10.0.2.0') },
      },
      {
        rule: 'a prefix widens the network',
        host: { hostIp: '10.0.2.0' },
        spec: near('10.0.1.1', '/22'),
        verdict: 'pass',
        flip: { spec: near('10.0.1.1', '/23'), verdict: outside('10.0.1.1/23', '10.0.2.0') },
      },
      {
        rule: 'IPv6 works with a fitting prefix',
        host: { hostIp: '2001:db8::2' },
        spec: near('2001:db8::1', '/64'),
        verdict: 'pass',
        flip: { spec: near('2001:db8::1', '/127'), verdict: outside('2001:db8::1/127', '2001:db8::2') },
      },
      {
        rule: 'an address of the other version is outside',
        host: { hostIp: '::1' },
        spec: near('10.0.1.1'),
        verdict: outside('10.0.1.1/24', '::1'),
        flip: { host: { hostIp: '10.0.1.2' }, verdict: 'pass' },
      },
      {
        rule: 'a host without an address is rejected with a code of its own',
        host: { hostIp: null },
        spec: near('10.0.1.1'),
        verdict: { code: 'no_host_address', params: { wanted: '10.0.1.1/24', found: 'none' } },
        flip: { host: { hostIp: '10.0.1.9' }, verdict: 'pass' },
      },
      {
        rule: 'a host with an address that cannot be read is rejected with a code of its own',
        host: { hostIp: 'localhost' },
        spec: near('10.0.1.1'),
        verdict: { code: 'no_host_address', params: { wanted: '10.0.1.1/24', found: 'localhost' } },
        flip: { host: { hostIp: '10.0.1.9' }, verdict: 'pass' },
      },
      {
        rule: 'a prefix without its slash is refused',
        host: { hostIp: '10.0.1.124' },
        spec: near('10.0.1.1', '24'),
        verdict: {
          code: 'network_not_readable',
          params: {
            wanted: '10.0.1.124',
            address: '10.0.1.1',
            prefix: '24',
            problem: "a prefix starts with a slash, '24' does not",
          },
        },
        flip: { spec: near('10.0.1.1', '/24'), verdict: 'pass' },
      },
      {
        rule: 'an address that is none is refused',
        host: { hostIp: '10.0.1.1' },
        spec: near('10.0.1', '/24'),
        verdict: {
          code: 'network_not_readable',
          params: { wanted: '10.0.1/24', address: '10.0.1', prefix: '/24', problem: "'10.0.1' is no address" },
        },
        flip: { spec: near('10.0.1.0', '/24'), verdict: 'pass' },
      },
    ],
  });

  it.each([
    ['10.0.0.1', undefined, null],
    ['10.0.0.1', '/8', null],
    ['10.0.0.1', '8', "a prefix starts with a slash, '8' does not"],
    ['10.0.0', '/8', "'10.0.0' is no address"],
  ])('the problem of %s with %s: %s', (address, prefix, problem) =>
    expect(problemOfCidr(address, prefix)).toBe(problem),
  );

  it('runs once per request', () => expect(simpleCidrAffinityFilter.once).toBe(true));
});
