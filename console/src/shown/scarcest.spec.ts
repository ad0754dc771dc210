import { scarcestFirst } from './scarcest';

describe('the scarcest classes', () => {
  it.each([
    [{ VCPU: { used: 14, capacity: 100 }, MEMORY_MB: { used: 74, capacity: 100 } }, ['MEMORY_MB', 'VCPU']],
    [{ MEMORY_MB: { used: 0, capacity: 100 }, VCPU: { used: 0, capacity: 10 } }, ['VCPU', 'MEMORY_MB']],
    [{ VGPU: { used: 0, capacity: 0 } }, []],
    [{}, []],
  ])('of %j are %j', (figures, names) => {
    expect(scarcestFirst(figures)).toEqual(names);
  });
});
