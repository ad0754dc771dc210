import { readable } from './readable';

describe("amounts in the service's sentences", () => {
  it.each([
    ['489 hosts have no room for 16384 MEMORY_MB', '489 hosts have no room for 16 GiB memory'],
    [
      'closest: h1, h2 lack only 98560 MEMORY_MB (512 free, 99072 asked); 2 are disabled',
      'closest: h1, h2 lack only 96.3 GiB memory (512 MiB free, 96.8 GiB asked); 2 are disabled',
    ],
    [
      '4 hosts lack only MEMORY_MB (0 to 1024 free, 4096 asked), cn-12 lacks only 2 VCPU (4 free, 6 asked)',
      '4 hosts lack only MEMORY_MB (0 MiB to 1 GiB free, 4 GiB asked), cn-12 lacks only 2 VCPU (4 free, 6 asked)',
    ],
    [
      'no host can hold 160000 MEMORY_MB (largest 129024); 33 lack MEMORY_MB',
      'no host can hold 156.3 GiB memory (largest 126 GiB); 33 lack MEMORY_MB',
    ],
    ['lacks 12288 MEMORY_MB (-4096 free, 8192 asked)', 'lacks 12 GiB memory (-4 GiB free, 8 GiB asked)'],
    ['no host has 2048 DISK_GB free (most 1024)', 'no host has 2 TiB disk free (most 1 TiB)'],
    ['lacks 20 DISK_GB on cn-12_5 (5 free, 25 asked)', 'lacks 20 GiB disk on cn-12_5 (5 GiB free, 25 GiB asked)'],
    [
      'can never hold 1024 MEMORY_MB (capacity 0 = (65536 total - 65536 reserved) * ratio 1.5)',
      'can never hold 1 GiB memory (capacity 0 MiB = (64 GiB total - 64 GiB reserved) * ratio 1.5)',
    ],
    ['can never hold 2048 DISK_GB (max_unit 100)', 'can never hold 2 TiB disk (max_unit 100 GiB)'],
    [
      '1 provider has more MEMORY_MB allocated than capacity, by 4096 in all',
      '1 provider has more memory allocated than capacity, by 4 GiB in all',
    ],
    ['2 hosts lack only 2 VCPU (4 free, 6 asked)', '2 hosts lack only 2 VCPU (4 free, 6 asked)'],
    ['no host has MEMORY_MB (flavor m1.4096)', 'no host has MEMORY_MB (flavor m1.4096)'],
    [
      'the compute service last reported 1108.042 s ago; it counts as down after 60 s',
      'the compute service last reported 18 min ago; it counts as down after 60 s',
    ],
    ['cn1 has the highest weight, 0.9448818897637795.', 'cn1 has the highest weight, 0.9449.'],
    ['the image needs 10.12345.1 and -0.000123456', 'the image needs 10.12345.1 and -0.000123456'],
  ])('%s', (sentence, shown) => {
    expect(readable(sentence)).toBe(shown);
  });
});
