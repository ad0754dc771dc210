import { instancesOf } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import type { InstanceGroup } from '../request-spec/request-spec';
import { serverGroupAntiAffinityFilter } from './server-group-anti-affinity.filter';

const group = (given: Partial<InstanceGroup> = {}) => ({
  instanceUuid: 'me',
  instanceGroup: {
    uuid: 'g',
    policy: 'anti-affinity' as const,
    maxServerPerHost: null,
    members: new Set(['a', 'b', 'c']),
    hosts: new Set(['h']),
    ...given,
  },
});
const running = (...uuids: readonly string[]) => ({ instances: instancesOf(...uuids) });
const rejected = (limit: number, ...members: readonly string[]) => ({
  code: 'too_many_group_members',
  params: { actual: members.length, group: 'g', members, limit },
});

describe('ServerGroupAntiAffinityFilter', () => {
  filterTable(serverGroupAntiAffinityFilter, {
    reproduces: {
      too_many_group_members: {
        rejects: ({ actual, limit }) => Number(actual) >= Number(limit),
        unless: { actual: 1, group: 'g', members: ['a'], limit: 2 },
      },
    },
    rows: [
      {
        rule: 'without a group every host passes',
        host: running('a'),
        spec: { instanceGroup: null },
        verdict: 'pass',
        flip: { spec: group(), verdict: rejected(1, 'a') },
      },
      {
        rule: 'soft-anti-affinity is no business of this filter',
        host: running('a'),
        spec: group({ policy: 'soft-anti-affinity' }),
        verdict: 'pass',
        flip: { spec: group(), verdict: rejected(1, 'a') },
      },
      {
        rule: 'affinity is no business of this filter',
        host: running('a'),
        spec: group({ policy: 'affinity' }),
        verdict: 'pass',
        flip: { spec: group(), verdict: rejected(1, 'a') },
      },
      {
        rule: 'a host without members passes, one member rejects',
        host: running('x', 'y'),
        spec: group(),
        verdict: 'pass',
        flip: { host: running('x', 'b'), verdict: rejected(1, 'b') },
      },
      {
        rule: 'members count where they run, whatever the hosts of the group are',
        host: running('x'),
        spec: group({ hosts: new Set(['h']) }),
        verdict: 'pass',
        flip: { spec: group({ hosts: new Set(), members: new Set(['x']) }), verdict: rejected(1, 'x') },
      },
      {
        rule: 'max_server_per_host allows so many members',
        host: running('a'),
        spec: group({ maxServerPerHost: 2 }),
        verdict: 'pass',
        flip: { host: running('a', 'b'), verdict: rejected(2, 'a', 'b') },
      },
      {
        rule: 'an instance that is on the host already may stay',
        host: running('a', 'me'),
        spec: group(),
        verdict: { passed: true, note: { code: 'already_here', params: {} } },
        flip: { host: running('a'), verdict: rejected(1, 'a') },
      },
      {
        rule: 'its own presence is no news where the limit is not reached',
        host: running('me'),
        spec: group({ members: new Set() }),
        verdict: 'pass',
        flip: {
          spec: group({ members: new Set(['me']) }),
          verdict: { passed: true, note: { code: 'already_here', params: {} } },
        },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(serverGroupAntiAffinityFilter.once).toBe(false));
});
