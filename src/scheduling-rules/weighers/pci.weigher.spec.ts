import type { HostState } from '../host-state/host-state';
import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { pciWeigher } from './pci.weigher';

/** A host with one pool per count of free devices. */
const free = (...counts: readonly number[]): Partial<HostState> => ({
  pciPools: counts.map((count) => ({
    vendorId: 'v',
    productId: 'p',
    devType: 'type-PCI',
    numaNode: null,
    count,
    tags: {},
  })),
});
const NIC = { requestId: null, aliasName: 'nic', count: 1, alternatives: [{}], numaPolicy: null };
const multiplier = (value: number) => ({ filter_scheduler: { pci_weight_multiplier: value } });

describe('PCIWeigher', () => {
  weigherTable(pciWeigher, [
    {
      rule: 'fewer free devices are better; devices above 99 are not told apart',
      hosts: { a: free(), b: free(3), c: free(150) },
      outcome: { raw: { a: 100, b: 97, c: 1 }, normalized: { a: 1, b: 96 / 99, c: 0 }, order: ['a', 'b', 'c'] },
      flip: {
        hosts: { c: free(98) },
        outcome: { raw: { a: 100, b: 97, c: 2 }, normalized: { a: 1, b: 95 / 98, c: 0 }, order: ['a', 'b', 'c'] },
      },
    },
    {
      rule: 'devices of all pools count; 99 are as many as 100',
      hosts: { a: free(50, 49), b: free(50, 50) },
      outcome: { raw: { a: 1, b: 1 }, normalized: { a: 0, b: 0 } },
      flip: { hosts: { a: free(50, 48) }, outcome: { raw: { a: 2, b: 1 }, normalized: { a: 1, b: 0 } } },
    },
    {
      rule: 'a host without PCI data has no free devices',
      hosts: { a: { pciPools: null }, b: free(1) },
      outcome: { raw: { a: 100, b: 99 }, order: ['a', 'b'] },
      flip: { hosts: { b: free(0) }, outcome: { raw: { a: 100, b: 100 }, order: ['a', 'b'] } },
    },
    {
      rule: 'what the request asks for does not matter, what the host has does',
      hosts: { a: free(2), b: free(1) },
      spec: { pciRequests: [NIC] },
      outcome: { raw: { a: 98, b: 99 }, order: ['b', 'a'] },
      flip: { hosts: { b: free(3) }, outcome: { raw: { a: 98, b: 97 }, order: ['a', 'b'] } },
    },
    {
      rule: 'the multiplier scales, and the smallest one of a host’s aggregates overrides it',
      hosts: { a: free(0), b: free(1) },
      options: multiplier(2),
      outcome: { score: { a: 2, b: 0 }, order: ['a', 'b'] },
      flip: {
        hosts: {
          a: {
            ...free(0),
            aggregates: hostInAggregates('a', { pci_weight_multiplier: '-1' }, { pci_weight_multiplier: '3' })
              .aggregates,
          },
        },
        outcome: { score: { a: -1, b: 0 }, order: ['b', 'a'] },
      },
    },
  ]);

  it('counts once by default', () =>
    expect(pciWeigher.options['pci_weight_multiplier']).toMatchObject({ default: 1, min: 0 }));
});
