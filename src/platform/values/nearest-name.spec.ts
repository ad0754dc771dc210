import { didYouMean, nearestName } from './nearest-name';

const KNOWN = ['hosts', 'host', 'harbour', 'VGPU', 'CUSTOM_X'];

it.each([
  ['hsots', 'hosts'],
  ['ohst', 'host'],
  ['vgpus', 'VGPU'],
  ['custom_x', 'CUSTOM_X'],
  ['hrabuor', 'harbour'],
  ['hr', undefined],
  ['lagoon', undefined],
])('%s is near %s', (given, near) => expect(nearestName(given, KNOWN)).toBe(near));

it('compares no long names', () => {
  expect(didYouMean(`${'h'.repeat(64)}s`, ['h'.repeat(64)])).toBe('');
  expect(didYouMean('hsots', KNOWN)).toBe(" Did you mean 'hosts'?");
});
