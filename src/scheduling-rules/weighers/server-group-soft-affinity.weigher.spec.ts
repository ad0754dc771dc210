import { hostInAggregates, instancesOf } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import type { InstanceGroup } from '../request-spec/request-spec';
import { serverGroupSoftAffinityWeigher } from './server-group-soft-affinity.weigher';

const group = (policy: InstanceGroup['policy'], ...members: readonly string[]) => ({
  instanceGroup: { uuid: 'g', policy, maxServerPerHost: null, members: new Set(members), hosts: new Set<string>() },
});
const running = (...uuids: readonly string[]) => ({ instances: instancesOf(...uuids) });
const HOSTS = { none: running('x'), one: running('a', 'y'), two: running('b', 'c') };

describe('ServerGroupSoftAffinityWeigher', () => {
  weigherTable(serverGroupSoftAffinityWeigher, [
    {
      rule: 'the members of the group on the host count',
      hosts: HOSTS,
      spec: group('soft-affinity', 'a', 'b', 'c', 'd', 'e', 'f'),
      outcome: {
        raw: { none: 0, one: 1, two: 2 },
        normalized: { none: 0, one: 0.5, two: 1 },
        order: ['two', 'one', 'none'],
      },
      flip: {
        hosts: { one: running('a', 'd', 'e', 'f') },
        outcome: {
          raw: { none: 0, one: 4, two: 2 },
          normalized: { none: 0, one: 1, two: 0.5 },
          order: ['one', 'two', 'none'],
        },
      },
    },
    {
      rule: 'an instance that is on the host itself counts',
      hosts: { here: running('me'), there: running() },
      spec: { ...group('soft-affinity', 'me'), instanceUuid: 'me' },
      outcome: { raw: { here: 1, there: 0 } },
      flip: { spec: group('soft-affinity', 'other'), outcome: { raw: { here: 0, there: 0 } } },
    },
    {
      rule: 'the policy must be exactly soft-affinity',
      hosts: HOSTS,
      spec: group('soft-anti-affinity', 'a', 'b', 'c'),
      outcome: { raw: { none: 0, one: 0, two: 0 } },
      flip: { spec: group('soft-affinity', 'a', 'b', 'c'), outcome: { raw: { none: 0, one: 1, two: 2 } } },
    },
    {
      rule: 'without a group every host counts 0',
      hosts: HOSTS,
      spec: { instanceGroup: null },
      outcome: { raw: { none: 0, one: 0, two: 0 } },
      flip: { spec: group('soft-affinity', 'a', 'b', 'c'), outcome: { raw: { none: 0, one: 1, two: 2 } } },
    },
    {
      rule: 'the bounds of the option do not apply to aggregates',
      hosts: HOSTS,
      spec: group('soft-affinity', 'a', 'b', 'c'),
      outcome: { normalized: { none: 0, one: 0.5, two: 1 } },
      flip: {
        hosts: { one: { aggregates: hostInAggregates('one', { soft_affinity_weight_multiplier: '-4' }).aggregates } },
        outcome: { normalized: { none: 0, one: 0.5, two: 1 }, score: { one: -2 } },
      },
    },
  ]);
});
