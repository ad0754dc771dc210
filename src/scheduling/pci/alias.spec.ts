import { parsePciAliases } from './alias';

const text = (entry: object): string => JSON.stringify(entry);
const NIC = { name: 'nic', vendor_id: '8086', product_id: '1572', device_type: 'type-PF', numa_policy: 'required' };

/** The refusal's sentence, or `fine`. */
function outcome(...texts: readonly string[]): string {
  try {
    parsePciAliases(texts);
    return 'fine';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

describe('PCI aliases', () => {
  it('are none without texts', () => expect(parsePciAliases([]).size).toBe(0));

  it('become wanted properties of devices', () =>
    expect(parsePciAliases([text({ ...NIC, live_migratable: 'yes' })]).get('nic')).toEqual({
      name: 'nic',
      numaPolicy: 'required',
      alternatives: [{ vendor_id: '8086', product_id: '1572', dev_type: 'type-PF', live_migratable: 'true' }],
    }));

  it('of one name are alternatives', () => {
    const aliases = parsePciAliases([
      text({ name: 'gpu', product_id: '0001' }),
      text({ name: 'other' }),
      text({ name: 'gpu', product_id: '0002' }),
    ]);
    expect(aliases.get('gpu')).toEqual({
      name: 'gpu',
      numaPolicy: null,
      alternatives: [{ product_id: '0001' }, { product_id: '0002' }],
    });
    expect([...aliases.keys()]).toEqual(['gpu', 'other']);
  });

  const WRONG = 'InvalidOption: [pci] alias: entry';
  it.each<[string, readonly string[], string]>([
    ['no JSON', ['{'], `${WRONG} 1: is no JSON`],
    ['no object', ['[]'], `${WRONG} 1: must be a JSON object`],
    ['no name', [text({ vendor_id: '8086' })], `${WRONG} 1: has no name`],
    ['an empty name', [text({ name: ' ' })], `${WRONG} 1: name must be a name of 1 to 256 characters, not ''`],
    ['a long name', [text({ name: 'n'.repeat(256) })], 'fine'],
    ['a longer name', [text({ name: 'n'.repeat(257) })], `${WRONG} 1: name must be a name of 1 to 256 characters`],
    ['a number', [text({ name: 'n', vendor_id: 8086 })], `${WRONG} 1: vendor_id must be a text`],
    ['an unknown key', [text({ name: 'n', vendor: '8086' })], `${WRONG} 1: unknown key 'vendor'`],
    [
      'a short id',
      [text(NIC), text({ name: 'n', vendor_id: '808' })],
      `${WRONG} 2: vendor_id must be four hexadecimal`,
    ],
    ['an id of upper case', [text({ name: 'n', product_id: 'ABCD' })], 'fine'],
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
    ['legacy is the default', [text({ name: 'n', numa_policy: 'legacy' }), text({ name: 'n' })], 'fine'],
    [
      'two types of a name',
      [text(NIC), text({ ...NIC, device_type: 'type-VF' })],
      `${WRONG} 2: 'nic' has another device_type`,
    ],
  ])('%s', (_, texts, expected) => expect(outcome(...texts)).toContain(expected));
});
