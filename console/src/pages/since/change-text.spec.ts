import { changeText } from './change-text';

it.each([
  ['status', 'enabled', 'disabled: fan 7', ['a'], 'a: status enabled → disabled: fan 7'],
  ['trait CUSTOM_A', null, 'yes', ['a', 'b'], 'a, b, 3 changes: trait CUSTOM_A added'],
  ['aggregate rack', 'yes', null, ['a'], 'a: aggregate rack removed'],
  [
    'inventory MEMORY_MB',
    '1024, reserved 512, ratio 1.5',
    '2048, reserved 512, ratio 1.5',
    ['a'],
    'a: inventory MEMORY_MB 1 GiB, reserved 512 MiB, ratio 1.5 → 2 GiB, reserved 512 MiB, ratio 1.5',
  ],
  ['use of MEMORY_MB', '1024 of 4096', '2048 of 4096', [], 'use of MEMORY_MB: 1 GiB of 4 GiB → 2 GiB of 4 GiB'],
])('%s from %s to %s', (fact, was, became, hosts, expected) => {
  expect(changeText({ fact, was, became, hosts, changes: hosts.length === 2 ? 3 : 1, decision: null })).toBe(expected);
});

it('counts refusals', () => {
  const became = 'No host has 2048 MEMORY_MB.';
  const refusals = { fact: 'refusals of big', was: null, became, hosts: [], changes: 3, decision: 'req-1' };
  expect(changeText(refusals)).toBe('3 refusals of big: No host has 2 GiB memory.');
  expect(changeText({ ...refusals, changes: 1 })).toBe('1 refusal of big: No host has 2 GiB memory.');
});
