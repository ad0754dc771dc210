import { scarcestOf } from './scarcest';

describe('the scarcest class', () => {
  it.each([
    [{ VCPU: { used: 14, capacity: 100 }, MEMORY_MB: { used: 74, capacity: 100 } }, 'MEMORY_MB'],
    [{ MEMORY_MB: { used: 0, capacity: 100 }, VCPU: { used: 0, capacity: 10 } }, 'VCPU'],
    [{ VGPU: { used: 0, capacity: 0 } }, undefined],
    [{}, undefined],
  ])('of %j is %s', (figures, name) => {
    expect(scarcestOf(figures)).toBe(name);
  });
});
