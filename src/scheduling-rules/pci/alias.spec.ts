import type { PciAliases } from './alias';
import { parsePciAliases } from './alias';

const text = (entry: object): string => JSON.stringify(entry);
const NIC = { name: 'nic', vendor_id: '8086', product_id: '1572', device_type: 'type-PF', numa_policy: 'required' };

const IDS = { vendor_id: '10de', product_id: '0001' };
const parse = (...texts: readonly string[]): PciAliases => parsePciAliases(texts, { inPlacement: false });

/** The error message, or `fine`. */
function outcome(texts: readonly string[], inPlacement = false): string {
  try {
    parsePciAliases(texts, { inPlacement });
    return 'fine';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

describe('PCI aliases', () => {
  it('are none without texts', () => expect(parsePciAliases([], { inPlacement: false }).size).toBe(0));

  it('become wanted properties of devices', () =>
    expect(parse(text({ ...NIC, live_migratable: 'yes' })).get('nic')).toEqual({
      name: 'nic',
      numaPolicy: 'required',
      alternatives: [{ vendor_id: '8086', product_id: '1572', dev_type: 'type-PF', live_migratable: 'true' }],
    }));

  it('of one name are alternatives', () => {
    const aliases = parse(
      text({ name: 'gpu', ...IDS }),
      text({ name: 'other', ...IDS }),
      text({ name: 'gpu', ...IDS, product_id: '0002' }),
    );
    expect(aliases.get('gpu')).toEqual({
      name: 'gpu',
      numaPolicy: null,
      alternatives: [IDS, { ...IDS, product_id: '0002' }],
    });
    expect([...aliases.keys()]).toEqual(['gpu', 'other']);
  });

  const WRONG = 'InvalidOption: [pci] alias: entry';
  it.each<[string, readonly string[], string]>([
    ['no JSON', ['{'], `${WRONG} 1: is no JSON`],
    ['no object', ['[]'], `${WRONG} 1: must be a JSON object`],
    ['no name', [text({ vendor_id: '8086' })], `${WRONG} 1: has no name`],
    ['an empty name', [text({ name: ' ' })], `${WRONG} 1: name must be a name of 1 to 256 characters, not ''`],
    ['a long name', [text({ ...IDS, name: 'n'.repeat(256) })], 'fine'],
    ['a longer name', [text({ name: 'n'.repeat(257) })], `${WRONG} 1: name must be a name of 1 to 256 characters`],
    ['a number', [text({ name: 'n', vendor_id: 8086 })], `${WRONG} 1: vendor_id must be a text`],
    ['an unknown key', [text({ name: 'n', vendor: '8086' })], `${WRONG} 1: unknown key 'vendor'`],
    [
      'a short id',
      [text(NIC), text({ name: 'n', vendor_id: '808' })],
      `${WRONG} 2: vendor_id must be four hexadecimal`,
    ],
    ['an id of upper case', [text({ ...IDS, name: 'n', product_id: 'ABCD' })], 'fine'],
    [
      'an id that is none',
      [text({ name: 'n', product_id: '10XX' })],
      `${WRONG} 1: product_id must be four hexadecimal`,
    ],
    ['a type', [text({ name: 'n', device_type: 'PF' })], `${WRONG} 1: device_type must be one of type-PCI`],
    ['a policy', [text({ name: 'n', numa_policy: 'x' })], `${WRONG} 1: numa_policy must be one of required`],
    ['a capability', [text({ name: 'n', capability_type: 'x' })], `${WRONG} 1: capability_type must be 'pci'`],
    ['a truth', [text({ name: 'n', live_migratable: 'perhaps' })], `${WRONG} 1: live_migratable must be yes or no`],
    [
      'two policies of a name',
      [text(NIC), text({ ...NIC, numa_policy: 'legacy' })],
      `${WRONG} 2: 'nic' has another numa_policy`,
    ],
    [
      'legacy is the default',
      [text({ ...IDS, name: 'n', numa_policy: 'legacy' }), text({ ...IDS, name: 'n' })],
      'fine',
    ],
    [
      'two types of a name',
      [text(NIC), text({ ...NIC, device_type: 'type-VF' })],
      `${WRONG} 2: 'nic' has another device_type`,
    ],
  ])('%s', (_, texts, expected) => expect(outcome(texts)).toContain(expected));

  it('of one name cannot be in Placement', () => {
    const texts = [text({ name: 'n', ...IDS }), text({ name: 'n', ...IDS, product_id: '0002' })];
    expect(outcome(texts)).toBe('fine');
    expect(outcome(texts, true)).toBe(
      `${WRONG} 2: 'n' is named by an entry before; with [filter_scheduler] pci_in_placement a name has one entry`,
    );
  });

  const NEEDS = `${WRONG} 1: 'n' needs vendor_id and product_id`;
  it.each<[string, object, string, string]>([
    ['both ids', IDS, 'fine', 'fine'],
    ['a vendor alone', { vendor_id: '10de' }, NEEDS, `${NEEDS}, or resource_class`],
    ['a product alone', { product_id: '0001' }, NEEDS, `${NEEDS}, or resource_class`],
    ['a type alone', { device_type: 'type-VF' }, NEEDS, `${NEEDS}, or resource_class`],
    [
      'a resource class',
      { resource_class: 'CUSTOM_GPU' },
      `${NEEDS}, unless [filter_scheduler] pci_in_placement`,
      'fine',
    ],
  ])('that name %s', (_, properties, expected, inPlacement) => {
    expect(outcome([text({ name: 'n', ...properties })])).toContain(expected);
    expect(outcome([text({ name: 'n', ...properties })], true)).toContain(inPlacement);
  });
});
