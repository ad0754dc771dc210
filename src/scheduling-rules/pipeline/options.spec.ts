import { integer, number, text } from '../../platform/values/options';
import { floatOf, integerOf, isNanText, numericOverride, optionsForHost, resolveOptions } from './options';
import { hostInAggregates, hostState } from './pipeline.fixture';

const DECLARED = {
  limit: integer(8, '', { min: 5, aggregateKey: 'limit' }),
  ratio: number(1.5, '', { aggregateKey: 'ratio' }),
  fixed: integer(3, ''),
  name: text(null, ''),
};
const VALUES = resolveOptions(DECLARED, {});
const forHost = (...metadata: readonly Readonly<Record<string, string>>[]) =>
  optionsForHost(DECLARED, VALUES, hostInAggregates('h', ...metadata));

describe('the values for one host', () => {
  it('are the same object if no aggregate overrides them', () => {
    expect(optionsForHost(DECLARED, VALUES, hostState())).toBe(VALUES);
    expect(forHost({ unrelated: '1' }, {})).toBe(VALUES);
    expect(forHost({ fixed: '1', name: 'x' })).toBe(VALUES);
  });

  it.each([
    ['one value', [{ limit: '9' }], 9],
    ['the smallest of several', [{ limit: '9' }, { limit: '7' }, {}], 7],
    ['one below the bounds of the option', [{ limit: '-1' }], -1],
    ['blanks around it', [{ limit: ' 7 ' }], 7],
    ['a fraction for an integer: ignored', [{ limit: '5.0' }], 8],
    ['one of several that is no number: all ignored', [{ limit: '1' }, { limit: 'oops' }], 8],
    ['an empty text: all ignored', [{ limit: '1' }, { limit: '' }], 8],
    ['a list with commas: ignored', [{ limit: '1,2' }], 8],
  ])('integer, %s', (_, metadata, limit) => expect(forHost(...metadata).limit).toBe(limit));

  it.each([
    ['1e2', 100],
    [' 2 ', 2],
    ['-3', -3],
    ['.5', 0.5],
    ['5.', 5],
    ['nan', 1.5],
    ['inf', 1.5],
    ['0x10', 1.5],
  ])('float %s: %d', (text, ratio) => expect(forHost({ ratio: text }).ratio).toBe(ratio));

  it('are computed once per list of aggregates', () => {
    const host = hostInAggregates('h', { limit: '9' });
    expect(optionsForHost(DECLARED, VALUES, host)).toBe(optionsForHost(DECLARED, VALUES, { ...host }));
  });

  it('follow the values they are computed from, not those of another binding', () => {
    const host = hostInAggregates('h', { limit: '9' });
    const other = resolveOptions(DECLARED, { filter_scheduler: { ratio: 2 } });
    expect(optionsForHost(DECLARED, VALUES, host)).toMatchObject({ limit: 9, ratio: 1.5 });
    expect(optionsForHost(DECLARED, other, host)).toMatchObject({ limit: 9, ratio: 2 });
  });
});

describe('numbers in texts', () => {
  it.each([
    ['7', 7],
    [' +7 ', 7],
    ['-7', -7],
    ['1_000', 1000],
    ['5.0', NaN],
    ['1e2', NaN],
    ['', NaN],
    ['1 2', NaN],
  ])('integer %s: %d', (text, value) => expect(integerOf(text)).toBe(value));

  it.each([
    ['1e3', 1000],
    ['1_0.5', 10.5],
    ['inf', Infinity],
    [' -Infinity ', -Infinity],
    ['.', NaN],
    ['1_', NaN],
    ['', NaN],
    ['ten', NaN],
  ])('float %s: %d', (text, value) => expect(floatOf(text)).toBe(value));

  it('knows nan by name', () => {
    expect(['nan', ' NaN', '-nan', 'nano', ''].map(isNanText)).toEqual([true, true, true, false, false]);
  });

  it('reads the override of a key that is no option', () => {
    const { aggregates } = hostInAggregates('h', { cpu_allocation_ratio: '4' }, { cpu_allocation_ratio: '2.5' });
    expect(numericOverride(aggregates, 'cpu_allocation_ratio', 'number')).toBe(2.5);
    expect(numericOverride(aggregates, 'cpu_allocation_ratio', 'integer')).toBeNull();
    expect(numericOverride([], 'cpu_allocation_ratio', 'number')).toBeNull();
  });
});
