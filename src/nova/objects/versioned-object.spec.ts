import { bootSpec, CELL, novaObject, PASSWORD, RESIZE_DESTINATION } from './captured.fixture';
import { itemsOf, NovaObject, readObject, readValue, writeObject } from './versioned-object';

const flavor = (version: string): object => novaObject('Flavor', version, { vcpus: 1 });

describe('reading', () => {
  it('decodes nested objects and lists', () => {
    const spec = readObject(bootSpec(), 'RequestSpec');
    const { flavor, requested_networks: networks } = spec.fields;
    expect(spec.version).toBe('1.14');
    expect(flavor).toBeInstanceOf(NovaObject);
    const [network] = itemsOf(networks);
    expect((network as NovaObject).fields).toEqual({ network_id: 'none', port_id: null, device_profile: null });
  });

  it('distinguishes an absent field from null', () => {
    const { fields } = readObject(novaObject('RequestSpec', '1.14', { retry: null }), 'RequestSpec');
    expect('retry' in fields).toBe(true);
    expect('limits' in fields).toBe(false);
  });

  it.each(['1.0', '1.2', '1.99', '1.2.1'])('accepts version %s', (version) => {
    expect(readObject(flavor(version), 'Flavor').fields).toEqual({ vcpus: 1 });
  });

  it.each(['0.9', '2.0', '11.0', '1', 'x'])('refuses version %s, with the name and the version', (version) => {
    expect(() => readValue([{ flavor: flavor(version) }])).toThrow(
      `Version '${version}' of the versioned object Flavor is not supported. Supported: 1.x.`,
    );
  });

  it('accepts unknown objects and fields', () => {
    const read = readObject(novaObject('Novelty', '7.1', { parts: [flavor('1.2')] }), 'Novelty');
    expect(itemsOf(read.fields['parts'])).toEqual([new NovaObject('Flavor', '1.2', { vcpus: 1 })]);
  });

  it('drops passwords of cells and data of instances', () => {
    const instance = novaObject('Instance', '2.7', { uuid: 'u', host: 'h', node: 'n', user_data: PASSWORD });
    const read = readValue([RESIZE_DESTINATION, novaObject('InstanceList', '2.6', { objects: [instance] })]);
    expect(JSON.stringify(read)).not.toContain(PASSWORD);
    expect(JSON.stringify(read)).toContain(CELL);
  });

  it('takes a field named __proto__ as a field', () => {
    const document = JSON.parse(JSON.stringify(flavor('1.2')).replace('"vcpus"', '"__proto__"'));
    const { fields } = readObject(document, 'Flavor');
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  it.each([
    ['another object', flavor('1.2'), "Expected the versioned object Aggregate, received the object 'Flavor'."],
    ['no object', [1], 'Expected the versioned object Aggregate, received a value that is no versioned object.'],
    ['no data', { 'nova_object.name': 'Aggregate', 'nova_object.version': '1.3' }, 'nova_object.data'],
  ])('refuses %s', (_, document, message) => {
    expect(() => readObject(document, 'Aggregate')).toThrow(message);
  });

  it('refuses deep documents', () => {
    expect(() => readValue(JSON.parse('['.repeat(50) + ']'.repeat(50)))).toThrow('more than 40 levels');
  });

  it('refuses large documents', () => {
    expect(() => readValue(new Array(1_000_001).fill(0))).toThrow('more than 1000000 values');
  });
});

it.each([
  ['a list', [1, 2], [1, 2]],
  ['a list object', new NovaObject('AggregateList', '1.3', { objects: [1] }), [1]],
  ['a single object', new NovaObject('Aggregate', '1.3', {}), [new NovaObject('Aggregate', '1.3', {})]],
  ['null', null, []],
])('the items of %s', (_, value, items) => expect(itemsOf(value)).toEqual(items));

it('writes the fields and their names in order', () => {
  expect(writeObject('Selection', '1.1', { nodename: 'n', cell_uuid: 'c' })).toEqual({
    'nova_object.name': 'Selection',
    'nova_object.namespace': 'nova',
    'nova_object.version': '1.1',
    'nova_object.data': { nodename: 'n', cell_uuid: 'c' },
    'nova_object.changes': ['cell_uuid', 'nodename'],
  });
});
