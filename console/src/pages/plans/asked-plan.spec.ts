import { bodyOf, fieldsOf, labelOf } from './asked-plan';

const ADDRESS =
  'hosts=cn1&hosts=cn2&host_aggregates=rack&flavor=big&count=3&at_a_time=2&resource_classes=VCPU&over=zones&max_moves=9&stay.hosts=cn3&stay.projects=p';

describe('the request of a plan', () => {
  it.each([
    ['drain', { hosts: ['cn1', 'cn2'], host_aggregates: ['rack'] }],
    ['waves', { hosts: ['cn1', 'cn2'], host_aggregates: ['rack'], at_a_time: 2 }],
    ['room', { flavor: 'big', count: 3 }],
    ['balance', { resource_classes: ['VCPU'], over: 'zones' }],
    ['pack', { flavor: 'big' }],
  ] as const)('to %s has only the given fields of the goal', (goal, fields) => {
    const stay = { hosts: ['cn3'], projects: ['p'] };
    expect(bodyOf(goal, ADDRESS)).toEqual({ goal, ...fields, max_moves: 9, stay });
    expect(bodyOf(goal, '')).toEqual({ goal });
  });

  it('has fields with readable names', () => {
    expect(fieldsOf('drain').map(labelOf)).toEqual([
      'Hosts',
      'Host aggregates',
      'Availability zones',
      'Max moves',
      'Stay: hosts',
      'Stay: instances',
      'Stay: projects',
    ]);
  });
});
