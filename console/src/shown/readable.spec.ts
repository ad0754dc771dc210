import { readable } from './readable';

describe("amounts in the service's sentences", () => {
  it.each([
    ['489 hosts have no room for 16384 MEMORY_MB', '489 hosts have no room for 16 GiB memory'],
    [
      'MEMORY_MB: 90000 used + 110000 asked > 129024 capacity',
      'Memory: 87.9 GiB used + 107.4 GiB asked > 126 GiB capacity',
    ],
    [
      'MEMORY_MB: 0 used + 1024 asked > 0 capacity ((65536 total - 65536 reserved) * ratio 1.5)',
      'Memory: 0 MiB used + 1 GiB asked > 0 MiB capacity ((64 GiB total - 64 GiB reserved) * ratio 1.5)',
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
    [
      '8 hosts have no room for 4096 MEMORY_MB, asked by the flavor (29696 to 30720 used of 31744); 2 (2048 used of 2048)',
      '8 hosts have no room for 4 GiB memory, asked by the flavor (29 GiB to 30 GiB used of 31 GiB); 2 (2048 used of 2048)',
    ],
    [
      '1 host can never hold 5 DISK_GB, asked by the flavor (extra spec resources:DISK_GB) (capacity 1024 to 2048 on cn-12)',
      '1 host can never hold 5 GiB disk, asked by the flavor (extra spec resources:DISK_GB) (capacity 1 TiB to 2 TiB on cn-12)',
    ],
    ['no inventory of MEMORY_MB', 'no inventory of MEMORY_MB'],
  ])('%s', (sentence, shown) => {
    expect(readable(sentence)).toBe(shown);
  });
});
