import { pythonText } from './python-text';

describe('values printed the Python way', () => {
  it.each([
    ['a text', 'a text'],
    ["it's", "it's"],
    ['', ''],
    [4, '4'],
    [-1.5, '-1.5'],
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
    [undefined, 'None'],
    [['aes', 'avx2'], "['aes', 'avx2']"],
    [[], '[]'],
    [{ cores: 4, threads: 2 }, "{'cores': 4, 'threads': 2}"],
    [{}, '{}'],
    [[true, null, 1, { a: [] }], "[True, None, 1, {'a': []}]"],
    [["it's"], '["it\'s"]'],
    [['both \' and "'], "['both \\' and \"']"],
    [['a\\b\n'], "['a\\\\b\\n']"],
  ])('%j: %s', (value, text) => expect(pythonText(value)).toBe(text));

  it('are printed once', () => {
    const list = ['a'];
    expect(pythonText(list)).toBe("['a']");
    list.push('b');
    expect(pythonText(list)).toBe("['a']");
  });
});
