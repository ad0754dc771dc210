import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { partsOfKey, unitedMetadata } from './aggregate-metadata';

const aggregates = (...metadata: readonly Readonly<Record<string, string>>[]) =>
  hostInAggregates('h', ...metadata).aggregates;

describe('united metadata', () => {
  it('splits values on commas, trims them and unites all aggregates', () => {
    const united = unitedMetadata(aggregates({ a: 'x, y' }, { a: 'z', b: ' x ' }, { a: 'x' }));
    expect([...united].map(([key, values]) => [key, [...values].sort()])).toEqual([
      ['a', ['x', 'y', 'z']],
      ['b', ['x']],
    ]);
  });

  it('makes one empty text of an empty value', () => {
    expect(partsOfKey(aggregates({ a: '' }), 'a')).toEqual(['']);
    expect(partsOfKey(aggregates({ a: 'x,' }), 'a')).toEqual(['x', '']);
    expect(partsOfKey(aggregates({ b: 'x' }), 'a')).toEqual([]);
    expect(partsOfKey([], 'a')).toEqual([]);
    expect(partsOfKey(aggregates({}), 'toString')).toEqual([]);
  });

  it('is computed once per list of aggregates', () => {
    const list = aggregates({ a: 'x' });
    expect(unitedMetadata(list)).toBe(unitedMetadata(list));
  });
});

it.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['', ['']],
  [',', ['']],
])('the parts of "%s"', (text, parts) => expect(partsOfKey(aggregates({ a: text }), 'a')).toEqual(parts));
