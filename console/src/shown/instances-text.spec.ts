import { instancesText } from './instances-text';

const VCPU = { total: 8, reserved: 0, capacity: 8, used: 0, free: 8 };

describe('the instances of a host', () => {
  it.each([
    ['a host without use', { host: 'tug-01', instances: 0, used: 0 }, '0'],
    ['a host that lists some', { host: 'tug-01', instances: 1200, used: 4 }, '1,200'],
    ['a host that lists none, and is used', { host: 'tug-01', instances: 0, used: 4 }, 'not reported'],
    // The provider has consumers, but no service that reports instances.
    ['a provider that no service reports', { host: null, instances: 0, used: 4 }, '0'],
  ])('of %s', (_what, { host, instances, used }, text) => {
    expect(instancesText({ host, instances, resource_classes: { VCPU: { ...VCPU, used } } })).toBe(text);
  });
});
