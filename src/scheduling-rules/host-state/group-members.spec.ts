import { hostState, instancesOf } from '../pipeline/pipeline.fixture';
import { membersOnHost } from './group-members';

describe('members of a group on a host', () => {
  it.each([
    [[], [], []],
    [['a'], [], []],
    [[], ['a'], []],
    [['a', 'b', 'c'], ['b'], ['b']],
    [['b'], ['a', 'b', 'c'], ['b']],
    [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ],
    [['a'], ['b'], []],
  ])('instances %j, members %j: %j', (instances, members, found) => {
    const host = hostState({ instances: instancesOf(...instances) });
    expect(membersOnHost(host, { members: new Set(members) }).sort()).toEqual(found);
  });
});
