import { nearestName } from '../values/nearest-name';
import { interpolate } from './interpolation';
import { parseIni } from './oslo-ini';

const values = (text: string): readonly string[] =>
  parseIni(text).entries.map(({ group, name, value }) => `${group}.${name}=${value}`);

describe('the INI dialect', () => {
  it.each([
    ['an equals sign', '[a]\nk = v', ['a.k=v']],
    ['a colon', '[a]\nk: v', ['a.k=v']],
    ['whichever sign comes first', '[a]\nk = http://x:1\nl: a=b', ['a.k=http://x:1', 'a.l=a=b']],
    ['an empty value', '[a]\nk =', ['a.k=']],
    ['comments', '# c\n[a]\n; c\nk = v # kept', ['a.k=v # kept']],
    ['quotes around the whole value', '[a]\nk = " v "\nl = \'v\'\nm = "v', ['a.k= v ', 'a.l=v', 'a.m="v']],
    ['continued lines', '[a]\nk = v\n  w\n\tx\nl = y', ['a.k=v\nw\nx', 'a.l=y']],
    ['a value that begins on the next line', '[a]\nk =\n  v,\n  w', ['a.k=v,\nw']],
    ['comments between continued lines', '[a]\nk = v\n  # c\n  w', ['a.k=v\nw']],
    ['repeated keys', '[a]\nk = v\nk = w', ['a.k=v', 'a.k=w']],
    ['a group opened twice', '[a]\nk = v\n[b]\n[a]\nl = w', ['a.k=v', 'a.l=w']],
    ['Windows line ends and a byte order mark', '\uFEFF[a]\r\nk = v\r\n', ['a.k=v']],
  ])('reads %s', (_what, text, expected) => {
    expect(parseIni(text).problems).toEqual([]);
    expect(values(text)).toEqual(expected);
  });

  it.each([
    ['k = v', 1, 'before the first [group]'],
    ['[a\nk = v', 1, 'a group is written [name]'],
    ['[]', 1, 'a group is written [name]'],
    ['[a] x', 1, 'a group is written [name]'],
    ['[a]\nwords', 2, 'expected key = value'],
    ['[a]\n= v', 2, 'the key is missing'],
    ['[a]\n  v', 2, 'continues a value'],
    ['[a]\nk = v\n\n  w', 4, 'continues a value'],
  ])('reports %j with its line', (text, line, message) => {
    expect(parseIni(text).problems).toEqual([{ line, message: expect.stringContaining(message) }]);
  });

  it('goes on after a fault and reports each once', () => {
    const document = parseIni('[a]\nsecret words\n  and more\nk = v\n[b\nl = w');
    expect(document.problems.map(({ line }) => line)).toEqual([2, 5]);
    expect(JSON.stringify(document.problems)).not.toContain('secret');
    expect(document.entries).toEqual([{ group: 'a', name: 'k', value: 'v', line: 4 }]);
  });
});

describe('references to other options', () => {
  const known: Readonly<Record<string, string>> = { name: 'n', 'g.name': 'gn', nested: 'x$name', loop: '$loop' };
  const lookup = (group: string | null, name: string): string | undefined =>
    known[group === null ? name : `${group}.${name}`];

  it.each([
    ['a$name', 'an'],
    ['${name}b', 'nb'],
    ['${g.name}', 'gn'],
    ['$g.name.', 'gn.'],
    ['$nested', 'xn'],
    ['$$name', '$name'],
    ['\\$name', '$name'],
    ['5$ and $1', '5$ and $1'],
  ])('%s becomes %s', (text, expected) => {
    expect(interpolate(text, lookup)).toEqual({ ok: true, text: expected });
  });

  it.each([
    ['$nothing', 'no option of that name'],
    ['$loop', 'in a circle'],
  ])('%s is a problem', (text, problem) => {
    expect(interpolate(text, lookup)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe('the nearest name', () => {
  it.each([
    ['enabled_filter', 'enabled_filters'],
    ['max_atempts', 'max_attempts'],
    ['MAX_ATTEMPTS', 'max_attempts'],
    ['something_else', undefined],
  ])('of %s is %s', (wanted, expected) => {
    expect(nearestName(wanted, ['enabled_filters', 'max_attempts', 'weight_classes'])).toBe(expected);
  });
});
