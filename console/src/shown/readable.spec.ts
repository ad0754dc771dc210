import { readable } from './readable';

describe("amounts in the service's sentences", () => {
  it.each([
    ['489 hosts have no room for 16384 MEMORY_MB', '489 hosts have no room for 16 GiB memory'],
    [
      'MEMORY_MB: 90000 used + 110000 asked > 129024 capacity',
      'Memory: 87.9 GiB used + 107.4 GiB asked > 126 GiB capacity',
    ],
    ['DISK_GB: 2048 asked > max_unit 100', 'Disk: 2 TiB asked > max_unit 100 GiB'],
    [
      '1 provider has more MEMORY_MB allocated than capacity, by 4096 in all',
      '1 provider has more memory allocated than capacity, by 4 GiB in all',
    ],
    ['VCPU: 4 used + 8 asked > 8 capacity on cn1-0042', 'VCPU: 4 used + 8 asked > 8 capacity on cn1-0042'],
    [
      'MEMORY_MB: 1 used + 4096 asked > 4096 capacity on cn-12',
      'Memory: 1 MiB used + 4 GiB asked > 4 GiB capacity on cn-12',
    ],
    ['no inventory of MEMORY_MB', 'no inventory of MEMORY_MB'],
  ])('%s', (sentence, shown) => {
    expect(readable(sentence)).toBe(shown);
  });
});
