import { amountText, countOf, shareText, sortedClasses } from './amount';

describe('numbers as people read them', () => {
  it.each([
    ['MEMORY_MB', 512, '512 MiB'],
    ['MEMORY_MB', 1536, '1.5 GiB'],
    ['DISK_GB', 2048, '2 TiB'],
    ['DISK_GB', 0, '0 GiB'],
    ['VCPU', 12_000, '12,000'],
    ['CUSTOM_FPGA', 3, '3'],
  ])('%s %d is %s', (resourceClass, amount, text) => {
    expect(amountText(resourceClass, amount)).toBe(text);
  });

  it.each([
    [0, '0 %'],
    [0.004, '< 1 %'],
    [0.5, '50 %'],
    [0.996, '> 99 %'],
    [1, '100 %'],
  ])('a share of %d is %s', (share, text) => {
    expect(shareText(share)).toBe(text);
  });

  it('counts one thing as one', () => {
    expect([countOf(1, 'host'), countOf(0, 'host'), countOf(1200, 'host')]).toEqual([
      '1 host',
      '0 hosts',
      '1,200 hosts',
    ]);
  });

  it('puts processors, memory and disks first', () => {
    expect(sortedClasses(['SRIOV_NET_VF', 'DISK_GB', 'CUSTOM_A', 'VCPU', 'MEMORY_MB'])).toEqual([
      'VCPU',
      'MEMORY_MB',
      'DISK_GB',
      'CUSTOM_A',
      'SRIOV_NET_VF',
    ]);
  });
});
