import { ageText, amountsText, amountText, readable } from './readable';

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

it.each([
  [
    'closest: h1 lacks only 98560 MEMORY_MB (512 free, 99072 asked); 2 lack VCPU',
    'closest: h1 lacks only 96.3 GiB memory (512 MiB free, 96.8 GiB asked); 2 lack VCPU',
  ],
  [
    'can never hold 8192 MEMORY_MB (max_unit 4096) (above_max_unit)',
    'can never hold 8 GiB memory (max_unit 4 GiB) (above_max_unit)',
  ],
  ['no host has 20 DISK_GB free (most 5)', 'no host has 20 GiB disk free (most 5 GiB)'],
  ['lacks 15 DISK_GB on cn1-numa0 (5 free, 20 asked)', 'lacks 15 GiB disk on cn1-numa0 (5 GiB free, 20 GiB asked)'],
  [
    'hold 9000 DISK_GB (capacity 24 = (8 total - 2 reserved) * ratio 4)',
    'hold 8.8 TiB disk (capacity 24 GiB = (8 GiB total - 2 GiB reserved) * ratio 4)',
  ],
  ['with 65536 MEMORY_MB instead of 102400: 1 host', 'with 64 GiB memory instead of 100 GiB: 1 host'],
  ['lacks 512 MEMORY_MB (flavor 4)', 'lacks 512 MiB memory (flavor 4)'],
  ['lacks 2 VCPU (4 free, 6 asked)', 'lacks 2 VCPU (4 free, 6 asked)'],
])('%s', (sentence, shown) => expect(readable(sentence)).toBe(shown));
