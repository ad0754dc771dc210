import { csvOf } from './csv';

describe('a table as CSV', () => {
  it('quotes what would end a cell, and leaves what is not there empty', () => {
    expect(
      csvOf(
        ['name', 'note'],
        [
          ['cn1', 'a, "b"\nc'],
          ['cn2', null],
        ],
      ),
    ).toBe('name,note\r\ncn1,"a, ""b""\nc"\r\ncn2,\r\n');
  });

  it('lets no text become a formula', () => {
    expect(csvOf(['name'], [['=1+1'], [-1]])).toBe("name\r\n'=1+1\r\n-1\r\n");
  });
});
