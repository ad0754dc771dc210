import { differenceOf, readTranscript } from './transcript';

it('parses configuration, commands and their output', () => {
  const text = [
    '# A chapter',
    'Some words.',
    '```js',
    '// a.js',
    'call();',
    '```',
    '```ini',
    '[scheduler]',
    '```',
    '```console',
    '$ one two',
    '$ three \\',
    '> four',
    '| printed |',
    '',
    'more',
    '```',
    '```sh',
    'not run',
    '```',
    '```console',
    '$ five',
    '```',
    '```ini',
    '[another]',
    '```',
    '```console',
    '$ six',
    '```',
  ].join('\n');
  expect(readTranscript(text)).toEqual({
    title: 'A chapter',
    files: [{ name: 'a.js', text: '// a.js\ncall();\n' }],
    services: [
      {
        configuration: '[scheduler]',
        commands: [
          { command: 'one two', expected: [], line: 11 },
          { command: 'three \\\nfour', expected: ['| printed |', 'more'], line: 12 },
          { command: 'five', expected: [], line: 22 },
        ],
      },
      { configuration: '[another]', commands: [{ command: 'six', expected: [], line: 28 }] },
    ],
  });
});

it('refuses a script without a name', () => {
  expect(() => readTranscript('```js\ncall();\n```')).toThrow('names its file');
});

it('refuses output without a command', () => {
  expect(() => readTranscript('```console\nprinted\n```')).toThrow('line 2');
});

it.each<readonly [string, readonly string[], string]>([
  ['the same', ['a', 'b'], 'a\nb\n'],
  ['nothing', [], '\n'],
  ['blanks', ['| a | b |'], '|  a   | b    |'],
  ['frames', ['+--+--+'], '+------+---------+'],
  ['any text', ['| id | … |'], '| id         | 3f0c |'],
  ['any text that is none', ['a…'], 'a'],
  ['any lines', ['a', '…', 'd'], 'a\nb\nc\nd'],
  ['any lines that are none', ['…', 'a', '…'], 'a'],
  ['signs of patterns', ['(a) [b] a.b $x'], '(a) [b] a.b $x'],
])('finds no difference in %s', (_what, expected, printed) => expect(differenceOf(expected, printed)).toBeNull());

it.each<readonly [string, readonly string[], string]>([
  ['another line', ['a'], 'b'],
  ['a line too many', ['a'], 'a\nb'],
  ['a line too few', ['a', 'b'], 'a'],
  ['another order', ['a', 'b'], 'b\na'],
  ['what only begins so', ['a'], 'ab'],
  ['a sign that would match as a pattern', ['a.b'], 'axb'],
  ['something printed by a silent command', [], 'a'],
  ['lines behind any lines', ['…', 'a'], 'a\nb'],
])('finds a difference in %s', (_what, expected, printed) =>
  expect(differenceOf(expected, printed)).toContain('expected:'),
);
