import { excerptOf } from './excerpt';

const MUCH = 1_000;

describe('an excerpt', () => {
  it.each([[{ a: [1, 'b', null, { c: true }] }], [[]], ['text'], [7], [null], [{}]])(
    'of %j is complete',
    (document) => {
      expect(excerptOf(document, MUCH)).toEqual({ content: document, isCut: false });
    },
  );

  it('of a long list is its beginning and the number of omitted entries', () => {
    const { content, isCut } = excerptOf({ traits: Array.from({ length: 5_000 }, (_, i) => `T${i}`) }, MUCH);
    const { traits } = content as { readonly traits: readonly string[] };
    expect(isCut).toBe(true);
    expect(traits.slice(0, 2)).toEqual(['T0', 'T1']);
    expect(traits.at(-1)).toBe(`and ${5_000 - traits.length + 1} more`);
  });

  it('of an object with many keys is its first keys and the number of omitted ones', () => {
    const { content } = excerptOf(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i])), MUCH);
    const names = Object.keys(content as object);
    expect(names[0]).toBe('k0');
    expect((content as Readonly<Record<string, unknown>>)['…']).toBe(`and ${5_000 - names.length + 1} more`);
  });

  it('of a long text is its beginning', () => {
    expect(excerptOf('x'.repeat(MUCH + 1), MUCH)).toEqual({ content: `${'x'.repeat(MUCH)}…`, isCut: true });
  });

  it.each([
    ['a list of lists', Array.from({ length: 2_000 }, () => Array.from({ length: 2_000 }, () => 'x'))],
    [
      'texts in objects',
      Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, { v: 'x'.repeat(200) }])),
    ],
    ['numbers', Array.from({ length: 100_000 }, (_, i) => i)],
  ])('is not much longer than its limit: %s', (_what, document) => {
    expect(JSON.stringify(excerptOf(document, MUCH).content).length).toBeLessThan(2 * MUCH);
  });
});
