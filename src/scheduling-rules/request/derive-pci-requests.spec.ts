import { parsePciAliases } from '../pci/alias';
import type { Flavor, Image } from '../request-spec/request-spec';
import { derivePciRequests, PCI_DEVICES_MAX, pciNumaPolicy } from './derive-pci-requests';

type Texts = Readonly<Record<string, string>>;

const ALIASES = parsePciAliases(
  [
    '{"name": "nic", "vendor_id": "8086", "product_id": "1572"}',
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4", "numa_policy": "preferred"}',
  ],
  { inPlacement: false },
);
const flavorOf = (extraSpecs: Texts): Flavor => ({
  name: null,
  vcpus: 1,
  memoryMb: 1,
  rootGb: 0,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs,
});
const imageOf = (properties: Texts): Image => ({ id: null, name: null, diskFormat: null, properties });

const outcome = <T>(read: () => T): T | string => {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('PCI requests of a flavor', () => {
  const derive = (alias: string, specs: Texts = {}, properties: Texts = {}): unknown =>
    outcome(() =>
      derivePciRequests(flavorOf({ 'pci_passthrough:alias': alias, ...specs }), imageOf(properties), ALIASES).map(
        ({ aliasName, count, numaPolicy }) => [aliasName, count, numaPolicy],
      ),
    );
  const COUNT = (part: string): string =>
    `'flavor.extra_specs.pci_passthrough:alias' must be name:count[,name:count] with counts from 1 to ${PCI_DEVICES_MAX}, not '${part}'.`;

  it.each<[string, string, unknown]>([
    ['none', '', []],
    ['one', 'nic:2', [['nic', 2, null]]],
    [
      'several, in order',
      'gpu:1, nic:3',
      [
        ['gpu', 1, 'preferred'],
        ['nic', 3, null],
      ],
    ],
    [
      'a name twice',
      'nic:1,nic:1',
      [
        ['nic', 1, null],
        ['nic', 1, null],
      ],
    ],
    ['most devices', `nic:${PCI_DEVICES_MAX}`, [['nic', PCI_DEVICES_MAX, null]]],
    ['more devices', `nic:${PCI_DEVICES_MAX + 1}`, COUNT(`nic:${PCI_DEVICES_MAX + 1}`)],
    ['no devices', 'nic:0', COUNT('nic:0')],
    ['no count', 'nic', COUNT('nic')],
    ['no name', ':1', COUNT(':1')],
    ['no number', 'nic:x', COUNT('nic:x')],
    [
      'an unknown alias',
      'fpga:1',
      "'flavor.extra_specs.pci_passthrough:alias' names the alias 'fpga', which [pci] alias does not have.",
    ],
  ])('%s', (_, alias, expected) => expect(derive(alias)).toEqual(expected));

  it('want the devices of their alias', () =>
    expect(derivePciRequests(flavorOf({ 'pci_passthrough:alias': 'gpu:1' }), null, ALIASES)[0]).toEqual({
      requestId: null,
      aliasName: 'gpu',
      count: 1,
      alternatives: [{ vendor_id: '10de', product_id: '1db4' }],
      numaPolicy: 'preferred',
    }));

  it('take the policy of flavor or image, otherwise that of the alias', () => {
    expect(derive('nic:1,gpu:1')).toEqual([
      ['nic', 1, null],
      ['gpu', 1, 'preferred'],
    ]);
    for (const [specs, properties] of [
      [{ 'hw:pci_numa_affinity_policy': 'required' }, {}],
      [{}, { hw_pci_numa_affinity_policy: 'required' }],
    ] as const) {
      expect(derive('nic:1,gpu:1', specs, properties)).toEqual([
        ['nic', 1, 'required'],
        ['gpu', 1, 'required'],
      ]);
    }
  });
});

describe('the PCI NUMA policy of flavor and image', () => {
  it.each<[string | null, string | null, string | null]>([
    [null, null, null],
    ['socket', null, 'socket'],
    [null, 'legacy', 'legacy'],
    ['required', 'required', 'required'],
    [
      'required',
      'preferred',
      "'image.properties.hw_pci_numa_affinity_policy' is 'preferred', which contradicts the flavor: its hw:pci_numa_affinity_policy is 'required'.",
    ],
    [
      'near',
      null,
      "'flavor.extra_specs.hw:pci_numa_affinity_policy' must be one of required, socket, legacy, preferred, not 'near'.",
    ],
  ])('%j and %j', (flavor, image, expected) => {
    const specs: Texts = flavor === null ? {} : { 'hw:pci_numa_affinity_policy': flavor };
    const properties: Texts = image === null ? {} : { hw_pci_numa_affinity_policy: image };
    expect(outcome(() => pciNumaPolicy(flavorOf(specs), imageOf(properties)))).toBe(expected);
  });
});
