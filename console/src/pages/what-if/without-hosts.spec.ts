import type { RecordedInstance } from './without-hosts';
import { flavorIn, groupsOf } from './without-hosts';

const recorded = (uuid: string, request: RecordedInstance['request']): RecordedInstance => ({
  uuid,
  name: null,
  host: 'cn1',
  request,
});
const small = { flavor: { name: 'm1.small' }, project_id: 'p', user_id: 'u' };

describe('the instances of hosts that go', () => {
  it('are grouped by equal requests, the largest group first', () => {
    const groups = groupsOf(
      [
        recorded('a', { ...small, availability_zone: 'az1' }),
        recorded('b', small),
        recorded('c', { user_id: 'u', project_id: 'p', flavor: { name: 'm1.small' }, image: null }),
      ],
      ['cn1'],
    );
    expect(groups.map(({ instances }) => instances.map(({ uuid }) => uuid))).toEqual([['b', 'c'], ['a']]);
    expect(groups[0]?.body).toEqual({ ...small, num_instances: 2, ignore_hosts: ['cn1'] });
  });

  it('are not bound to their former target', () => {
    const request = { ...small, force_hosts: ['cn1'], requested_destination: { host: 'cn1' }, ignore_hosts: ['cn9'] };
    expect(groupsOf([recorded('a', request)], ['cn1', 'cn2'])[0]?.body).toEqual({
      ...small,
      num_instances: 1,
      ignore_hosts: ['cn1', 'cn2'],
    });
  });

  it.each([
    [{ flavor: { name: 'm1' } }, 'm1'],
    [{ flavor: 'm1' }, 'm1'],
    [{ flavor: { vcpus: 1 } }, 'a flavor given inline'],
    [{}, 'a flavor given inline'],
  ])('%j has the flavor %s', (request, name) => {
    expect(flavorIn(request)).toBe(name);
  });
});
