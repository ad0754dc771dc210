import { namedBy } from './named';

const names = {
  flavors: ['m1.small', 'small-gpu'],
  aggregates: [{ value: 'u1', label: 'Small rack' }],
  groups: [{ uuid: 'g1', name: 'smalltalk' }],
  zones: ['az1'],
  traits: ['CUSTOM_SMALL', 'HW_GPU'],
  projects: ['a/small b'],
};

describe('the names that contain a text', () => {
  it('are found in any case, those that begin with it first', () => {
    expect(namedBy('SMALL', names)).toEqual([
      { kind: 'flavor', label: 'small-gpu', to: '/map?flavor=small-gpu' },
      { kind: 'flavor', label: 'm1.small', to: '/map?flavor=m1.small' },
      { kind: 'aggregate', label: 'Small rack', to: '/hosts?host_aggregate=u1' },
      { kind: 'group', label: 'smalltalk', to: '/registries/groups?open=g1' },
      { kind: 'project', label: 'a/small b', to: '/projects/a%2Fsmall%20b' },
      { kind: 'trait', label: 'CUSTOM_SMALL', to: '/hosts?trait=CUSTOM_SMALL' },
    ]);
  });

  it('are at most five of each kind', () => {
    const flavors = Array.from({ length: 9 }, (_, at) => `f${at}`);
    expect(namedBy('f', { ...names, flavors, traits: [] })).toHaveLength(5);
  });
});
