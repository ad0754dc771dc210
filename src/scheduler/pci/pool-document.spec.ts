import { parsePciAliases } from './alias';
import { PCI_DEVICES_MAX } from './derive-requests';
import { pciPoolDocument, pciRequestDocument, readPciPools, readPciRequests } from './pool-document';

const POOL = {
  vendor_id: '8086',
  product_id: '1572',
  dev_type: 'type-PF',
  numa_node: 0,
  count: 2,
  tags: { physical_network: 'physnet1' },
};
const DEFAULTS = {
  aliases: parsePciAliases(['{"name": "nic", "vendor_id": "8086"}', '{"name": "gpu", "numa_policy": "required"}']),
  numaPolicy: 'preferred' as const,
};

/** What was read, or the refusal's sentence. */
const outcome = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('PCI pools of a host', () => {
  it('are read and written as they travel', () => {
    const pools = readPciPools([POOL]);
    expect(pools).toEqual([
      {
        vendorId: '8086',
        productId: '1572',
        devType: 'type-PF',
        numaNode: 0,
        count: 2,
        tags: { physical_network: 'physnet1' },
      },
    ]);
    expect(pools?.map(pciPoolDocument)).toEqual([POOL]);
  });

  it('may be unknown, or none', () => {
    expect(readPciPools(null)).toBeNull();
    expect(readPciPools(undefined)).toBeNull();
    expect(readPciPools([])).toEqual([]);
  });

  it('that are alike are one', () => {
    const pools = readPciPools([POOL, { ...POOL, numa_node: null }, { ...POOL, count: 3 }]);
    expect(pools?.map(({ numaNode, count }) => [numaNode, count])).toEqual([
      [0, 5],
      [null, 2],
    ]);
  });

  it('write true and false of tags as texts', () =>
    expect(readPciPools([{ ...POOL, tags: { remote_managed: true } }])?.[0]?.tags).toEqual({ remote_managed: 'true' }));

  const AT = 'pci_device_pools[0]';
  it.each<[string, unknown, string]>([
    ['no list', {}, 'pci_device_pools: must be a list'],
    ['an unknown field', [{ ...POOL, vendor: 'x' }], `${AT}.vendor: is unknown`],
    ['no vendor', [{ ...POOL, vendor_id: '' }], `${AT}.vendor_id: must be a text of 1 to 255 characters`],
    ['no type', [{ ...POOL, dev_type: 'PF' }], `${AT}.dev_type: must be one of type-PCI, type-PF, type-VF, type-VDPA`],
    ['no count', [{ ...POOL, count: undefined }], `${AT}.count: must be an integer from 0 to`],
    ['a negative count', [{ ...POOL, count: -1 }], `${AT}.count: must be an integer from 0 to`],
    ['a node', [{ ...POOL, numa_node: -1 }], `${AT}.numa_node: must be an integer from 0 to`],
    ['tags', [{ ...POOL, tags: { a: 1 } }], `${AT}.tags.a: must be a text`],
    [
      'too many like devices',
      [{ ...POOL, count: 2_147_483_647 }, POOL],
      'pci_device_pools[1].count: like pools have more than 2147483647 devices together',
    ],
  ])('are refused by path: %s', (_, value, expected) => expect(outcome(() => readPciPools(value))).toContain(expected));
});

describe('PCI requests a request gives itself', () => {
  const read = (value: unknown): unknown => outcome(() => readPciRequests(value, DEFAULTS));

  it('are none by default', () => {
    expect(read(null)).toEqual([]);
    expect(read(undefined)).toEqual([]);
  });

  it('name kinds of devices, and their own policy', () =>
    expect(read([{ request_id: 'r', count: 2, spec: [{ vendor_id: '8086' }], numa_policy: 'socket' }])).toEqual([
      { requestId: 'r', aliasName: null, count: 2, alternatives: [{ vendor_id: '8086' }], numaPolicy: 'socket' },
    ]));

  it('or an alias, and the policy of that, or of flavor and image', () =>
    expect(read([{ alias_name: 'nic' }, { alias_name: 'gpu' }])).toEqual([
      { requestId: null, aliasName: 'nic', count: 1, alternatives: [{ vendor_id: '8086' }], numaPolicy: 'preferred' },
      { requestId: null, aliasName: 'gpu', count: 1, alternatives: [{}], numaPolicy: 'required' },
    ]));

  it('are shown as they can be read again', () => {
    const requests = readPciRequests([{ alias_name: 'nic', count: 3 }], DEFAULTS);
    expect(readPciRequests(requests.map(pciRequestDocument), DEFAULTS)).toEqual(requests);
  });

  const AT = 'pci_requests[0]';
  it.each<[string, unknown, string]>([
    ['neither', { count: 1 }, `${AT}.spec: must name the wanted devices, unless alias_name does`],
    ['an unknown alias', { alias_name: 'x' }, `${AT}.alias_name: there is no alias 'x' in [pci] alias`],
    ['no device', { alias_name: 'nic', count: 0 }, `${AT}.count: must be an integer from 1 to ${PCI_DEVICES_MAX}`],
    ['a policy', { alias_name: 'nic', numa_policy: 'x' }, `${AT}.numa_policy: must be one of required`],
    ['an unknown field', { alias_name: 'nic', policy: 'x' }, `${AT}.policy: is unknown`],
    ['no texts', { spec: [{ vendor_id: 1 }] }, `${AT}.spec[0].vendor_id: must be a text`],
    ['no object', { spec: ['x'] }, `${AT}.spec[0]: must be an object`],
  ])('are refused by path: %s', (_, item, expected) => expect(read([item])).toContain(expected));
});
