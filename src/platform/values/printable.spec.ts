import { errorLines, PRINTABLE, printableCopy, printableLine, printableLines } from './printable';

const NASTY = [
  '\u001b[2J',
  '\n',
  '\r',
  '\u0000',
  '\u007f',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u2029',
  '\ufeff',
];

it.each(NASTY)('%j is not printable, and is escaped', (text) => {
  expect(PRINTABLE.test(`a${text}b`)).toBe(false);
  expect(PRINTABLE.test(printableLine(`a${text}b`))).toBe(true);
});

it.each(['', 'name', 'two words', 'Größe', '漢字', '🐎', 'e\u0301'])('%j is printable, and stays as it is', (text) => {
  expect(PRINTABLE.test(text)).toBe(true);
  expect(printableLine(text)).toBe(text);
});

it('keeps the line breaks and tabulators of whole output', () => {
  expect(printableLines('a\u001b\n\tb\u009b\r\n')).toBe('a\\u001b\n\tb\\u009b\\u000d\n');
});

it('leaves JSON equal', () => {
  const document = { name: NASTY.join('x'), tag: '\u{e0001}' };
  expect(JSON.parse(printableLines(JSON.stringify(document, null, 2)))).toEqual(document);
});

it('copies documents with printable keys and values, and the lines of stacks', () => {
  const document = { 'a\n': ['b\n', { c: '\u009b' }], n: 1, none: null, err: { stack: 'x\n  at \u001b' } };
  expect(printableCopy(document)).toEqual({
    'a\\u000a': ['b\\u000a', { c: '\\u009b' }],
    n: 1,
    none: null,
    err: { stack: 'x\n  at \\u001b' },
  });
});

it('begins each line of an error with the name of the command', () => {
  expect(errorLines(new Error('one\ntwo\u001b'))).toBe('berth: one\nberth: two\\u001b\n');
  expect(errorLines('text')).toBe('berth: text\n');
});
