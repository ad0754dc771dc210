import { filterTable } from '../pipeline/rule-table.fixture';
import type { InstanceGroup } from '../request-spec/request-spec';
import { serverGroupAffinityFilter } from './server-group-affinity.filter';

const group = (hosts: readonly string[], policy: InstanceGroup['policy'] = 'affinity') => ({
  instanceGroup: { uuid: 'g', policy, maxServerPerHost: null, members: new Set(['a']), hosts: new Set(hosts) },
});
const rejected = (host: string, ...hosts: readonly string[]) => ({ code: 'not_a_group_host', params: { host, hosts } });

describe('ServerGroupAffinityFilter', () => {
  filterTable(serverGroupAffinityFilter, {
    reproduces: {
      not_a_group_host: {
        rejects: ({ host, hosts }) => !(hosts as readonly string[]).includes(String(host)),
        unless: { host: 'h1', hosts: ['h1', 'h2'] },
      },
    },
    rows: [
      {
        rule: 'without a group every host passes',
        host: { host: 'h1' },
        spec: { instanceGroup: null },
        verdict: 'pass',
        flip: { spec: group(['h2']), verdict: rejected('h1', 'h2') },
      },
      {
        rule: 'soft-affinity is no business of this filter',
        host: { host: 'h1' },
        spec: group(['h2'], 'soft-affinity'),
        verdict: 'pass',
        flip: { spec: group(['h2']), verdict: rejected('h1', 'h2') },
      },
      {
        rule: 'the first member may go anywhere',
        host: { host: 'h1' },
        spec: group([]),
        verdict: 'pass',
        flip: { spec: group(['h2']), verdict: rejected('h1', 'h2') },
      },
      {
        rule: 'a host of the group passes, by service host name and exactly',
        host: { host: 'h1', node: 'n' },
        spec: group(['h2', 'h1']),
        verdict: 'pass',
        flip: { host: { host: 'H1', node: 'h1' }, verdict: rejected('H1', 'h2', 'h1') },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(serverGroupAffinityFilter.once).toBe(false));
});
