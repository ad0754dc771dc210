import { ageText, amountsText, amountText } from './readable';

it.each([
  ['MEMORY_MB', 1_023, '1023 MiB'],
  ['MEMORY_MB', 1_024, '1 GiB'],
  ['MEMORY_MB', 65_536, '64 GiB'],
  ['MEMORY_MB', 0, '0 MiB'],
  ['MEMORY_MB', 1_536, '1.5 GiB'],
  ['DISK_GB', 1_023, '1023 GiB'],
  ['DISK_GB', 2_048, '2 TiB'],
  ['DISK_GB', 2 ** 31, '2048 PiB'],
  ['VCPU', 65_536, '65536'],
])('%s of %i is %s', (name, amount, text) => expect(amountText(name, amount)).toBe(text));

it('names amounts', () =>
  expect(amountsText({ VCPU: 2, MEMORY_MB: 4_096, DISK_GB: 20, VGPU: 1 })).toBe(
    '2 VCPU, 4 GiB memory, 20 GiB disk, 1 VGPU',
  ));

it.each([
  [0, '0 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [1_108, '18 min ago'],
  [3_600, '1 h ago'],
  [86_399, '23 h ago'],
  [200_000, '2 d ago'],
  [-5, '0 s ago'],
])('%i s are %s', (seconds, text) =>
  expect(ageText('2030-01-01T00:00:00.000Z', Date.parse('2030-01-01T00:00:00.000Z') + seconds * 1_000)).toBe(text),
);

it('no time has no age', () => expect(ageText(null)).toBe(''));
