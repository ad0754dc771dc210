import { InvalidInput } from '../../platform/values/errors';
import { parseMemberOf, parseRequired, parseResources } from './request-grammar';

const U1 = '11111111-2222-3333-4444-5555555555aa';
const U2 = '11111111-2222-3333-4444-5555555555bb';
const ALL = { forbidden: true, anyOf: true };

describe('resources', () => {
  it.each<[string, Record<string, number>]>([
    ['VCPU:1', { VCPU: 1 }],
    ['VCPU:1,MEMORY_MB:512', { VCPU: 1, MEMORY_MB: 512 }],
    ['VCPU:1,VCPU:3', { VCPU: 3 }],
    ['VCPU: +2 ', { VCPU: 2 }],
    ['VCPU:007', { VCPU: 7 }],
    ['VCPU:2147483648', { VCPU: 2147483648 }],
    ['VCPU:18446744073709551616', { VCPU: Number.MAX_SAFE_INTEGER }],
    [`VCPU:${'9'.repeat(400)}`, { VCPU: Number.MAX_SAFE_INTEGER }],
    [' VCPU:1', { ' VCPU': 1 }],
  ])('%j is read', (text, expected) => {
    expect(Object.fromEntries(parseResources(text))).toEqual(expected);
  });

  it.each([
    '',
    'VCPU',
    'VCPU:',
    ':1',
    'VCPU:1:2',
    'VCPU:1,',
    ',VCPU:1',
    'VCPU:0',
    'VCPU:-1',
    'VCPU:1.5',
    'VCPU:x',
    'VCPU:1e3',
  ])('%j is refused', (text) => {
    expect(() => parseResources(text)).toThrow(InvalidInput);
  });

  it('names the parameter and stays on one line', () => {
    expect(() => parseResources('a\nb', 'resources_X')).toThrow(/^[^\n]*'resources_X'[^\n]*$/);
  });
});

describe('required', () => {
  it.each<[string[], string[][], string[]]>([
    [['A'], [['A']], []],
    [[' A , !B '], [['A']], ['B']],
    [['!!A'], [], ['A']],
    [['in:A, B', 'C,!D'], [['A', 'B'], ['C']], ['D']],
  ])('%j is read', (texts, required, forbidden) => {
    expect(parseRequired(texts, ALL)).toEqual({ required, forbidden });
  });

  it.each(['', 'A,', ',A', '!', 'A,!', 'in:', 'in:A,', 'in:A,!B', '!in:A', 'A,in:B', '   '])(
    '%j is refused',
    (text) => {
      expect(() => parseRequired([text], ALL)).toThrow(InvalidInput);
    },
  );

  it('knows `!` and `in:` only if the version does', () => {
    expect(() => parseRequired(['!A'], { forbidden: false, anyOf: false })).toThrow(InvalidInput);
    expect(() => parseRequired(['in:A'], { forbidden: true, anyOf: false })).toThrow(InvalidInput);
  });
});

describe('member_of', () => {
  it.each<[string[], string[][], string[]]>([
    [[U1], [[U1]], []],
    [[U1.toUpperCase().replaceAll('-', '')], [[U1]], []],
    [[`in:${U1},${U2}`], [[U1, U2]], []],
    [[U1, `!${U2}`], [[U1]], [U2]],
    [[`!in:${U1},${U2}`], [], [U1, U2]],
  ])('%j is read', (texts, memberOf, forbidden) => {
    expect(parseMemberOf(texts, { forbidden: true })).toEqual({ memberOf, forbidden });
  });

  it.each(['', 'x', `${U1},${U2}`, 'in:', `in:${U1},`, `in:!${U1}`, '!', `!${U1},${U2}`, `!!${U1}`])(
    '%j is refused',
    (text) => {
      expect(() => parseMemberOf([text], { forbidden: true })).toThrow(InvalidInput);
    },
  );

  it('knows `!` only if the version does', () => {
    expect(() => parseMemberOf([`!${U1}`], { forbidden: false })).toThrow(InvalidInput);
  });
});
