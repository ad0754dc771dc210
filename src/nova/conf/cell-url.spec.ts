import { fillCellUrl } from './cell-url';

const BASE = 'mysql+pymysql://nova:s%2Fe@DB1:3306/nova_cell0?charset=utf8';
const ALL = '{scheme}://{username}:{password}@{hostname}:{port}/nova_cell1?{query}';

describe('the address of a cell', () => {
  it.each<[string, string, string | null, string, RegExp | null]>([
    ['without braces', 'mysql://a:b@c/d', null, 'mysql://a:b@c/d', null],
    ['with all parts', ALL, BASE, 'mysql+pymysql://nova:s%2Fe@db1:3306/nova_cell1?charset=utf8', null],
    ['with the path', 'x://{hostname}/{path}#{fragment}', BASE, 'x://db1/nova_cell0#', null],
    ['without a query in the base', ALL, 'mysql://u:p@h:1/d', 'mysql://u:p@h:1/nova_cell1?', null],
    ['with double braces', '{{{username}}}', BASE, '{nova}', null],
    [
      'without a port in the base',
      ALL,
      'mysql://u:p@db/d',
      'mysql://u:p@db:None/nova_cell1?',
      /\{port\}, which \[database\]/,
    ],
    [
      'with IPv6',
      ALL,
      'mysql://u:p@[2001:DB8::1]:3306/d',
      'mysql://u:p@2001:db8::1:3306/nova_cell1?',
      /needs \[\{hostname\}\]/,
    ],
    ['with IPv6 in brackets', 'm://{username}@[{hostname}]', 'm://u@[::1]/d', 'm://u@[::1]', null],
    ['with an unknown name', 'm://{user}', BASE, 'm://{user}', /unknown name \{user\}/],
    ['with a single brace', 'm://{username}}', BASE, 'm://{username}}', /single brace/],
    ['with a number', '{hostname1}', BASE, '{hostname1}', /unknown name/],
    ['without a base', ALL, null, ALL, /is not set/],
    ['with an unusable base', ALL, 'nonsense', ALL, /is not an address/],
  ])('%s', (_name, template, base, url, problem) => {
    const filled = fillCellUrl(template, base);
    expect(filled.url).toBe(url);
    if (problem === null) expect(filled.problem).toBeNull();
    else expect(filled.problem).toMatch(problem);
    expect(filled.problem ?? '').not.toContain('s%2Fe');
  });
});
