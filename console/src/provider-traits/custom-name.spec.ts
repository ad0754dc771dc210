import { customName, faultOfName } from './custom-name';

describe('the name of a custom trait', () => {
  it.each([
    ['', ''],
    ['rack 7', 'CUSTOM_RACK_7'],
    ['custom_gpu', 'CUSTOM_GPU'],
    [' CUSTOM_A ', 'CUSTOM_A'],
    ['nvme--fast', 'CUSTOM_NVME_FAST'],
  ])('%j becomes %j', (typed, name) => {
    expect(customName(typed)).toBe(name);
  });

  it.each([
    ['CUSTOM_A', 'There is one of this name already.'],
    ['CUSTOM_', 'A name is needed.'],
    [`CUSTOM_${'A'.repeat(249)}`, 'The name is longer than 255 characters.'],
    [`CUSTOM_${'A'.repeat(248)}`, undefined],
    ['CUSTOM_B', undefined],
  ])('%s: %s', (name, fault) => {
    expect(faultOfName(name, ['CUSTOM_A'])).toBe(fault);
  });
});
